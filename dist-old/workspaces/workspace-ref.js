import { createParamDecorator } from '@nestjs/common';
import { documentPathParameter, teamRefOf } from '../teams/team-ref.js';
/**
 * Hands the WorkspaceRef of a request to a controller method: `team_slug` and `workspace_slug` of
 * the path, `teamId` of the query.
 */
export const Workspace = createParamDecorator((_, context) => {
    const { params } = context.switchToHttp().getRequest();
    const { workspace_slug: slug = '' } = params;
    return { team: teamRefOf(context), slug };
}, [
    documentPathParameter({
        name: 'team_slug',
        description: 'Slug of the team.',
        example: 'acme',
    }),
    documentPathParameter({
        name: 'workspace_slug',
        description: 'Slug of the workspace.',
        example: 'handbook',
    }),
]);
//# sourceMappingURL=workspace-ref.js.map