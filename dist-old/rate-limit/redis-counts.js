import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW } from './request-counts.js';
/** Milliseconds that a request waits for Redis at most; afterwards Redis is not used for a while. */
const TIMEOUT = 100;
const LEFT_ALONE = 1_000;
/** Milliseconds that the start of the service waits for Redis at most. */
const CONNECTING = 1_000;
/**
 * Counts that all instances share, in Redis. It never fails: while Redis is unavailable, add()
 * returns null.
 */
export class RedisCounts {
    clock;
    logger = new Logger('rate limit');
    redis;
    counts;
    awayUntil = 0;
    isAway = false;
    constructor(url, limit, clock) {
        this.clock = clock;
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
    async connected() {
        await new Promise((resolve) => {
            if (this.redis.status === 'ready')
                return resolve();
            this.redis.once('ready', resolve);
            setTimeout(resolve, CONNECTING).unref();
        });
    }
    async add(caller, points) {
        const now = this.clock.now();
        if (now < this.awayUntil)
            return null;
        try {
            const { consumedPoints, msBeforeNext } = await this.counts.penalty(caller, points);
            if (this.isAway)
                this.logger.warn('Redis is available: the rate limit is shared again');
            this.isAway = false;
            return { used: consumedPoints, endsAt: this.clock.now() + msBeforeNext };
        }
        catch (error) {
            this.awayUntil = now + LEFT_ALONE;
            this.wentAway(error);
            return null;
        }
    }
    close() {
        this.redis.disconnect();
    }
    wentAway(error) {
        if (this.isAway)
            return;
        this.isAway = true;
        this.logger.warn('Redis is unavailable: each process counts by itself', error);
    }
}
//# sourceMappingURL=redis-counts.js.map