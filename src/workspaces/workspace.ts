import { randomUUID } from 'node:crypto';
import { type AccessContext, effectiveAccess } from '../access/decide.js';
import type { AccessLevel, Visibility, WorkspaceRole } from '../access/roles.js';
import { type NewEntry, onWorkspace } from '../audit/audit-entries.repository.js';
import type { Plan } from '../config/plan-limits.js';
import { newId } from '../database/identifiers.js';
import type { Team, TeamRef } from '../teams/team.js';

/** A workspace, as one of those who can see it sees it. */
export interface Workspace {
  id: string;
  teamId: string;
  /** The plan of its team. */
  plan: Plan;
  slug: string;
  name: string;
  description: string;
  visibility: Visibility;
  defaultAccess: AccessLevel;
  /** A random name of the present state of its tree: it changes with every change of the tree. */
  treeStamp: string;
  /** How often positions were rebalanced: it ends the list cursors made before. */
  rebalances: number;
  createdAt: Date;
  updatedAt: Date;
  /** The caller's own access to the content. */
  access: AccessLevel;
}

/** A workspace without a caller. */
export type WorkspaceRecord = Omit<Workspace, 'access'>;

/** A workspace as repositories find it, with what decides whether the caller may see it. */
export type FoundWorkspace = WorkspaceRecord & AccessContext;

/** What names a workspace to the database. */
export type WorkspaceKey = Pick<Workspace, 'id' | 'teamId'>;

/** How a request names a workspace. */
export interface WorkspaceRef {
  team: TeamRef;
  slug: string;
}

export interface NewWorkspace {
  name: string;
  description?: string | undefined;
  visibility?: Visibility | undefined;
  defaultAccess?: AccessLevel | undefined;
}

/** What is absent stays. */
export type WorkspaceChanges = Partial<NewWorkspace> & { slug?: string | undefined };

/** A workspace of a list, as one of those who can see it sees it. */
export interface ListedWorkspace extends Pick<Workspace, 'access'> {
  /** Its JSON up to `access` and the closing brace. */
  json: string;
}

/** What `updateWorkspace` can change: `If-Match` compares it. */
export const settingsOf = (workspace: WorkspaceRecord): object => {
  const { id, slug, name, description, visibility, defaultAccess } = workspace;
  return { id, slug, name, description, visibility, defaultAccess };
};

/** A workspace that is about to be written. */
export function newWorkspace(
  { id: teamId, plan }: Pick<Team, 'id' | 'plan'>,
  slug: string,
  given: NewWorkspace,
  now: Date,
): WorkspaceRecord {
  const { name, description = '', visibility = 'public', defaultAccess = 'full' } = given;
  return {
    id: newId(),
    teamId,
    plan,
    slug,
    name,
    description,
    visibility,
    defaultAccess,
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
  const changeOf = <Key extends keyof WorkspaceRecord>(key: Key) =>
    before[key] === after[key] ? undefined : { from: before[key], to: after[key] };
  const fields = (['name', 'description', 'slug', 'defaultAccess'] as const).filter(changeOf);
  const entries: NewEntry[] = [];
  if (fields.length > 0) {
    const slug = changeOf('slug');
    const defaultAccess = changeOf('defaultAccess');
    const details = { fields, ...(slug && { slug }), ...(defaultAccess && { defaultAccess }) };
    entries.push({ action: 'workspace.updated', ...about, details });
  }
  if (changeOf('visibility') && after.visibility === 'public') {
    entries.push({ action: 'workspace.made_public', ...about, details: {} });
  }
  if (changeOf('visibility') && after.visibility === 'private') {
    const role: WorkspaceRole | 'none' = before.workspaceRole ?? 'none';
    const details = { ...(role !== 'editor' && { editor: role }) };
    entries.push({ action: 'workspace.made_private', ...about, details });
  }
  return entries;
}
