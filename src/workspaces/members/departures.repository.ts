import { Injectable } from '@nestjs/common';
import { enforceLadder } from '../../access/enforce.js';
import { Database, type Transaction } from '../../database/database.js';
import { PeopleRoles } from '../../teams/members/people-roles.repository.js';
import { UsageRepository } from '../../teams/usage.repository.js';

/** People leave teams, and with that their workspaces. */
@Injectable()
export class DeparturesRepository {
  constructor(
    private readonly database: Database,
    private readonly roles: PeopleRoles,
    private readonly usage: UsageRepository,
  ) {}

  /**
   * Takes someone out of the team and out of all its workspaces, at once. A private workspace whose
   * last editor goes gets another one: the longest-standing other member of it, else the team's
   * longest-standing owner.
   * @throws DomainError forbidden; not_found: not in the team; conflict: the last owner
   */
  async remove(teamId: string, actorId: string, userId: string): Promise<void> {
    const leaves = actorId === userId;
    await this.database.transaction(async (tx) => {
      const action = leaves ? 'team.leave' : 'team.managePeople';
      const actorRole = await this.roles.enter(tx, teamId, actorId, action);
      const role = await this.roles.of(tx, teamId, userId);
      if (!leaves) enforceLadder(actorRole, [role]);
      const edited = await lockEdited(tx, teamId, userId);
      await tx.teamMember.delete({
        where: { teamId_userId: { teamId, userId } },
        select: { userId: true },
      });
      await this.roles.assertHasOwner(tx, teamId);
      await appointEditors(tx, teamId, edited);
      await this.usage.change(tx, teamId, 'users', -1);
    });
  }
}

/**
 * Locks the membership, then the private workspaces that this person edits; answers their ids. The
 * first lock waits for a workspace that they are creating just now, and stops the next one.
 */
async function lockEdited(tx: Transaction, teamId: string, userId: string): Promise<string[]> {
  await tx.$queryRaw`
    SELECT 1 FROM team_members
    WHERE team_id = ${teamId}::uuid AND user_id = ${userId}::uuid FOR UPDATE`;
  const edited = await tx.$queryRaw<{ id: string }[]>`
    SELECT w.id FROM workspaces w JOIN workspace_members m ON m.workspace_id = w.id
    WHERE m.team_id = ${teamId}::uuid AND m.user_id = ${userId}::uuid AND m.role = 'editor'
      AND w.visibility = 'private'
    ORDER BY w.id FOR KEY SHARE OF w`;
  return edited.map(({ id }) => id);
}

/** Gives an editor to each of these private workspaces that has none. */
async function appointEditors(
  tx: Transaction,
  teamId: string,
  workspaceIds: string[],
): Promise<void> {
  if (workspaceIds.length === 0) return;
  await tx.$executeRaw`
    WITH heirs AS (
      SELECT DISTINCT ON (m.workspace_id) m.workspace_id, m.user_id FROM workspace_members m
      WHERE m.workspace_id = ANY (${workspaceIds}::uuid[]) AND NOT EXISTS (
        SELECT FROM workspace_members e WHERE e.workspace_id = m.workspace_id AND e.role = 'editor')
      ORDER BY m.workspace_id, m.created_at, m.user_id
    )
    UPDATE workspace_members m SET role = 'editor' FROM heirs
    WHERE m.workspace_id = heirs.workspace_id AND m.user_id = heirs.user_id`;
  await tx.$executeRaw`
    INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
    SELECT w.team_id, w.id, owner.user_id, 'editor'
    FROM workspaces w, (
      SELECT user_id FROM team_members WHERE team_id = ${teamId}::uuid AND role = 'owner'
      ORDER BY joined_at, user_id LIMIT 1
    ) AS owner
    WHERE w.id = ANY (${workspaceIds}::uuid[]) AND NOT EXISTS (
      SELECT FROM workspace_members m WHERE m.workspace_id = w.id)`;
}
