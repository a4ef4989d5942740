/** A limit: at most `most` admitted callers hold `key` at the same time. */
export interface Bound {
  key: string;
  most: number;
}

interface Waiting {
  bounds: readonly Bound[];
  admit: () => void;
}

/** Nothing became free in time. */
export class GateTimeout extends Error {}

/**
 * Admits at most `size` callers at once, and at most `most` of them under each bound. The others wait in
 * a queue by name. Queues are served round-robin, so that a queue of a thousand does not delay a queue
 * of one. Within a queue, the first whose bounds have room goes next.
 */
export class FairGate {
  private inside = 0;
  private readonly held = new Map<string, number>();
  /** Those that wait, by the name of their queue, in the order of the queues' turns. */
  private readonly queues = new Map<string, Waiting[]>();

  /**
   * @param size how many are let in
   * @param name what they wait for, for the log
   */
  constructor(
    private readonly size: number,
    private readonly name: string,
  ) {}

  /** How many wait. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  /** True while somebody waits in this queue. */
  isWaiting(queueName: string): boolean {
    return this.queues.has(queueName);
  }

  /** True if every bound has room for one more, whatever the size. */
  hasRoomFor(bounds: readonly Bound[]): boolean {
    return bounds.every(({ key, most }) => (this.held.get(key) ?? 0) < most);
  }

  /** Charges bounds to a caller who is admitted already; never waits. @returns a function that releases them */
  hold(bounds: readonly Bound[]): () => void {
    this.add(bounds);
    return once(() => {
      this.drop(bounds);
      this.admitNext();
    });
  }

  /**
   * Waits in a queue to be admitted, for at most `timeout` milliseconds.
   * @returns what to call when leaving; a second call does nothing
   * @throws GateTimeout
   */
  async enter(queueName: string, bounds: readonly Bound[], timeout: number): Promise<() => void> {
    if (this.inside < this.size && this.hasRoomFor(bounds)) this.take(bounds);
    else await this.wait(queueName, bounds, timeout);
    return once(() => {
      this.inside--;
      this.drop(bounds);
      this.admitNext();
    });
  }

  private wait(queueName: string, bounds: readonly Bound[], timeout: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(queueName, waiting);
        reject(new GateTimeout(`nothing of ${this.name} became free within ${timeout} ms`));
      }, timeout);
      const waiting: Waiting = {
        bounds,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const queue = this.queues.get(queueName);
      if (queue) queue.push(waiting);
      else this.queues.set(queueName, [waiting]);
    });
  }

  private admitNext(): void {
    if (this.queues.size === 0) return;
    // The queues as they are now: each has one turn, and goes to the end with it.
    for (const [key, queue] of [...this.queues]) {
      if (this.inside >= this.size) return;
      const next = queue.find(({ bounds }) => this.hasRoomFor(bounds));
      if (!next) continue;
      this.remove(key, next);
      if (queue.length > 0) {
        this.queues.delete(key);
        this.queues.set(key, queue);
      }
      this.take(next.bounds);
      next.admit();
    }
  }

  private remove(key: string, waiting: Waiting): void {
    const queue = this.queues.get(key) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.queues.delete(key);
  }

  private take(bounds: readonly Bound[]): void {
    this.inside++;
    this.add(bounds);
  }

  private add(bounds: readonly Bound[]): void {
    for (const { key } of bounds) this.held.set(key, (this.held.get(key) ?? 0) + 1);
  }

  private drop(bounds: readonly Bound[]): void {
    for (const { key } of bounds) {
      const count = (this.held.get(key) ?? 0) - 1;
      if (count > 0) this.held.set(key, count);
      else this.held.delete(key);
    }
  }
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
