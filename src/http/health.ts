import { setTimeout as sleep } from 'node:timers/promises';
import {
  Controller,
  Get,
  Header,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  Res,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isForbidden, isUndefinedTable, refusesSessions } from '@teamspaces/pg-lanes/driver-errors';
import { point } from '@teamspaces/pg-lanes/statements';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/token.guard.js';
import { Database } from '../database/database.js';
import { readMigrations } from '../database/migrations.js';
import { Metrics } from '../observability/metrics.js';
import { Connections } from './connections.js';
import { Shutdown } from './shutdown.js';

/** Timeout of a check of the database, and how long its result is cached, in milliseconds. */
const TIMEOUT = 2_000;
const REMEMBERED = 500;

const POOLED =
  'behind a pooler in transaction mode, set DATABASE_PREPARED_STATEMENTS=off (docs/deploy.md#pgbouncer)';

/** The result of a check; `message` says why it is down. */
type Result = { status: 'up' } | { status: 'down'; message: string };
type Results = Record<string, Result>;

/** What a probe reads: the checks that are up, those that are down, and all. */
interface Health {
  status: 'ok' | 'error';
  info: Results;
  error: Results;
  details: Results;
}

/** Liveness and readiness. */
@Injectable()
class HealthService implements OnApplicationBootstrap {
  private readonly logger = new Logger('health');
  private readonly needed = readMigrations().map(({ name }) => name);
  /** undefined: not known yet. Once true, it stays true. */
  private isMigrated: boolean | undefined;
  private isWritable = true;
  private readonly checkDatabase = check(() => this.assertWritable());
  private readonly checkMigrations = check(() => this.assertMigrated());

  constructor(
    private readonly database: Database,
    private readonly shutdown: Shutdown,
    metrics: Metrics,
  ) {
    metrics.condition(
      'teamspaces_ready',
      'Whether /health/ready returns 200: 1, otherwise 0.',
      async () => (await this.ready()).status === 'ok',
    );
  }

  /** Reports at the start that tables are too old, before the first probe. */
  async onApplicationBootstrap(): Promise<void> {
    await this.checkMigrations();
  }

  /** Checks only that the process responds: a restart would not bring a database back. */
  live(): Health {
    return healthOf({});
  }

  /** Not ready while shutting down, without a writable database, or on old tables. */
  async ready(): Promise<Health> {
    const [database, migrations] = await Promise.all([
      this.checkDatabase(),
      this.isMigrated ? UP : this.checkMigrations(),
    ]);
    const accepting = this.shutdown.begun ? down('shutting down') : UP;
    return healthOf({ accepting, database, migrations });
  }

  /** @throws Error: it does not respond, or rejects changes. Each change of this is logged once. */
  private async assertWritable(): Promise<void> {
    const [row] = await this.database
      .query<{ isReadOnly: boolean }>(READ_ONLY, [])
      .catch((error: Error) => {
        const isPooled = refusesSessions(error);
        this.logger.warn(isPooled ? POOLED : 'the database does not respond', error);
        throw new Error(isPooled ? POOLED : 'unreachable');
      });
    const wasWritable = this.isWritable;
    this.isWritable = row?.isReadOnly === false;
    if (wasWritable && !this.isWritable) {
      this.logger.error(
        'not ready: the database is read-only (a standby, or default_transaction_read_only), so changes fail: connect to the primary',
      );
    }
    if (!wasWritable && this.isWritable) this.logger.log('ready: the database accepts changes');
    if (!this.isWritable) throw new Error('read-only');
  }

  /**
   * Outside production they are applied at the start. Newer tables are fine: a rollback. Each change is
   * logged once.
   * @throws Error: some are missing
   */
  private async assertMigrated(): Promise<void> {
    const missing = await this.missingMigrations();
    const before = this.isMigrated;
    this.isMigrated = missing.length === 0;
    if (before === undefined && !this.isMigrated) {
      this.logger.error(
        `not ready: the tables of the database are older than this version needs (${missing.join(', ')}): run teamspaces migrate`,
      );
    }
    if (before === false && this.isMigrated) this.logger.log('ready: the database was migrated');
    if (!this.isMigrated) throw new Error('missing');
  }

  private async missingMigrations(): Promise<string[]> {
    try {
      const rows = await this.database.query<{ name: string }>(MISSING, [this.needed]);
      return rows.map(({ name }) => name);
    } catch (error) {
      if (isUndefinedTable(error)) return this.needed;
      // A role may be allowed to use the tables without being allowed to read their history.
      if (isForbidden(error)) return [];
      throw error;
    }
  }
}

/** False on a standby, and under default_transaction_read_only. */
const READ_ONLY = point(1, {
  name: 'health.readOnly',
  text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
});

const MISSING = point(100, {
  name: 'health.missingMigrations',
  text: `
    SELECT needed.name FROM unnest($1::text[]) AS needed (name)
    WHERE NOT EXISTS (
      SELECT FROM _prisma_migrations applied
      WHERE applied.migration_name = needed.name
        AND applied.finished_at IS NOT NULL AND applied.rolled_back_at IS NULL
    )`,
});

const UP: Result = { status: 'up' };
const down = (message: string): Result => ({ status: 'down', message });

/**
 * A check that is down if `attempt` rejects or takes too long. Probes are not limited: they share one result,
 * until REMEMBERED after it. An attempt that took too long may still be waiting when the next one starts.
 */
function check(attempt: () => Promise<void>): () => Promise<Result> {
  let latest: Promise<Result> | null = null;
  return () => {
    latest ??= Promise.race([
      attempt().then(
        () => UP,
        (error: Error) => down(error.message),
      ),
      sleep(TIMEOUT, down(`timeout of ${TIMEOUT}ms exceeded`), { ref: false }),
    ]).finally(() => {
      setTimeout(() => {
        latest = null;
      }, REMEMBERED).unref();
    });
    return latest;
  };
}

function healthOf(details: Results): Health {
  const of = (status: Result['status']) =>
    Object.fromEntries(Object.entries(details).filter(([, result]) => result.status === status));
  const error = of('down');
  return {
    status: Object.keys(error).length === 0 ? 'ok' : 'error',
    info: of('up'),
    error,
    details,
  };
}

/** For balancers and orchestrators: 200 or 503. */
@ApiExcludeController()
@Controller('health')
class HealthController {
  constructor(private readonly health: HealthService) {}

  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live(): Health {
    return this.health.live();
  }

  @Public()
  @Get('ready')
  @Header('cache-control', 'no-store')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const health = await this.health.ready();
    // Not an operation of the API: no error body.
    reply.status(health.status === 'ok' ? 200 : 503);
    return health;
  }
}

/** Liveness, readiness and shutdown. */
@Module({
  controllers: [HealthController],
  providers: [HealthService, Connections, Shutdown],
})
export class HealthModule {}
