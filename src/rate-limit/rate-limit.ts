import { isIPv6 } from 'node:net';
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { CLOCK, type Clock, CONFIG } from '../config/config.module.js';
import { rateLimitExceeded } from '../errors/domain-error.js';
import type { ErrorResponse } from '../errors/error-response.js';
import { announcedBytes } from '../http/bodies-in-receipt.js';
import { MAX_BODY_BYTES } from '../http/limits.js';
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
  /** Points of a caller in a minute. */
  readonly limit: number;
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
   * Counts points of a request and adds headers with what is left.
   * @throws DomainError `rate_limit_exceeded`, as a rejected promise if Redis was asked
   */
  count(reply: Reply, by: Caller, who: string, points = 1): true | Promise<true> {
    const usage = this.windows.count(`${by}:${who}`, points);
    return usage instanceof Promise
      ? usage.then((known) => this.admit(reply, by, known))
      : this.admit(reply, by, usage);
  }

  /**
   * Counts the cost of work that is done already, and rejects nothing.
   * @param reply gets headers with what is left, unless they have been sent
   */
  async countDone(reply: FastifyReply, user: string, points: number): Promise<void> {
    const usage = await this.windows.count(`user:${user}`, points);
    if (!reply.raw.headersSent) this.report(reply, 'user', usage);
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

/**
 * Counts the requests of known callers, each with the length that its body announces. A guard that runs after
 * authentication.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (!this.limit.enabled) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { user } = request;
    if (user === null) return true;
    const reply = http.getResponse<FastifyReply>();
    request.countedFor = 'user';
    const charges = new RequestCharges(this.limit, reply, user.id);
    request.charges = charges;
    user.charge = (points) => charges.add(points);
    const points = 1 + pointsOfBody(announcedBytes(request) ?? 0);
    return charges.count(request.raw.socket.paidBy?.cover(points) ?? points);
  }
}

/** Bytes of a body that cost one point. */
const BYTES_PER_POINT = 100 * 1024;

/** What a body costs beside its request; beyond the largest body that is received, nothing more. */
export const pointsOfBody = (bytes: number): number =>
  Math.floor(Math.min(bytes, MAX_BODY_BYTES) / BYTES_PER_POINT);

/** A list in the body whose elements make an operation cost more. */
interface Cost {
  /** Name of the list in the body. */
  list: string;
  /** Name of the list in each element that counts as well, on all levels. */
  below?: string;
  /** Number of elements that cost one point. */
  per: number;
}

const COST = Symbol('cost');

/** The additional cost of this operation in the rate limit. Other operations count one. */
export const Costs = (cost: Cost) => SetMetadata(COST, cost);

/** Counts the cost of an operation by its body. A guard that runs after the one that reads the body. */
@Injectable()
export class RateLimitCostGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const cost = this.reflector.get<Cost | undefined>(COST, context.getHandler());
    const { body, charges } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!cost || charges === null) return true;
    return charges.count(Math.floor(elementsOf(body, cost) / cost.per));
  }
}

/** The number of elements in the list. Only the size of the body has been checked. */
function elementsOf(body: unknown, { list, below }: Cost): number {
  let count = 0;
  const open = [listOf(body, list)];
  for (let elements = open.pop(); elements; elements = open.pop()) {
    count += elements.length;
    if (below === undefined) continue;
    for (const element of elements) {
      const more = listOf(element, below);
      if (more.length > 0) open.push(more);
    }
  }
  return count;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list : [];
}

/** What one request of a known caller costs: all together never more than the limit of a minute. */
export class RequestCharges {
  private left: number;
  /** What is counted right before the response is sent. */
  private later = 0;
  private isSettled = false;
  /** What requests on behalf of the caller have taken of what was counted. */
  private covered = 0;

  constructor(
    private readonly limit: RateLimit,
    private readonly reply: FastifyReply,
    private readonly user: string,
  ) {
    this.left = limit.limit;
  }

  /** Counts points before the work. @throws DomainError as RateLimit.count() */
  count(points: number): true | Promise<true> {
    const counted = this.take(points);
    return counted === 0 || this.limit.count(this.reply, 'user', this.user, counted);
  }

  /**
   * Takes points of a request that this one makes on behalf of its caller from those that this one was counted for.
   * @returns how many are left to count
   */
  cover(points: number): number {
    const covered = Math.min(points, this.limit.limit - this.left - this.covered);
    this.covered += covered;
    return points - covered;
  }

  /** Adds points of work whose size was not known when the request was counted. */
  add(points: number): void {
    this.later += this.take(points);
    // The request has its response already, for example because it took too long.
    if (this.isSettled) void this.countLater();
  }

