import { Injectable, Logger } from '@nestjs/common';
import {
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
} from '@nestjs/terminus';
import { HealthRepository } from './health.repository.js';
import { Shutdown } from './shutdown.js';

/** Milliseconds that the database has to answer, and for which its answer holds. */
const PATIENCE = 2_000;
const REMEMBERED = 500;

/** Whether the process lives, and whether it should be sent requests. */
@Injectable()
export class HealthService {
  private readonly logger = new Logger('health');

  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly repository: HealthRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /** Checks nothing but that the process answers: restarting it does not bring a database back. */
  live() {
    return this.checks.check([]);
  }

  /** @throws ServiceUnavailableException while shutting down, or without a database */
  ready() {
    return this.checks.check([() => this.accepting(), () => this.database()]);
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
      .withTimeout(PATIENCE)
      .cacheFor(REMEMBERED);
  }
}
