import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, outcomeUnknown } from '../errors/domain-error.js';
import { DEADLINE } from './limits.js';

/** What is left of the time in which a request gets a response. */
interface Deadline {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Where it stands among those of requests without a response. */
  slot: number;
  /** Milliseconds. */
  left: number;
  /** When `left` was that. */
  at: number;
  isPaused: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline | null;
  }
}

/** Milliseconds between two looks at the requests without a response: a timer for each costs more than a look. */
const DEADLINE_STEP = 250;

/**
 * Returns an error for requests that take too long, so that callers need no timeout of their own. A
 * read has failed then; a change may still happen, and the response says so. The deadline applies
 * to the first byte: the rest of a response may take as long as its caller reads. It does not apply to a read while
 * its caller waits for a connection to the database, which has a bound of its own: it is for the work.
 * @param respond sends an error
 * @param isWaiting whether a caller's reads wait for a connection
 */
export function enforceDeadline(
  fastify: FastifyInstance,
  respond: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
  isWaiting: (callerId: string) => boolean,
): void {
  const inProgress = new Deadlines();
  const mayWait = (request: FastifyRequest): boolean =>
    isRead(request) && request.user !== null && isWaiting(request.user.id);
  const isLate = (deadline: Deadline, now: number): boolean => {
    if (!deadline.isPaused && !mayWait(deadline.request)) deadline.left -= now - deadline.at;
    deadline.at = now;
    return deadline.left <= 0;
  };
  const look = () => {
    const now = performance.now();
    for (const deadline of inProgress.all()) {
      const { request, reply } = deadline;
      const isGone = reply.raw.destroyed;
      if (!isGone && !isLate(deadline, now)) continue;
      inProgress.delete(deadline);
      if (!isGone) respond(lateness(request), request, reply);
    }
  };
  const looks = setInterval(look, DEADLINE_STEP).unref();
  fastify.addHook('onClose', async () => clearInterval(looks));
  fastify.decorateRequest('deadline', null);
  fastify.addHook('preHandler', (request, reply, done) => {
    request.deadline = inProgress.add(request, reply);
    done();
  });
  fastify.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.deadline) inProgress.delete(request.deadline);
    done();
  });
}

/**
 * The deadlines of requests without a response. Not a Set or a Map: the tables that it discards as it changes keep requests
 * that have ended alive until a major garbage collection, which made each minor one four times as long.
 */
class Deadlines {
  private readonly slots: Deadline[] = [];

  add(request: FastifyRequest, reply: FastifyReply): Deadline {
    const at = performance.now();
    const deadline = {
      request,
      reply,
      slot: this.slots.length,
      left: DEADLINE,
      at,
      isPaused: false,
    };
    this.slots.push(deadline);
    return deadline;
  }

  /** Does nothing for one that is not there. */
  delete(deadline: Deadline): void {
    if (this.slots[deadline.slot] !== deadline) return;
    const last = this.slots.pop() as Deadline;
    if (last === deadline) return;
    this.slots[deadline.slot] = last;
    last.slot = deadline.slot;
  }

  all(): readonly Deadline[] {
    return [...this.slots];
  }
}

/**
 * Does something that has a bound of its own, such as reading the body from a slow caller: the deadline
 * starts again after it.
 */
export async function outsideDeadline<T>(
  { deadline }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  if (!deadline) return work();
  deadline.isPaused = true;
  try {
    return await work();
  } finally {
    Object.assign(deadline, { left: DEADLINE, at: performance.now(), isPaused: false });
  }
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

function lateness(request: FastifyRequest): DomainError {
  const cause = new Error(`no response within ${DEADLINE} ms`);
  if (!isRead(request)) return outcomeUnknown(cause);
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
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return { gone: gone.signal, hold: (wait) => outsideDeadline(request, wait) };
});
