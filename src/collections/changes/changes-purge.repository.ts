import { Injectable } from '@nestjs/common';
import type { Plan } from '../../config/plan-limits.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import type { Rows } from '../../database/pipelined-transaction.js';
import type { WorkspaceIds } from '../collection.js';

/** Seconds: no row is as old. */
const NO_AGE = 2_000_000_000;

const BY_ITSELF = { purpose: 'purge of changes' };

/** Held to the end of the transaction. */
const TAKE_TURN = {
  name: 'changesPurge.takeTurn',
  text: `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.changesPurge}) AS taken`,
};

/** The oldest row of all that are older than $1 seconds; an index serves now(), not clock_timestamp(). */
const NEXT = {
  name: 'changesPurge.next',
  text: `
    SELECT team_id, workspace_id, version FROM tree_changes
    WHERE created_at <= now() - $1::int * interval '1 second' ORDER BY created_at LIMIT 1`,
};

/**
 * Whole versions of a workspace, the oldest first, $3 rows and the rest of the last version: those that
 * are older than $5 seconds, and all up to the version $4.
 */
const REMOVE = {
  name: 'changesPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM tree_changes WHERE team_id = $1 AND workspace_id = $2 AND version <= (
        SELECT max(version) FILTER (
          WHERE version <= $4::bigint OR created_at <= now() - $5::int * interval '1 second'
        ) FROM (
          SELECT version, created_at FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
          ORDER BY team_id, workspace_id, version, id LIMIT $3
        ) AS oldest
      ) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};

/**
 * How many rows workspaces got in the last $1 seconds. By the age of rows, since an index of it is there for
 * the purge: the cost is that of the new rows, whatever the size of the log.
 */
const GROWN = {
  name: 'changesPurge.grown',
  text: `
    SELECT grown.*, (SELECT t.plan FROM teams t WHERE t.id = grown."teamId") AS plan FROM (
      SELECT team_id AS "teamId", workspace_id AS "workspaceId", count(*)::int AS rows
      FROM tree_changes WHERE created_at > now() - $1::int * interval '1 second'
      GROUP BY team_id, workspace_id
    ) AS grown`,
  many: true,
};

/** Rows of the log of a workspace before the row ($3, $4), the newest first, $5 at most: how many, and the last. */
const NEWEST = {
  name: 'changesPurge.newest',
  text: `
    WITH newest AS MATERIALIZED (
      SELECT version, id FROM tree_changes
      WHERE team_id = $1 AND workspace_id = $2 AND (version, id) < ($3::bigint, $4::uuid)
      ORDER BY team_id DESC, workspace_id DESC, version DESC, id DESC LIMIT $5::int
    )
    SELECT version, id, $5::int AS rows FROM (
      SELECT version, id FROM newest OFFSET $5::int - 1
    ) AS last
    UNION ALL
    SELECT NULL, NULL, count(*)::int FROM newest HAVING count(*) < $5::int`,
  many: true,
};

/** Sorts after all rows of a log. */
const AFTER_ALL = { version: '9223372036854775807', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Rows that one statement counts. */
const COUNTED = 50_000;

/** A workspace whose log has grown. */
export interface GrownLog extends WorkspaceIds {
  plan: Plan;
  /** Rows that were added. */
  rows: number;
}

/** How large the log of a workspace is. */
export interface LogSize {
  /** One more than was asked about, if there are more. */
  rows: number;
  /** All up to this version are too many; null: none are. */
  excess: string | null;
}

/** What the purge of the log of changes does in the database. */
@Injectable()
export class ChangesPurgeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Removes old versions of one workspace from the log, in one short transaction.
   * @param age in seconds, from which on a row is old
   * @param most rows, and the rest of their last version
   * @returns how many rows; null: there are no old ones, or another process removes them
   */
  removePortion(age: number, most: number): Promise<number | null> {
    return this.database.pipelined(BY_ITSELF, async (tx) => {
      const [turn, found] = (await tx.run([
        [TAKE_TURN, []],
        [NEXT, [age]],
      ])) as [Rows, Rows];
      const [next] = found;
      if (!turn[0]?.taken || !next) return null;
      const values = [next.team_id, next.workspace_id, most, next.version, age];
      const [removed] = await tx.commit([[REMOVE, values]]);
      return Number(removed?.[0]?.rows);
    });
  }

  /** The workspaces whose logs got rows in the last seconds. */
  grown(seconds: number): Promise<readonly GrownLog[]> {
    return this.database.query<GrownLog>(GROWN, [seconds], BY_ITSELF);
  }

  /** Counts the rows of a log from the newest on, in portions, up to the first one past `most`. */
  async size({ teamId, workspaceId }: WorkspaceIds, most: number): Promise<LogSize> {
    let { version, id } = AFTER_ALL;
    for (let rows = 0; ; ) {
      const portion = Math.min(COUNTED, most + 1 - rows);
      const values = [teamId, workspaceId, version, id, portion];
      const [last] = await this.database.query<CountedRows>(NEWEST, values, BY_ITSELF);
      rows += last?.rows ?? 0;
      if (!last || last.version === null) return { rows, excess: null };
      if (rows > most) return { rows, excess: last.version };
      ({ version, id } = last);
    }
  }

  /**
   * Removes the oldest versions of a log up to one of them, in one short transaction.
   * @param most rows, and the rest of their last version
   * @returns how many rows; null: there are none, or another process removes rows
   */
  async removeUpTo(
    { teamId, workspaceId }: WorkspaceIds,
    version: string,
    most: number,
  ): Promise<number | null> {
    return this.database.pipelined(BY_ITSELF, async (tx) => {
      const [turn] = (await tx.run([[TAKE_TURN, []]])) as [Rows];
      if (!turn[0]?.taken) return null;
      const [removed] = await tx.commit([[REMOVE, [teamId, workspaceId, most, version, NO_AGE]]]);
      return Number(removed?.[0]?.rows) || null;
    });
  }
}

type CountedRows = { rows: number } & (
  | { version: string; id: string }
  | { version: null; id: null }
);
