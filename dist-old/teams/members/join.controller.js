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
import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../../idempotency/idempotent-write.js';
import { bodyErrors } from '../../openapi/example-errors.js';
import { Operation } from '../../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../team.js';
import { serializeTeam, TeamResponse } from '../team.wire.js';
import { JoinService } from './join.service.js';
import { JoinTeamRequest } from './join.wire.js';
import { memberAlready } from './team-member.js';
let JoinController = class JoinController {
    join;
    constructor(join) {
        this.join = join;
    }
    async joinTeam(actor, { inviteCode }, key) {
        return idempotentResponse(key, serializeTeam, (write) => this.join.byCode(actor, inviteCode, write));
    }
};
__decorate([
    Post(),
    Idempotent(),
    Operation({
        summary: 'Join a team by its invite code',
        description: 'The caller becomes a `member`. Returns 404 if no team has the code, 409 if the caller is already a member, 403 at the limit of the plan.',
        requires: 'the invite code',
        response: 'The team; the caller is a member.',
        type: TeamResponse,
        errors: [
            ...bodyErrors(JoinTeamRequest, {}),
            limitReached(ON_FREE_PLAN, 'users'),
            notFound('team with this invite code'),
            memberAlready(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Body()),
    __param(2, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, JoinTeamRequest, Object]),
    __metadata("design:returntype", Promise)
], JoinController.prototype, "joinTeam", null);
JoinController = __decorate([
    ApiTags('me'),
    Controller('teams/join'),
    __metadata("design:paramtypes", [JoinService])
], JoinController);
export { JoinController };
//# sourceMappingURL=join.controller.js.map