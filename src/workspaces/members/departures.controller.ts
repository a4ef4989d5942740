import { Body, Controller, Delete, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { RemoveTeamMemberRequest } from '../../teams/members/member.wire.js';
import { TeamQuery } from '../../teams/team.wire.js';
import { DeparturesService } from './departures.service.js';

/** Leaving a team takes the roles in its workspaces: hence here, and not in teams/. */
@ApiTags('people')
@ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
@Controller('teams/:team_slug/members')
export class DeparturesController {
  constructor(private readonly departures: DeparturesService) {}

  @Delete()
  @ApiOperation({
    summary: 'Remove a member from a team, or leave it',
    description:
      'With all roles in its workspaces, at once. Owners remove anyone, moderators only people below moderator, everyone themselves. 409 for the last owner.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() { userId }: RemoveTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.departures.remove(actor, { slug, id: teamId }, userId);
    return { message: 'The member was removed from the team.' };
  }
}
