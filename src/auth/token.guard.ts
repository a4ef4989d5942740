import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { UnauthorizedError } from '../errors/domain-error.js';
import type { Actor } from './actor.js';

const PUBLIC = Symbol('public');

/** Opens a route to callers without a token. Every other route needs one. */
export const Public = () => SetMetadata(PUBLIC, true);

/** The global guard: a valid bearer token, or 401. */
@Injectable()
export class TokenGuard extends AuthGuard('token') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext) {
    const open = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    return open === true || super.canActivate(context);
  }

  override handleRequest<User = Actor>(
    error: unknown,
    user: User | false,
    info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error;
    if (user) return user;
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    throw refusal(info, headers.authorization);
  }
}

function refusal(info: unknown, header: string | undefined): UnauthorizedError {
  if (!header) {
    return new UnauthorizedError('send a token in the header Authorization: Bearer <token>', false);
  }
  const expired = info instanceof Error && info.name === 'TokenExpiredError';
  const message = expired ? 'the token has expired' : 'the token is not valid';
  return new UnauthorizedError(message, true, { cause: info });
}
