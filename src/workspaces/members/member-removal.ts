import { Injectable } from '@nestjs/common';
import { record } from '../../audit/audit-entries.repository.js';
import { type Author, byService, type NewEntry, onUser } from '../../audit/audit-entry.js';
import type { Transaction } from '../../database/database.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { type Succession, WorkspaceMembersRepository } from './workspace-members.repository.js';

/** What a team has without a member. */
export interface Rest {
  /** The longest-standing owner but this member; null: there is none. */
  otherOwner: string | null;
  successions: Succession[];
}

/** What happens to a team when a member is gone, whoever decided that. */
@Injectable()
export class MemberRemoval {
  constructor(
    private readonly teamMembers: TeamMembersRepository,
    private readonly members: WorkspaceMembersRepository,
    private readonly usage: TeamUsageRepository,
  ) {}

  /** What remove() depends on, in a transaction that has the membership lock. */
  async restOf(tx: Transaction, teamId: string, userId: string): Promise<Rest> {
    const [otherOwner, successions] = await Promise.all([
      this.teamMembers.otherOwner(tx, teamId, userId),
      this.members.successors(tx, teamId, userId),
    ]);
    return { otherOwner, successions };
  }

  /**
   * Takes a member out of a team and all its workspaces. A private workspace that loses its last editor
   * gets another one: its longest-standing other member, else the team's longest-standing owner.
   * @param rest from restOf(), in the same transaction
   * @param entries what is recorded about it
   * @throws DomainError conflict: the last owner
   */
  remove(
    tx: Transaction,
    teamId: string,
    userId: string,
    { otherOwner, successions }: Rest,
    author: Author,
    entries: NewEntry[],
  ): void {
    if (otherOwner === null) throw lastOwner();
    const action = 'workspace_member.promoted';
    const role = 'editor';
    const promotions = successions.map((succession): NewEntry => {
      const { workspaceId, userId: successor } = succession;
      const promoted = successor ?? otherOwner;
      this.members.setRoles(tx, { id: workspaceId, teamId }, [{ userId: promoted, role }]);
      return { action, ...onUser(promoted, workspaceId), details: { role } };
    });
    this.teamMembers.remove(tx, teamId, userId);
    record(tx, teamId, author, ...entries);
    record(tx, teamId, byService(author), ...promotions);
    this.usage.shrink(tx, teamId, { users: 1 });
  }
}
