import { Injectable } from '@nestjs/common';
import type { WorkspaceRole } from '../../access/roles.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf, rowsFor } from '../../teams/page.js';
import type { WorkspaceKey } from '../workspace.js';
import type { WorkspaceMember } from './workspace-member.js';

const PERSON = { id: true, name: true, email: true, image: true } as const;
const OLDEST_FIRST = [{ createdAt: 'asc' as const }, { userId: 'asc' as const }];

/** Someone's role in a workspace. */
export interface RoleInWorkspace {
  workspaceId: string;
  userId: string;
  role: WorkspaceRole;
}

/** Who has a role of their own in a workspace. */
@Injectable()
export class WorkspaceMembersRepository {
  constructor(private readonly database: Database) {}

  /** The members of a workspace, the longest-standing first. */
  list(
    callerId: string,
    workspace: WorkspaceKey,
    page: PageRequest,
  ): Promise<Page<WorkspaceMember>> {
    const by = { callerId, teamId: workspace.teamId };
    return this.database.models(by, (prisma) => read(prisma, workspace, page));
  }

  /** All members of a workspace as the transaction sees them, the longest-standing first. */
  async all(tx: Transaction, workspace: WorkspaceKey): Promise<WorkspaceMember[]> {
    return (await read(tx, workspace, {})).items;
  }

  /** The role of someone in the workspace; null: none of their own. */
  async roleOf(
    tx: Transaction,
    { id, teamId }: WorkspaceKey,
    userId: string,
  ): Promise<WorkspaceRole | null> {
    if (!isUuid(userId)) return null;
    const member = await tx.workspaceMember.findUnique({
      where: { teamId_workspaceId_userId: { teamId, workspaceId: id, userId } },
      select: { role: true },
    });
    return (member?.role as WorkspaceRole | undefined) ?? null;
  }

  async hasEditor(tx: Transaction, { id, teamId }: WorkspaceKey): Promise<boolean> {
    const editor = await tx.workspaceMember.findFirst({
      where: { teamId, workspaceId: id, role: 'editor' },
      select: { userId: true },
    });
    return editor !== null;
  }

  /** Gives roles in workspaces to team members, whether they had one or not. */
  async setRoles(tx: Transaction, teamId: string, roles: RoleInWorkspace[]): Promise<void> {
    const data = roles.map((given) => ({ ...given, teamId }));
    await tx.workspaceMember.createMany({ data, skipDuplicates: true });
    for (const role of new Set(roles.map((given) => given.role))) {
      const OR = roles
        .filter((given) => given.role === role)
        .map(({ workspaceId, userId }) => ({ workspaceId, userId }));
      await tx.workspaceMember.updateMany({ where: { teamId, OR }, data: { role } });
    }
  }

  async remove(tx: Transaction, { id, teamId }: WorkspaceKey, userId: string): Promise<void> {
    const where = { teamId_workspaceId_userId: { teamId, workspaceId: id, userId } };
    await tx.workspaceMember.delete({ where, select: { userId: true } });
  }

  /** The ids of the private workspaces of a team that this person is an editor of. */
  async privateWorkspacesEditedBy(
    tx: Transaction,
    teamId: string,
    userId: string,
  ): Promise<string[]> {
    const workspace = { teamId, visibility: 'private' };
    const roles = await tx.workspaceMember.findMany({
      where: { teamId, userId, role: 'editor', workspace },
      select: { workspaceId: true },
    });
    return roles.map(({ workspaceId }) => workspaceId);
  }

  /** All roles in these workspaces of a team, the longest-standing first. */
  async rolesIn(
    tx: Transaction,
    teamId: string,
    workspaceIds: string[],
  ): Promise<RoleInWorkspace[]> {
    const roles = await tx.workspaceMember.findMany({
      where: { teamId, workspaceId: { in: workspaceIds } },
      select: { workspaceId: true, userId: true, role: true },
      orderBy: OLDEST_FIRST,
    });
    return roles.map(({ role, ...rest }) => ({ ...rest, role: role as WorkspaceRole }));
  }
}

/** In two steps: a member who leaves between them is shown once more, and nothing fails. */
async function read(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  page: PageRequest,
): Promise<Page<WorkspaceMember>> {
  const { after } = page;
  const roles = await tx.workspaceMember.findMany({
    where: {
      teamId,
      workspaceId: id,
      ...(after && {
        OR: [{ createdAt: { gt: after.at } }, { createdAt: after.at, userId: { gt: after.id } }],
      }),
    },
    orderBy: OLDEST_FIRST,
    ...rowsFor(page),
  });
  const { items, next } = pageOf(roles, page, (row) => ({ at: row.createdAt, id: row.userId }));
  const userIds = items.map(({ userId }) => userId);
  const people = await tx.user.findMany({ where: { id: { in: userIds } }, select: PERSON });
  const byId = new Map(people.map((person) => [person.id, person]));
  return {
    items: items.flatMap(({ userId, role }) => {
      const person = byId.get(userId);
      return person ? [{ ...person, role: role as WorkspaceRole }] : [];
    }),
    next,
  };
}
