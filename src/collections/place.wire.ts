import { badRequest } from '../errors/domain-error.js';
import { Id } from '../http/fields.js';
import { TeamQuery } from '../teams/team.wire.js';
import type { Place } from './collection.js';

/** Where a collection operation takes place: in the query, or in the path of the long form. */
export class PlaceQuery extends TeamQuery {
  @Id({ optional: true, description: 'Slug of the team.', example: 'acme' })
  team_slug?: string;

  @Id({ optional: true, description: 'Slug of the workspace.', example: 'handbook' })
  workspace_slug?: string;
}

/** The parameters of the long form; absent in the short one. */
export interface PlaceParams {
  team_slug?: string;
  workspace_slug?: string;
}

/**
 * The place that a request names, in the path or in the query.
 * @throws DomainError bad_request: path and query name different ones
 */
export function toPlace(params: PlaceParams, query: PlaceQuery): Place {
  return {
    team: { slug: oneOf('team_slug', params, query), id: query.teamId },
    workspaceSlug: oneOf('workspace_slug', params, query),
  };
}

function oneOf(
  name: keyof PlaceParams,
  params: PlaceParams,
  query: PlaceQuery,
): string | undefined {
  const inPath = params[name];
  const inQuery = query[name];
  if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery) {
    throw badRequest(`${name} in the query must be the one in the path`);
  }
  return inPath ?? inQuery;
}
