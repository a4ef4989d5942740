import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { MessageResponse } from '../../http/message.wire.js';
import { LINK_HEADER, PageQuery } from '../../http/pagination.js';
import { IdempotencyKey, Repeatable } from '../../idempotency/idempotency-key.js';
import { once, type RequestKey } from '../../idempotency/once.js';
import { Costs } from '../../rate-limit/rate-limit.guard.js';
import { linkNextPage, toPageRequest } from '../page.wire.js';
import type { TeamRef } from '../team.js';
import { presentTeam, TeamResponse } from '../team.wire.js';
import { Team } from '../team-ref.js';
import { InvitesListResponse, presentInvites, SendInvitesRequest } from './invite.wire.js';
import { InvitesService } from './invites.service.js';
import { MyInvitesService } from './my-invites.service.js';

const DECLINED: MessageResponse = { message: 'The invite was declined.' };
const INVITE_ID = { name: 'invite_id', description: 'Id of the invite.' };

/** Invites, as the team and as the invited person see them. */
@ApiTags('people')
@Controller()
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly mine: MyInvitesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('teams/:team_slug/invites')
  @ApiOperation({
    summary: 'List the invites of a team',
    description: 'Invites that wait for an answer, including expired ones.',
  })
  @ApiOkResponse({ type: InvitesListResponse, headers: LINK_HEADER })
  async getTeamInvites(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvitesListResponse> {
    const page = await this.invites.list(actor, team, toPageRequest(query));
    linkNextPage(reply, this.config.publicUrl, page);
    return presentInvites(page.items);
  }

  @Post('teams/:team_slug/invites')
  @Repeatable()
  @Costs({ list: 'invites', per: 10 })
  @ApiOperation({
    summary: 'Invite people to a team',
    description:
      'All invites are sent, or none. An invite that waits for an answer is renewed: it gets the new role and expiry and keeps its id. 409 when someone is a member already, 403 at the limit of the plan, which also limits how many invites are pending.',
  })
  @ApiOkResponse({ type: InvitesListResponse })
  async sendTeamInvites(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { invites }: SendInvitesRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<InvitesListResponse> {
    const sent = await this.invites.send(actor, team, invites, once(key, presentInvites));
    return presentInvites(sent);
  }

  @Delete('teams/:team_slug/invites/:invite_id')
  @ApiParam(INVITE_ID)
  @ApiOperation({
    summary: 'Revoke an invite',
    description: '409 when it was accepted already.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async revokeTeamInvite(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('invite_id') inviteId: string,
  ): Promise<MessageResponse> {
    await this.invites.revoke(actor, team, inviteId);
    return { message: 'The invite was revoked.' };
  }

  @Get('invites')
  @ApiOperation({
    summary: 'List the invites of the caller',
    description: 'Invites to the email of the token; none where that email is not verified.',
  })
  @ApiOkResponse({ type: InvitesListResponse, headers: LINK_HEADER })
  async getMyInvites(
    @CurrentActor() actor: Actor,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvitesListResponse> {
    const page = await this.mine.list(actor, toPageRequest(query));
    linkNextPage(reply, this.config.publicUrl, page);
    return presentInvites(page.items);
  }

  @Post('invites/:invite_id/accept')
  @Repeatable()
  @ApiParam(INVITE_ID)
  @ApiOperation({
    summary: 'Accept an invite',
    description:
      'The caller joins the team in the role of the invite. 410 when the invite has expired, 409 when it was accepted already, 403 at the limit of the plan, or as `owner` when the caller owns too many teams.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async acceptInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<TeamResponse> {
    return presentTeam(await this.mine.accept(actor, inviteId, once(key, presentTeam)));
  }

  @Post('invites/:invite_id/decline')
  @Repeatable()
  @ApiParam(INVITE_ID)
  @ApiOperation({
    summary: 'Decline an invite',
    description: '410 when the invite has expired, 409 when it was accepted already.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async declineInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<MessageResponse> {
    await this.mine.decline(
      actor,
      inviteId,
      once(key, () => DECLINED),
    );
    return DECLINED;
  }
}
