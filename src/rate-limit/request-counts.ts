import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock.js';

/** Milliseconds of a window. */
export const WINDOW = 60_000;
/** Callers that are remembered; whoever was not seen for longest is forgotten first. */
const CALLERS = 100_000;

/** What a caller has used in the present window. */
export interface Usage {
  used: number;
  /** When the window ends, by the clock. */
  endsAt: number;
}

/** Counts that several processes share. */
export interface SharedCounts {
  /** Adds points to a caller's window; null while nobody can be asked. */
  add(caller: string, points: number): Promise<Usage | null>;
}

interface Window extends Usage {
  /** Points that the shared count is being told of. */
  pending: number;
}

/**
 * Counts the requests of each caller in windows of a minute, which begin with the first request. If the
 * counts are shared, the shared count decides each request, which keeps the limit exact over all
 * instances; callers who are over the limit are refused without asking.
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
    // Whoever is over the limit stays so until the window ends: no need to ask.
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
    // Redis is away: the count of this process decides.
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
