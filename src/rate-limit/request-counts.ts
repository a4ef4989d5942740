import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock.js';

/** Milliseconds of a window. */
export const WINDOW = 60_000;
/** Callers that are remembered; the least recently seen is forgotten first. */
const CALLERS = 100_000;

/** What a caller has used in the current window. */
export interface Usage {
  used: number;
  /** When the window ends, by the clock. */
  endsAt: number;
}

/** Counts that several processes share. */
export interface SharedCounts {
  /** Adds points to a caller's window; null while the shared counts are unavailable. */
  add(caller: string, points: number): Promise<Usage | null>;
}

interface Window extends Usage {
  /** Points that are being sent to the shared count. */
  pending: number;
}

/**
 * Counts the requests of each caller in windows of a minute, which begin with the first request. If
 * the counts are shared, the shared count decides each request, which keeps the limit exact over
 * all instances; callers over the limit are rejected without asking.
 */
export class RequestCounts {
  private readonly windows = new LRUCache<string, Window>({ max: CALLERS });

  constructor(
    private readonly limit: number,
    private readonly shared: SharedCounts | null,
    private readonly clock: Clock,
  ) {}

  /** True if a caller has nothing left, as far as this process knows. */
  isUsedUp(caller: string): boolean {
    const window = this.windows.get(caller);
    return window !== undefined && window.used >= this.limit && window.endsAt > this.clock.now();
  }

  /** Counts `points` for a caller. A promise only if the shared count is asked. */
  count(caller: string, points: number): Usage | Promise<Usage> {
    const window = this.windowOf(caller);
    window.used += points;
    if (this.shared === null) return window;
    // A caller over the limit stays so until the window ends: no need to ask.
    if (window.used - points > this.limit) return window;
    return this.share(this.shared, caller, points, window);
  }

  private async share(
    shared: SharedCounts,
    caller: string,
    points: number,
    window: Window,
  ): Promise<Usage> {
    const counted = { ...window };
    window.pending += points;
    const usage = await shared.add(caller, points);
    window.pending -= points;
    // Redis is unavailable: the count of this process decides.
    if (usage === null) return counted;
    window.used = usage.used + window.pending;
    window.endsAt = usage.endsAt;
    return usage;
  }

  private windowOf(caller: string): Window {
    const now = this.clock.now();
    let window = this.windows.get(caller);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + WINDOW, pending: 0 };
      this.windows.set(caller, window);
    }
    return window;
  }
}
