import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, type Observable, of } from 'rxjs';
import type { Actor } from '../auth/actor.js';
import { DomainError, unprocessable } from '../errors/domain-error.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { AlreadyDone, type RequestKey } from './once.js';
import { PresentAccess } from './present-access.js';
import { requestKeyOf } from './request-key.js';

/**
 * Answers a POST that has succeeded under its `Idempotency-Key` with what was kept. It only saves
 * work: that nothing is done twice is held by the transactions, which throw AlreadyDone.
 */
@Injectable()
export class ReplayInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly access: PresentAccess,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const key = requestKeyOf(context);
    if (key === null) return next.handle();
    const replayed = await this.replay(context, key);
    if (replayed !== null) return of(replayed);
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey = key;
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (!(error instanceof AlreadyDone)) throw error;
        return (await this.replay(context, key)) ?? refuse(error);
      }),
    );
  }

  /**
   * @returns the kept answer, or null where nothing has succeeded under the key
   * @throws DomainError unprocessable_entity: another request has; forbidden, not_found: a right was
   *   revoked
   */
  private async replay(context: ExecutionContext, key: RequestKey): Promise<string | null> {
    const kept = await this.keys.find(key);
    if (kept === null) return null;
    if (kept.operation !== key.operation || kept.fingerprint !== key.fingerprint) {
      throw unprocessable('the Idempotency-Key was used for another request: take a new one');
    }
    const http = context.switchToHttp();
    const { user } = http.getRequest<FastifyRequest & { user: Actor }>();
    await this.access.assertMayRead(user, context);
    const answer = await this.access.asSeenNow(user, kept.answer);
    http
      .getResponse<FastifyReply>()
      .header('content-type', 'application/json; charset=utf-8')
      .header('idempotent-replayed', 'true');
    return answer;
  }
}

/** What had succeeded has been cleared away since: its 24 hours were over this very moment. */
function refuse(cause: AlreadyDone): never {
  throw new DomainError('conflict', 'the Idempotency-Key has just expired: try again', {
    cause,
    retryAfterSeconds: 1,
  });
}