  /** Counts everything before the headers are sent, so that they show it. @returns null: nothing to count */
  settle(): Promise<void> | null {
    this.isSettled = true;
    return this.later > 0 ? this.countLater() : null;
  }

  private take(points: number): number {
    const taken = Math.min(points, this.left);
    this.left -= taken;
    return taken;
  }

  private countLater(): Promise<void> {
    const { later } = this;
    this.later = 0;
    return this.limit.countDone(this.reply, this.user, later);
  }
}

declare module 'node:net' {
  interface Socket {
    /** What the request on whose behalf the service opened this connection to itself was counted for. */
    paidBy?: RequestCharges | null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `nobody`: a token was sent, but is not verified yet. null: not counted. */
    countedFor: Caller | 'nobody' | null;
    /** Of a request that is counted for a user. */
    charges: RequestCharges | null;
  }
}

/** Paths of the probes: GET and HEAD are not counted. */
const PROBES = ['/health/live', '/health/ready'];

/**
 * Counts the requests of unknown callers by address: at once if there is no token, and with the
 * response if the token is not valid. Beyond the limit, only tokens that this process has verified
 * pass: all other requests are rejected before anything is verified or read. Probes and preflights
 * of browsers are not counted: preflights get their responses before this hook runs.
 *
 * Also counts the later charges of known callers, right before their responses are sent.
 * @param isVerified whether this process has verified the token in the header already
 * @param refusal turns an error into a response
 */
export function limitUnknownCallers(
  fastify: FastifyInstance,
  limit: RateLimit,
  isVerified: (authorization: string) => boolean,
  refusal: (error: unknown, request: FastifyRequest) => ErrorResponse,
): void {
  fastify.decorateRequest('countedFor', null);
  fastify.decorateRequest('charges', null);
  if (!limit.enabled) return;
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (isProbe(request)) return done(null, payload);
    request.countedFor = 'nobody';
    const { authorization } = request.headers;
    const mayPass =
      authorization !== undefined &&
      (!limit.isUsedUp('address', networkOf(request.ip)) || isVerified(authorization));
    if (mayPass) return done(null, payload);
    whenCounted(countAddress(limit, request, reply), (error) => done(error ?? null, payload));
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { countedFor, charges } = request;
    if (charges !== null) {
      const settled = charges.settle();
      if (settled) void settled.then(() => done(null, payload), done);
      else done(null, payload);
      return;
    }
    if (countedFor === null || countedFor === 'user') return done(null, payload);
    const hasFailed = reply.statusCode === 401;
    const counted = countedFor === 'address' ? 1 : 0;
    const more = (hasFailed ? limit.failedAuthentication : 1) - counted;
    if (more === 0) return done(null, payload);
    whenCounted(countAddress(limit, request, reply, more), (error) => {
      // Only a short response is replaced; one that is being sent, or is an error already, stays.
      if (error === undefined || !hasFailed) return done(null, payload);
      const { status, headers, body } = refusal(error, request);
      reply.status(status).removeHeader('www-authenticate').headers(headers);
      done(null, JSON.stringify(body));
    });
  });
}

/** The same for requests that Fastify rejects before it runs any hook. */
export function limitUnrouted(
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  whenCounted(limit.enabled ? countAddress(limit, request, reply) : true, done);
}

/** What the response to a request says that was counted. */
export interface Counted {
  headers: Record<string, string>;
  /** 429, if the limit is exceeded. */
  refusal?: unknown;
}

/** The same for connections whose bytes never become a request of Fastify's. */
export async function limitBroken(limit: RateLimit, address: string): Promise<Counted> {
  const headers: Record<string, string> = {};
  const reply = {
    header(name: string, value: string): void {
      headers[name] = value;
    },
  };
  try {
    if (limit.enabled) await limit.count(reply, 'address', networkOf(address));
    return { headers };
  } catch (refusal) {
    return { headers, refusal };
  }
}

/** Counts a request for the address that it comes from. */
function countAddress(
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  points = 1,
): Promise<true> | true | Error {
  request.countedFor = 'address';
  try {
    return limit.count(reply, 'address', networkOf(request.ip), points);
  } catch (error) {
    return error as Error;
  }
}

function whenCounted(counted: Promise<true> | true | Error, done: (error?: Error) => void): void {
  if (counted === true) done();
  else if (counted instanceof Error) done(counted);
  else counted.then(() => done(), done);
}

const isProbe = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && url !== undefined && PROBES.includes(url);

/**
 * The key that an address is counted under: itself, or for IPv6 its /64 network, since one
 * subscriber has a whole /64.
 */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
