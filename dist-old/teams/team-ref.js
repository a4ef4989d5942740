import { createParamDecorator } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { toQuery } from '../validation/request.pipe.js';
import { TeamQuery } from './team.wire.js';
/** Documents, by a decorator of methods, what a parameter decorator reads of a request. */
export const documentParameter = (decorate) => (target, key) => {
    const descriptor = key && Object.getOwnPropertyDescriptor(target, key);
    if (descriptor)
        decorate(target, key, descriptor);
};
export const documentPathParameter = (parameter) => documentParameter(ApiParam({ type: String, ...parameter }));
/**
 * The team that a request names: `team_slug` of the path and `teamId` of the query.
 * @throws DomainError bad_request: `teamId` is empty or given twice
 */
export function teamRefOf(context) {
    const { params, query } = context.switchToHttp().getRequest();
    const { team_slug: slug } = params;
    return { slug, id: toQuery(TeamQuery, query ?? {}).teamId };
}
/** Hands the TeamRef of a request to a controller method. */
export const Team = createParamDecorator((_, context) => teamRefOf(context), [
    documentPathParameter({
        name: 'team_slug',
        description: 'Slug of the team.',
        example: 'acme',
    }),
]);
//# sourceMappingURL=team-ref.js.map