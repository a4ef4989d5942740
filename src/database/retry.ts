import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isTransient, type RetryReason, retryReason } from './database-errors.js';

const ATTEMPTS = 8;

/** Waits before the next attempt: twice as long each time, and at random, so that two do not meet again. */
export const pauseAfter = (attempt: number): Promise<void> =>
  sleep(Math.random() * 10 * 2 ** attempt);

/** Reports retried transactions. One that is retried over and over takes its locks in a wrong order. */
export class Retries {
  private readonly logger = new Logger('database');
  private count: (reason: RetryReason) => void = () => undefined;

  /** @param count is called for each */
  countBy(count: (reason: RetryReason) => void): void {
    this.count = count;
  }

  /** To be called before a transaction is retried. @param error why */
  note(error: unknown): void {
    const reason = retryReason(error);
    this.count(reason);
    const line = `a transaction is retried: ${reason}`;
    if (reason === 'deadlock') this.logger.warn(line);
    else this.logger.debug(line);
  }
}

/** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
export async function withRetry<T>(retries: Retries, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error;
      retries.note(error);
      await pauseAfter(attempt);
    }
  }
}
