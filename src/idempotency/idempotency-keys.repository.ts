import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { KEPT } from './key-statements.js';
import type { KeyScope, RequestKey } from './once.js';

/** What is kept under a key. */
export interface KeptAnswer extends KeyScope {
  operation: string;
  fingerprint: string;
  /** The body, as it was sent, or without its content where it is long. */
  answer: string;
}

const FIND = {
  name: 'idempotency.find',
  text: `
    SELECT operation, fingerprint, answer, team_id AS "teamId", workspace_id AS "workspaceId"
    FROM idempotency_keys
    WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - ${KEPT}`,
};

/**
 * Passes over what others delete or replace just now. It walks no more of the table than it deletes:
 * an index serves now(), not clock_timestamp(), and rows that are locked keep their place (ctid).
 */
const DELETE_EXPIRED = {
  name: 'idempotency.deleteExpired',
  text: `
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM idempotency_keys
      WHERE created_at <= now() - ${KEPT}
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )) RETURNING 1`,
  writes: true,
};

/** Keys outside transactions. Those of a write are its transaction's: key-statements, only-once. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly database: Database) {}

  async find({ userId, key }: RequestKey): Promise<KeptAnswer | null> {
    const [row] = await this.database.query<KeptAnswer>(FIND, [userId, key]);
    return row ?? null;
  }

  /** Deletes up to `most` keys whose time is over. @returns how many */
  async deleteExpired(most: number): Promise<number> {
    return (await this.database.query(DELETE_EXPIRED, [most])).length;
  }
}
