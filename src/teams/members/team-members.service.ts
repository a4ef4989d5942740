import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import type { Actor } from '../../auth/actor.js';
import type { TeamRef } from '../team.js';
import { TeamsService } from '../teams.service.js';
import type { TeamMember } from './member.js';
import { TeamMembersRepository } from './team-members.repository.js';

@Injectable()
export class TeamMembersService {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: TeamMembersRepository,
  ) {}

  /** Everyone in the team, the longest-standing first. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef): Promise<TeamMember[]> {
    const team = await this.teams.forAction(actor, ref, 'team.listMembers');
    return this.members.list(team.id);
  }

  /**
   * Gives a member another role.
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async changeRole(actor: Actor, ref: TeamRef, userId: string, role: TeamRole): Promise<void> {
    const team = await this.teams.forAction(actor, ref, 'team.managePeople');
    await this.members.changeRole(team.id, actor.id, userId, role);
  }
}
