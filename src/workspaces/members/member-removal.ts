import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/database.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import {
  type RoleInWorkspace,
  WorkspaceMembersRepository,
} from './workspace-members.repository.js';

/** What happens to a team when a member is gone, whoever decided that. */
@Injectable()
export class MemberRemoval {
  constructor(
    private readonly teamMembers: TeamMembersRepository,
    private readonly members: WorkspaceMembersRepository,
    private readonly usage: TeamUsageRepository,
  ) {}

  /**
   * Takes a member out of a team and all its workspaces, in a transaction that has its membership
   * lock. A private workspace that loses its last editor gets another one: its longest-standing
   * other member, else the team's longest-standing owner.
   * @throws DomainError conflict: the last owner
   */
  async remove(tx: Transaction, teamId: string, userId: string): Promise<void> {
    const edited = await this.members.privateWorkspacesEditedBy(tx, teamId, userId);
    await this.teamMembers.remove(tx, teamId, userId);
    const owner = await this.teamMembers.firstOwner(tx, teamId);
    if (owner === null) throw lastOwner();
    const roles = await this.members.rolesIn(tx, teamId, edited);
    await this.members.setRoles(tx, teamId, successors(edited, roles, owner));
    await this.usage.shrink(tx, teamId, { users: 1 });
  }
}

/**
 * Who becomes editor of the workspaces that have none.
 * @param roles what is left in them, the longest-standing first
 */
function successors(
  workspaceIds: string[],
  roles: RoleInWorkspace[],
  owner: string,
): RoleInWorkspace[] {
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
