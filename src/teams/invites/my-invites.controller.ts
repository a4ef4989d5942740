import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { presentTeam, TeamResponse } from '../team.wire.js';
import { InvitesListResponse, presentInvites } from './invite.wire.js';
import { JoiningService } from './joining.service.js';

const INVITE_ID = { name: 'invite_id', description: 'Id of the invite.' };

@ApiTags('people')
@Controller('invites')
export class MyInvitesController {
  constructor(private readonly joining: JoiningService) {}

  @Get()
  @ApiOperation({
    summary: 'The invites of the caller',
    description: "Those to the token's email that can be accepted; none where it is not verified.",
  })
  @ApiOkResponse({ type: InvitesListResponse })
  async getMyInvites(@CurrentActor() actor: Actor): Promise<InvitesListResponse> {
    return presentInvites(await this.joining.list(actor));
  }

  @Post(':invite_id/accept')
  @HttpCode(200)
  @ApiParam(INVITE_ID)
  @ApiOperation({
    summary: 'Accept an invite',
    description:
      'Answers the team as its new member sees it. 410 when it expired, 409 when it was accepted already, 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async acceptInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
  ): Promise<TeamResponse> {
    return presentTeam(await this.joining.accept(actor, inviteId), actor);
  }

  @Post(':invite_id/decline')
  @HttpCode(200)
  @ApiParam(INVITE_ID)
  @ApiOperation({
    summary: 'Decline an invite',
    description: '410 when it expired, 409 when it was accepted already.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async declineInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
  ): Promise<MessageResponse> {
    await this.joining.decline(actor, inviteId);
    return { message: 'The invite was declined.' };
  }
}
