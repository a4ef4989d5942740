import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from './metrics.js';

/** Connections of a pool, and callers that wait for one. */
export interface PoolStatus {
  total: number;
  idle: number;
  waiting: number;
}

/** A database that tells how busy its pool is. */
interface ReportsPool {
  poolStatus(): PoolStatus;
}

/** Shows how many connections are in use, and how many callers wait for one. */
@Injectable()
export class PoolMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { database } = this;
    if (!reportsPool(database)) return;
    this.metrics.gauge(
      'teamspaces_database_connections_in_use',
      'Connections to PostgreSQL at work.',
      () => {
        const { total, idle } = database.poolStatus();
        return total - idle;
      },
    );
    this.metrics.gauge(
      'teamspaces_database_connections_open',
      'Connections to PostgreSQL, at work or not.',
      () => database.poolStatus().total,
    );
    this.metrics.gauge(
      'teamspaces_database_connections_waiting',
      'Callers that wait for a connection.',
      () => database.poolStatus().waiting,
    );
  }
}

function reportsPool(database: object): database is ReportsPool {
  return typeof (database as Partial<ReportsPool>).poolStatus === 'function';
}
