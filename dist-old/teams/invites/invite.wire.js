var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TEAM_ROLES } from '../../access/roles.js';
import { isoTime } from '../../http/record.wire.js';
import { Email, OneOf } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
let NewInviteRequest = class NewInviteRequest {
    email;
    role;
};
__decorate([
    Email({
        description: 'Whom to invite; letter case does not matter.',
        example: 'bob@example.com',
    }),
    __metadata("design:type", String)
], NewInviteRequest.prototype, "email", void 0);
__decorate([
    OneOf(TEAM_ROLES, { description: 'Role that accepting gives.', example: 'member' }),
    __metadata("design:type", String)
], NewInviteRequest.prototype, "role", void 0);
NewInviteRequest = __decorate([
    ApiSchema({ name: 'NewTeamInvite', description: 'Whom to invite, and as what.' })
], NewInviteRequest);
export { NewInviteRequest };
let SendInvitesRequest = class SendInvitesRequest {
    invites;
};
__decorate([
    ListOf(() => NewInviteRequest, { max: 100, distinct: 'email' }, { description: 'The invites; no email twice.' }),
    __metadata("design:type", Array)
], SendInvitesRequest.prototype, "invites", void 0);
SendInvitesRequest = __decorate([
    ApiSchema({ name: 'SendInviteRequest', description: 'All invites are sent, or none.' })
], SendInvitesRequest);
export { SendInvitesRequest };
let InviteResponse = class InviteResponse {
    _id;
    email;
    role;
    expires;
    createdAt;
};
__decorate([
    ApiProperty({ description: 'Unique id.', example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0b' }),
    __metadata("design:type", String)
], InviteResponse.prototype, "_id", void 0);
__decorate([
    ApiProperty({ format: 'idn-email', description: 'Who is invited.', example: 'bob@example.com' }),
    __metadata("design:type", String)
], InviteResponse.prototype, "email", void 0);
__decorate([
    ApiProperty({ enum: TEAM_ROLES, description: 'Role that accepting gives.', example: 'member' }),
    __metadata("design:type", String)
], InviteResponse.prototype, "role", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'When it expires, or did: ISO 8601 UTC with milliseconds.',
        example: '2026-01-15T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], InviteResponse.prototype, "expires", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'When it was sent first: ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], InviteResponse.prototype, "createdAt", void 0);
InviteResponse = __decorate([
    ApiSchema({ name: 'TeamInvite', description: 'A pending invite.' })
], InviteResponse);
export { InviteResponse };
let InvitesListResponse = class InvitesListResponse {
    users;
};
__decorate([
    ApiProperty({ type: [InviteResponse], description: 'The invites.' }),
    __metadata("design:type", Array)
], InvitesListResponse.prototype, "users", void 0);
InvitesListResponse = __decorate([
    ApiSchema({ name: 'TeamInvitesList', description: 'Pending invites.' })
], InvitesListResponse);
export { InvitesListResponse };
/** Invites, as sender or invited person read them. */
export function serializeInvites(invites) {
    const users = invites.map(({ id, email, role, expiresAt, createdAt }) => ({
        _id: id,
        email,
        role,
        expires: isoTime(expiresAt),
        createdAt: isoTime(createdAt),
    }));
    return { users };
}
//# sourceMappingURL=invite.wire.js.map