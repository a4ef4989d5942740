import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../database/background-job.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 10 * 60_000;
/** Keys that one statement deletes, at most. */
const PORTION = 1000;

/** Deletes expired keys: they count as absent anyway, and concurrent rounds skip each other's rows. */
@Injectable()
export class ExpiredKeys extends BackgroundJob {
  constructor(private readonly keys: IdempotencyKeysRepository) {
    super('idempotency', 'keys were not cleared', INTERVAL);
  }

  /** Deletes in portions, so that no transaction is long. */
  async runRound(): Promise<void> {
    while (!this.isOver && (await this.keys.deleteExpired(PORTION)) === PORTION);
  }
}
