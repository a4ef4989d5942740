import { Injectable, Module } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Purge } from '../database/purge.js';
import { KEPT } from './idempotency-keys.repository.js';

/** Keys that one transaction removes, at most. */
const PORTION = 1000;

/** Removes expired keys, which count as absent anyway. */
@Injectable()
export class KeysPurge extends Purge {
  constructor(database: Database) {
    super(database, { name: 'idempotency', failure: 'keys were not cleared', lock: 'keysPurge' });
  }

  async runRound(): Promise<void> {
    await this.removeAll(() => this.remove(() => [REMOVE, [PORTION]]));
  }
}

@Module({ providers: [KeysPurge] })
export class IdempotencyModule {}

/**
 * Skips what requests replace just now. It reads no more of the table than it deletes: an index serves
 * now(), not clock_timestamp(), and rows that are locked keep their place (ctid).
 */
const REMOVE = {
  name: 'keysPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM idempotency_keys
        WHERE created_at <= now() - ${KEPT}
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};
