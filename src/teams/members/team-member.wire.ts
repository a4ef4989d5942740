import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { PersonResponse, serializePerson } from '../../http/record.wire.js';
import { Property, Schema } from '../../openapi/property.js';
import { Id, OneOf, Text } from '../../validation/fields.js';
import type { TeamMember } from './team-members.repository.js';

const USER_ID = 'Id of the person: `_id` in the list of members.';

@Schema('The code that the team gives out.')
export class JoinTeamRequest {
  @Text({ min: 1, max: 24 }, '`inviteCode` of the team.') inviteCode!: string;
}

@Schema('A new role for a team member.')
export class UpdateTeamMemberRoleRequest {
  @Id(USER_ID) userId!: string;
  @OneOf(TEAM_ROLES, 'The new role.') role!: TeamRole;
}

@Schema('The person to remove.')
export class RemoveTeamMemberRequest {
  @Id(USER_ID) userId!: string;
}

@Schema('Someone in a team.')
export class TeamMemberResponse extends PersonResponse {
  @Property('Role in the team.', { enum: TEAM_ROLES }) role!: TeamRole;
}

@Schema('Everyone in a team.')
export class TeamMemberListResponse {
  @Property('The longest-standing first.', { type: [TeamMemberResponse] })
  users!: TeamMemberResponse[];
}

/** The members of a team as one of them reads them. */
export const serializeMember = (member: TeamMember): TeamMemberResponse => ({
  ...serializePerson(member),
  role: member.role,
});
