import { type ArgumentsHost, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { type DomainError, unprocessable } from '../errors/domain-error.js';
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
   * @throws DomainError unprocessable_entity: another request has, or a slug of this one names
   *   another team or workspace by now; forbidden, not_found: a right was revoked
   */
  async find(host: ArgumentsHost, key: RequestKey): Promise<string | null> {
    const kept = await this.keys.find(key);
    if (kept === null) return null;
    if (kept.operation !== key.operation || kept.fingerprint !== key.fingerprint) {
      throw ofAnotherRequest();
    }
    const { user } = host.switchToHttp().getRequest<FastifyRequest & { user: Actor }>();
    const named = await this.access.readableScope(user, host);
    if (differs(kept.teamId, named.teamId) || differs(kept.workspaceId, named.workspaceId)) {
      throw ofAnotherRequest();
    }
    return this.access.asSeenNow(user, kept.answer);
  }
}

/** An older version of the service has not kept what the request acted on. */
const differs = (kept: string | null, named: string | null): boolean =>
  kept !== null && kept !== named;

const ofAnotherRequest = (): DomainError =>
  unprocessable('the Idempotency-Key was used for another request: take a new one');
