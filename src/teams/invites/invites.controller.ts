import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { TeamQuery } from '../team.wire.js';
import { InvitesListResponse, presentInvites, SendInvitesRequest } from './invite.wire.js';
import { InvitesService } from './invites.service.js';

@ApiTags('people')
@ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
@Controller('teams/:team_slug/invites')
export class InvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Get()
  @ApiOperation({
    summary: 'The invites of a team',
    description: 'Those that wait for an answer, expired ones too. Takes a moderator.',
  })
  @ApiOkResponse({ type: InvitesListResponse })
  async getTeamInvites(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<InvitesListResponse> {
    return presentInvites(await this.invites.list(actor, { slug, id: teamId }));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Invite people to a team',
    description:
      'All or none. One that waits for an answer is renewed: new role and expiry, same id. Moderators invite only to roles below moderator. 409 when someone is a member already, 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: InvitesListResponse })
  async sendTeamInvites(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() { invites }: SendInvitesRequest,
  ): Promise<InvitesListResponse> {
    return presentInvites(await this.invites.send(actor, { slug, id: teamId }, invites));
  }

  @Delete(':invite_id')
  @ApiParam({ name: 'invite_id', description: 'Id of the invite.' })
  @ApiOperation({
    summary: 'Take an invite back',
    description: 'Moderators only those to roles below moderator. 409 when it was accepted.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async revokeTeamInvite(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Param('invite_id') inviteId: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<MessageResponse> {
    await this.invites.revoke(actor, { slug, id: teamId }, inviteId);
    return { message: 'The invite was revoked.' };
  }
}
