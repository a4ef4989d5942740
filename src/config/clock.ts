/** The time, wherever behaviour depends on it. Tests pass a clock that they move forward. */
export interface Clock {
  /** Milliseconds from an arbitrary start, monotonic: for durations. */
  now(): number;
  /** Milliseconds since 1970: to compare with the times in tokens. */
  date(): number;
}

/** Injection token of the clock. */
export const CLOCK = Symbol('clock');

export const SYSTEM_CLOCK: Clock = { now: () => performance.now(), date: () => Date.now() };
