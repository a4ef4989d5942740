import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { Database } from '../database/database.js';
import type { Rows } from '../database/pipelined-transaction.js';

const BY_ITSELF = { purpose: 'purge of the audit log' };

/** Held to the end of the transaction. */
const TAKE_TURN = {
  name: 'auditPurge.takeTurn',
  text: `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.auditPurge}) AS taken`,
};

/** The team of the oldest entry of all that are older than $1 seconds. */
const NEXT = {
  name: 'auditPurge.next',
  text: `
    SELECT team_id FROM audit_entries
    WHERE at <= now() - $1::int * interval '1 second' ORDER BY at LIMIT 1`,
};

/**
 * Entries of a team that are older than $2 seconds, $3 at most, the oldest first: the entry of a purge
 * is there as long as others about its workspace are.
 */
const REMOVE = {
  name: 'auditPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM audit_entries WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM audit_entries
        WHERE team_id = $1 AND at <= now() - $2::int * interval '1 second'
        ORDER BY at, id LIMIT $3
      )) RETURNING 1
    )
    SELECT count(*) AS entries FROM removed`,
};

/** What the purge of the audit log does in the database. */
@Injectable()
export class AuditPurgeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Removes old entries of one team, in one short transaction.
   * @param age in seconds, from which on an entry is old
   * @returns how many; null: there are no old ones, or another process removes them
   */
  removePortion(age: number, most: number): Promise<number | null> {
    return this.database.pipelined(BY_ITSELF, async (tx) => {
      const [turn, found] = (await tx.run([
        [TAKE_TURN, []],
        [NEXT, [age]],
      ])) as [Rows, Rows];
      const [next] = found;
      if (!turn[0]?.taken || !next) return null;
      const [removed] = await tx.commit([[REMOVE, [next.team_id, age, most]]]);
      return Number(removed?.[0]?.entries);
    });
  }
}
