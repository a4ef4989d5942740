import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { isTransient, retryReason } from './database-errors.js';
const ATTEMPTS = 8;
/** Waits before the next attempt: twice as long each time, and at random, so that two do not meet again. */
export const pauseAfter = (attempt) => sleep(Math.random() * 10 * 2 ** attempt);
/** Tells of transactions that are run again. One that keeps running again has locks in a wrong order. */
export class Retries {
    logger = new Logger('database');
    count = () => undefined;
    /** @param count is called for each */
    countBy(count) {
        this.count = count;
    }
    /** To be called before a transaction is run again. @param error why */
    note(error) {
        const reason = retryReason(error);
        this.count(reason);
        const line = `a transaction is run again: ${reason}`;
        if (reason === 'deadlock')
            this.logger.warn(line);
        else
            this.logger.debug(line);
    }
}
/** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
export async function withRetry(retries, run) {
    for (let attempt = 1;; attempt++) {
        try {
            return await run();
        }
        catch (error) {
            if (attempt >= ATTEMPTS || !isTransient(error))
                throw error;
            retries.note(error);
            await pauseAfter(attempt);
        }
    }
}
//# sourceMappingURL=retry.js.map