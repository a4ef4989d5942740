import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestKey } from './once.js';
import { ReplayFilter } from './replay.filter.js';
import { ReplayGuard } from './replay.guard.js';

/**
 * For a POST: it answers 200, and with an `Idempotency-Key` it is done once. The handler passes its
 * `@IdempotencyKey()` on to the use case.
 */
export const Repeatable = () =>
  applyDecorators(HttpCode(200), UseGuards(ReplayGuard), UseFilters(ReplayFilter));

/** Hands a RequestKey to a `@Repeatable()` controller method; null where the request has none. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestKey | null =>
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey ?? null,
);
