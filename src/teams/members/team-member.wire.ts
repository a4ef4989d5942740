import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { PersonResponse, serializePerson } from '../../http/record.wire.js';
import { Id, OneOf, Text } from '../../validation/fields.js';
import type { TeamMember } from './team-members.repository.js';

const USER_ID = {
  description: 'Id of the person: `_id` in the list of members.',
};

@ApiSchema({ name: 'JoinTeamRequest', description: 'The code that the team gives out.' })
export class JoinTeamRequest {
  @Text({ min: 1, max: 24 }, { description: '`inviteCode` of the team.' })
  inviteCode!: string;
}

@ApiSchema({ name: 'UpdateTeamMemberRoleRequest', description: 'A new role for a team member.' })
export class UpdateTeamMemberRequest {
  @Id(USER_ID)
  userId!: string;

  @OneOf(TEAM_ROLES, { description: 'The new role.' })
  role!: TeamRole;
}

@ApiSchema({ name: 'RemoveTeamMemberRequest', description: 'The person to remove.' })
export class RemoveTeamMemberRequest {
  @Id(USER_ID)
  userId!: string;
}

@ApiSchema({ name: 'TeamMember', description: 'Someone in a team.' })
export class TeamMemberResponse extends PersonResponse {
  @ApiProperty({ enum: TEAM_ROLES, description: 'Role in the team.' })
  role!: TeamRole;
}

@ApiSchema({ name: 'TeamMemberList', description: 'Everyone in a team.' })
export class TeamMemberListResponse {
  @ApiProperty({ type: [TeamMemberResponse], description: 'The longest-standing first.' })
  users!: TeamMemberResponse[];
}

/** The members of a team as one of them reads them. */
export const serializeMember = (member: TeamMember): TeamMemberResponse => ({
  ...serializePerson(member),
  role: member.role,
});
