import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { TeamQuery } from '../team.wire.js';
import { presentMembers, TeamMemberListResponse, UpdateTeamMemberRequest } from './member.wire.js';
import { TeamMembersService } from './team-members.service.js';

@ApiTags('people')
@ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
@Controller('teams/:team_slug/members')
export class TeamMembersController {
  constructor(private readonly members: TeamMembersService) {}

  @Get()
  @ApiOperation({
    summary: 'The members of a team',
    description: 'The longest-standing first. 403 for guests.',
  })
  @ApiOkResponse({ type: TeamMemberListResponse })
  async getTeamMembers(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<TeamMemberListResponse> {
    return presentMembers(await this.members.list(actor, { slug, id: teamId }));
  }

  @Put()
  @ApiOperation({
    summary: "Change a team member's role",
    description:
      'Owners give anyone any role; moderators only people and roles below moderator. 409 for the last owner.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async updateTeamMember(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() { userId, role }: UpdateTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.members.changeRole(actor, { slug, id: teamId }, userId, role);
    return { message: 'The role was changed.' };
  }
}
