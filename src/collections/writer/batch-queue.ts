import { yieldToEventLoop } from '../../event-loop.js';
import { tooManyChangesWaiting } from '../errors.js';

/** A piece of work that waits for its turn. */
export interface Waiting<Work, Result> {
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Ends the wait. */
  timer?: NodeJS.Timeout;
}

interface QueueRules<Work> {
  /** Pieces of work in a batch, at most. */
  most: number;
  /** Bytes in a batch, at most; a larger piece goes alone. */
  mostBytes: number;
  /** Bytes of a batch that one caller gets while others wait; a larger piece only if it is the first. */
  shareBytes: number;
  bytesOf(work: Work): number;
  /** True for work that takes a batch of its own. */
  isExclusive(work: Work): boolean;
  callerOf(work: Work): string;
  /** Milliseconds for which a piece of work waits, at most. */
  timeout: number;
  timeoutError(): Error;
}

/** The work that waits under one key. */
interface Queue<Work, Result> {
  /** By caller, each in the order in which it came. Callers are in the order of their turns. */
  lines: Map<string, Waiting<Work, Result>[]>;
  /** The callers of the batch in progress, or of the last one. */
  served: Set<string>;
}

/**
 * Group commit: a queue for each key. Work that arrives during a batch waits, without a connection, for
 * the next one.
 *
 * Callers take turns: a batch takes one piece of each, then another one of each. It begins with a caller
 * who has nothing in the batch before it. While several callers wait, each gets a share of the batch, so
 * that nobody waits for more than one batch and the shares of others, however much these have sent. The
 * order of one caller's work is kept.
 */
export class BatchQueue<Work, Result> {
  private readonly queues = new Map<string, Queue<Work, Result>>();

  /** @param run settles each of a batch, and does not throw */
  constructor(
    private readonly rules: QueueRules<Work>,
    private readonly run: (batch: Waiting<Work, Result>[]) => Promise<void>,
  ) {}

  add(key: string, work: Work): Promise<Result> {
    return new Promise((resolve, reject) => {
      const known = this.queues.get(key);
      const queue: Queue<Work, Result> = known ?? { lines: new Map(), served: new Set() };
      const waiting: Waiting<Work, Result> = { work, resolve, reject };
      const caller = this.rules.callerOf(work);
      const line = queue.lines.get(caller);
      if (line) line.push(waiting);
      else queue.lines.set(caller, [waiting]);
      if (known) {
        waiting.timer = this.limitWait(queue, caller, waiting);
        return;
      }
      this.queues.set(key, queue);
      void this.runAll(key, queue);
    });
  }

  /** True while a batch of a key runs. */
  isBusy(key: string): boolean {
    return this.queues.has(key);
  }

  private async runAll(key: string, queue: Queue<Work, Result>): Promise<void> {
    while (queue.lines.size > 0) {
      await this.run(this.nextBatch(queue));
      // The requests of callers who have just got a response go into the next batch.
      await yieldToEventLoop();
    }
    this.queues.delete(key);
  }

  private nextBatch(queue: Queue<Work, Result>): Waiting<Work, Result>[] {
    const { most, mostBytes, shareBytes, bytesOf, isExclusive } = this.rules;
    const { lines, served } = queue;
    const ordered = [...lines].sort(([a], [b]) => Number(served.has(a)) - Number(served.has(b)));
    const share = Math.ceil(most / ordered.length);
    const bytesEach = ordered.length > 1 ? shareBytes : mostBytes;
    const batch: Waiting<Work, Result>[] = [];
    let bytes = 0;
    queue.served = new Set();
    const taking = ordered.map(([caller, line]) => ({ caller, line, count: 0, bytes: 0 }));
    for (let round = taking; round.length > 0; ) {
      const next: typeof taking = [];
      for (const part of round) {
        const [first] = part.line;
        if (!first) continue;
        const size = bytesOf(first.work);
        const fits =
          batch.length < most &&
          bytes + size <= mostBytes &&
          part.count < share &&
          part.bytes + size <= bytesEach &&
          !isExclusive(first.work);
        if (batch.length > 0 && !fits) continue;
        part.line.shift();
        clearTimeout(first.timer);
        batch.push(first);
        queue.served.add(part.caller);
        bytes += size;
        part.count++;
        part.bytes += size;
        if (isExclusive(first.work)) return this.taken(queue, batch);
        next.push(part);
      }
      round = next;
    }
    return this.taken(queue, batch);
  }

  /** The callers of a batch go to the end of the turns. */
  private taken(queue: Queue<Work, Result>, batch: Waiting<Work, Result>[]) {
    for (const caller of queue.served) {
      const line = queue.lines.get(caller) as Waiting<Work, Result>[];
      queue.lines.delete(caller);
      if (line.length > 0) queue.lines.set(caller, line);
    }
    return batch;
  }

  /** Rejects work that has not got its turn in time. */
  private limitWait(
    queue: Queue<Work, Result>,
    caller: string,
    waiting: Waiting<Work, Result>,
  ): NodeJS.Timeout {
    const { timeout, timeoutError } = this.rules;
    return setTimeout(() => {
      const line = queue.lines.get(caller) as Waiting<Work, Result>[];
      line.splice(line.indexOf(waiting), 1);
      if (line.length === 0) queue.lines.delete(caller);
      waiting.reject(timeoutError());
    }, timeout).unref();
  }
}

/** What waits, or is being carried out. */
interface Held {
  count: number;
  bytes: number;
}

/** How much of it one key may have. */
export interface Bound extends Held {
  key: string;
}

/** Bounds what callers have waiting: memory, and the time that their last piece of work waits for. */
export class Backlog {
  private readonly held = new Map<string, Held>();

  /**
   * Does some work, which counts for its keys until it is done. A single piece may be of any size.
   * @throws DomainError rate_limit_exceeded
   */
  async during<T>(bounds: readonly Bound[], bytes: number, work: () => Promise<T>): Promise<T> {
    if (bounds.some((bound) => !this.hasRoom(bound, bytes))) throw tooManyChangesWaiting();
    for (const { key } of bounds) this.add(key, 1, bytes);
    try {
      return await work();
    } finally {
      for (const { key } of bounds) this.add(key, -1, -bytes);
    }
  }

  private hasRoom({ key, count, bytes }: Bound, more: number): boolean {
    const held = this.held.get(key);
    return !held || (held.count < count && held.bytes + more <= bytes);
  }

  private add(key: string, count: number, bytes: number): void {
    const held = this.held.get(key) ?? { count: 0, bytes: 0 };
    held.count += count;
    held.bytes += bytes;
    if (held.count > 0) this.held.set(key, held);
    else this.held.delete(key);
  }
}
