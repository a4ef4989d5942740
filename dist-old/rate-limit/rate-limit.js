var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '../config/clock.js';
import { CONFIG } from '../config/config.module.js';
import { rateLimitExceeded } from '../errors/domain-error.js';
import { Metrics } from '../observability/metrics.js';
import { RedisCounts } from './redis-counts.js';
import { RequestCounts, WINDOW } from './request-counts.js';
/**
 * The rate limit: requests a minute for each user, and for each address of unknown callers. Every
 * response reports what is left, in the fields of draft-ietf-httpapi-ratelimit-headers.
 */
let RateLimit = class RateLimit {
    clock;
    /** False if RATE_LIMIT_PER_MINUTE is 0: nothing is counted. */
    enabled;
    /** Points of a failed authentication: nobody fails often by mistake. */
    failedAuthentication;
    limit;
    shared;
    windows;
    policies;
    refused;
    constructor(config, clock, metrics) {
        this.clock = clock;
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
        this.refused = metrics.counter('teamspaces_rate_limited_total', 'Requests refused with 429, by whom they were counted for.', ['by']);
        // From the start, so that the first refusal shows as a change.
        for (const by of ['user', 'address'])
            this.refused.inc({ by }, 0);
    }
    async onModuleInit() {
        await this.shared?.connected();
    }
    /** True if the next request will be rejected. Asks nobody and counts nothing. */
    isUsedUp(by, who) {
        return this.windows.isUsedUp(`${by}:${who}`);
    }
    /**
     * Counts the additional cost of a request, once its body is known. One request never costs more
     * than the limit of a minute.
     * @throws DomainError as count()
     */
    charge(reply, user, points) {
        return this.count(reply, 'user', user, Math.min(points, this.limit - 1));
    }
    /**
     * Counts a request and adds headers with what is left.
     * @throws DomainError `rate_limit_exceeded`, as a rejected promise if Redis was asked
     */
    count(reply, by, who, points = 1) {
        const usage = this.windows.count(`${by}:${who}`, points);
        return usage instanceof Promise
            ? usage.then((known) => this.admit(reply, by, known))
            : this.admit(reply, by, usage);
    }
    admit(reply, by, { used, endsAt }) {
        const seconds = Math.max(1, Math.ceil((endsAt - this.clock.now()) / 1000));
        reply.header('ratelimit-policy', this.policies[by]);
        reply.header('ratelimit', `"${by}";r=${Math.max(0, this.limit - used)};t=${seconds}`);
        if (used <= this.limit)
            return true;
        this.refused.inc({ by });
        throw rateLimitExceeded(this.limit, seconds);
    }
    onApplicationShutdown() {
        this.shared?.close();
    }
};
RateLimit = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __param(1, Inject(CLOCK)),
    __metadata("design:paramtypes", [Object, Object, Metrics])
], RateLimit);
export { RateLimit };
//# sourceMappingURL=rate-limit.js.map