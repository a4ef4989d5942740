/** Tells the time wherever time decides. Tests pass one that they move forward. */
export interface Clock {
  /** Milliseconds from an arbitrary start, never put back: for durations. */
  now(): number;
  /** Milliseconds since 1970: to compare with the times in tokens. */
  date(): number;
}

/** Injection token of the clock. */
export const CLOCK = Symbol('clock');

export const SYSTEM_CLOCK: Clock = { now: () => performance.now(), date: () => Date.now() };
