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
 * Turns that several pieces of long work share: one of them runs between two looks at the event loop, in the order in
 * which they asked, so that others wait for one turn however many there are.
 */
export class SharedTurns {
  private readonly waiting: (() => void)[] = [];

  /** Waits for the next turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.schedule();
    });
  }

  private schedule(): void {
    void setImmediate().then(() => {
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.schedule();
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
