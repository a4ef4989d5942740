import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { presentTeam, TeamQuery, TeamResponse } from '../team.wire.js';
import { JoinTeamRequest } from './invite.wire.js';
import { JoiningService } from './joining.service.js';

@ApiTags('people')
@Controller('teams')
export class JoiningController {
  constructor(private readonly joining: JoiningService) {}

  @Post('join')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Join a team by its invite code',
    description:
      'As a member. 404 when no team has the code, 409 for a member, 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async joinTeam(
    @CurrentActor() actor: Actor,
    @Body() { inviteCode }: JoinTeamRequest,
  ): Promise<TeamResponse> {
    return presentTeam(await this.joining.join(actor, inviteCode), actor);
  }

  @Post(':team_slug/invite-code')
  @HttpCode(200)
  @ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
  @ApiOperation({
    summary: 'Renew the invite code of a team',
    description: 'The old one opens nothing any more. Takes a moderator.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async renewInviteCode(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<TeamResponse> {
    return presentTeam(await this.joining.renewCode(actor, { slug, id: teamId }), actor);
  }
}
