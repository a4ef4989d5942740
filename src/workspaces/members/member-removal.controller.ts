import { Body, Controller, Delete } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { RemoveTeamMemberRequest } from '../../teams/members/team-member.wire.js';
import type { TeamRef } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import { MemberRemovalService } from './member-removal.service.js';

/** Member removal takes the roles in the team's workspaces along: hence here, not in teams/. */
@ApiTags('people')
@Controller('teams/:team_slug/members')
export class MemberRemovalController {
  constructor(private readonly removal: MemberRemovalService) {}

  @Delete()
  @ApiOperation({
    summary: 'Remove a member from a team, or leave it',
    description:
      'The person loses all roles in its workspaces at once. If somebody else removes them, the invite code is renewed, and their pending invites are revoked. An owner may remove anyone, a moderator only people below moderator, and everyone themselves. 409 for the last owner.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { userId }: RemoveTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.removal.remove(actor, team, userId);
    return { message: 'The member was removed from the team.' };
  }
}
