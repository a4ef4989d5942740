import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { documentPathParameter, teamRefOf, teamSlugParameter } from '../teams/team-ref.js';
import type { WorkspaceRef } from './workspace.js';

/**
 * Hands the WorkspaceRef of a request to a controller method: `team_slug` and `workspace_slug` of
 * the path, `teamId` of the query.
 */
export const Workspace = createParamDecorator(
  (_: unknown, context: ExecutionContext): WorkspaceRef => {
    const { params } = context.switchToHttp().getRequest<FastifyRequest>();
    const { workspace_slug: slug = '' } = params as { workspace_slug?: string };
    return { team: teamRefOf(context), slug };
  },
  [
    teamSlugParameter,
    documentPathParameter({
      name: 'workspace_slug',
      description: 'Slug of the workspace.',
      example: 'handbook',
    }),
  ],
);
