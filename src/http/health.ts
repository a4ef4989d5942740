import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  ServiceUnavailableException,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/token.guard.js';
import { refusesSessions } from '../database/database-errors.js';
import { Metrics } from '../observability/metrics.js';
import { Connections } from './connections.js';
import { HealthRepository } from './health.repository.js';
import { Shutdown } from './shutdown.js';

/** Timeout of the database check, and how long its result is cached, in milliseconds. */
const TIMEOUTS = 2_000;
const REMEMBERED = 500;

const POOLED =
  'behind a pooler in transaction mode, set DATABASE_PREPARED_STATEMENTS=off (docs/deploy.md#pgbouncer)';

/** Liveness and readiness. */
@Injectable()
class HealthService implements OnApplicationBootstrap {
  private readonly logger = new Logger('health');
  /** undefined: not known yet. Once true, it stays true. */
  private isMigrated: boolean | undefined;
  private isWritable = true;

  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly repository: HealthRepository,
    private readonly shutdown: Shutdown,
    metrics: Metrics,
  ) {
    metrics.condition(
      'teamspaces_ready',
      'Whether /health/ready returns 200: 1, otherwise 0.',
      () =>
        this.ready().then(
          () => true,
          () => false,
        ),
    );
  }

  /** Reports at the start that tables are too old, before the first probe. */
  async onApplicationBootstrap(): Promise<void> {
    await this.migrations();
  }

  /** Checks only that the process responds: a restart would not bring a database back. */
  live() {
    return this.checks.check([]);
  }

  /** @throws ServiceUnavailableException while shutting down, without a writable database, or on old tables */
  ready() {
    return this.checks.check([
      () => this.accepting(),
      () => this.database(),
      () => this.migrations(),
    ]);
  }

  private accepting(): HealthIndicatorResult<'accepting'> {
    const indicator = this.indicators.check('accepting');
    return this.shutdown.begun ? indicator.down('shutting down') : indicator.up();
  }

  /** Probes are not limited: the database is queried at most twice a second. */
  private async database(): Promise<HealthIndicatorResult<'database'>> {
    return this.indicators
      .check('database')
      .attempt(async () => {
        const isWritable = await this.repository.isWritable().catch((error: Error) => {
          const isPooled = refusesSessions(error);
          this.logger.warn(isPooled ? POOLED : 'the database does not respond', error);
          throw new Error(isPooled ? POOLED : 'unreachable');
        });
        this.reportWritable(isWritable);
        if (!isWritable) throw new Error('read-only');
      })
      .withTimeout(TIMEOUTS)
      .cacheFor(REMEMBERED);
  }

  /** Logs each change once. */
  private reportWritable(isWritable: boolean): void {
    if (this.isWritable && !isWritable) {
      this.logger.error(
        'not ready: the database is read-only (a standby, or default_transaction_read_only), so changes fail: connect to the primary',
      );
    }
    if (!this.isWritable && isWritable) this.logger.log('ready: the database accepts changes');
    this.isWritable = isWritable;
  }

  /** Outside production they are applied at the start. Newer tables are fine: a rollback. */
  private async migrations(): Promise<HealthIndicatorResult<'migrations'>> {
    const indicator = this.indicators.check('migrations');
    if (this.isMigrated) return indicator.up();
    return indicator
      .attempt(async () => {
        if (!(await this.areMigrated())) throw new Error('missing');
      })
      .withTimeout(TIMEOUTS)
      .cacheFor(REMEMBERED);
  }

  /** Logs each change once. */
  private async areMigrated(): Promise<boolean> {
    const missing = await this.repository.missingMigrations();
    const before = this.isMigrated;
    this.isMigrated = missing.length === 0;
    if (before === undefined && !this.isMigrated) {
      this.logger.error(
        `not ready: the tables of the database are older than this version needs (${missing.join(', ')}): run teamspaces migrate`,
      );
    }
    if (before === false && this.isMigrated) this.logger.log('ready: the database was migrated');
    return this.isMigrated;
  }
}

/** Probes are not operations of the API: 503 is sent without the usual error body. */
@Catch(ServiceUnavailableException)
class UnavailableFilter implements ExceptionFilter<ServiceUnavailableException> {
  catch(exception: ServiceUnavailableException, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    reply.status(exception.getStatus()).send(exception.getResponse());
  }
}

/** For balancers and orchestrators: 200 or 503. */
@ApiExcludeController()
@UseFilters(UnavailableFilter)
@Controller('health')
class HealthController {
  constructor(private readonly health: HealthService) {}

  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return this.health.live();
  }

  @Public()
  @Get('ready')
  @Header('cache-control', 'no-store')
  ready() {
    return this.health.ready();
  }
}

/** Liveness, readiness and shutdown. */
@Module({
  // A failed check is not an error of the service: HealthService logs the reason.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [HealthRepository, HealthService, Connections, Shutdown],
})
export class HealthModule {}
