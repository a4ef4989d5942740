import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, outcomeUnknown } from '../errors/domain-error.js';
import { onClose } from '../observability/request-observer.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the wait for a response; it has no effect while it is paused. */
    deadline?: NodeJS.Timeout;
    isDeadlinePaused?: boolean;
  }
}

/** Milliseconds until a request that has arrived gets a response; less than ten seconds. */
const DEADLINE = 9_000;

/**
 * Returns an error for requests that take too long, so that callers need no timeout of their own. A
 * read has failed then; a change may still happen, and the response says so. The deadline applies
 * to the first byte: the rest of a response may take as long as its caller reads (connections.ts).
 * @param respond sends an error
 */
export function enforceDeadline(
  fastify: FastifyInstance,
  respond: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  fastify.addHook('preHandler', (request, reply, done) => {
    const end = () => {
      if (!request.isDeadlinePaused) respond(lateness(request), request, reply);
    };
    const timer = setTimeout(end, DEADLINE).unref();
    request.deadline = timer;
    onClose(reply.raw, () => clearTimeout(timer));
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    clearTimeout(request.deadline);
    done();
  });
}

/**
 * Does something that has a bound of its own, such as reading the body from a slow caller: the deadline
 * starts again after it.
 */
export async function outsideDeadline<T>(
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  request.isDeadlinePaused = true;
  try {
    return await work();
  } finally {
    request.isDeadlinePaused = false;
    request.deadline?.refresh();
  }
}

function lateness({ method }: FastifyRequest): DomainError {
  const cause = new Error(`no response within ${DEADLINE} ms`);
  if (method !== 'GET' && method !== 'HEAD') return outcomeUnknown(cause);
  const message = `the response took longer than ${DEADLINE / 1000} seconds: try again`;
  return new DomainError('internal_server_error', message, { cause });
}

/** A request that may be held: its response comes when something has happened. */
export interface HeldRequest {
  /** Aborted when the caller is gone. */
  gone: AbortSignal;
  /** Waits for something that has a bound of its own; the deadline of requests does not end it. */
  hold<T>(wait: () => Promise<T>): Promise<T>;
}

/** Hands a controller method its HeldRequest. */
export const Held = createParamDecorator((_: unknown, context: ExecutionContext): HeldRequest => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const gone = new AbortController();
  const { raw } = http.getResponse<FastifyReply>();
  if (raw.destroyed) gone.abort();
  onClose(raw, () => {
    if (!raw.writableFinished) gone.abort();
  });
  return { gone: gone.signal, hold: (wait) => outsideDeadline(request, wait) };
});
