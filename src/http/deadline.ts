import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, outcomeUnknown } from '../errors/domain-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the wait for an answer; it does nothing while the body arrives. */
    deadline?: NodeJS.Timeout;
    isArriving?: boolean;
  }
}

/** Milliseconds in which a request that has arrived is answered; less than ten seconds. */
const DEADLINE = 9_000;

/**
 * Answers what takes too long, whatever it waits for: nobody should have to guess when to stop
 * waiting. A read has failed then; a change may still happen, and the answer says so. It is about the
 * first byte: what an answer under way still lacks may take as long as its caller takes it
 * (slow-readers.ts).
 * @param answer sends an error
 */
export function answerInTime(
  fastify: FastifyInstance,
  answer: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    const end = () => {
      if (!request.isArriving) answer(lateness(request), request, reply);
    };
    const timer = setTimeout(end, DEADLINE).unref();
    request.deadline = timer;
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    clearTimeout(request.deadline);
    done();
  });
}

/** Waits for the body: a slow caller has time of its own, and the deadline begins behind it. */
export async function waitForBody<T>(request: FastifyRequest, read: () => Promise<T>): Promise<T> {
  request.isArriving = true;
  try {
    return await read();
  } finally {
    request.isArriving = false;
    request.deadline?.refresh();
  }
}

function lateness({ method }: FastifyRequest): DomainError {
  const cause = new Error(`not answered within ${DEADLINE} ms`);
  if (method !== 'GET' && method !== 'HEAD') return outcomeUnknown(cause);
  const message = `the answer took longer than ${DEADLINE / 1000} seconds: try again`;
  return new DomainError('internal_server_error', message, { cause });
}
