import { setImmediate as nextTurn } from 'node:timers/promises';

/** One that waits for its turn. */
export interface Waiting<Work, Result> {
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface BatchRules<Work> {
  /** Pieces of work in a batch, at most. */
  most: number;
  /** Bytes in a batch, at most; a larger piece goes alone. */
  mostBytes: number;
  sizeOf(work: Work): number;
  /** True for work that takes a batch of its own. */
  isExclusive(work: Work): boolean;
}

/**
 * Group commit: a queue for each key. What comes while a batch is under way waits together, without
 * a connection, and goes into the next one, in the order in which it came.
 */
export class BatchQueue<Work, Result> {
  private readonly queues = new Map<string, Waiting<Work, Result>[]>();

  /** @param run settles each of a batch, and does not throw */
  constructor(
    private readonly rules: BatchRules<Work>,
    private readonly run: (batch: Waiting<Work, Result>[]) => Promise<void>,
  ) {}

  add(key: string, work: Work): Promise<Result> {
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

  private async runAll(key: string, queue: Waiting<Work, Result>[]): Promise<void> {
    while (queue.length > 0) {
      await this.run(queue.splice(0, this.sizeOfBatch(queue)));
      // The requests of callers who have just got a response go into the next batch.
      await nextTurn();
    }
    this.queues.delete(key);
  }

  /** How many of those that wait the next batch takes. */
  private sizeOfBatch(waiting: readonly Waiting<Work, Result>[]): number {
    const { most, mostBytes, sizeOf, isExclusive } = this.rules;
    let bytes = 0;
    let end = 0;
    for (const { work } of waiting) {
      bytes += sizeOf(work);
      if (end > 0 && (end === most || bytes > mostBytes || isExclusive(work))) break;
      end++;
      if (isExclusive(work)) break;
    }
    return end;
  }
}
