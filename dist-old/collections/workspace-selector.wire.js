var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { createParamDecorator } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { badRequest } from '../errors/domain-error.js';
import { TeamQuery } from '../teams/team.wire.js';
import { documentParameter } from '../teams/team-ref.js';
import { Id } from '../validation/fields.js';
import { toQuery } from '../validation/request.pipe.js';
/** The workspace of a collection operation: in the query, or in the path of the long form. */
class SelectorQuery extends TeamQuery {
    team_slug;
    workspace_slug;
}
__decorate([
    Id({ optional: true, description: 'Slug of the team.', example: 'acme' }),
    __metadata("design:type", String)
], SelectorQuery.prototype, "team_slug", void 0);
__decorate([
    Id({ optional: true, description: 'Slug of the workspace.', example: 'handbook' }),
    __metadata("design:type", String)
], SelectorQuery.prototype, "workspace_slug", void 0);
/**
 * Hands a controller method the workspace that a request names, in its path or in its query.
 * @throws DomainError bad_request: path and query name different ones
 */
export const Selector = createParamDecorator((_, context) => {
    const { params, query } = context.switchToHttp().getRequest();
    const inQuery = toQuery(SelectorQuery, query ?? {});
    return {
        team: { slug: oneOf('team_slug', params, inQuery), id: inQuery.teamId },
        workspaceSlug: oneOf('workspace_slug', params, inQuery),
    };
}, [documentParameter(ApiQuery({ type: SelectorQuery }))]);
function oneOf(name, params, query) {
    const inPath = params[name];
    const inQuery = query[name];
    if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery) {
        throw badRequest(`${name} in the query must be the one in the path`);
    }
    return inPath ?? inQuery;
}
//# sourceMappingURL=workspace-selector.wire.js.map