import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../errors/error-response.js';
import type { LaterCharges } from './rate-limit.guard.js';
import type { Caller, RateLimit } from './rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** `nobody`: a token was sent, but is not verified yet. null: not counted. */
    countedFor: Caller | 'nobody' | null;
    /** Of a request that is counted for a user. */
    laterCharges: LaterCharges | null;
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
  refusal: (error: unknown) => Failure,
): void {
  fastify.decorateRequest('countedFor', null);
  fastify.decorateRequest('laterCharges', null);
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
    const { countedFor, laterCharges } = request;
    if (laterCharges !== null) {
      const settled = laterCharges.settle();
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
      const { status, headers, body } = refusal(error);
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
