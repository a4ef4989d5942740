import { Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import type { Actor } from '../../auth/actor.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import type { TeamRef } from '../../teams/team.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { TeamsService } from '../../teams/teams.service.js';
import {
  type RoleInWorkspace,
  WorkspaceMembersRepository,
} from './workspace-members.repository.js';

/** Takes people out of a team, and with that out of its workspaces. */
@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersRepository,
    private readonly members: WorkspaceMembersRepository,
    private readonly usage: TeamUsageRepository,
  ) {}

  /**
   * Takes someone out of a team and all its workspaces; everyone may leave. A private workspace
   * that loses its last editor gets another one: its longest-standing other member, else the
   * team's longest-standing owner.
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async remove(actor: Actor, ref: TeamRef, userId: string): Promise<void> {
    const leaves = userId === actor.id;
    const action = leaves ? 'team.leave' : 'team.managePeople';
    const { id } = await this.teams.forAction(actor, ref, action);
    await this.database.transaction(async (tx) => {
      const team = await this.teams.lockForAction(tx, actor, id, action);
      const role = await this.teamMembers.roleOf(tx, id, userId);
      if (role === null) throw notFound('member');
      if (!leaves) enforceCanManage(team.role, [role]);
      const edited = await this.members.privateWorkspacesEditedBy(tx, id, userId);
      await this.teamMembers.remove(tx, id, userId);
      const owner = await this.teamMembers.firstOwner(tx, id);
      if (owner === null) throw lastOwner();
      const roles = await this.members.rolesIn(tx, id, edited);
      await this.members.setRoles(tx, id, heirs(edited, roles, owner));
      await this.usage.shrink(tx, id, { users: 1 });
    });
  }
}

/**
 * Who becomes editor of the workspaces that have none.
 * @param roles what is left in them, the longest-standing first
 */
function heirs(workspaceIds: string[], roles: RoleInWorkspace[], owner: string): RoleInWorkspace[] {
  const edited = new Set(roles.filter(({ role }) => role === 'editor').map(toWorkspaceId));
  // Of several entries for one key a map keeps the last: the longest-standing member.
  const first = new Map(roles.toReversed().map(({ workspaceId, userId }) => [workspaceId, userId]));
  return workspaceIds
    .filter((workspaceId) => !edited.has(workspaceId))
    .map((workspaceId) => ({
      workspaceId,
      userId: first.get(workspaceId) ?? owner,
      role: 'editor',
    }));
}

const toWorkspaceId = ({ workspaceId }: RoleInWorkspace): string => workspaceId;
