import { Inject, Injectable } from '@nestjs/common';
import type { ListRead } from '@teamspaces/pg-lanes/list-reads';
import type { ManyRows, PreparedRead } from '@teamspaces/pg-lanes/statements';
import { enforceTeam } from '../access/decide.js';
import type { TeamAction } from '../access/roles.js';
import { onTeam, record } from '../audit/audit-entries.repository.js';
import type { Actor } from '../auth/actor.js';
import { UsersService } from '../auth/users.service.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database, type Transaction } from '../database/database.js';
import { given } from '../database/fields.js';
import { timeOf } from '../database/time.js';
import { notFound } from '../errors/domain-error.js';
import { assertSettings } from '../http/etag.js';
import {
  checkFirst,
  type Listed,
  type ListPosition,
  type ListSource,
  mapList,
  mapPortions,
  ownPosition,
  type PageRequest,
  readList,
} from '../http/pagination.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import { otherTeam } from './errors.js';
import { assertMayOwnAnother } from './members/team-members.repository.js';
import {
  asSeenBy,
  type FoundTeam,
  type NewTeam,
  newInviteCode,
  newTeam,
  type Team,
  type TeamChanges,
  type TeamRef,
  teamSettings,
  updateEntries,
} from './team.js';
import { type InTeam, TeamReadsRepository } from './team-reads.repository.js';
import { insertTeam, setInviteCode, takeMembershipLock, updateTeam } from './teams.repository.js';

