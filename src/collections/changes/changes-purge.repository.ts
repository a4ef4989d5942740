import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Rows } from '../../database/pipelined-transaction.js';

const BY_ITSELF = { purpose: 'purge of changes' };

/** Held to the end of the transaction. The number is the name of the lock. */
const TAKE_TURN = {
  name: 'changesPurge.takeTurn',
  text: 'SELECT pg_try_advisory_xact_lock(7263515) AS taken',
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
}
