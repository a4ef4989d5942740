import { Injectable } from '@nestjs/common';
import { enforceTeam } from '../access/enforce.js';
import type { TeamAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { UsersService } from '../auth/users.service.js';
import { Database, type Transaction } from '../database/database.js';
import { notFound } from '../errors/domain-error.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import { Ownership } from './members/ownership.js';
import { takeMembershipLock } from './membership-lock.repository.js';
import type { Page, PageRequest } from './page.js';
import {
  asSeenBy,
  type FoundTeam,
  type NewTeam,
  newInviteCode,
  otherTeam,
  type Team,
  type TeamChanges,
  type TeamRef,
} from './team.js';
import { TeamReadsRepository } from './team-reads.repository.js';
import { TeamsRepository } from './teams.repository.js';

@Injectable()
export class TeamsService {
  constructor(
    private readonly database: Database,
    private readonly reads: TeamReadsRepository,
    private readonly teams: TeamsRepository,
    private readonly users: UsersService,
    private readonly ownership: Ownership,
  ) {}

  /**
   * Loads a team for an action: the only way to a team from outside.
   * @throws DomainError not_found, forbidden; bad_request where slug and id name two teams
   */
  async forAction(actor: Actor, ref: TeamRef, action: TeamAction): Promise<Team> {
    const team = authorized(actor, await this.reads.find(ref, actor.id), action);
    assertSameTeam(ref, team.id);
    return team;
  }

  /**
   * Takes the membership lock and loads the team for an action as it is then: what was read before
   * the lock may have changed since.
   * @throws DomainError not_found, forbidden
   */
  async lockForAction(
    tx: Transaction,
    actor: Actor,
    teamId: string,
    action: TeamAction,
  ): Promise<Team> {
    await takeMembershipLock(tx, teamId);
    return authorized(actor, await this.teams.find(tx, teamId, actor.id), action);
  }

  /** The teams of the caller, oldest first. */
  async list(actor: Actor, page: PageRequest): Promise<Page<Team>> {
    const { items, next } = await this.reads.list(actor.id, page);
    return { items: items.map((team) => asSeenBy(actor, team)), next };
  }

  /**
   * Makes a team whose owner is the caller.
   * @throws DomainError conflict: slug taken; forbidden: the caller owns too many teams
   */
  create(actor: Actor, given: NewTeam, write: IdempotentWrite<Team> | null): Promise<Team> {
    const work = withIdempotencyKey(write, {}, async (tx) => {
      await this.users.holdAlone(tx, actor);
      await this.ownership.assertRoom(tx, actor.id);
      const id = await this.teams.create(tx, given, newInviteCode(), actor.id);
      return authorized(actor, await this.teams.find(tx, id, actor.id), 'team.read');
    });
    return this.database.transaction(work, { callerId: actor.id });
  }

  /** @throws DomainError forbidden, not_found; conflict: slug taken */
  async update(actor: Actor, ref: TeamRef, changes: TeamChanges): Promise<Team> {
    const { id } = await this.forAction(actor, ref, 'team.update');
    const by = { callerId: actor.id, teamId: id };
    return this.database.transaction(async (tx) => {
      const team = await this.lockForAction(tx, actor, id, 'team.update');
      if (changes.slug !== undefined && changes.slug !== team.slug) {
        enforceTeam('team.changeSlug', team.role);
      }
      if (Object.values(changes).every((value) => value === undefined)) return team;
      await this.teams.update(tx, id, changes);
      return authorized(actor, await this.teams.find(tx, id, actor.id), 'team.read');
    }, by);
  }

  /** Gives the team a new invite code; the old one opens nothing. @throws DomainError not_found, forbidden */
  async renewInviteCode(
    actor: Actor,
    ref: TeamRef,
    write: IdempotentWrite<Team> | null,
  ): Promise<Team> {
    const { id } = await this.forAction(actor, ref, 'team.read');
    const work = withIdempotencyKey(write, { teamId: id }, async (tx) => {
      await this.lockForAction(tx, actor, id, 'team.renewInviteCode');
      await this.teams.setInviteCode(tx, id, newInviteCode());
      return authorized(actor, await this.teams.find(tx, id, actor.id), 'team.read');
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: id });
  }
}

/** @throws DomainError not_found, forbidden */
function authorized(actor: Actor, team: FoundTeam | null, action: TeamAction): Team {
  if (!team) throw notFound('team');
  const { role } = team;
  enforceTeam(action, role);
  return asSeenBy(actor, { ...team, role });
}

/** A `teamId` that contradicts the slug is the request's own mistake. */
export function assertSameTeam(ref: TeamRef, teamId: string): void {
  if (ref.slug !== undefined && ref.id !== undefined && ref.id !== teamId) {
    throw otherTeam();
  }
}
