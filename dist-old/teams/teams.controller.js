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
import { Body, Controller, Get, Inject, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { enforceTeam } from '../access/enforce.js';
import { CurrentActor } from '../auth/actor.js';
import { CONFIG } from '../config/config.module.js';
import { PageQuery } from '../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../idempotency/idempotent-write.js';
import { bodyErrors, teamErrors, thrownBy } from '../openapi/example-errors.js';
import { Operation } from '../openapi/operation.js';
import { tooManyTeams } from './members/ownership.js';
import { linkNextPage, toPageRequest } from './page.wire.js';
import { otherTeam, slugTaken } from './team.js';
import { CreateTeamRequest, serializeTeam, TeamResponse, UpdateTeamRequest } from './team.wire.js';
import { Team } from './team-ref.js';
import { TeamsService } from './teams.service.js';
const FIELDS = [
    { name: '', slug: 'acme' },
    { name: 'Acme', slug: 'Acme' },
    { name: 'Acme', slug: 'acme', Slug: 'acme' },
];
let TeamsController = class TeamsController {
    teams;
    config;
    constructor(teams, config) {
        this.teams = teams;
        this.config = config;
    }
    async getTeams(actor, query, reply) {
        const page = await this.teams.list(actor, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return page.items.map(serializeTeam);
    }
    async createTeam(actor, body, key) {
        return idempotentResponse(key, serializeTeam, (write) => this.teams.create(actor, body, write));
    }
    async getTeamInfo(actor, team) {
        return serializeTeam(await this.teams.forAction(actor, team, 'team.read'));
    }
    async updateTeam(actor, team, body) {
        return serializeTeam(await this.teams.update(actor, team, body));
    }
    async renewInviteCode(actor, team, key) {
        return idempotentResponse(key, serializeTeam, (write) => this.teams.renewInviteCode(actor, team, write));
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the teams of the caller',
        description: 'Oldest first.',
        requires: 'a token',
        response: 'The teams, oldest first.',
        type: [TeamResponse],
        headers: ['Link'],
    }),
    __param(0, CurrentActor()),
    __param(1, Query()),
    __param(2, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], TeamsController.prototype, "getTeams", null);
__decorate([
    Post(),
    Idempotent(),
    Operation({
        summary: 'Create a team',
        description: 'The caller becomes its owner, and its plan is `free`. Returns 409 if the slug is taken, 403 if the caller owns too many teams.',
        requires: 'a token',
        response: 'The new team; the caller is its owner.',
        type: TeamResponse,
        errors: [...bodyErrors(CreateTeamRequest, ...FIELDS), tooManyTeams(100), slugTaken('acme')],
    }),
    __param(0, CurrentActor()),
    __param(1, Body()),
    __param(2, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, CreateTeamRequest, Object]),
    __metadata("design:returntype", Promise)
], TeamsController.prototype, "createTeam", null);
__decorate([
    Get(':team_slug'),
    Operation({
        summary: 'Retrieve a team',
        description: 'Every member of the team may read it; others receive 403.',
        requires: '`guest` of the team',
        response: 'The team; `inviteCode` is `""` below moderator.',
        type: TeamResponse,
        errors: [otherTeam(), ...teamErrors('team.read')],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], TeamsController.prototype, "getTeamInfo", null);
__decorate([
    Put(':team_slug'),
    Operation({
        summary: 'Update a team',
        description: 'Absent properties are left unchanged. Returns 409 if the slug is taken.',
        requires: '`moderator` of the team; for `slug` an `owner`',
        response: 'The team as it is now.',
        type: TeamResponse,
        errors: [
            ...bodyErrors(UpdateTeamRequest, ...FIELDS),
            ...teamErrors('team.update'),
            ...thrownBy(() => enforceTeam('team.changeSlug', 'moderator')),
            slugTaken('acme'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, UpdateTeamRequest]),
    __metadata("design:returntype", Promise)
], TeamsController.prototype, "updateTeam", null);
__decorate([
    Post(':team_slug/invite-code'),
    Idempotent(),
    Operation({
        summary: 'Renew the invite code of a team',
        description: 'The old code stops working at once.',
        requires: '`moderator` of the team',
        response: 'The team with its new code; the old one no longer works.',
        type: TeamResponse,
        bare: true,
        errors: teamErrors('team.renewInviteCode'),
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, Object]),
    __metadata("design:returntype", Promise)
], TeamsController.prototype, "renewInviteCode", null);
TeamsController = __decorate([
    ApiTags('teams'),
    Controller('teams'),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [TeamsService, Object])
], TeamsController);
export { TeamsController };
//# sourceMappingURL=teams.controller.js.map