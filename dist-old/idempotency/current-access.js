var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { serializeReadItem } from '../collections/collection.wire.js';
import { ItemReadsService } from '../collections/item-reads.service.js';
import { DomainError } from '../errors/domain-error.js';
import { TeamsService } from '../teams/teams.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { lacksContent, withContent } from './idempotent-write.js';
/** What the caller of a replay may see now, asked of the domains. */
let DomainAccess = class DomainAccess {
    teams;
    workspaces;
    items;
    constructor(teams, workspaces, items) {
        this.teams = teams;
        this.workspaces = workspaces;
        this.items = items;
    }
    async readableScope(actor, request, stored) {
        const named = await this.readableWorkspace(actor, request, stored);
        const { teamId, targetWorkspaceId } = stored;
        if (!teamId || !targetWorkspaceId)
            return named;
        const { workspace_slug: slug } = (request.body ?? {});
        // Without a slug it is the workspace that was looked at already.
        if (slug === undefined)
            return { ...named, targetWorkspaceId };
        const ref = { team: { id: teamId }, slug };
        const target = await this.workspaces.forAction(actor, ref, 'workspace.read');
        return { ...named, targetWorkspaceId: target.id };
    }
    async readableWorkspace(actor, request, { teamId, workspaceId }) {
        const { team, slug } = namedBy(request);
        const isTeamNamed = team.slug !== undefined || team.id !== undefined;
        if (teamId !== null && workspaceId !== null && !(isTeamNamed && slug !== undefined)) {
            const id = workspaceId;
            await this.workspaces.forActionById(actor, { teamId, id }, 'workspace.read');
            if (!isTeamNamed)
                return { teamId, workspaceId };
            return { teamId: (await this.teams.forAction(actor, team, 'team.read')).id, workspaceId };
        }
        if (slug !== undefined) {
            const workspace = await this.workspaces.forAction(actor, { team, slug }, 'workspace.read');
            return { teamId: workspace.teamId, workspaceId: workspace.id };
        }
        if (team.slug === undefined)
            return { teamId: null, workspaceId: null };
        const { id } = await this.teams.forAction(actor, team, 'team.read');
        return { teamId: id, workspaceId: null };
    }
    /** Content and children as getCollection returns them now, none if that is an error; the team's code. */
    async asSeenNow(actor, response) {
        if (lacksContent(response)) {
            const { id } = JSON.parse(response);
            const anywhere = { team: {}, workspaceSlug: undefined };
            const found = await orNull(this.items.get(actor, anywhere, id, false));
            if (!found)
                return response;
            return withContent(response, String(await serializeReadItem(found)));
        }
        if (!response.includes('"inviteCode":"'))
            return response;
        // Those see the invite code of a Team who would see it there now; for others it is ''.
        const body = JSON.parse(response);
        if (!body.inviteCode || body._id === undefined)
            return response;
        const team = await orNull(this.teams.forAction(actor, { id: body._id }, 'team.read'));
        return team?.inviteCode ? response : JSON.stringify({ ...body, inviteCode: '' });
    }
};
DomainAccess = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TeamsService,
        WorkspacesService,
        ItemReadsService])
], DomainAccess);
export { DomainAccess };
/** null: the caller would get an error. */
const orNull = (found) => found.catch((error) => {
    if (error instanceof DomainError)
        return null;
    throw error;
});
/**
 * The team and the workspace that a request names: in its path, or in the query of the short form of
 * collections. The same request has succeeded before, so all of it is well-formed.
 */
function namedBy({ params, query, routeOptions }) {
    const { teamId, ...inQuery } = query;
    const isShort = routeOptions.url?.startsWith('/collections');
    const { team_slug, workspace_slug } = (isShort ? inQuery : params);
    return { team: { slug: team_slug, id: teamId }, slug: workspace_slug };
}
//# sourceMappingURL=current-access.js.map