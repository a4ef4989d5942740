import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { outsideDeadline } from './deadline.js';
import { onClose } from './response-closed.js';

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
