import { setImmediate } from 'node:timers/promises';

/** Lets everything else run that waits for the event loop: other requests, above all. */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Milliseconds after which long work yields. */
const MAX_TURN = 10;

/** The turn of the event loop that long work is in. */
export class EventLoopTurn {
  private since = performance.now();

  /** True if it has lasted long enough: next() is due. */
  get isOver(): boolean {
    return performance.now() - this.since > MAX_TURN;
  }

  /** Yields, and begins another turn. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.since = performance.now();
  }
}

/**
 * Turns that several pieces of long work share: one of them runs between two looks at the event loop, so that others wait
 * for one turn however many there are. Those of one owner in the order in which they asked, owners one after the other.
 */
export class SharedTurns {
  /** Those that wait, by owner; the owner whose turn is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  /** Waits for the next turn. @param owner whose work it is */
  next(owner = ''): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(owner);
      if (queue) queue.push(resolve);
      else this.waiting.set(owner, [resolve]);
      if (!this.isScheduled) this.schedule();
    });
  }

  private schedule(): void {
    this.isScheduled = true;
    void setImmediate().then(() => {
      for (const [owner, queue] of this.waiting) {
        this.waiting.delete(owner);
        queue.shift()?.();
        if (queue.length > 0) this.waiting.set(owner, queue);
        break;
      }
      if (this.waiting.size > 0) this.schedule();
      else this.isScheduled = false;
    });
  }
}

/**
 * Runs work in portions, with turns of the event loop in between if it takes long.
 * @param turn that the work is part of
 */
export async function inPortions<T>(
  portions: Generator<undefined, T, undefined>,
  turn = new EventLoopTurn(),
): Promise<T> {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
    if (turn.isOver) await turn.next();
  }
}
