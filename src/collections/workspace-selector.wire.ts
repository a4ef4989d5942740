import { badRequest } from '../errors/domain-error.js';
import { Id } from '../http/fields.js';
import { TeamQuery } from '../teams/team.wire.js';
import type { WorkspaceSelector } from './collection.js';

/** The workspace of a collection operation: in the query, or in the path of the long form. */
export class SelectorQuery extends TeamQuery {
  @Id({ optional: true, description: 'Slug of the team.', example: 'acme' })
  team_slug?: string;

  @Id({ optional: true, description: 'Slug of the workspace.', example: 'handbook' })
  workspace_slug?: string;
}

/** The parameters of the long form; absent in the short one. */
export interface SelectorParams {
  team_slug?: string;
  workspace_slug?: string;
}

/**
 * The workspace that a request names, in the path or in the query.
 * @throws DomainError bad_request: path and query name different ones
 */
export function toSelector(params: SelectorParams, query: SelectorQuery): WorkspaceSelector {
  return {
    team: { slug: oneOf('team_slug', params, query), id: query.teamId },
    workspaceSlug: oneOf('workspace_slug', params, query),
  };
}

function oneOf(
  name: keyof SelectorParams,
  params: SelectorParams,
  query: SelectorQuery,
): string | undefined {
  const inPath = params[name];
  const inQuery = query[name];
  if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery) {
    throw badRequest(`${name} in the query must be the one in the path`);
  }
  return inPath ?? inQuery;
}
