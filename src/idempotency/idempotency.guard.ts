import { createHash } from 'node:crypto';
import {
  type ArgumentsHost,
  applyDecorators,
  type CanActivate,
  Catch,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TeamAction } from '../access/roles.js';
import type { Actor } from '../auth/actor.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';
import { badRequest, type DomainError, unprocessable } from '../errors/domain-error.js';
import { ErrorsFilter } from '../errors/error-response.js';
import { JsonText } from '../http/json-stream.js';
import { findLongResponse, findResponse } from './idempotency-keys.repository.js';
import type { KeyId, KeyScope, RequestKey } from './idempotent-write.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request with an Idempotency-Key, if its route is `@Idempotent()`. */
    idempotencyKey?: RequestKey;
  }
}

const READ = Symbol('read');

/**
 * For a POST or PATCH: it returns 200, and with an `Idempotency-Key` it is idempotent. The handler
 * passes its `@IdempotencyKey()` to idempotentResponse().
 * @param read what a replay requires of the caller in the team: to read what the response shows
 */
export const Idempotent = (read: TeamAction = 'team.read') =>
  applyDecorators(
    HttpCode(200),
    SetMetadata(READ, read),
    JsonText(),
    UseGuards(IdempotencyGuard),
    UseFilters(KeyedErrorsFilter),
  );

/** Hands the RequestKey to an `@Idempotent()` controller method; null if the request has none. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestKey | null =>
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey ?? null,
);

/** What a replay asks of the domains. */
export abstract class CurrentAccess {
  /**
   * The team and the workspace that the request names now, if its caller may still read them. A request
   * that names an item only is about the workspace that it acted on.
   * @param stored what the request acted on
   * @param read what the caller must be allowed to do in a team that the request names
   * @throws DomainError forbidden, not_found
   */
  abstract readableScope(
    actor: Actor,
    request: FastifyRequest,
    stored: KeyScope,
    read: TeamAction,
  ): Promise<KeyScope>;

  /**
   * A stored response with the content that was too long to be stored, and without what its caller
   * may no longer see.
   */
  abstract asSeenNow(actor: Actor, response: string): Promise<string>;
}

/**
 * Reads the `Idempotency-Key` and begins to look up its response, which leaves with the first reads of the
 * request. That only saves work: the transactions guarantee that nothing is done twice. A guard and not an
 * interceptor: RxJS took 4 % of the CPU time of a create that has no key.
 */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(
    private readonly database: Database,
    private readonly access: CurrentAccess,
    private readonly reflector: Reflector,
  ) {}

  /** @throws DomainError bad_request: the key is malformed */
  canActivate(context: ExecutionContext): true {
    const key = keyIdOf(context);
    if (key === null) return true;
    const replay = () => this.replay(context, key);
    const replayed = replay();
    // A request that turns out to be invalid does not wait for it.
    replayed.catch(() => undefined);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.idempotencyKey = { ...key, replayed, replay };
    return true;
  }

  /**
   * @returns the stored response as the caller may see it now, or null if nothing has succeeded under
   *   the key
   * @throws DomainError unprocessable_entity: another request has, or a slug of this one names
   *   another team or workspace by now; forbidden, not_found: a right was revoked
   */
  private async replay(context: ExecutionContext, key: KeyId): Promise<string | null> {
    const stored = await findResponse(this.database, key);
    if (stored === null) return null;
    if (stored.operation !== key.operation || stored.fingerprint !== key.fingerprint) {
      throw keyOfAnotherRequest();
    }
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user: Actor }>();
    const read = this.reflector.get<TeamAction>(READ, context.getHandler());
    const named = await this.access.readableScope(request.user, request, stored, read);
    const parts = ['teamId', 'workspaceId', 'targetWorkspaceId'] as const;
    if (parts.some((part) => differs(stored[part], named[part]))) throw keyOfAnotherRequest();
    const kept = stored.response ?? (await findLongResponse(this.database, key));
    if (kept === null) return null;
    const response = await this.access.asSeenNow(request.user, kept);
    http.getResponse<FastifyReply>().header('idempotent-replayed', 'true');
    return response;
  }
}

/** That the key was used for another request is said first, also of a request that is invalid. */
@Catch()
class KeyedErrorsFilter extends ErrorsFilter {
  constructor(@Inject(CONFIG) { publicUrl }: Config) {
    super(publicUrl);
  }

  override async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const { idempotencyKey } = host.switchToHttp().getRequest<FastifyRequest>();
    const first = idempotencyKey?.replayed.then(
      () => thrown,
      (error: unknown) => error,
    );
    super.catch(first ? await first : thrown, host);
  }
}

/** Visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header is malformed. */
const malformedKey = () => badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');

/**
 * What identifies a request; null if it has no `Idempotency-Key`.
 * @throws DomainError bad_request: malformed
 */
function keyIdOf(context: ExecutionContext): KeyId | null {
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
const differs = (stored: KeyScope['teamId'] | undefined, named: typeof stored): boolean =>
  typeof stored === 'string' && stored !== named;

/** Another request has succeeded under the key. */
const keyOfAnotherRequest = (): DomainError =>
  unprocessable('the Idempotency-Key was used for another request: use a new one');
