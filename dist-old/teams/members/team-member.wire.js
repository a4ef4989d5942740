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
import { PersonResponse, serializePerson } from '../../auth/person.wire.js';
import { Id, OneOf } from '../../validation/fields.js';
const USER_ID = {
    description: 'Id of the person: `_id` in the list of members.',
    example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0a',
};
let UpdateTeamMemberRequest = class UpdateTeamMemberRequest {
    userId;
    role;
};
__decorate([
    Id(USER_ID),
    __metadata("design:type", String)
], UpdateTeamMemberRequest.prototype, "userId", void 0);
__decorate([
    OneOf(TEAM_ROLES, { description: 'The new role.', example: 'moderator' }),
    __metadata("design:type", String)
], UpdateTeamMemberRequest.prototype, "role", void 0);
UpdateTeamMemberRequest = __decorate([
    ApiSchema({ name: 'UpdateTeamMemberRoleRequest', description: 'A new role for a team member.' })
], UpdateTeamMemberRequest);
export { UpdateTeamMemberRequest };
let RemoveTeamMemberRequest = class RemoveTeamMemberRequest {
    userId;
};
__decorate([
    Id(USER_ID),
    __metadata("design:type", String)
], RemoveTeamMemberRequest.prototype, "userId", void 0);
RemoveTeamMemberRequest = __decorate([
    ApiSchema({ name: 'RemoveTeamMemberRequest', description: 'The person to remove.' })
], RemoveTeamMemberRequest);
export { RemoveTeamMemberRequest };
let TeamMemberResponse = class TeamMemberResponse extends PersonResponse {
    role;
};
__decorate([
    ApiProperty({ enum: TEAM_ROLES, description: 'Role in the team.', example: 'member' }),
    __metadata("design:type", String)
], TeamMemberResponse.prototype, "role", void 0);
TeamMemberResponse = __decorate([
    ApiSchema({ name: 'TeamMember', description: 'Someone in a team.' })
], TeamMemberResponse);
export { TeamMemberResponse };
let TeamMemberListResponse = class TeamMemberListResponse {
    users;
};
__decorate([
    ApiProperty({ type: [TeamMemberResponse], description: 'The longest-standing first.' }),
    __metadata("design:type", Array)
], TeamMemberListResponse.prototype, "users", void 0);
TeamMemberListResponse = __decorate([
    ApiSchema({ name: 'TeamMemberList', description: 'Everyone in a team.' })
], TeamMemberListResponse);
export { TeamMemberListResponse };
/** The members of a team as one of them reads them. */
export function serializeMembers(members) {
    return { users: members.map((member) => ({ ...serializePerson(member), role: member.role })) };
}
//# sourceMappingURL=team-member.wire.js.map