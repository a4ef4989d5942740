import { Body, Controller, Delete } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import { MessageResponse } from '../../http/record.wire.js';
import { bodyErrors, messageResponse, Operation } from '../../openapi/operation.js';
import { lastOwner } from '../../teams/errors.js';
import { RemoveTeamMemberRequest } from '../../teams/members/team-member.wire.js';
import type { TeamRef } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import { MemberRemovalService } from './member-removal.service.js';

const REMOVED: MessageResponse = { message: 'The member was removed from the team.' };

/** Member removal takes the roles in the team's workspaces along: hence here, not in teams/. */
@ApiTags('members')
@Controller('teams/:team_slug/members')
export class MemberRemovalController {
  constructor(private readonly removal: MemberRemovalService) {}

  @Delete()
  @Operation({
    summary: 'Remove a member from a team, or leave it',
    description:
      'The person loses all roles in its workspaces at once. If someone else removes them, the invite code is renewed, and their pending invites are revoked. An owner may remove anyone, a moderator only people below moderator, and everyone themselves. Returns 409 for the last owner.',
    requires:
      '`owner` of the team; a `moderator` for people below moderator; everyone for themselves',
    access: { action: 'team.managePeople', on: 'people' },
    ...messageResponse(REMOVED),
    errors: [...bodyErrors(RemoveTeamMemberRequest, {}), notFound('member'), lastOwner()],
  })
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { userId }: RemoveTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.removal.remove(actor, team, userId);
    return REMOVED;
  }
}
