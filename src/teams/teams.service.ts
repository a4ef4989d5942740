import { Injectable } from '@nestjs/common';
import { enforceTeam } from '../access/enforce.js';
import type { TeamAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { badRequest, notFound } from '../errors/domain-error.js';
import type { NewTeam, Team, TeamChanges, TeamRef } from './team.js';
import { TeamsRepository } from './teams.repository.js';

@Injectable()
export class TeamsService {
  constructor(private readonly teams: TeamsRepository) {}

  /**
   * Loads a team for an action: the only way to a team from outside.
   * @throws DomainError not_found, forbidden; bad_request where slug and id name two teams
   */
  async forAction(actor: Actor, ref: TeamRef, action: TeamAction): Promise<Team> {
    const team = await this.teams.find(ref, actor.id);
    if (!team) throw notFound('team');
    const { role } = team;
    enforceTeam(action, role);
    assertSameTeam(ref, team.id);
    return { ...team, role };
  }

  /** The teams of the caller, oldest first. */
  list(actor: Actor): Promise<Team[]> {
    return this.teams.list(actor.id);
  }

  /** Makes a team whose owner is the caller. @throws DomainError conflict: slug taken */
  create(actor: Actor, team: NewTeam): Promise<Team> {
    return this.teams.create(actor.id, team);
  }

  /** @throws DomainError forbidden, not_found; conflict: slug taken */
  async update(actor: Actor, ref: TeamRef, changes: TeamChanges): Promise<Team> {
    const team = await this.forAction(actor, ref, 'team.update');
    if (changes.slug !== undefined && changes.slug !== team.slug) {
      enforceTeam('team.changeSlug', team.role);
    }
    const isChange = Object.values(changes).some((value) => value !== undefined);
    return isChange ? this.teams.update(team, changes) : team;
  }
}

/** A `teamId` that contradicts the slug is the request's own mistake (decisions, section 6.1). */
export function assertSameTeam(ref: TeamRef, teamId: string): void {
  if (ref.slug !== undefined && ref.id !== undefined && ref.id !== teamId) {
    throw badRequest('teamId must be the id of the team that team_slug names');
  }
}
