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
import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { JsonText } from '../http/json-stream.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../idempotency/idempotent-write.js';
import { bodyErrors, teamErrors, workspaceErrors } from '../openapi/example-errors.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../teams/team.js';
import { Team } from '../teams/team-ref.js';
import { slugTakenInTeam } from './workspace.js';
import { CreateWorkspaceRequest, serializeWorkspace, serializeWorkspaces, UpdateWorkspaceRequest, WorkspaceResponse, } from './workspace.wire.js';
import { Workspace } from './workspace-ref.js';
import { WorkspacesService } from './workspaces.service.js';
const DELETED = { message: 'The workspace was deleted.' };
let WorkspacesController = class WorkspacesController {
    workspaces;
    constructor(workspaces) {
        this.workspaces = workspaces;
    }
    async createWorkspace(actor, team, body, key) {
        return idempotentResponse(key, serializeWorkspace, (write) => this.workspaces.create(actor, team, body, write));
    }
    async getWorkspaces(actor, team) {
        return serializeWorkspaces(await this.workspaces.list(actor, team));
    }
    async getWorkspaceInfo(actor, workspace) {
        return serializeWorkspace(await this.workspaces.forAction(actor, workspace, 'workspace.read'));
    }
    async updateWorkspace(actor, workspace, body) {
        return serializeWorkspace(await this.workspaces.update(actor, workspace, body));
    }
    async deleteWorkspace(actor, workspace) {
        await this.workspaces.delete(actor, workspace);
        return DELETED;
    }
};
__decorate([
    Post(),
    Idempotent(),
    Operation({
        summary: 'Create a workspace',
        description: 'The caller becomes its first editor. Returns 403 at the limit of the plan.',
        requires: '`member` of the team',
        response: 'The new workspace; the caller is its first editor.',
        type: WorkspaceResponse,
        errors: [
            ...bodyErrors(CreateWorkspaceRequest, { name: '' }, { name: 'Handbook', Visibility: 'private' }),
            ...teamErrors('workspace.create'),
            limitReached(ON_FREE_PLAN, 'workspaces'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Body()),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, CreateWorkspaceRequest, Object]),
    __metadata("design:returntype", Promise)
], WorkspacesController.prototype, "createWorkspace", null);
__decorate([
    Get(),
    JsonText(),
    Operation({
        summary: 'List the workspaces of a team',
        description: 'Oldest first.',
        requires: '`guest` of the team',
        response: 'The workspaces that the caller can see, oldest first.',
        type: [WorkspaceResponse],
        errors: teamErrors('workspace.list'),
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkspacesController.prototype, "getWorkspaces", null);
__decorate([
    Get(':workspace_slug'),
    Operation({
        summary: 'Retrieve a workspace',
        description: 'A private workspace returns 404 to everyone except its members.',
        requires: WORKSPACE_ACCESS.read,
        response: 'The workspace, with the access of the caller.',
        type: WorkspaceResponse,
        errors: workspaceErrors('workspace.read'),
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkspacesController.prototype, "getWorkspaceInfo", null);
__decorate([
    Put(':workspace_slug'),
    Operation({
        summary: 'Update a workspace',
        description: 'Absent properties are left unchanged. Returns 409 if the slug is taken.',
        requires: WORKSPACE_ACCESS.manage,
        response: 'The workspace as it is now.',
        type: WorkspaceResponse,
        errors: [
            ...bodyErrors(UpdateWorkspaceRequest, { defaultAccess: 'none' }, { Visibility: 'private' }),
            ...workspaceErrors('workspace.update'),
            slugTakenInTeam('handbook'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, UpdateWorkspaceRequest]),
    __metadata("design:returntype", Promise)
], WorkspacesController.prototype, "updateWorkspace", null);
__decorate([
    Delete(':workspace_slug'),
    Operation({
        summary: 'Delete a workspace',
        description: 'Moves it to the trash of the team with its content and members; its pages no longer count as usage of the team.',
        requires: WORKSPACE_ACCESS.manage,
        ...messageResponse(DELETED),
        bare: true,
        errors: workspaceErrors('workspace.delete'),
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], WorkspacesController.prototype, "deleteWorkspace", null);
WorkspacesController = __decorate([
    ApiTags('workspaces'),
    Controller('teams/:team_slug/workspaces'),
    __metadata("design:paramtypes", [WorkspacesService])
], WorkspacesController);
export { WorkspacesController };
//# sourceMappingURL=workspaces.controller.js.map