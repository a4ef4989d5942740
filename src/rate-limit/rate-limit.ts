import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.js';
import { CLOCK, type Clock, CONFIG } from '../config/config.module.js';
import { rateLimitExceeded } from '../errors/domain-error.js';
import { Metrics } from '../observability/metrics.js';
import { RedisCounts, RequestCounts, type Usage, WINDOW } from './request-counts.js';

/** What takes the headers: a FastifyReply. */
interface Reply {
  header(name: string, value: string): unknown;
}

/** Whom a request is counted for. */
export type Caller = 'user' | 'address';

/**
 * The rate limit: requests a minute for each user, and for each address of unknown callers. Every
 * response reports what is left, in the fields of draft-ietf-httpapi-ratelimit-headers.
 */
@Injectable()
export class RateLimit implements OnModuleInit, OnApplicationShutdown {
  /** False if RATE_LIMIT_PER_MINUTE is 0: nothing is counted. */
  readonly enabled: boolean;
  /** Points of a failed authentication: nobody fails often by mistake. */
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
    // From the start, so that the first refusal shows as a change.
    for (const by of ['user', 'address'] as const) this.refused.inc({ by }, 0);
  }

  async onModuleInit(): Promise<void> {
    await this.shared?.connected();
  }

  /** True if the next request will be rejected. Asks nobody and counts nothing. */
  isUsedUp(by: Caller, who: string): boolean {
    return this.windows.isUsedUp(`${by}:${who}`);
  }

  /**
   * Counts the additional cost of a request, once its body is known. One request never costs more
   * than the limit of a minute.
   * @throws DomainError as count()
   */
  charge(reply: FastifyReply, user: string, points: number): true | Promise<true> {
    return this.count(reply, 'user', user, Math.min(points, this.limit - 1));
  }

  /**
   * Counts the cost of work that is done already, as charge() does, but rejects nothing.
   * @param reply gets headers with what is left, unless they have been sent
   */
  async chargeForDone(reply: FastifyReply, user: string, points: number): Promise<void> {
    const usage = await this.windows.count(`user:${user}`, Math.min(points, this.limit - 1));
    if (!reply.raw.headersSent) this.report(reply, 'user', usage);
  }

  /**
   * Counts a request and adds headers with what is left.
   * @throws DomainError `rate_limit_exceeded`, as a rejected promise if Redis was asked
   */
  count(reply: Reply, by: Caller, who: string, points = 1): true | Promise<true> {
    const usage = this.windows.count(`${by}:${who}`, points);
    return usage instanceof Promise
      ? usage.then((known) => this.admit(reply, by, known))
      : this.admit(reply, by, usage);
  }

  private admit(reply: Reply, by: Caller, usage: Usage): true {
    const seconds = this.report(reply, by, usage);
    if (usage.used <= this.limit) return true;
    this.refused.inc({ by });
    throw rateLimitExceeded(this.limit, seconds);
  }

  /** @returns seconds until the window ends */
  private report(reply: Reply, by: Caller, { used, endsAt }: Usage): number {
    const seconds = Math.max(1, Math.ceil((endsAt - this.clock.now()) / 1000));
    reply.header('ratelimit-policy', this.policies[by]);
    reply.header('ratelimit', `"${by}";r=${Math.max(0, this.limit - used)};t=${seconds}`);
    return seconds;
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }
}
