import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/database.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { WorkspaceMembersRepository } from './workspace-members.repository.js';

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
   * @param otherOwner the longest-standing owner but this member
   * @throws DomainError conflict: the last owner
   */
  remove(tx: Transaction, teamId: string, userId: string, otherOwner: string | null): void {
    if (otherOwner === null) throw lastOwner();
    this.members.replaceEditor(tx, teamId, userId, otherOwner);
    this.teamMembers.remove(tx, teamId, userId);
    this.usage.shrink(tx, teamId, { users: 1 });
  }
}
