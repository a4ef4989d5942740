import { LRUCache } from 'lru-cache';
import type { Clock } from '../config/clock.js';

/** Milliseconds of a window. */
export const WINDOW = 60_000;
/** Callers that are remembered; whoever was not seen for longest is forgotten first. */
const CALLERS = 100_000;
/** Milliseconds for which a shared count is taken to be what it was. */
const FRESH = 50;
/** The same while the shared count is being asked: those who come meanwhile need not ask, too. */
const FRESH_MEANWHILE = 150;

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
  /** Points that the shared count has not been told of. */
  untold: number;
  toldAt: number;
  /** Whether the shared count is being told now. */
  isTold: boolean;
}

/**
 * Counts what callers use, in windows of a minute that begin with their first request. Where counts
 * are shared, the process decides by itself as long as a caller is far from the limit, and tells the
 * shared count every 50 ms; near the limit the shared count decides each request. So a busy caller
 * costs nothing, and the limit is still exact over all instances.
 */
export class RateLimitWindows {
  private readonly windows = new LRUCache<string, Window>({ max: CALLERS });
  /** Points that may be counted here before the shared count is told. */
  private readonly slack: number;

  constructor(
    private readonly limit: number,
    private readonly shared: SharedCounts | null,
    private readonly clock: Clock,
  ) {
    this.slack = limit / 20;
  }

  /** True where a caller has nothing left, as far as this process knows. */
  isUsedUp(caller: string): boolean {
    const window = this.windows.get(caller);
    return window !== undefined && window.used >= this.limit && window.endsAt > this.clock.now();
  }

  /** Counts `points` for a caller. A promise only where the shared count has to be asked. */
  count(caller: string, points: number): Usage | Promise<Usage> {
    const window = this.windowOf(caller);
    window.used += points;
    if (this.shared === null) return window;
    // Whoever is over the limit stays so until the window ends: no need to ask.
    if (window.used - points > this.limit) return window;
    window.untold += points;
    const isFar = window.untold <= this.slack && window.used < this.limit / 2;
    const fresh = window.isTold ? FRESH_MEANWHILE : FRESH;
    if (isFar && this.clock.now() - window.toldAt < fresh) return window;
    return this.tell(this.shared, caller, window);
  }

  private async tell(shared: SharedCounts, caller: string, window: Window): Promise<Usage> {
    const { untold } = window;
    window.untold = 0;
    window.isTold = true;
    const usage = await shared.add(caller, untold);
    window.isTold = false;
    // Away: what this process has counted decides.
    if (usage === null) return { used: window.used, endsAt: window.endsAt };
    window.used = usage.used + window.untold;
    window.endsAt = usage.endsAt;
    window.toldAt = this.clock.now();
    return usage;
  }

  private windowOf(caller: string): Window {
    const now = this.clock.now();
    let window = this.windows.get(caller);
    if (window === undefined || window.endsAt <= now) {
      window = {
        used: 0,
        endsAt: now + WINDOW,
        untold: 0,
        toldAt: Number.NEGATIVE_INFINITY,
        isTold: false,
      };
      this.windows.set(caller, window);
    }
    return window;
  }
}
