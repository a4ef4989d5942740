import { Inject, Injectable } from '@nestjs/common';
import { type ListRead, SHORT_LIST } from '@teamspaces/pg-lanes/list-reads';
import {
  type ManyRows,
  manyRows,
  type PreparedRead,
  point,
  type ReadStatement,
} from '@teamspaces/pg-lanes/statements';
import { LRUCache } from 'lru-cache';
import type { TeamRole } from '../access/roles.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Limits } from '../config/plan-limits.js';
import { Database, type Transaction } from '../database/database.js';
import { columnsOf, join, selecting, sql } from '../database/fields.js';
import { isPossibleSlug, isUuid } from '../database/identifiers.js';
import {
  type Listed,
  type ListSource,
  mapList,
  type PageRequest,
  readList,
} from '../http/pagination.js';
import { TEAM, type TeamFields } from './team.fields.js';
import type { FoundTeam, Team, TeamRef } from './team.js';

type ListedRow = TeamFields & Limits & { role: TeamRole };

/** A row that a statement for read() finds; its id is null if there is none. */
export type InTeam<Columns> = { teamId: string; teamRole: TeamRole | null } & (
  | (Columns & { id: string })
  | { id: null }
);

/** Slugs that a process remembers; an entry takes about 200 bytes. */
const REMEMBERED = 20_000;

/**
 * The reads of teams that are called all the time: prepared SQL, each one round trip.
 *
 * It remembers which team a slug named last, so that reads can name the team by its id: in a database
 * distributed by team only that leads to one node. A slug may pass to another team at any time:
 * a read must check the slug, too, and find nothing where it differs.
 */
@Injectable()
export class TeamReadsRepository {
  private readonly ids = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The team, and the user's role in it (null: none); null: no such team. */
  find(ref: TeamRef, userId: string): Promise<FoundTeam | null> {
    return this.withTeamId(ref, async (id, slug) => {
      const [row] = await this.database.query(FIND, [id, slug, userId]);
      return row ? this.toTeam(row) : null;
    });
  }

  /**
   * What the statement reads of the team, and what decides on access to it; null: no such team.
   * @param read a statement such as TEAM_MEMBERS, and its values from $4 on
   * @returns a row for each that the statement finds, or one with an id of null
   */
  read<Columns>(
    ref: TeamRef,
    userId: string,
    [statement, values]: PreparedRead<Columns>,
  ): Promise<[InTeam<Columns>, ...InTeam<Columns>[]] | null> {
    return this.withTeamId(ref, async (id, slug) => {
      const by = { callerId: userId, teamId: id };
      const all = [id, slug, userId, ...values];
      // A row of its columns, or of nulls.
      const read = statement as ReadStatement<InTeam<Columns>>;
      const [first, ...others] = await this.database.query<InTeam<Columns>>(read, all, by);
      return first ? [first, ...others] : null;
    });
  }

  /** The same within a transaction, where a slug may change: by id. */
  async findIn(tx: Transaction, teamId: string, userId: string): Promise<FoundTeam | null> {
    const [row] = await tx.query(FIND, [teamId, null, userId]);
    return row ? this.toTeam(row) : null;
  }

  /** The user's teams, oldest first. */
  async list(userId: string, page: PageRequest): Promise<Listed<Team>> {
    const source: ListSource<ListedRow> = {
      read: async (kind, values) => {
        const by = { callerId: userId };
        return this.database.query<ListedRow>(LIST[kind], [userId, ...values], by);
      },
      stream: (values) => this.database.large.forCaller(userId, [LIST.long, [userId, ...values]]),
    };
    const positionOf = ({ createdAt: at, id }: ListedRow) => ({ at, id });
    const listed = await readList(LIST, page, source, positionOf);
    return mapList(listed, (row) => this.toTeam(row));
  }

