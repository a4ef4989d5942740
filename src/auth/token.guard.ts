import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { DomainError, EXPIRED, NOT_VALID, UnauthorizedError } from '../errors/domain-error.js';
import type { Actor } from './actor.js';
import { requireScope, type Scope } from './scopes.js';
import { UsersService } from './users.service.js';
import { VerifiedTokens } from './verified-tokens.js';

type RouteKind = 'public' | 'content';
const ROUTE_KIND = Symbol('route kind');

/** Opens a route to callers without a token. Every other route needs one. */
export const Public = () => SetMetadata(ROUTE_KIND, 'public' satisfies RouteKind);

/** What these routes change is content: the scope `teamspaces:write` suffices for it. */
export const ChangesContent = () => SetMetadata(ROUTE_KIND, 'content' satisfies RouteKind);

/** The global guard: a valid bearer token, or 401; scopes that suffice, or 403. */
@Injectable()
export class TokenGuard extends AuthGuard('token') {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: VerifiedTokens,
    private readonly users: UsersService,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const kind = this.reflector.getAllAndOverride<RouteKind | undefined>(ROUTE_KIND, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: Actor }>();
    const claims = this.tokens.recall(request.headers.authorization);
    if (claims) request.user = this.users.recall(claims) ?? (await this.users.identify(claims));
    else await super.canActivate(context);
    requireScope(request.user.scope, neededScope(request.method, kind));
    return true;
  }

  /** What passport found: an error of ours, a user, or in `info` why the token was refused. */
  override handleRequest<User = Actor>(error: unknown, user: User | false, info: unknown): User {
    if (error) throw error;
    if (user) return user;
    if (info instanceof DomainError) throw info;
    const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
    const message = isExpired ? EXPIRED : NOT_VALID;
    throw new UnauthorizedError(message, true, { cause: info });
  }
}

/** Reads take the lowest scope; what changes anything but content takes the highest. */
function neededScope(method: string, kind: RouteKind | undefined): Scope {
  if (method === 'GET' || method === 'HEAD') return 'read';
  return kind === 'content' ? 'write' : 'manage';
}
