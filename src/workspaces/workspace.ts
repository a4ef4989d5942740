import { randomUUID } from 'node:crypto';
import { type AccessContext, effectiveAccess } from '../access/decide.js';
import type { AccessLevel, WorkspaceRole } from '../access/roles.js';
import { type NewEntry, onWorkspace } from '../audit/audit-entries.repository.js';
import type { Plan } from '../config/plan-limits.js';
import { changedSettings, given, type SettingOf, settingsWithId } from '../database/fields.js';
import { newId } from '../database/identifiers.js';
import type { Team, TeamRef } from '../teams/team.js';
import { WORKSPACE, type WorkspaceFields } from './workspace.fields.js';

/** A workspace without a caller. */
export interface WorkspaceRecord extends WorkspaceFields {
  /** The plan of its team. */
  plan: Plan;
}

/** A workspace, as one of those who can see it sees it. */
export interface Workspace extends WorkspaceRecord {
  /** The caller's own access to the content. */
  access: AccessLevel;
}

/** A workspace as repositories find it, with what decides whether the caller may see it. */
export type FoundWorkspace = WorkspaceRecord & AccessContext;

/** What names a workspace to the database. */
export type WorkspaceKey = Pick<Workspace, 'id' | 'teamId'>;

/** How a request names a workspace. */
export interface WorkspaceRef {
  team: TeamRef;
  slug: string;
}

/** What an update can change. */
type Settings = Pick<WorkspaceFields, SettingOf<typeof WORKSPACE>>;

/** What is absent stays. */
export type WorkspaceChanges = { [Setting in keyof Settings]?: Settings[Setting] | undefined };

export type NewWorkspace = Omit<WorkspaceChanges, 'slug'> & Pick<Settings, 'name'>;

/** A workspace of a list, as one of those who can see it sees it. */
export interface ListedWorkspace extends Pick<Workspace, 'access'> {
  /** Its JSON up to `access` and the closing brace. */
  json: string;
}

/** What `updateWorkspace` can change: `If-Match` compares it. */
export const workspaceSettings = (workspace: WorkspaceFields): object =>
  settingsWithId(WORKSPACE, workspace);

/** A workspace that is about to be written. */
export function newWorkspace(
  { id: teamId, plan }: Pick<Team, 'id' | 'plan'>,
  slug: string,
  request: NewWorkspace,
  now: Date,
): WorkspaceRecord {
  return {
    description: '',
    visibility: 'public',
    defaultAccess: 'full',
    ...given(request),
    id: newId(),
    teamId,
    plan,
    slug,
    archivedAt: null,
    deletedAt: null,
    treeStamp: randomUUID(),
    rebalances: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** The access to the content of a caller who can see the workspace. */
export const accessIn = (context: AccessContext): AccessLevel =>
  effectiveAccess(context) === 'full' ? 'full' : 'read-only';

/** The workspace as a caller sees it who may. */
export const asSeenIn = (found: FoundWorkspace): Workspace => ({
  ...found,
  access: accessIn(found),
});

/**
 * What the audit log says of an update: nothing of what it left as it was. The caller that makes a
 * workspace private is an editor of it then.
 */
export function updateEntries(before: FoundWorkspace, after: WorkspaceRecord): NewEntry[] {
  const about = onWorkspace(after);
  const changed = changedSettings(WORKSPACE, before, after);
  const fields = changed.filter((name) => name !== 'visibility');
  const entries: NewEntry[] = [];
  if (fields.length > 0) {
    const change = (name: 'slug' | 'defaultAccess') =>
      changed.includes(name) && { [name]: { from: before[name], to: after[name] } };
    const details = { fields, ...change('slug'), ...change('defaultAccess') };
    entries.push({ action: 'workspace.updated', ...about, details });
  }
  if (!changed.includes('visibility')) return entries;
  if (after.visibility === 'public') {
    return [...entries, { action: 'workspace.made_public', ...about, details: {} }];
  }
  const role: WorkspaceRole | 'none' = before.workspaceRole ?? 'none';
  const details = { ...(role !== 'editor' && { editor: role }) };
  return [...entries, { action: 'workspace.made_private', ...about, details }];
}
