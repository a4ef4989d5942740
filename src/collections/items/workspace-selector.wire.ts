import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { TeamQuery } from '../../teams/team.wire.js';
import { documentParameter } from '../../teams/team-ref.js';
import { Id } from '../../validation/fields.js';
import { toQuery } from '../../validation/request.pipe.js';
import { otherThanInPath } from '../errors.js';
import type { WorkspaceSelector } from './collection.js';

/** The workspace of a collection operation: in the query, or in the path of the long form. */
class SelectorQuery extends TeamQuery {
  @Id({ optional: true, description: 'Slug of the team.', example: 'acme' })
  team_slug?: string;

  @Id({ optional: true, description: 'Slug of the workspace.', example: 'handbook' })
  workspace_slug?: string;
}

/**
 * Hands a controller method the workspace that a request names, in its path or in its query.
 * @throws DomainError bad_request: path and query name different ones
 */
export const Selector = createParamDecorator(
  (_: unknown, context: ExecutionContext): WorkspaceSelector => {
    const { params, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const inQuery = toQuery(SelectorQuery, query ?? {});
    return {
      team: { slug: oneOf('team_slug', params as SelectorParams, inQuery), id: inQuery.teamId },
      workspaceSlug: oneOf('workspace_slug', params as SelectorParams, inQuery),
    };
  },
  [documentParameter(ApiQuery({ type: SelectorQuery }))],
);

/** The parameters of the long form; absent in the short one. */
type SelectorParams = Pick<SelectorQuery, 'team_slug' | 'workspace_slug'>;

function oneOf(
  name: keyof SelectorParams,
  params: SelectorParams,
  query: SelectorQuery,
): string | undefined {
  const inPath = params[name];
  const inQuery = query[name];
  if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery) {
    throw otherThanInPath(name);
  }
  return inPath ?? inQuery;
}
