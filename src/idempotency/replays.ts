import { type ArgumentsHost, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { unprocessable } from '../errors/domain-error.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import type { RequestKey } from './once.js';
import { PresentAccess } from './present-access.js';

/** The kept answers of requests with an `Idempotency-Key`. */
@Injectable()
export class Replays {
  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly access: PresentAccess,
  ) {}

  /**
   * @returns the kept answer as the caller may see it now, or null where nothing has succeeded under
   *   the key
   * @throws DomainError unprocessable_entity: another request has; forbidden, not_found: a right was
   *   revoked
   */
  async find(host: ArgumentsHost, key: RequestKey): Promise<string | null> {
    const kept = await this.keys.find(key);
    if (kept === null) return null;
    if (kept.operation !== key.operation || kept.fingerprint !== key.fingerprint) {
      throw unprocessable('the Idempotency-Key was used for another request: take a new one');
    }
    const { user } = host.switchToHttp().getRequest<FastifyRequest & { user: Actor }>();
    await this.access.assertMayRead(user, host);
    return this.access.asSeenNow(user, kept.answer);
  }
}
