import { WORKSPACE_ROLES, type WorkspaceRole } from '../../access/roles.js';
import { PersonResponse, serializePerson } from '../../http/record.wire.js';
import { Property, Schema } from '../../openapi/property.js';
import { Email, Id, OneOf } from '../../validation/fields.js';
import { ListBodyPipe } from '../../validation/lists.js';
import { MAX_ADDED } from '../limits.js';
import type { WorkspaceMember } from './workspace-members.repository.js';

const USER_ID = 'Id of the person: `_id` in the list of members.';

@Schema('A team member, and their role.', 'AddWorkspaceMember')
export class AddWorkspaceMemberRequest {
  @Email('Email of a team member; letter case does not matter.') email!: string;
  @OneOf(WORKSPACE_ROLES, 'Role in the workspace.') role!: WorkspaceRole;
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

@Schema('A new role in a workspace.')
export class UpdateWorkspaceRoleRequest {
  @Id(USER_ID) userId!: string;
  @OneOf(WORKSPACE_ROLES, 'The new role.') role!: WorkspaceRole;
}

@Schema('The person who loses their role.')
export class RemoveWorkspaceUserRequest {
  @Id(USER_ID) userId!: string;
}

@Schema('Someone with a role of their own in the workspace.')
export class WorkspaceMemberResponse extends PersonResponse {
  @Property('Role in the workspace.', { enum: WORKSPACE_ROLES }) role!: WorkspaceRole;
}

@Schema('Everyone with a role of their own in the workspace.')
export class WorkspaceMemberListResponse {
  @Property('The longest-standing first.', { type: [WorkspaceMemberResponse] })
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
