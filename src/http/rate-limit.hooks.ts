import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../errors/failure.js';
import type { Caller, RateLimit } from './rate-limit.js';
import { networkOf } from './rate-limit.network.js';

declare module 'fastify' {
  interface FastifyRequest {
    countedFor: Caller | null;
  }
}

/**
 * Counts the requests of those who are not known, by address: at once where there is no token, and
 * with the answer where a token turned out to be none. Probes and the questions that browsers ask
 * before they call from elsewhere (preflights) are not counted.
 * @param refusal what an error becomes
 */
export function limitUnknownCallers(
  fastify: FastifyInstance,
  limit: RateLimit,
  refusal: (error: unknown) => Failure,
): void {
  fastify.decorateRequest('countedFor', null);
  if (!limit.enabled) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.headers.authorization !== undefined || isExempt(request)) return done();
    whenCounted(countAddress(limit, request, reply), done);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (request.countedFor === 'user' || isExempt(request)) return done(null, payload);
    const hasFailed = reply.statusCode === 401;
    const counted = request.countedFor === 'address' ? 1 : 0;
    const more = (hasFailed ? limit.failedAuthentication : 1) - counted;
    if (more === 0) return done(null, payload);
    whenCounted(countAddress(limit, request, reply, more), (error) => {
      // Only a short answer is taken back; one that is under way, or was refused before, goes out.
      if (error === undefined || !hasFailed) return done(null, payload);
      const { status, body } = refusal(error);
      reply.status(status).removeHeader('www-authenticate');
      done(null, JSON.stringify(body));
    });
  });
}

/** The same for what Fastify refuses before it runs any hook. */
export function limitUnrouted(
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  whenCounted(limit.enabled ? countAddress(limit, request, reply) : true, done);
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

const isExempt = ({ method, url }: FastifyRequest): boolean =>
  method === 'OPTIONS' || url.startsWith('/health/');
