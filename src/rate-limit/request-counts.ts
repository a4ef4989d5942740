import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Clock } from '../config/config.module.js';

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

/** Milliseconds that a request waits for Redis at most; afterwards Redis is not used for a while. */
const TIMEOUT = 100;
const LEFT_ALONE = 1_000;
/** Milliseconds that the start of the service waits for Redis at most. */
const CONNECTING = 1_000;

/**
 * Counts that all instances share, in Redis. It never fails: while Redis is unavailable, add()
 * returns null.
 *
 * Not the library's own insuranceLimiter and inMemoryBlock: the insurance counts from 0, where the count
 * of this process continues from the shared one; both keep an unbounded number of callers by the
 * system's clock, and answer in a promise, which requests without Redis need not wait for.
 */
export class RedisCounts implements SharedCounts {
  private readonly logger = new Logger('rate limit');
  private readonly redis: Redis;
  private readonly counts: RateLimiterRedis;
  private awayUntil = 0;
  private isAway = false;

  constructor(
    url: string,
    limit: number,
    private readonly clock: Clock,
  ) {
    this.redis = new Redis(url, {
      connectTimeout: CONNECTING,
      commandTimeout: TIMEOUT,
      // A command that cannot be sent now fails now.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(50 * attempt, LEFT_ALONE),
    });
    // Without a listener a lost connection would end the process.
    this.redis.on('error', (error) => this.wentAway(error));
    this.counts = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'teamspaces:limit',
      points: limit,
      duration: WINDOW / 1000,
      rejectIfRedisNotReady: true,
    });
  }

  /** Waits until Redis is available, a second at most. */
  async connected(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.redis.status === 'ready') return resolve();
      this.redis.once('ready', resolve);
      setTimeout(resolve, CONNECTING).unref();
    });
  }

  async add(caller: string, points: number): Promise<Usage | null> {
    const now = this.clock.now();
    if (now < this.awayUntil) return null;
    try {
      const { consumedPoints, msBeforeNext } = await this.counts.penalty(caller, points);
      if (this.isAway) this.logger.warn('Redis is available: the rate limit is shared again');
      this.isAway = false;
      return { used: consumedPoints, endsAt: this.clock.now() + msBeforeNext };
    } catch (error) {
      this.awayUntil = now + LEFT_ALONE;
      this.wentAway(error as Error);
      return null;
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  private wentAway(error: Error): void {
    if (this.isAway) return;
    this.isAway = true;
    this.logger.warn('Redis is unavailable: each process counts by itself', error);
  }
}
