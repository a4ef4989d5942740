var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Controller, Delete, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { CONFIG } from '../../config/config.module.js';
import { PageQuery } from '../../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../../idempotency/idempotent-write.js';
import { queryErrors, teamErrors } from '../../openapi/example-errors.js';
import { DELETED_WORKSPACE } from '../../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { linkNextPage, toPageRequest } from '../../teams/page.wire.js';
import { limitReached, ON_FREE_PLAN } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import { serializeWorkspace, WorkspaceResponse } from '../workspace.wire.js';
import { notInTeamTrash, WorkspaceTrashService } from './workspace-trash.service.js';
import { DeletedWorkspaceResponse, serializeDeletedWorkspace } from './workspace-trash.wire.js';
const PURGED = { message: 'The workspace was purged from the trash.' };
const WORKSPACE_ID = {
    name: 'workspace_id',
    description: 'Id of the deleted workspace.',
    example: DELETED_WORKSPACE._id,
};
let WorkspaceTrashController = class WorkspaceTrashController {
    trash;
    config;
    constructor(trash, config) {
        this.trash = trash;
        this.config = config;
    }
    async getDeletedWorkspaces(actor, team, query, reply) {
        const page = await this.trash.list(actor, team, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return page.items.map(serializeDeletedWorkspace);
    }
    async restoreWorkspace(actor, team, id, key) {
        return idempotentResponse(key, serializeWorkspace, (write) => this.trash.restore(actor, team, id, write));
    }
    async purgeWorkspace(actor, team, id) {
        await this.trash.purge(actor, team, id);
        return PURGED;
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the deleted workspaces of a team',
        description: 'The workspaces that the caller can restore, newest first: those that the caller could delete. `meta.slug` is the slug that the workspace had.',
        requires: '`guest` of the team',
        response: 'The deleted workspaces, newest first.',
        type: [DeletedWorkspaceResponse],
        headers: ['Link'],
        errors: [...queryErrors(PageQuery, { limit: '0' }), ...teamErrors('workspace.list')],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], WorkspaceTrashController.prototype, "getDeletedWorkspaces", null);
__decorate([
    Post(':workspace_id/restore'),
    Idempotent(),
    ApiParam(WORKSPACE_ID),
    Operation({
        summary: 'Restore a workspace',
        description: 'The workspace comes back with its id, content, members and trash, under the slug that it had; if that is taken, with a suffix. Returns 403 at the limits of the plan, and 404 to those who could not delete the workspace.',
        requires: WORKSPACE_ACCESS.manage,
        response: 'The restored workspace.',
        type: WorkspaceResponse,
        errors: [
            ...teamErrors('team.read'),
            notInTeamTrash(),
            limitReached(ON_FREE_PLAN, 'workspaces'),
            limitReached(ON_FREE_PLAN, 'pages'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Param('workspace_id')),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String, Object]),
    __metadata("design:returntype", Promise)
], WorkspaceTrashController.prototype, "restoreWorkspace", null);
__decorate([
    Delete(':workspace_id'),
    ApiParam(WORKSPACE_ID),
    Operation({
        summary: 'Purge a workspace from the trash',
        description: 'Deletes it for good, with all its content. Returns 404 to those who could not delete the workspace.',
        requires: WORKSPACE_ACCESS.manage,
        ...messageResponse(PURGED),
        bare: true,
        errors: [...teamErrors('team.read'), notInTeamTrash()],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Param('workspace_id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], WorkspaceTrashController.prototype, "purgeWorkspace", null);
WorkspaceTrashController = __decorate([
    ApiTags('trash'),
    Controller('teams/:team_slug/trash'),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [WorkspaceTrashService, Object])
], WorkspaceTrashController);
export { WorkspaceTrashController };
//# sourceMappingURL=workspace-trash.controller.js.map