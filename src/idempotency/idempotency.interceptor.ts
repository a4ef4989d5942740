import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, type Observable, of } from 'rxjs';
import type { Actor } from '../auth/actor.js';
import { badRequest, DomainError, unprocessable } from '../errors/domain-error.js';
import { JsonText } from '../http/json-stream.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { AlreadySucceeded, type KeyScope, type RequestKey } from './idempotent-write.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifies the request, if it has an Idempotency-Key that counts. */
    idempotencyKey?: RequestKey;
  }
}

/**
 * For a POST: it returns 200, and with an `Idempotency-Key` it is idempotent. The handler passes its
 * `@IdempotencyKey()` to idempotentResponse().
 */
export const Idempotent = () =>
  applyDecorators(HttpCode(200), JsonText(), UseInterceptors(IdempotencyInterceptor));

/** Hands the RequestKey to an `@Idempotent()` controller method; null if the request has none. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestKey | null =>
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey ?? null,
);

/** What a replay asks of the domains. */
export abstract class CurrentAccess {
  /**
   * The team and the workspace that the request names now, if its caller may still read them.
   * @throws DomainError forbidden, not_found
   */
  abstract readableScope(actor: Actor, request: FastifyRequest): Promise<KeyScope>;

  /**
   * A stored response with the content that was too long to be stored, and without what its caller
   * may no longer see.
   */
  abstract asSeenNow(actor: Actor, response: string): Promise<string>;
}

/**
 * Replays the stored response of a request that has succeeded under its `Idempotency-Key`. The lookup
 * before the handler only saves work: the transactions guarantee that nothing is done twice, and throw
 * AlreadySucceeded.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly access: CurrentAccess,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const key = requestKeyOf(context);
    if (key === null) return next.handle();
    const http = context.switchToHttp();
    http.getRequest<FastifyRequest>().idempotencyKey = key;
    const response = await this.replay(context, key);
    if (response !== null) return of(response);
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (!(error instanceof AlreadySucceeded)) throw error;
        return (await this.replay(context, key)) ?? expired(error);
      }),
    );
  }

  /**
   * @returns the stored response as the caller may see it now, or null if nothing has succeeded under
   *   the key
   * @throws DomainError unprocessable_entity: another request has, or a slug of this one names
   *   another team or workspace by now; forbidden, not_found: a right was revoked
   */
  private async replay(context: ExecutionContext, key: RequestKey): Promise<string | null> {
    const stored = await this.keys.find(key);
    if (stored === null) return null;
    if (stored.operation !== key.operation || stored.fingerprint !== key.fingerprint) {
      throw keyOfAnotherRequest();
    }
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user: Actor }>();
    const named = await this.access.readableScope(request.user, request);
    if (differs(stored.teamId, named.teamId) || differs(stored.workspaceId, named.workspaceId)) {
      throw keyOfAnotherRequest();
    }
    const response = await this.access.asSeenNow(request.user, stored.response);
    http.getResponse<FastifyReply>().header('idempotent-replayed', 'true');
    return response;
  }
}

/** Visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header is malformed. */
export const malformedKey = () =>
  badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');

/**
 * What identifies a request; null if it has no `Idempotency-Key`.
 * @throws DomainError bad_request: malformed
 */
function requestKeyOf(context: ExecutionContext): RequestKey | null {
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

/** An older version of the service has not stored what the request acted on. */
const differs = (stored: string | null, named: string | null): boolean =>
  stored !== null && stored !== named;

/** Another request has succeeded under the key. */
export const keyOfAnotherRequest = (): DomainError =>
  unprocessable('the Idempotency-Key was used for another request: use a new one');

/** What had succeeded was deleted since: it expired this very moment. */
function expired(cause: AlreadySucceeded): never {
  throw new DomainError('conflict', 'the Idempotency-Key has just expired: try again', {
    cause,
    retryAfterSeconds: 1,
  });
}
