import { randomBytes } from 'node:crypto';
import { decideTeam } from '../access/decide.js';
import type { TeamRole } from '../access/roles.js';
import { type NewEntry, onTeam } from '../audit/audit-entries.repository.js';
import type { Actor } from '../auth/actor.js';
import type { Limits, PlanLimits } from '../config/plan-limits.js';
import { changedSettings, given, type SettingOf, settingsWithId } from '../database/fields.js';
import { newId } from '../database/identifiers.js';
import { TEAM, type TeamFields } from './team.fields.js';

/** A team, as one of its members may see it. */
export interface Team extends TeamFields {
  usage: Limits;
  /** Of the plan; 0 means unlimited. */
  limit: Limits;
  /** The caller's role. */
  role: TeamRole;
}

/** A team as repositories find it: nobody has decided yet whether the caller may see it. */
export type FoundTeam = Omit<Team, 'role'> & { role: TeamRole | null };

/** How a request names a team: by slug, by id, or by both, which must then agree. */
export interface TeamRef {
  slug?: string | undefined;
  id?: string | undefined;
}

type Settings = Omit<Pick<TeamFields, SettingOf<typeof TEAM>>, 'logo'>;

/** What is absent stays; `description: null` clears it. */
export type TeamChanges = { [Setting in keyof Settings]?: Settings[Setting] | undefined };

export type NewTeam = TeamChanges & Pick<Settings, 'name' | 'slug'>;

/**
 * The team as this caller may see it: its invite code is for moderators and above, unless the scopes
 * of the token narrow them.
 */
export function asSeenBy({ mayManage }: Pick<Actor, 'mayManage'>, team: Team): Team {
  const seesInviteCode = mayManage && decideTeam('team.readInviteCode', team.role) === 'allow';
  return seesInviteCode ? team : { ...team, inviteCode: '' };
}

/** What `updateTeam` can change: `If-Match` compares it. */
export const teamSettings = (team: TeamFields): object => settingsWithId(TEAM, team);

/** 24 characters, 144 bits, from a cryptographic source. */
export const newInviteCode = (): string => randomBytes(18).toString('base64url');

/** A team that is about to be written, as its owner has it. */
export function newTeam(request: NewTeam, limits: PlanLimits, now: Date): Team {
  return {
    description: null,
    ...given(request),
    id: newId(),
    logo: null,
    plan: 'free',
    inviteCode: newInviteCode(),
    billingCycleStart: now,
    usage: { pages: 0, users: 1, workspaces: 0 },
    limit: limits.free,
    createdAt: now,
    updatedAt: now,
    role: 'owner',
  };
}

/** What the audit log says of an update: nothing of what it left as it was. */
export function updateEntries(before: Team, after: Team): NewEntry[] {
  const changed = changedSettings(TEAM, before, after);
  const fields = changed.filter((name) => name !== 'slug');
  const about = onTeam(after);
  const slug = { from: before.slug, to: after.slug };
  return [
    ...(fields.length > 0
      ? [{ action: 'team.updated' as const, ...about, details: { fields } }]
      : []),
    ...(changed.includes('slug')
      ? [{ action: 'team.slug_changed' as const, ...about, details: slug }]
      : []),
  ];
}
