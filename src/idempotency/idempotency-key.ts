import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { badRequest } from '../errors/domain-error.js';
import type { RequestKey } from './idempotent-write.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifies the request, if it has an Idempotency-Key that counts. */
    idempotencyKey?: RequestKey;
  }
}

/** Hands the RequestKey to an `@Idempotent()` controller method; null if the request has none. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestKey | null =>
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey ?? null,
);

/** Visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header is malformed. */
export const malformedKey = () =>
  badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');

/**
 * What identifies a request; null if it has no `Idempotency-Key`.
 * @throws DomainError bad_request: malformed
 */
export function requestKeyOf(context: ExecutionContext): RequestKey | null {
  const request = context.switchToHttp().getRequest<FastifyRequest & { user: Actor }>();
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header).replace(/^"(.*)"$/, '$1');
  if (!KEY.test(key)) throw malformedKey();
  return {
    userId: request.user.id,
    key,
    operation: context.getHandler().name,
    fingerprint: sha256(`${request.url}\n${request.bodyDigest ?? ''}`),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
