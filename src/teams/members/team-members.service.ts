import { Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import type { TeamRole } from '../../access/roles.js';
import type { Actor } from '../../auth/actor.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import type { Page, PageRequest } from '../page.js';
import type { TeamRef } from '../team.js';
import { TeamsService } from '../teams.service.js';
import { lastOwner, type TeamMember } from './team-member.js';
import { TeamMembersRepository } from './team-members.repository.js';

/** The people of a team and their roles. */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly members: TeamMembersRepository,
  ) {}

  /** The longest-standing first. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Page<TeamMember>> {
    const team = await this.teams.forAction(actor, ref, 'team.listMembers');
    return this.members.list(team.id, page);
  }

  /**
   * Gives a member another role.
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async changeRole(actor: Actor, ref: TeamRef, userId: string, role: TeamRole): Promise<void> {
    const { id } = await this.teams.forAction(actor, ref, 'team.managePeople');
    await this.database.transaction(async (tx) => {
      const team = await this.teams.lockForAction(tx, actor, id, 'team.managePeople');
      const before = await this.members.roleOf(tx, id, userId);
      if (before === null) throw notFound('member');
      enforceCanManage(team.role, [before, role]);
      await this.members.setRole(tx, id, userId, role);
      if ((await this.members.firstOwner(tx, id)) === null) throw lastOwner();
    });
  }
}
