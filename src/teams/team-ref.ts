import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { toQuery } from '../http/request.pipe.js';
import type { TeamRef } from './team.js';
import { TeamQuery } from './team.wire.js';

/** Documents a path parameter of the method that a parameter decorator stands in. */
export const documentPathParameter =
  (parameter: { name: string; description: string; example: string }): ParameterDecorator =>
  (target, key) => {
    const descriptor = key && Object.getOwnPropertyDescriptor(target, key);
    if (descriptor) ApiParam({ type: String, ...parameter })(target, key, descriptor);
  };

/**
 * The team that a request names: `team_slug` of the path and `teamId` of the query.
 * @throws DomainError bad_request: `teamId` is empty or given twice
 */
export function teamRefOf(context: ExecutionContext): TeamRef {
  const { params, query } = context.switchToHttp().getRequest<FastifyRequest>();
  const { team_slug: slug } = params as { team_slug?: string };
  return { slug, id: toQuery(TeamQuery, query ?? {}).teamId };
}

/** Hands the TeamRef of a request to a controller method. */
export const Team = createParamDecorator(
  (_: unknown, context: ExecutionContext): TeamRef => teamRefOf(context),
  [
    documentPathParameter({
      name: 'team_slug',
      description: 'Slug of the team.',
      example: 'acme',
    }),
  ],
);
