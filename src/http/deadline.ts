import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, outcomeUnknown } from '../errors/domain-error.js';

/** Milliseconds in which a request that has arrived is answered; less than ten seconds. */
const DEADLINE = 9_000;

/**
 * Answers what takes too long, whatever it waits for: nobody should have to guess when to stop
 * waiting. A read has failed then; a change may still happen, and the answer says so. What an answer
 * under way still lacks may take longer.
 * @param answer sends an error
 */
export function answerInTime(
  fastify: FastifyInstance,
  answer: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // Behind the body: a slow caller has time of its own.
  fastify.addHook('preHandler', (request, reply, done) => {
    const timer = setTimeout(() => answer(lateness(request), request, reply), DEADLINE).unref();
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}

function lateness({ method }: FastifyRequest): DomainError {
  const cause = new Error(`not answered within ${DEADLINE} ms`);
  if (method !== 'GET' && method !== 'HEAD') return outcomeUnknown(cause);
  const message = `the answer took longer than ${DEADLINE / 1000} seconds: try again`;
  return new DomainError('internal_server_error', message, { cause });
}
