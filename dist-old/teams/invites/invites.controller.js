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
import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { CONFIG } from '../../config/config.module.js';
import { inviteExpired, notFound } from '../../errors/domain-error.js';
import { PageQuery } from '../../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../../idempotency/idempotent-write.js';
import { bodyErrors, peopleErrors, teamErrors } from '../../openapi/example-errors.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { Costs } from '../../rate-limit/rate-limit.guard.js';
import { tooManyTeams } from '../members/ownership.js';
import { memberAlready } from '../members/team-member.js';
import { linkNextPage, toPageRequest } from '../page.wire.js';
import { limitReached, ON_FREE_PLAN } from '../team.js';
import { serializeTeam, TeamResponse } from '../team.wire.js';
import { Team } from '../team-ref.js';
import { acceptedAlready, emailNotVerified, inTeamAlready, tooManyPending } from './invite.js';
import { InvitesListResponse, SendInvitesRequest, serializeInvites } from './invite.wire.js';
import { InvitesService } from './invites.service.js';
import { MyInvitesService } from './my-invites.service.js';
const DECLINED = { message: 'The invite was declined.' };
const REVOKED = { message: 'The invite was revoked.' };
const INVITE_ID = { name: 'invite_id', description: 'Id of the invite.' };
const BOB = { email: 'bob@example.com', role: 'member' };
/** Invites, as the team and as the invited person see them. */
let InvitesController = class InvitesController {
    invites;
    mine;
    config;
    constructor(invites, mine, config) {
        this.invites = invites;
        this.mine = mine;
        this.config = config;
    }
    async getTeamInvites(actor, team, query, reply) {
        const page = await this.invites.list(actor, team, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return serializeInvites(page.items);
    }
    async sendTeamInvites(actor, team, { invites }, key) {
        return idempotentResponse(key, serializeInvites, (write) => this.invites.send(actor, team, invites, write));
    }
    async revokeTeamInvite(actor, team, inviteId) {
        await this.invites.revoke(actor, team, inviteId);
        return REVOKED;
    }
    async getMyInvites(actor, query, reply) {
        const page = await this.mine.list(actor, toPageRequest(query));
        linkNextPage(reply, this.config.publicUrl, page);
        return serializeInvites(page.items);
    }
    async acceptInvite(actor, inviteId, key) {
        return idempotentResponse(key, serializeTeam, (write) => this.mine.accept(actor, inviteId, write));
    }
    async declineInvite(actor, inviteId, key) {
        return idempotentResponse(key, () => DECLINED, (write) => this.mine.decline(actor, inviteId, write));
    }
};
__decorate([
    ApiTags('invites'),
    Get('teams/:team_slug/invites'),
    Operation({
        summary: 'List the invites of a team',
        description: 'Pending invites, including expired ones.',
        requires: '`moderator` of the team',
        response: 'The pending invites.',
        type: InvitesListResponse,
        headers: ['Link'],
        errors: teamErrors('team.managePeople'),
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "getTeamInvites", null);
__decorate([
    ApiTags('invites'),
    Post('teams/:team_slug/invites'),
    Idempotent(),
    Costs({ list: 'invites', per: 10 }),
    Operation({
        summary: 'Invite people to a team',
        description: 'All invites are sent, or none. A pending invite is renewed: it gets the new role and expiry and keeps its id. Returns 409 if someone is already a member, 403 at the limit of the plan, which also limits the number of pending invites.',
        requires: '`owner` of the team; a `moderator` for roles below moderator',
        response: 'The invites that were sent.',
        type: InvitesListResponse,
        errors: [
            ...bodyErrors(SendInvitesRequest, { invites: [{ ...BOB, email: 'bob' }] }, { invites: [BOB, BOB] }),
            ...peopleErrors(),
            limitReached(ON_FREE_PLAN, 'users'),
            tooManyPending(ON_FREE_PLAN.plan, ON_FREE_PLAN.limit.users),
            inTeamAlready([BOB.email]),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Body()),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, SendInvitesRequest, Object]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "sendTeamInvites", null);
__decorate([
    ApiTags('invites'),
    Delete('teams/:team_slug/invites/:invite_id'),
    ApiParam(INVITE_ID),
    Operation({
        summary: 'Revoke an invite',
        description: 'Returns 409 if it was already accepted.',
        requires: '`owner` of the team; a `moderator` for invites to roles below moderator',
        ...messageResponse(REVOKED),
        bare: true,
        errors: [...peopleErrors(), notFound('invite'), acceptedAlready()],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Param('invite_id')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, String]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "revokeTeamInvite", null);
__decorate([
    ApiTags('me'),
    Get('invites'),
    Operation({
        summary: 'List the invites of the caller',
        description: 'Invites to the email of the token; none if that email is not verified.',
        requires: 'a token; without a verified email the list is empty',
        response: 'The invites to the email of the caller.',
        type: InvitesListResponse,
        headers: ['Link'],
    }),
    __param(0, CurrentActor()),
    __param(1, Query()),
    __param(2, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "getMyInvites", null);
__decorate([
    ApiTags('me'),
    Post('invites/:invite_id/accept'),
    Idempotent(),
    ApiParam(INVITE_ID),
    Operation({
        summary: 'Accept an invite',
        description: 'The caller joins the team in the role of the invite. Returns 410 if the invite has expired, 409 if it was already accepted, and 403 at the limit of the plan, or as `owner` if the caller owns too many teams.',
        requires: 'the email that the invite is for, verified',
        response: 'The team; the caller has the role of the invite.',
        type: TeamResponse,
        errors: [
            emailNotVerified(),
            limitReached(ON_FREE_PLAN, 'users'),
            tooManyTeams(100),
            notFound('invite'),
            acceptedAlready(),
            memberAlready(),
            inviteExpired(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('invite_id')),
    __param(2, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "acceptInvite", null);
__decorate([
    ApiTags('me'),
    Post('invites/:invite_id/decline'),
    Idempotent(),
    ApiParam(INVITE_ID),
    Operation({
        summary: 'Decline an invite',
        description: 'Returns 410 if the invite has expired, 409 if it was already accepted.',
        requires: 'the email that the invite is for, verified',
        ...messageResponse(DECLINED),
        errors: [emailNotVerified(), notFound('invite'), acceptedAlready(), inviteExpired()],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('invite_id')),
    __param(2, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object]),
    __metadata("design:returntype", Promise)
], InvitesController.prototype, "declineInvite", null);
InvitesController = __decorate([
    Controller(),
    __param(2, Inject(CONFIG)),
    __metadata("design:paramtypes", [InvitesService,
        MyInvitesService, Object])
], InvitesController);
export { InvitesController };
//# sourceMappingURL=invites.controller.js.map