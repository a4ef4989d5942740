import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The authenticated user on whose behalf a request runs. */
export interface Actor {
  /** Our id of the user. */
  id: string;
  email: string;
  /** False where the token says `email_verified: false`: the email may not be acted on. */
  emailVerified: boolean;
  name: string;
  /** Address of a picture. */
  image: string | null;
}

/** Hands the caller to a controller method. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor =>
    context.switchToHttp().getRequest<FastifyRequest & { user: Actor }>().user,
);