@Injectable()
export class TeamsService {
  constructor(
    private readonly database: Database,
    private readonly reads: TeamReadsRepository,
    private readonly users: UsersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Loads a team for an action: this and readForAction() are the only ways to a team from outside.
   * @throws DomainError not_found, forbidden; bad_request where slug and id name two teams
   */
  async forAction(actor: Actor, ref: TeamRef, action: TeamAction): Promise<Team> {
    const team = authorized(actor, await this.reads.find(ref, actor.id), action);
    assertSameTeam(ref, team.id);
    return team;
  }

  /**
   * Reads something of a team's for an action, in one statement with what decides on it.
   * @param read a statement on the team $1 with the slug $2 (or null) for the user $3, and its values from $4 on
   * @throws DomainError as forAction()
   */
  async readForAction<Columns>(
    actor: Actor,
    ref: TeamRef,
    action: TeamAction,
    read: PreparedRead<Columns>,
  ): Promise<(Columns & { id: string; teamId: string })[]> {
    const rows = (await this.reads.read<Columns>(ref, actor.id, read)) ?? [];
    authorizeRow(ref, action, rows[0]);
    return foundIn(rows);
  }

  /**
   * Reads a list of a team's for an action.
   * @param list its parameters are those of readForAction(), `values`, and a page
   * @param isShown tells which rows are elements of the list
   * @throws DomainError as forAction()
   */
  listForAction<Item>(
    actor: Actor,
    ref: TeamRef,
    action: TeamAction,
    list: ListRead<Item & ListPosition>,
    page: PageRequest,
    values: unknown[] = [],
    isShown?: (row: InTeamList<Item & ListPosition>) => boolean,
  ): Promise<Listed<InTeamList<Item & ListPosition>>> {
    const source = this.listSource<Item & ListPosition>(actor, ref, action, list, values);
    return readList(list, page, source, ownPosition, isShown);
  }

  /** What listForAction() reads from, for a list that has no pages. */
  listSource<Item>(
    actor: Actor,
    ref: TeamRef,
    action: TeamAction,
    list: ListRead<Item>,
    values: unknown[] = [],
  ): ListSource<InTeamList<Item>> {
    return {
      read: (kind, page) =>
        this.readForAction(actor, ref, action, [list[kind], [...values, ...page]]),
      stream: (page) => this.streamForAction(actor, ref, action, [list.long, [...values, ...page]]),
    };
  }

  /**
   * What readForAction() returns, of any length, as fast as its caller takes it.
   * @throws DomainError as forAction(), with the first portion
   */
  streamForAction<Columns>(
    actor: Actor,
    ref: TeamRef,
    action: TeamAction,
    read: [ManyRows<Columns>, unknown[]],
  ): AsyncGenerator<(Columns & { id: string; teamId: string })[], void> {
    const rows = this.reads.stream<Columns>(ref, actor.id, read);
    const authorized = checkFirst(rows, (first) => authorizeRow(ref, action, first));
    return mapPortions(authorized, foundIn);
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
    takeMembershipLock(tx, teamId);
    return authorized(actor, await this.reads.findIn(tx, teamId, actor.id), action);
  }

  /** The teams of the caller, oldest first. */
  async list(actor: Actor, page: PageRequest): Promise<Listed<Team>> {
    return mapList(await this.reads.list(actor.id, page), (team) => asSeenBy(actor, team));
  }

  /**
   * Makes a team whose owner is the caller.
   * @throws DomainError conflict: slug taken; forbidden: the caller owns too many teams
   */
  create(actor: Actor, given: NewTeam, write: IdempotentWrite<Team> | null): Promise<Team> {
    const work = withIdempotencyKey(write, {}, async (tx) => {
      const [now] = await Promise.all([
        timeOf(tx),
        this.users.lockExclusive(tx, actor),
        assertMayOwnAnother(tx, actor.id, this.config),
      ]);
      const team = newTeam(given, this.config.planLimits, now);
      insertTeam(tx, team, actor.id);
      const details = { slug: team.slug };
      record(tx, team.id, actor, { action: 'team.created', ...onTeam(team), details });
      return asSeenBy(actor, team);
    });
    return this.database.transaction(work, { callerId: actor.id });
  }

  /** @throws DomainError forbidden, not_found; conflict: slug taken, or ifMatch */
  async update(actor: Actor, ref: TeamRef, changes: TeamChanges, ifMatch?: string): Promise<Team> {
    const { id } = await this.forAction(actor, ref, 'team.update');
    const by = { callerId: actor.id, teamId: id };
    return this.database.transaction(async (tx) => {
      const [team, updatedAt] = await Promise.all([
        this.lockForAction(tx, actor, id, 'team.update'),
        timeOf(tx),
      ]);
      assertSettings('team', ifMatch, teamSettings(team));
      if (changes.slug !== undefined && changes.slug !== team.slug) {
        enforceTeam('team.changeSlug', team.role);
      }
      const named = given(changes);
      if (Object.keys(named).length === 0) return team;
      const updated: Team = { ...team, ...named, updatedAt };
      updateTeam(tx, updated);
      record(tx, id, actor, ...updateEntries(team, updated));
      return updated;
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
      const [team, updatedAt] = await Promise.all([
        this.lockForAction(tx, actor, id, 'team.renewInviteCode'),
        timeOf(tx),
      ]);
      const renewed = { ...team, inviteCode: newInviteCode(), updatedAt };
      setInviteCode(tx, id, renewed.inviteCode, updatedAt);
      const action = 'team.invite_code_renewed';
      record(tx, id, actor, { action, ...onTeam(team), details: {} });
      return asSeenBy(actor, renewed);
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

/** An element of a list of a team's. */
export type InTeamList<Item> = Item & { id: string; teamId: string };

/** @throws DomainError not_found, forbidden; bad_request */
function authorizeRow(
  ref: TeamRef,
  action: TeamAction,
  row: Pick<InTeam<object>, 'teamId' | 'teamRole'> | undefined,
): void {
  if (!row) throw notFound('team');
  enforceTeam(action, row.teamRole);
  assertSameTeam(ref, row.teamId);
}

/** The rows without the one that stands for none. */
const foundIn = <Columns>(
  rows: readonly InTeam<Columns>[],
): (Columns & { id: string; teamId: string })[] => rows.filter((row) => row.id !== null);

/** A `teamId` that contradicts the slug is the request's own mistake. */
function assertSameTeam(ref: TeamRef, teamId: string): void {
  if (ref.slug !== undefined && ref.id !== undefined && ref.id !== teamId) {
    throw otherTeam();
  }
}
