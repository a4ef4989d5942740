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
import { Body, Controller, Get, Inject, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { CONFIG } from '../../config/config.module.js';
import { notFound } from '../../errors/domain-error.js';
import { PageQuery } from '../../http/pagination.js';
import { bodyErrors, peopleErrors, teamErrors } from '../../openapi/example-errors.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { linkNextPage, toPageRequest } from '../page.wire.js';
import { Team } from '../team-ref.js';
import { tooManyTeams } from './ownership.js';
import { lastOwner } from './team-member.js';
import { serializeMembers, TeamMemberListResponse, UpdateTeamMemberRequest, } from './team-member.wire.js';
import { TeamMembersService } from './team-members.service.js';
const CHANGED = { message: 'The role was changed.' };
let TeamMembersController = class TeamMembersController {
    members;
    config;
    constructor(members, config) {
        this.members = members;
        this.config = config;
    }
    async getTeamMembers(actor, team, query, reply) {
        const page = await this.members.list(actor, team, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return serializeMembers(page.items);
    }
    async updateTeamMember(actor, team, { userId, role }) {
        await this.members.changeRole(actor, team, userId, role);
        return CHANGED;
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the members of a team',
        description: 'Longest-standing members first. Returns 403 for guests.',
        requires: '`member` of the team',
        response: 'The members, the longest-standing first.',
        type: TeamMemberListResponse,
        headers: ['Link'],
        errors: teamErrors('team.listMembers'),
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], TeamMembersController.prototype, "getTeamMembers", null);
__decorate([
    Put(),
    Operation({
        summary: "Change a team member's role",
        description: 'An owner may give anyone any role; a moderator manages only people and roles below moderator. If someone else demotes a member, the invite code is renewed, and the pending invites that the member may no longer send are revoked. Returns 403 if a new owner owns too many teams, 409 for the last owner.',
        requires: '`owner` of the team; a `moderator` for people and roles below moderator',
        ...messageResponse(CHANGED),
        errors: [
            ...bodyErrors(UpdateTeamMemberRequest, { userId: 'x', role: 'admin' }, { role: 'member' }),
            ...peopleErrors(),
            tooManyTeams(100),
            notFound('member'),
            lastOwner(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, UpdateTeamMemberRequest]),
    __metadata("design:returntype", Promise)
], TeamMembersController.prototype, "updateTeamMember", null);
TeamMembersController = __decorate([
    ApiTags('members'),
    Controller('teams/:team_slug/members'),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [TeamMembersService, Object])
], TeamMembersController);
export { TeamMembersController };
//# sourceMappingURL=team-members.controller.js.map