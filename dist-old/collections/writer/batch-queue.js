import { setImmediate as nextTurn } from 'node:timers/promises';
/**
 * Group commit: a queue for each key. What comes while a batch is under way waits together, without
 * a connection, and goes into the next one, in the order in which it came.
 */
export class BatchQueue {
    rules;
    run;
    queues = new Map();
    /** @param run settles each of a batch, and does not throw */
    constructor(rules, run) {
        this.rules = rules;
        this.run = run;
    }
    add(key, work) {
        return new Promise((resolve, reject) => {
            const waiting = { work, resolve, reject };
            const queue = this.queues.get(key);
            if (queue) {
                queue.push(waiting);
                return;
            }
            const fresh = [waiting];
            this.queues.set(key, fresh);
            void this.runAll(key, fresh);
        });
    }
    async runAll(key, queue) {
        while (queue.length > 0) {
            await this.run(queue.splice(0, this.sizeOfBatch(queue)));
            // The requests of callers who have just got a response go into the next batch.
            await nextTurn();
        }
        this.queues.delete(key);
    }
    /** How many of those that wait the next batch takes. */
    sizeOfBatch(waiting) {
        const { most, mostBytes, sizeOf, isExclusive } = this.rules;
        let bytes = 0;
        let end = 0;
        for (const { work } of waiting) {
            bytes += sizeOf(work);
            if (end > 0 && (end === most || bytes > mostBytes || isExclusive(work)))
                break;
            end++;
            if (isExclusive(work))
                break;
        }
        return end;
    }
}
//# sourceMappingURL=batch-queue.js.map