  /**
   * What read() returns, of any length, as fast as its caller takes it.
   * @returns no row: no such team
   */
  async *stream<Columns>(
    ref: TeamRef,
    userId: string,
    [statement, values]: [ManyRows<Columns>, unknown[]],
  ): AsyncGenerator<InTeam<Columns>[], void> {
    const team = await this.find(ref, userId);
    if (!team) return;
    const all = [team.id, ref.slug ?? null, userId, ...values];
    const read = statement as ManyRows<InTeam<Columns>>;
    yield* this.database.large.forCaller<InTeam<Columns>>(userId, [read, all]);
  }

  /**
   * Reads something of the team that `ref` names.
   * @param read by the team's id and, where it is not null, its slug; null where no team has both
   * @returns null: no such team
   */
  private async withTeamId<T>(
    ref: TeamRef,
    read: (id: string, slug: string | null) => Promise<T | null>,
  ): Promise<T | null> {
    const { slug, id } = ref;
    if (slug === undefined) return id !== undefined && isUuid(id) ? read(id, null) : null;
    if (!isPossibleSlug(slug)) return null;
    const remembered = this.ids.get(slug);
    const found = remembered === undefined ? null : await read(remembered, slug);
    if (found !== null) return found;
    const current = await this.findIdBySlug(slug);
    return current === null ? null : read(current, slug);
  }

  private async findIdBySlug(slug: string): Promise<string | null> {
    const [team] = await this.database.query<{ id: string }>(FIND_ID_BY_SLUG, [slug]);
    if (team) this.ids.set(slug, team.id);
    else this.ids.delete(slug);
    return team?.id ?? null;
  }

  /** Completes a row: a copy of it would be slow, and lists are long. */
  private toTeam<Row extends Limits & Pick<Team, 'plan'>>(
    row: Row,
  ): Row & Pick<Team, 'usage' | 'limit'> {
    const { pages, users, workspaces } = row;
    const limit = this.config.planLimits[row.plan];
    return Object.assign(row, { usage: { pages, users, workspaces }, limit });
  }
}

const FIND_ID_BY_SLUG = point(1, {
  name: 'teamIds.lookUp',
  text: 'SELECT id FROM teams WHERE slug = $1',
});

const COLUMNS = join(
  columnsOf(TEAM, 't'),
  sql<Limits & { role: TeamRole | null }>('u.pages, u.users, u.workspaces, m.role'),
);

const FIND = point(
  1,
  selecting(COLUMNS, (columns) => ({
    name: 'teams.find',
    text: `
    SELECT ${columns}
    FROM teams t
    JOIN team_usage u ON u.team_id = $1
    LEFT JOIN team_members m ON m.team_id = $1 AND m.user_id = $3
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)`,
  })),
);

/** The array keeps PostgreSQL from reading all teams where it takes a user to have very many. */
const SHORT = point(SHORT_LIST + 1, {
  name: 'teams.list.short',
  text: `
    WITH m AS MATERIALIZED (
      SELECT team_id, role FROM team_members WHERE user_id = $1 LIMIT ${SHORT_LIST + 1}
    )
    SELECT ${COLUMNS}
    FROM teams t
    JOIN team_usage u ON u.team_id = t.id
    JOIN m ON m.team_id = t.id
    WHERE t.id = ANY (ARRAY (SELECT team_id FROM m))
    ORDER BY t.created_at, t.id`,
});

/** One look-up for each team, however many there are. */
const LONG = manyRows({
  name: 'teams.list',
  text: `
    SELECT ${COLUMNS}
    FROM (
      SELECT * FROM (
        SELECT team_id AS id, role, (SELECT created_at FROM teams WHERE id = team_id) AS at
        FROM team_members WHERE user_id = $1
      ) AS member
      WHERE ($2::timestamptz IS NULL OR (at, id) > ($2, $3::uuid))
      ORDER BY at, id LIMIT $4
    ) AS m
    JOIN teams t ON t.id = m.id
    JOIN team_usage u ON u.team_id = m.id
    ORDER BY m.at, m.id`,
});

const LIST: ListRead = { short: SHORT, long: LONG, isDescending: false };
