import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RETRY_REASONS } from '../database/database-errors.js';
import type { PoolStatus } from '../database/gated-pool.js';
import { Metrics } from './metrics.js';

/**
 * Shows how many connections each pool has, how many are at work, and who waits for one; and how often
 * a transaction was run again.
 */
@Injectable()
export class PoolMetrics {
  constructor(database: Database, metrics: Metrics) {
    const show = (name: string, help: string, of: (pool: PoolStatus) => number) =>
      metrics.gauge(`teamspaces_database_connections_${name}`, help, 'pool', () =>
        Object.entries(database.poolStatus()).map(([pool, status]) => [pool, of(status)]),
      );
    show('in_use', 'Connections to PostgreSQL at work.', ({ total, idle }) => total - idle);
    show('open', 'Connections to PostgreSQL, at work or not.', ({ total }) => total);
    show('waiting', 'Callers that wait for a connection.', ({ waiting }) => waiting);
    const retries = metrics.counter(
      'teamspaces_transaction_retries_total',
      'Transactions that were run again, by the reason.',
      ['reason'],
    );
    for (const reason of RETRY_REASONS) retries.inc({ reason }, 0);
    database.retries.countBy((reason) => retries.inc({ reason }));
  }
}
