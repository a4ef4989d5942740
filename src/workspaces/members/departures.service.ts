import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { TeamRef } from '../../teams/team.js';
import { TeamsService } from '../../teams/teams.service.js';
import { DeparturesRepository } from './departures.repository.js';

@Injectable()
export class DeparturesService {
  constructor(
    private readonly teams: TeamsService,
    private readonly departures: DeparturesRepository,
  ) {}

  /**
   * Takes someone out of a team and all its workspaces; everyone may go themselves.
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async remove(actor: Actor, ref: TeamRef, userId: string): Promise<void> {
    const action = userId === actor.id ? 'team.leave' : 'team.managePeople';
    const team = await this.teams.forAction(actor, ref, action);
    await this.departures.remove(team.id, actor.id, userId);
  }
}
