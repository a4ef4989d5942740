import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../access/roles.js';
import { PersonResponse, serializePerson } from '../../http/record.wire.js';
import { Email, Id, OneOf } from '../../validation/fields.js';
import { ListBodyPipe } from '../../validation/lists.js';
import { MAX_ADDED } from '../limits.js';
import type { WorkspaceMember } from './workspace-members.repository.js';

const USER_ID = {
  description: 'Id of the person: `_id` in the list of members.',
};

@ApiSchema({ name: 'AddWorkspaceMember', description: 'A team member, and their role.' })
export class AddWorkspaceMemberRequest {
  @Email({
    description: 'Email of a team member; letter case does not matter.',
  })
  email!: string;

  @OneOf(WORKSPACE_ROLES, { description: 'Role in the workspace.' })
  role!: WorkspaceRole;
}

/** The body of addWorkspaceMembers: a list of 1 to 100, no email twice. */
export const AddWorkspaceMembersBody = new ListBodyPipe(AddWorkspaceMemberRequest, {
  max: MAX_ADDED,
  distinct: 'email',
});

/** The same, for OpenAPI. */
export const ADD_WORKSPACE_MEMBERS_SCHEMA = {
  type: 'array' as const,
  title: 'AddWorkspaceMembersRequest',
  description: 'All people are added, or none.',
  minItems: 1,
  maxItems: MAX_ADDED,
};

@ApiSchema({ name: 'UpdateWorkspaceRoleRequest', description: 'A new role in a workspace.' })
export class UpdateWorkspaceMemberRequest {
  @Id(USER_ID)
  userId!: string;

  @OneOf(WORKSPACE_ROLES, { description: 'The new role.' })
  role!: WorkspaceRole;
}

@ApiSchema({ name: 'RemoveWorkspaceUserRequest', description: 'The person who loses their role.' })
export class RemoveWorkspaceMemberRequest {
  @Id(USER_ID)
  userId!: string;
}

@ApiSchema({
  name: 'WorkspaceMember',
  description: 'Someone with a role of their own in the workspace.',
})
export class WorkspaceMemberResponse extends PersonResponse {
  @ApiProperty({ enum: WORKSPACE_ROLES, description: 'Role in the workspace.' })
  role!: WorkspaceRole;
}

@ApiSchema({
  name: 'WorkspaceMemberList',
  description: 'Everyone with a role of their own in the workspace.',
})
export class WorkspaceMemberListResponse {
  @ApiProperty({ type: [WorkspaceMemberResponse], description: 'The longest-standing first.' })
  users!: WorkspaceMemberResponse[];
}

/** The members of a workspace as one who can see it reads them. */
export const serializeWorkspaceMember = (member: WorkspaceMember): WorkspaceMemberResponse => ({
  ...serializePerson(member),
  role: member.role,
});

export const serializeWorkspaceMembers = (
  members: readonly WorkspaceMember[],
): WorkspaceMemberListResponse => ({ users: members.map(serializeWorkspaceMember) });
