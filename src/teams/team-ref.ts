import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { toQuery } from '../validation/request.pipe.js';
import type { TeamRef } from './team.js';
import { TeamQuery } from './team.wire.js';

/** Documents, by a decorator of methods, what a parameter decorator reads of a request. */
export const documentParameter =
  (decorate: MethodDecorator): ParameterDecorator =>
  (target, key) => {
    const descriptor = key && Object.getOwnPropertyDescriptor(target, key);
    if (descriptor) decorate(target, key, descriptor);
  };

export const documentPathParameter = (parameter: {
  name: string;
  description: string;
  example: string;
}): ParameterDecorator => documentParameter(ApiParam({ type: String, ...parameter }));

/**
 * The team that a request names: `team_slug` of the path and `teamId` of the query.
 * @throws DomainError bad_request: `teamId` is empty or given twice
 */
export function teamRefOf(context: ExecutionContext): TeamRef {
  const { params, query } = context.switchToHttp().getRequest<FastifyRequest>();
  const { team_slug: slug } = params as { team_slug?: string };
  return { slug, id: toQuery(TeamQuery, query ?? {}).teamId };
}

/** `team_slug` in the OpenAPI document. */
export const teamSlugParameter = documentPathParameter({
  name: 'team_slug',
  description: 'Slug of the team.',
  example: 'acme',
});

/** Hands the TeamRef of a request to a controller method. */
export const Team = createParamDecorator(
  (_: unknown, context: ExecutionContext): TeamRef => teamRefOf(context),
  [teamSlugParameter],
);
