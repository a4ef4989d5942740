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

/** Milliseconds to gather the next batch for, at most. */
const LONGEST_WAIT = 10;

/** Pieces of work at a time from which on they go in two groups, unless a batch takes long (ms). */
const MANY = 16;
const LONG = 10;

/**
 * Group commit: a queue for each key. What comes while a batch is under way waits together, without
 * a connection, and goes into the next one, in the order in which it came.
 */
export class BatchQueue<Work, Result> {
  private readonly queues = new Map<string, Queue<Work, Result>>();

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
        queue.waiting.push(waiting);
        queue.arrived?.();
        return;
      }
      const fresh: Queue<Work, Result> = { waiting: [waiting], arrived: null };
      this.queues.set(key, fresh);
      void this.empty(key, fresh);
    });
  }

  private async empty(key: string, queue: Queue<Work, Result>): Promise<void> {
    for (let most = this.rules.most; queue.waiting.length > 0; ) {
      const batch = this.take(queue.waiting, most);
      const start = performance.now();
      await this.run(batch);
      // Those who were answered just now come back soon, if they work in one place.
      const together = batch.length + queue.waiting.length;
      most = this.rules.most;
      const took = performance.now() - start;
      if (together >= MANY && took < LONG) {
        // In two groups: one is with the database while this process answers and reads the other.
        most = Math.min(most, Math.ceil(together / 2));
      } else if (batch.length > 1 && !this.isComplete(queue.waiting)) {
        // One commit for all of them is worth a wait of half the time that the last one took.
        await gather(queue, Math.min(together, most), Math.min(LONGEST_WAIT, took / 2));
      } else await nextTurn();
    }
    this.queues.delete(key);
  }

  private take(waiting: Waiting<Work, Result>[], most: number): Waiting<Work, Result>[] {
    return waiting.splice(0, this.fitting(waiting, most));
  }

  /** How many of those that wait the next batch takes. */
  private fitting(waiting: readonly Waiting<Work, Result>[], most: number): number {
    const { mostBytes, sizeOf, isExclusive } = this.rules;
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

  /** True where whoever comes now would not go into the next batch. */
  private isComplete(waiting: readonly Waiting<Work, Result>[]): boolean {
    const { most, isExclusive } = this.rules;
    const [first] = waiting;
    if (!first) return false;
    const end = this.fitting(waiting, most);
    return end === most || end < waiting.length || isExclusive(first.work);
  }
}

interface Queue<Work, Result> {
  waiting: Waiting<Work, Result>[];
  arrived: (() => void) | null;
}

/** Resolves when `many` wait, or when the wait (milliseconds) is over. */
function gather(
  queue: { waiting: unknown[]; arrived: (() => void) | null },
  many: number,
  wait: number,
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      queue.arrived = null;
      resolve();
    };
    const timer = setTimeout(done, wait);
    queue.arrived = () => {
      if (queue.waiting.length >= many) done();
    };
    queue.arrived();
  });
}
