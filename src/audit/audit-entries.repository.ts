import { type Statement, toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import type { Plan } from '../config/plan-limits.js';
import type { Transaction } from '../database/database.js';
import { newId } from '../database/identifiers.js';

/**
 * Records what a use case does, in its transaction: what is rolled back was never recorded. The entries
 * are one statement, which leaves with the next message; their order is that of the list.
 */
export function record(
  tx: Transaction,
  teamId: string,
  author: Author,
  ...entries: NewEntry[]
): void {
  if (entries.length > 0) tx.write(...recordStatement(teamId, author, entries));
}

/** The same as a statement, for transactions that are lists of statements. */
export function recordStatement(
  teamId: string,
  { id, requestId, via }: Author,
  entries: readonly NewEntry[],
): Statement {
  const rows = entries.map(({ action, target, workspaceId = null, details }) => ({
    id: newId(),
    action,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name,
    workspaceId,
    details: JSON.stringify({ ...details, ...(via && { via }) }),
  }));
  const names = ['id', 'action', 'targetType', 'targetId', 'targetName', 'workspaceId', 'details'];
  return [
    RECORD,
    [teamId, id, requestId, ...toArrays(rows, names as (keyof (typeof rows)[number])[])],
  ];
}

/** Joined with the counters of the team so that a distributed database runs it on the team's own node. */
const RECORD = {
  name: 'audit.record',
  text: `
    INSERT INTO audit_entries (team_id, id, actor_id, request_id, action, target_type, target_id,
      target_name, workspace_id, details)
    SELECT u.team_id, n.id, $2::uuid, $3::text, n.action, n.target_type, n.target_id, n.target_name,
      n.workspace_id, n.details::json
    FROM team_usage u,
      unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::uuid[], $10::text[])
        AS n (id, action, target_type, target_id, target_name, workspace_id, details)
    WHERE u.team_id = $1`,
};

/** On whose behalf something is done; an Actor is one. */
export interface Author {
  /** null: the operator, or the service by itself. */
  id: string | null;
  /** Of the request that does it; null: there is none. */
  requestId: string | null;
  /** The operator's command line. */
  via?: 'cli';
}

/** The operator, at the command line. */
export const OPERATOR: Author = { id: null, requestId: null, via: 'cli' };

/** The service by itself, as a consequence of what somebody does. */
export const byService = (author: Author): Author => ({ ...author, id: null });

interface Change<Value> {
  from: Value;
  to: Value;
}

/** Pages and collections that a deletion or a workspace holds. */
interface Counts {
  pages: number;
  collections: number;
}

/** Carries a type alone: the details of an action, none by default. */
const withDetails = <Details = Record<never, never>>() => ({}) as Details;

/**
 * The actions that are recorded, and the details of each: nothing secret, no address, and the name of no
 * person. `inviteCodeRenewed`: with the act, so that nobody comes back by a code that they knew.
 */
const ACTIONS = {
  'team.created': withDetails<{ slug: string }>(),
  'team.updated': withDetails<{ fields: string[] }>(),
  'team.slug_changed': withDetails<Change<string>>(),
  'team.plan_changed': withDetails<Change<Plan>>(),
  'team.invite_code_renewed': withDetails(),
  /** By the operator. */
  'member.added': withDetails<{ role: TeamRole }>(),
  'member.joined': withDetails<
    { role: TeamRole; by: 'code' } | { role: TeamRole; by: 'invite'; inviteId: string }
  >(),
  'member.left': withDetails<{ role: TeamRole }>(),
  'member.removed': withDetails<{ role: TeamRole; inviteCodeRenewed: true }>(),
  'member.role_changed': withDetails<Change<TeamRole> & { inviteCodeRenewed: boolean }>(),
  /** `renewed`: the invite was pending already. */
  'invite.sent': withDetails<{ role: TeamRole; renewed: boolean }>(),
  'invite.accepted': withDetails<{ role: TeamRole }>(),
  'invite.declined': withDetails<{ role: TeamRole }>(),
  /** `because`: not by itself, but with the act that took away the sender's right to send it. */
  'invite.revoked': withDetails<{ because?: 'member.removed' | 'member.role_changed' }>(),
  'workspace.created': withDetails<{
    slug: string;
    visibility: Visibility;
    defaultAccess: AccessLevel;
  }>(),
  'workspace.updated': withDetails<{
    fields: string[];
    slug?: Change<string>;
    defaultAccess?: Change<AccessLevel>;
  }>(),
  /** `editor`: the role that the actor had in it before becoming an editor with the act. */
  'workspace.made_private': withDetails<{ editor?: Exclude<WorkspaceRole, 'editor'> | 'none' }>(),
  'workspace.made_public': withDetails(),
  'workspace.archived': withDetails(),
  'workspace.unarchived': withDetails(),
  'workspace.deleted': withDetails<Counts>(),
  'workspace.restored': withDetails<Counts & { slug: string }>(),
  /** `reason`: the service did it by itself. `visibility` decides who sees the entries from then on. */
  'workspace.purged': withDetails<
    Counts & { visibility: Visibility; reason?: 'expired' | 'trash_limit' }
  >(),
  'workspace_member.added': withDetails<{ role: WorkspaceRole }>(),
  'workspace_member.role_changed': withDetails<Change<WorkspaceRole>>(),
  'workspace_member.removed': withDetails<{ role: WorkspaceRole }>(),
  /** The last editor left the team: the service made somebody else one. */
  'workspace_member.promoted': withDetails<{ role: 'editor' }>(),
  'item.deleted': withDetails<Counts & { permanent: boolean }>(),
  'item.restored': withDetails<Counts>(),
  /** One entry in each of the two workspaces: neither names the other, which may be hidden. */
  'item.transferred': withDetails<Counts & { direction: 'out' | 'in' }>(),
  'item.purged': withDetails<Counts & { reason?: 'expired' | 'trash_limit' }>(),
  'item.versionsPurged': withDetails<{ versions: number }>(),
  'trash.emptied': withDetails<Counts & { deletions: number }>(),
  'webhook.created': withDetails(),
  'webhook.updated': withDetails<{ fields: ('url' | 'events' | 'workspaces' | 'enabled')[] }>(),
  'webhook.secret_renewed': withDetails(),
  /** By the service. */
  'webhook.disabled': withDetails<{ reason: 'gone' | 'failing' | 'maker_not_owner' }>(),
  'webhook.deleted': withDetails(),
};

export type AuditAction = keyof typeof ACTIONS;
export const AUDIT_ACTIONS = Object.keys(ACTIONS) as AuditAction[];

/** What kinds of things entries are about; `item` is a page. */
export const TARGET_TYPES = [
  'team',
  'user',
  'invite',
  'workspace',
  'collection',
  'item',
  'webhook',
] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** What an entry is about. */
export interface AuditTarget {
  type: TargetType;
  id: string;
  /** As it was then; null: of an invite, and of a user, whose name is read from the user. */
  name: string | null;
}

/** The action of an entry that is about to be written, with its details. */
type Recorded = {
  [Action in AuditAction]: { action: Action; details: (typeof ACTIONS)[Action] };
}[AuditAction];

/** What an entry is about. */
interface About {
  target: AuditTarget;
  /** Who may see this workspace may see the entry; absent: it is about the team. */
  workspaceId?: string;
}

/** An entry that is about to be written. */
export type NewEntry = Recorded & About;

export const onTeam = ({ id, name }: { id: string; name: string }): About => ({
  target: { type: 'team', id, name },
});

/** @param workspaceId where the person's role in a workspace is meant */
export const onUser = (id: string, workspaceId?: string): About => ({
  target: { type: 'user', id, name: null },
  ...(workspaceId !== undefined && { workspaceId }),
});

export const onInvite = (id: string): About => ({ target: { type: 'invite', id, name: null } });

export const onWorkspace = ({ id, name }: { id: string; name: string }): About => ({
  target: { type: 'workspace', id, name },
  workspaceId: id,
});

export const onItem = (
  workspaceId: string,
  { id, title, object }: { id: string; title: string; object: 'collection' | 'item' },
): About => ({ target: { type: object, id, name: title }, workspaceId });
