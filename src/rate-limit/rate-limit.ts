import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CLOCK, type Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { DomainError } from '../errors/domain-error.js';
import { Metrics } from '../observability/metrics.js';
import { RedisCounts } from './redis-counts.js';
import { RequestCounts, type Usage, WINDOW } from './request-counts.js';

/** Whom a request is counted for. */
export type Caller = 'user' | 'address';

/**
 * The limit on use: so many requests a minute for each user, and for each address
 * where nobody is known. Every answer says what is left, by the fields of
 * draft-ietf-httpapi-ratelimit-headers.
 */
@Injectable()
export class RateLimit implements OnModuleInit, OnApplicationShutdown {
  /** False where RATE_LIMIT_PER_MINUTE is 0: nothing is counted. */
  readonly enabled: boolean;
  /** What a failed authentication counts: nobody fails often by mistake. */
  readonly failedAuthentication: number;
  private readonly limit: number;
  private readonly shared: RedisCounts | null;
  private readonly windows: RequestCounts;
  private readonly policies: Record<Caller, string>;
  private readonly refused;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.limit = config.rateLimitPerMinute;
    this.enabled = this.limit > 0;
    this.failedAuthentication = Math.max(1, Math.min(5, Math.floor(this.limit / 10)));
    this.shared =
      this.enabled && config.redisUrl !== null
        ? new RedisCounts(config.redisUrl, this.limit, clock)
        : null;
    this.windows = new RequestCounts(this.limit, this.shared, clock);
    const quota = `;q=${this.limit};w=${WINDOW / 1000}`;
    this.policies = { user: `"user"${quota}`, address: `"address"${quota}` };
    this.refused = metrics.counter(
      'teamspaces_rate_limited_total',
      'Requests refused with 429, by whom they were counted for.',
      ['by'],
    );
    // From the start: the first refusal is to be seen as a change.
    for (const by of ['user', 'address'] as const) this.refused.inc({ by }, 0);
  }

  async onModuleInit(): Promise<void> {
    await this.shared?.connected();
  }

  /** True where the next request is refused. Nobody is asked, nothing is counted. */
  isUsedUp(by: Caller, who: string): boolean {
    return this.windows.isUsedUp(`${by}:${who}`);
  }

  /**
   * Counts what a request costs beyond itself, once its body is known. One request never costs more
   * than a whole minute has.
   * @throws DomainError as count()
   */
  charge(reply: FastifyReply, user: string, points: number): true | Promise<true> {
    return this.count(reply, 'user', user, Math.min(points, this.limit - 1));
  }

  /**
   * Counts a request and writes into the answer what is left.
   * @throws DomainError `rate_limit_exceeded`, also as a rejected promise where Redis was asked
   */
  count(reply: FastifyReply, by: Caller, who: string, points = 1): true | Promise<true> {
    const usage = this.windows.count(`${by}:${who}`, points);
    return usage instanceof Promise
      ? usage.then((known) => this.admit(reply, by, known))
      : this.admit(reply, by, usage);
  }

  private admit(reply: FastifyReply, by: Caller, { used, endsAt }: Usage): true {
    const seconds = Math.max(1, Math.ceil((endsAt - this.clock.now()) / 1000));
    reply.header('ratelimit-policy', this.policies[by]);
    reply.header('ratelimit', `"${by}";r=${Math.max(0, this.limit - used)};t=${seconds}`);
    if (used <= this.limit) return true;
    this.refused.inc({ by });
    throw new DomainError(
      'rate_limit_exceeded',
      `more than ${this.limit} requests in a minute: try again in ${seconds} seconds`,
      { retryAfterSeconds: seconds },
    );
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }
}
