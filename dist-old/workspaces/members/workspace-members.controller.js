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
import { Body, Controller, Delete, Get, Inject, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { enforceGivingUpRole } from '../../access/enforce.js';
import { CurrentActor } from '../../auth/actor.js';
import { CONFIG } from '../../config/config.module.js';
import { notFound } from '../../errors/domain-error.js';
import { PageQuery } from '../../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../../idempotency/idempotent-write.js';
import { bodyErrors, READER, thrownBy, workspaceErrors } from '../../openapi/example-errors.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { linkNextPage, toPageRequest } from '../../teams/page.wire.js';
import { Workspace } from '../workspace-ref.js';
import { lastEditor, unclearEmails } from './workspace-member.js';
import { ADD_WORKSPACE_MEMBERS_SCHEMA, AddWorkspaceMemberRequest, AddWorkspaceMembersBody, RemoveWorkspaceMemberRequest, serializeWorkspaceMembers, UpdateWorkspaceMemberRequest, WorkspaceMemberListResponse, } from './workspace-member.wire.js';
import { WorkspaceMembersService } from './workspace-members.service.js';
const CHANGED = { message: 'The role was changed.' };
const REMOVED = { message: 'The member was removed from the workspace.' };
let WorkspaceMembersController = class WorkspaceMembersController {
    members;
    config;
    constructor(members, config) {
        this.members = members;
        this.config = config;
    }
    async getWorkspaceMembers(actor, workspace, query, reply) {
        const page = await this.members.list(actor, workspace, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return serializeWorkspaceMembers(page.items);
    }
    async addWorkspaceMembers(actor, workspace, people, key) {
        return idempotentResponse(key, serializeWorkspaceMembers, (write) => this.members.add(actor, workspace, people, write));
    }
    async updateWorkspaceMember(actor, workspace, { userId, role }) {
        await this.members.changeRole(actor, workspace, userId, role);
        return CHANGED;
    }
    async removeWorkspaceMember(actor, workspace, { userId }) {
        await this.members.remove(actor, workspace, userId);
        return REMOVED;
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the members of a workspace',
        description: 'People with a role of their own in the workspace, longest-standing first.',
        requires: WORKSPACE_ACCESS.read,
        response: 'Those who have a role of their own, the longest-standing first.',
        type: WorkspaceMemberListResponse,
        headers: ['Link'],
        errors: workspaceErrors('workspace.listMembers'),
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], WorkspaceMembersController.prototype, "getWorkspaceMembers", null);
__decorate([
    Post(),
    Idempotent(),
    ApiBody({
        schema: {
            ...ADD_WORKSPACE_MEMBERS_SCHEMA,
            items: { $ref: getSchemaPath(AddWorkspaceMemberRequest) },
        },
    }),
    Operation({
        summary: 'Add team members to a workspace',
        description: 'All people are added, or none; a person who already has a role gets the new one. Returns the whole list. Returns 422 if an email is not the verified one of exactly one team member, 409 for the last editor of a private workspace.',
        requires: WORKSPACE_ACCESS.manage,
        response: 'All who have a role of their own now.',
        type: WorkspaceMemberListResponse,
        errors: [
            ...workspaceErrors('workspace.manageMembers'),
            ...thrownBy(() => AddWorkspaceMembersBody.transform([{ email: 'bob@example.com', role: 'admin' }])),
            lastEditor(),
            unclearEmails(['carol@example.com']),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __param(2, Body(AddWorkspaceMembersBody)),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, Array, Object]),
    __metadata("design:returntype", Promise)
], WorkspaceMembersController.prototype, "addWorkspaceMembers", null);
__decorate([
    Put(),
    Operation({
        summary: "Change a workspace member's role",
        description: 'Returns 404 for people without a role of their own, 409 for the last editor of a private workspace.',
        requires: WORKSPACE_ACCESS.manage,
        ...messageResponse(CHANGED),
        errors: [
            ...workspaceErrors('workspace.manageMembers'),
            ...bodyErrors(UpdateWorkspaceMemberRequest, { userId: 'x', role: 'admin' }, { role: 'reader' }),
            notFound('member'),
            lastEditor(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, UpdateWorkspaceMemberRequest]),
    __metadata("design:returntype", Promise)
], WorkspaceMembersController.prototype, "updateWorkspaceMember", null);
__decorate([
    Delete(),
    Operation({
        summary: 'Remove a member from a workspace, or leave it',
        description: 'The team role stays. Everyone may give up their own role, but a `reader` who could do more without it needs someone who manages the workspace (403). Returns 409 for the last editor of a private workspace.',
        requires: `${WORKSPACE_ACCESS.manage}; everyone for themselves, unless it would widen their access`,
        ...messageResponse(REMOVED),
        errors: [
            ...workspaceErrors('workspace.manageMembers'),
            ...thrownBy(() => enforceGivingUpRole(READER)),
            ...bodyErrors(RemoveWorkspaceMemberRequest, {}),
            notFound('member'),
            lastEditor(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Workspace()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, RemoveWorkspaceMemberRequest]),
    __metadata("design:returntype", Promise)
], WorkspaceMembersController.prototype, "removeWorkspaceMember", null);
WorkspaceMembersController = __decorate([
    ApiTags('workspace members'),
    ApiExtraModels(AddWorkspaceMemberRequest),
    Controller('teams/:team_slug/workspaces/:workspace_slug/members'),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [WorkspaceMembersService, Object])
], WorkspaceMembersController);
export { WorkspaceMembersController };
//# sourceMappingURL=workspace-members.controller.js.map