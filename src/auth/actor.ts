import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Scope } from './scopes.js';

/** The authenticated user on whose behalf a request runs. */
export interface Actor {
  /** Our id of the user. */
  id: string;
  /** A service has a synthetic one, at service.invalid. */
  email: string;
  /** False for services and where the token says so: the email may not be acted on. */
  emailVerified: boolean;
  name: string;
  /** Address of a picture. */
  image: string | null;
  /** False where the token's scopes take away what `teamspaces:manage` grants. */
  mayManage: boolean;
  /** What the token may do at most, whatever the user's roles are. */
  scope: Scope;
}

/** Hands the caller to a controller method. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor =>
    context.switchToHttp().getRequest<FastifyRequest & { user: Actor }>().user,
);
