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
import { WORKSPACE_ROLES } from '../../access/roles.js';
import { PersonResponse, serializePerson } from '../../auth/person.wire.js';
import { Email, Id, OneOf } from '../../validation/fields.js';
import { ListBodyPipe } from '../../validation/lists.js';
const USER_ID = {
    description: 'Id of the person: `_id` in the list of members.',
    example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0a',
};
let AddWorkspaceMemberRequest = class AddWorkspaceMemberRequest {
    email;
    role;
};
__decorate([
    Email({
        description: 'Email of a team member; letter case does not matter.',
        example: 'bob@example.com',
    }),
    __metadata("design:type", String)
], AddWorkspaceMemberRequest.prototype, "email", void 0);
__decorate([
    OneOf(WORKSPACE_ROLES, { description: 'Role in the workspace.', example: 'editor' }),
    __metadata("design:type", String)
], AddWorkspaceMemberRequest.prototype, "role", void 0);
AddWorkspaceMemberRequest = __decorate([
    ApiSchema({ name: 'AddWorkspaceMember', description: 'A team member, and their role.' })
], AddWorkspaceMemberRequest);
export { AddWorkspaceMemberRequest };
const MOST_ADDED = 100;
/** The body of addWorkspaceMembers: a list of 1 to 100, no email twice. */
export const AddWorkspaceMembersBody = new ListBodyPipe(AddWorkspaceMemberRequest, {
    max: MOST_ADDED,
    distinct: 'email',
});
/** The same, for OpenAPI. */
export const ADD_WORKSPACE_MEMBERS_SCHEMA = {
    type: 'array',
    title: 'AddWorkspaceMembersRequest',
    description: 'All people are added, or none.',
    minItems: 1,
    maxItems: MOST_ADDED,
};
let UpdateWorkspaceMemberRequest = class UpdateWorkspaceMemberRequest {
    userId;
    role;
};
__decorate([
    Id(USER_ID),
    __metadata("design:type", String)
], UpdateWorkspaceMemberRequest.prototype, "userId", void 0);
__decorate([
    OneOf(WORKSPACE_ROLES, { description: 'The new role.', example: 'reader' }),
    __metadata("design:type", String)
], UpdateWorkspaceMemberRequest.prototype, "role", void 0);
UpdateWorkspaceMemberRequest = __decorate([
    ApiSchema({ name: 'UpdateWorkspaceRoleRequest', description: 'A new role in a workspace.' })
], UpdateWorkspaceMemberRequest);
export { UpdateWorkspaceMemberRequest };
let RemoveWorkspaceMemberRequest = class RemoveWorkspaceMemberRequest {
    userId;
};
__decorate([
    Id(USER_ID),
    __metadata("design:type", String)
], RemoveWorkspaceMemberRequest.prototype, "userId", void 0);
RemoveWorkspaceMemberRequest = __decorate([
    ApiSchema({ name: 'RemoveWorkspaceUserRequest', description: 'The person who loses their role.' })
], RemoveWorkspaceMemberRequest);
export { RemoveWorkspaceMemberRequest };
let WorkspaceMemberResponse = class WorkspaceMemberResponse extends PersonResponse {
    role;
};
__decorate([
    ApiProperty({ enum: WORKSPACE_ROLES, description: 'Role in the workspace.', example: 'editor' }),
    __metadata("design:type", String)
], WorkspaceMemberResponse.prototype, "role", void 0);
WorkspaceMemberResponse = __decorate([
    ApiSchema({
        name: 'WorkspaceMember',
        description: 'Someone with a role of their own in the workspace.',
    })
], WorkspaceMemberResponse);
export { WorkspaceMemberResponse };
let WorkspaceMemberListResponse = class WorkspaceMemberListResponse {
    users;
};
__decorate([
    ApiProperty({ type: [WorkspaceMemberResponse], description: 'The longest-standing first.' }),
    __metadata("design:type", Array)
], WorkspaceMemberListResponse.prototype, "users", void 0);
WorkspaceMemberListResponse = __decorate([
    ApiSchema({
        name: 'WorkspaceMemberList',
        description: 'Everyone with a role of their own in the workspace.',
    })
], WorkspaceMemberListResponse);
export { WorkspaceMemberListResponse };
/** The members of a workspace as one who can see it reads them. */
export function serializeWorkspaceMembers(members) {
    return { users: members.map((member) => ({ ...serializePerson(member), role: member.role })) };
}
//# sourceMappingURL=workspace-member.wire.js.map