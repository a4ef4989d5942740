import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './database-errors.js';

const ATTEMPTS = 8;

/** Waits before the next attempt: twice as long each time, and at random, so that two do not meet again. */
export const pauseAfter = (attempt: number): Promise<void> =>
  sleep(Math.random() * 10 * 2 ** attempt);

/** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
export async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error;
      await pauseAfter(attempt);
    }
  }
}
