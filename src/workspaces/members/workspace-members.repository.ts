import { Injectable } from '@nestjs/common';
import type { WorkspaceFacts } from '../../access/decide.js';
import { enforce } from '../../access/enforce.js';
import type { WorkspaceRole } from '../../access/roles.js';
import type { WorkspaceAction } from '../../access/table.js';
import { Database, type Transaction } from '../../database/database.js';
import { isPossibleId } from '../../database/ids.js';
import { conflict, notFound, unprocessable } from '../../errors/domain-error.js';
import { PeopleGate } from '../../teams/people-gate.repository.js';
import type { NewWorkspaceMember, WorkspaceMember } from './workspace-member.js';

/** A change of roles in a workspace: where, by whom, and what it takes. */
export interface RoleChange {
  workspace: { id: string; teamId: string };
  actorId: string;
  action: WorkspaceAction;
}

@Injectable()
export class WorkspaceMembersRepository {
  constructor(
    private readonly database: Database,
    private readonly gate: PeopleGate,
  ) {}

  /** All who have a role of their own, the longest-standing first. */
  list(workspaceId: string): Promise<WorkspaceMember[]> {
    return this.database.query<WorkspaceMember>(LIST, [workspaceId]);
  }

  /**
   * Gives roles to team members, known by their emails; who has one gets the new one.
   * @param people no email twice, letter case aside
   * @throws DomainError forbidden, not_found; unprocessable_entity naming who is not in the team;
   *   conflict: it would take the last editor of a private workspace
   */
  async add(change: RoleChange, people: NewWorkspaceMember[]): Promise<void> {
    const { id, teamId } = change.workspace;
    await this.alone(change, async (tx) => {
      const userIds = await findByEmail(
        tx,
        teamId,
        people.map(({ email }) => email),
      );
      await tx.$executeRaw`
        INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
        SELECT ${teamId}::uuid, ${id}::uuid, user_id, role
        FROM unnest(${userIds}::uuid[], ${people.map(({ role }) => role)}::text[]) AS given (user_id, role)
        ON CONFLICT ON CONSTRAINT workspace_members_pkey DO UPDATE SET role = excluded.role`;
    });
  }

  /** @throws DomainError as add(); not_found: no role of their own in the workspace */
  async changeRole(change: RoleChange, userId: string, role: WorkspaceRole): Promise<void> {
    await this.alone(change, async (tx) => {
      if (!isPossibleId(userId)) throw notFound('member');
      const { count } = await tx.workspaceMember.updateMany({
        where: { workspaceId: change.workspace.id, userId },
        data: { role },
      });
      if (count === 0) throw notFound('member');
    });
  }

  /** @throws DomainError as changeRole() */
  async remove(change: RoleChange, userId: string): Promise<void> {
    await this.alone(change, async (tx) => {
      if (!isPossibleId(userId)) throw notFound('member');
      const { count } = await tx.workspaceMember.deleteMany({
        where: { workspaceId: change.workspace.id, userId },
      });
      if (count === 0) throw notFound('member');
    });
  }

  /**
   * Runs a change behind the team's gate, where the actor still may, and lets it stand where a
   * private workspace has an editor after it.
   */
  private async alone(
    { workspace: { id, teamId }, actorId, action }: RoleChange,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.gate.close(tx, teamId);
      // The lock keeps the workspace from being deleted meanwhile.
      const [facts] = await tx.$queryRaw<WorkspaceFacts[]>`
        SELECT tm.role AS "teamRole", wm.role AS "workspaceRole", w.visibility,
          w.default_access AS "defaultAccess"
        FROM workspaces w
        LEFT JOIN team_members tm ON tm.team_id = w.team_id AND tm.user_id = ${actorId}::uuid
        LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = ${actorId}::uuid
        WHERE w.id = ${id}::uuid FOR KEY SHARE OF w`;
      if (!facts) throw notFound('workspace');
      enforce(action, facts, 'workspace');
      await work(tx);
      if (facts.visibility === 'private') await assertHasEditor(tx, id);
    });
  }
}

/** The team members who have these emails, in the same order: the verified, the older one first. */
async function findByEmail(tx: Transaction, teamId: string, emails: string[]): Promise<string[]> {
  const found = await tx.$queryRaw<{ email: string; userId: string | null }[]>`
    SELECT DISTINCT ON (given.place) given.email, member.id AS "userId"
    FROM unnest(${emails}::text[]) WITH ORDINALITY AS given (email, place)
    LEFT JOIN (
      SELECT u.id, u.email, u.email_verified, m.joined_at
      FROM team_members m JOIN users u ON u.id = m.user_id WHERE m.team_id = ${teamId}::uuid
    ) AS member ON lower(member.email) = lower(given.email)
    ORDER BY given.place, member.email_verified DESC, member.joined_at, member.id`;
  const strangers = found.filter(({ userId }) => userId === null).map(({ email }) => email);
  if (strangers.length > 0) throw unprocessable(`not in this team: ${strangers.join(', ')}`);
  return found.map(({ userId }) => userId as string);
}

async function assertHasEditor(tx: Transaction, workspaceId: string): Promise<void> {
  const editor = await tx.workspaceMember.findFirst({
    where: { workspaceId, role: 'editor' },
    select: { userId: true },
  });
  if (!editor) {
    throw conflict('a private workspace needs an editor: make somebody else one first');
  }
}

const LIST = {
  name: 'workspaceMembers.list',
  text: `
    SELECT u.id, u.name, u.email, u.image, m.role
    FROM workspace_members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = $1 ORDER BY m.created_at, u.id`,
};
