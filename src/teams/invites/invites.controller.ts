import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { CurrentActor } from '../../auth/token.guard.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { asJson, respondWithList, USERS } from '../../http/list-response.js';
import { PageQuery, toPageRequest } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { Costs } from '../../rate-limit/rate-limit.js';
import { INVITES_PER_POINT } from '../limits.js';
import type { TeamRef } from '../team.js';
import { serializeTeam, TeamResponse, withTeamEtag } from '../team.wire.js';
import { Team } from '../team-ref.js';
import {
  SendInviteRequest,
  serializeInvite,
  serializeInvites,
  TeamInvitesListResponse,
} from './invite.wire.js';
import { InvitesService } from './invites.service.js';

const DECLINED: MessageResponse = { message: 'The invite was declined.' };
const REVOKED: MessageResponse = { message: 'The invite was revoked.' };
const INVITE_ID = { name: 'invite_id', description: 'Id of the invite.' };

/** Invites, as the team and as the invited person see them. */
@Controller()
export class InvitesController {
  constructor(private readonly invites: InvitesService) {}

  @ApiTags('invites')
  @Get('teams/:team_slug/invites')
  @JsonText()
  @Operation({
    summary: 'List the invites of a team',
    description: 'Pending invites, including expired ones.',
    access: { action: 'team.managePeople', on: 'team' },
    response: 'The pending invites.',
    type: TeamInvitesListResponse,
    headers: ['Link'],
  })
  async getTeamInvites(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.invites.list(actor, team, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeInvite), USERS);
  }

  @ApiTags('invites')
  @Post('teams/:team_slug/invites')
  @Idempotent('team.managePeople')
  @Costs({ list: 'invites', per: INVITES_PER_POINT })
  @Operation({
    summary: 'Invite people to a team',
    description:
      'All invites are sent, or none. A pending invite is renewed: it gets the new role and expiry and keeps its id. Returns 409 if someone is already a member, 403 at the limit of the plan, which also limits the number of pending invites.',
    requires: '`owner` of the team; a `moderator` for roles below moderator',
    access: { action: 'team.managePeople', on: 'people' },
    response: 'The invites that were sent.',
    type: TeamInvitesListResponse,
  })
  async sendTeamInvites(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { invites }: SendInviteRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, serializeInvites, (write) =>
      this.invites.send(actor, team, invites, write),
    );
  }

  @ApiTags('invites')
  @Delete('teams/:team_slug/invites/:invite_id')
  @ApiParam(INVITE_ID)
  @Operation({
    summary: 'Revoke an invite',
    description: 'Returns 409 if it was already accepted.',
    requires: '`owner` of the team; a `moderator` for invites to roles below moderator',
    access: { action: 'team.managePeople', on: 'people' },
    ...messageResponse(REVOKED),
    bare: true,
  })
  async revokeTeamInvite(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('invite_id') inviteId: string,
  ): Promise<MessageResponse> {
    await this.invites.revoke(actor, team, inviteId);
    return REVOKED;
  }

  @ApiTags('me')
  @Get('invites')
  @JsonText()
  @Operation({
    summary: 'List the invites of the caller',
    description: 'Invites to the email of the token; none if that email is not verified.',
    requires: 'a token; without a verified email the list is empty',
    response: 'The invites to the email of the caller.',
    type: TeamInvitesListResponse,
    headers: ['Link'],
  })
  async getMyInvites(
    @CurrentActor() actor: Actor,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.invites.listMine(actor, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeInvite), USERS);
  }

  @ApiTags('me')
  @Post('invites/:invite_id/accept')
  @Idempotent()
  @ApiParam(INVITE_ID)
  @Operation({
    summary: 'Accept an invite',
    description:
      'The caller joins the team in the role of the invite. Returns 410 if the invite has expired, 409 if it was already accepted, and 403 at the limit of the plan, or as `owner` if the caller owns too many teams.',
    requires: 'the email that the invite is for, verified',
    response: 'The team; the caller has the role of the invite. A replay has no ETag.',
    type: TeamResponse,
    headers: ['ETag'],
  })
  async acceptInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeTeam, async (write) =>
      withTeamEtag(reply, await this.invites.accept(actor, inviteId, write)),
    );
  }

  @ApiTags('me')
  @Post('invites/:invite_id/decline')
  @Idempotent()
  @ApiParam(INVITE_ID)
  @Operation({
    summary: 'Decline an invite',
    description: 'Returns 410 if the invite has expired, 409 if it was already accepted.',
    requires: 'the email that the invite is for, verified',
    ...messageResponse(DECLINED),
  })
  async declineInvite(
    @CurrentActor() actor: Actor,
    @Param('invite_id') inviteId: string,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(
      key,
      () => DECLINED,
      (write) => this.invites.decline(actor, inviteId, write),
    );
  }
}
