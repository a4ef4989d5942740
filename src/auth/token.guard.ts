import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InsufficientScopeError } from '../errors/domain-error.js';
import type { Actor, User } from './actor.js';
import { SCOPE_PREFIX, SCOPES, type Scope } from './claims.js';
import { JwtStrategy, VerifiedTokens } from './jwt.strategy.js';
import { UsersService } from './users.service.js';

type RouteKind = 'public' | 'content' | 'former' | 'settings' | 'caller';
const ROUTE_KIND = Symbol('route kind');

/** Opens a route to callers without a token. Every other route requires one. */
export const Public = () => SetMetadata(ROUTE_KIND, 'public' satisfies RouteKind);

/** These routes change content: the scope `teamspaces:write` suffices. */
export const ChangesContent = () => SetMetadata(ROUTE_KIND, 'content' satisfies RouteKind);

/** Of routes that read: this one shows what was taken out, and takes the scope `teamspaces:write`. */
export const ReadsFormerContent = () => SetMetadata(ROUTE_KIND, 'former' satisfies RouteKind);

/** Of routes that read, or otherwise change content: this one takes the scope `teamspaces:manage`. */
export const RequiresManage = () => SetMetadata(ROUTE_KIND, 'settings' satisfies RouteKind);

/** This route does nothing itself: the routes that it calls for its caller ask for their scopes. */
export const CallsOtherRoutes = () => SetMetadata(ROUTE_KIND, 'caller' satisfies RouteKind);

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null: nobody, or not known yet. */
    user: Actor | null;
  }
}

/**
 * Creates requests with the property `user`: adding it later changes the shape of each request object, which took a tenth
 * of the CPU time of a read.
 */
export const prepareCallers = (fastify: FastifyInstance): void => {
  fastify.decorateRequest('user', null);
};

/** Passes the caller to a controller method. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor =>
    context.switchToHttp().getRequest<FastifyRequest & { user: Actor }>().user,
);

/** The first global guard: a valid bearer token, or 401. No body has been read yet. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: VerifiedTokens,
    private readonly users: UsersService,
    private readonly strategy: JwtStrategy,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const kind = this.reflector.getAllAndOverride<RouteKind | undefined>(ROUTE_KIND, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (kind === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const enter = (user: User): true => {
      request.user = actorOf(user, request.id);
      return true;
    };
    const claims = this.tokens.recall(request.headers.authorization);
    const known = claims && this.users.recall(claims);
    if (known) return enter(known);
    const user = claims
      ? this.users.identify(claims)
      : this.strategy.authenticated(request, http.getResponse<FastifyReply>());
    return user.then(enter);
  }
}

/** Field by field: a copy of the others takes longer. RateLimitGuard replaces charge() if requests are counted. */
const actorOf = (user: User, requestId: string): Actor => ({
  id: user.id,
  email: user.email,
  emailVerified: user.emailVerified,
  name: user.name,
  image: user.image,
  mayManage: user.mayManage,
  scope: user.scope,
  requestId,
  charge: () => {},
});

/**
 * Returns 403 unless the scopes suffice. Runs after the guard that counts requests: refusals count,
 * too.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.user === null) return true;
    const kind = this.reflector.getAllAndOverride<RouteKind | undefined>(ROUTE_KIND, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (kind !== 'caller') requireScope(request.user.scope, neededScope(request.method, kind));
    return true;
  }
}

/** Reads require the lowest scope, but for those of former content; changes of anything but content the highest. */
function neededScope(method: string, kind: RouteKind | undefined): Scope {
  if (kind === 'settings') return 'manage';
  if (kind === 'former') return 'write';
  if (method === 'GET' || method === 'HEAD') return 'read';
  return kind === 'content' ? 'write' : 'manage';
}

/** @throws InsufficientScopeError if the scope `granted` does not suffice */
export function requireScope(granted: Scope, needed: Scope): void {
  if (SCOPES.indexOf(granted) < SCOPES.indexOf(needed)) {
    throw new InsufficientScopeError(SCOPE_PREFIX + needed);
  }
}
