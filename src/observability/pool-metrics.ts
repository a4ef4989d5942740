import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RETRY_REASONS } from '../database/database-errors.js';
import type { PoolStatus } from '../database/gated-pool.js';
import { Metrics } from './metrics.js';

/**
 * Metrics of each connection pool (open, in use, waiting callers), and of retried transactions.
 */
@Injectable()
export class PoolMetrics {
  constructor(database: Database, metrics: Metrics) {
    const show = (name: string, help: string, of: (pool: PoolStatus) => number) =>
      metrics.gauge(`teamspaces_database_connections_${name}`, help, 'pool', () =>
        Object.entries(database.poolStatus()).map(([pool, status]) => [pool, of(status)]),
      );
    show('in_use', 'Connections to PostgreSQL in use.', ({ total, idle }) => total - idle);
    show('open', 'Open connections to PostgreSQL.', ({ total }) => total);
    show('waiting', 'Callers waiting for a connection.', ({ waiting }) => waiting);
    const retries = metrics.counter(
      'teamspaces_transaction_retries_total',
      'Retried transactions, by reason.',
      ['reason'],
    );
    for (const reason of RETRY_REASONS) retries.inc({ reason }, 0);
    database.retries.countBy((reason) => retries.inc({ reason }));
  }
}
