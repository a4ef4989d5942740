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
import { Body, Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import { bodyErrors, peopleErrors } from '../../openapi/example-errors.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { RemoveTeamMemberRequest } from '../../teams/members/team-member.wire.js';
import { Team } from '../../teams/team-ref.js';
import { MemberRemovalService } from './member-removal.service.js';
const REMOVED = { message: 'The member was removed from the team.' };
/** Member removal takes the roles in the team's workspaces along: hence here, not in teams/. */
let MemberRemovalController = class MemberRemovalController {
    removal;
    constructor(removal) {
        this.removal = removal;
    }
    async removeTeamMember(actor, team, { userId }) {
        await this.removal.remove(actor, team, userId);
        return REMOVED;
    }
};
__decorate([
    Delete(),
    Operation({
        summary: 'Remove a member from a team, or leave it',
        description: 'The person loses all roles in its workspaces at once. If someone else removes them, the invite code is renewed, and their pending invites are revoked. An owner may remove anyone, a moderator only people below moderator, and everyone themselves. Returns 409 for the last owner.',
        requires: '`owner` of the team; a `moderator` for people below moderator; everyone for themselves',
        ...messageResponse(REMOVED),
        errors: [
            ...bodyErrors(RemoveTeamMemberRequest, {}),
            ...peopleErrors(),
            notFound('member'),
            lastOwner(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Team()),
    __param(2, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, RemoveTeamMemberRequest]),
    __metadata("design:returntype", Promise)
], MemberRemovalController.prototype, "removeTeamMember", null);
MemberRemovalController = __decorate([
    ApiTags('members'),
    Controller('teams/:team_slug/members'),
    __metadata("design:paramtypes", [MemberRemovalService])
], MemberRemovalController);
export { MemberRemovalController };
//# sourceMappingURL=member-removal.controller.js.map