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
import { Connections } from './connections.js';
import { HealthRepository } from './health.repository.js';
import { Shutdown } from './shutdown.js';

/** Milliseconds that the database has to answer, and for which its answer holds. */
const TIMEOUTS = 2_000;
const REMEMBERED = 500;

/** Whether the process lives, and whether it should be sent requests. */
@Injectable()
class HealthService implements OnApplicationBootstrap {
  private readonly logger = new Logger('health');
  /** undefined: not known yet. Tables that were new enough once stay so. */
  private isMigrated: boolean | undefined;

  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly repository: HealthRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /** Tells of tables that are too old at the start, before anybody asks. */
  async onApplicationBootstrap(): Promise<void> {
    await this.migrations();
  }

  /** Checks nothing but that the process answers: restarting it does not bring a database back. */
  live() {
    return this.checks.check([]);
  }

  /** @throws ServiceUnavailableException while shutting down, without a database, or on old tables */
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

  /** Anyone may ask, as often as they like: the database is asked twice a second at most. */
  private async database(): Promise<HealthIndicatorResult<'database'>> {
    return this.indicators
      .check('database')
      .attempt(() =>
        this.repository.ping().catch((error: Error) => {
          this.logger.warn('the database does not answer', error);
          throw new Error('unreachable');
        }),
      )
      .withTimeout(TIMEOUTS)
      .cacheFor(REMEMBERED);
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

  /** Says it once, and once more when it is over. */
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

/** Probes are no operations of the API: 503 leaves as it is, outside the envelope of errors. */
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

/** Is it alive, is it ready, and how does it end. */
@Module({
  // A failed check is not an error of ours: HealthService logs why it failed.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [HealthRepository, HealthService, Connections, Shutdown],
})
export class HealthModule {}
