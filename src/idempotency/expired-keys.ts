import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 10 * 60_000;
/** Keys that one statement deletes, at most. */
const PORTION = 1000;

/**
 * Deletes expired keys. Every instance does, whoever comes first: an expired
 * key counts as absent anyway, and concurrent rounds skip each other's rows.
 */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('idempotency');
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(private readonly keys: IdempotencyKeysRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.round = this.round
        .then(() => this.clear())
        .catch((error: Error) => this.logger.warn(`keys were not cleared: ${error.message}`));
    }, INTERVAL).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    await this.round;
  }

  /** Deletes in portions, so that no transaction is long. */
  async clear(): Promise<void> {
    while (!this.isOver && (await this.keys.deleteExpired(PORTION)) === PORTION);
  }
}
