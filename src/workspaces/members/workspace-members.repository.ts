import { listRead } from '@teamspaces/pg-lanes/list-reads';
import { toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { MAY_READ } from '../../access/access-sql.js';
import type { WorkspaceRole } from '../../access/roles.js';
import { foldEmail } from '../../auth/email.js';
import type { Transaction } from '../../database/database.js';
import { sql } from '../../database/fields.js';
import { isUuid } from '../../database/identifiers.js';
import type { WorkspaceKey } from '../workspace.js';
import { inWorkspace } from '../workspaces.repository.js';

/** Someone with a role of their own in a workspace. */
export interface WorkspaceMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: WorkspaceRole;
}

/** A team member to be given a role in a workspace. */
export interface NewWorkspaceMember {
  email: string;
  role: WorkspaceRole;
}

/** Someone's role in a workspace. */
export interface RoleInWorkspace {
  userId: string;
  role: WorkspaceRole;
}

/** Who becomes the editor of a workspace; null: an owner of the team does. */
export interface Succession {
  workspaceId: string;
  userId: string | null;
}

/** All members of a workspace as the transaction sees them, the longest-standing first. */
export function membersOf(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
): Promise<WorkspaceMember[]> {
  return tx.query(ALL, [teamId, id]);
}

/** The role of someone in the workspace; null: none of their own. */
export async function roleInWorkspace(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  userId: string,
): Promise<WorkspaceRole | null> {
  if (!isUuid(userId)) return null;
  const [member] = await tx.query<{ role: WorkspaceRole }>(ROLE_OF, [teamId, id, userId]);
  return member?.role ?? null;
}

export async function hasEditor(tx: Transaction, { id, teamId }: WorkspaceKey): Promise<boolean> {
  return (await tx.query(HAS_EDITOR, [teamId, id])).length > 0;
}

/** Gives roles in a workspace to team members, whether they had one or not. */
export function setWorkspaceRoles(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  roles: RoleInWorkspace[],
): void {
  tx.write(SET_ROLES, [teamId, id, ...toArrays(roles, ['userId', 'role'])]);
}

export function removeFromWorkspace(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  userId: string,
): void {
  tx.write(REMOVE, [teamId, id, userId]);
}

/** The roles in a workspace of the people with these emails. */
export function rolesByEmail(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  emails: string[],
): Promise<RoleInWorkspace[]> {
  return tx.query(ROLES_BY_EMAIL, [teamId, id, emails.map(foldEmail)]);
}

/**
 * The private workspaces whose only editor somebody is, and who becomes one if they leave the team: the
 * workspace's longest-standing other member; null: it has none.
 */
export async function successors(
  tx: Transaction,
  teamId: string,
  userId: string,
): Promise<Succession[]> {
  if (!isUuid(userId)) return [];
  return tx.query(SUCCESSORS, [teamId, userId]);
}

/** A row of WORKSPACE_MEMBERS; nobody has a role of their own where `userId` is null. */
export type WorkspaceMemberRow = Omit<WorkspaceMember, 'id'> & { userId: string | null; at: Date };

/** For WorkspacesService.listForAction(): the members, the longest-standing first. */
export const WORKSPACE_MEMBERS = listRead({
  name: 'workspaces.members',
  rows: `
      SELECT user_id AS id, created_at AS at, role FROM workspace_members
      WHERE team_id = $1 AND workspace_id = w.id AND ${MAY_READ}`,
  parameters: 4,
  text: (found) =>
    inWorkspace(
      '',
      sql<WorkspaceMemberRow>('m.id AS "userId", m.at, p.name, p.email, p.image, m.role'),
      `
    LEFT JOIN LATERAL (${found}
    ) m ON true
    LEFT JOIN users p ON p.id = m.id`,
      ' ORDER BY m.at, m.id',
    ).text,
});

const ALL = {
  name: 'workspaceMembers.all',
  text: `
    SELECT u.id, u.name, u.email, u.image, m.role
    FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND m.workspace_id = $2
    ORDER BY m.created_at, m.user_id`,
};

const ROLE_OF = {
  name: 'workspaceMembers.roleOf',
  text: 'SELECT role FROM workspace_members WHERE team_id = $1 AND workspace_id = $2 AND user_id = $3',
};

const HAS_EDITOR = {
  name: 'workspaceMembers.hasEditor',
  text: `
    SELECT 1 FROM workspace_members
    WHERE team_id = $1 AND workspace_id = $2 AND role = 'editor' LIMIT 1`,
};

/** Joined with the workspace so that a distributed database runs it on the workspace's own node. */
const SET_ROLES = {
  name: 'workspaceMembers.setRoles',
  text: `
    INSERT INTO workspace_members (team_id, workspace_id, user_id, role, created_at)
    SELECT w.team_id, w.id, n.user_id, n.role, now()
    FROM workspaces w, unnest($3::uuid[], $4::text[]) AS n (user_id, role)
    WHERE w.team_id = $1 AND w.id = $2
    ON CONFLICT (team_id, workspace_id, user_id) DO UPDATE SET role = excluded.role`,
};

const REMOVE = {
  name: 'workspaceMembers.remove',
  text: 'DELETE FROM workspace_members WHERE team_id = $1 AND workspace_id = $2 AND user_id = $3',
};

const ROLES_BY_EMAIL = {
  name: 'workspaceMembers.rolesByEmail',
  text: `
    SELECT m.user_id AS "userId", m.role
    FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND m.workspace_id = $2 AND lower(u.email COLLATE "C") = ANY ($3::text[])`,
};

const OTHERS = `
      FROM workspace_members o
      WHERE o.team_id = $1 AND o.workspace_id = w.id AND o.user_id <> $2`;

const SUCCESSORS = {
  name: 'workspaceMembers.successors',
  text: `
    SELECT w.id AS "workspaceId",
      (SELECT o.user_id ${OTHERS} ORDER BY o.created_at, o.user_id LIMIT 1) AS "userId"
    FROM workspace_members m
    JOIN workspaces w ON w.team_id = $1 AND w.id = m.workspace_id AND w.visibility = 'private'
    WHERE m.team_id = $1 AND m.user_id = $2 AND m.role = 'editor'
      AND NOT EXISTS (SELECT ${OTHERS} AND o.role = 'editor')`,
};
