import { Body, Controller, Get, Headers, Post, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { CurrentActor } from '../auth/token.guard.js';
import { IF_NONE_MATCH, IF_SETTINGS_MATCH, respondWithRecord } from '../http/etag.js';
import { type JsonBody, JsonText } from '../http/json-stream.js';
import { asJson, respondWithList } from '../http/list-response.js';
import { PageQuery, toPageRequest } from '../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../idempotency/idempotent-write.js';
import { Operation } from '../openapi/operation.js';
import { type TeamRef, teamSettings } from './team.js';
import {
  CreateTeamRequest,
  serializeTeam,
  TeamResponse,
  UpdateTeamRequest,
  withTeamEtag,
} from './team.wire.js';
import { Team } from './team-ref.js';
import { TeamsService } from './teams.service.js';

@ApiTags('teams')
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @JsonText()
  @Operation({
    summary: 'List the teams of the caller',
    description: 'Oldest first.',
    requires: 'a token',
    response: 'The teams, oldest first.',
    type: [TeamResponse],
    headers: ['Link'],
  })
  async getTeams(
    @CurrentActor() actor: Actor,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.teams.list(actor, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeTeam));
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a team',
    description:
      'The caller becomes its owner, and its plan is `free`. Returns 409 if the slug is taken, 403 if the caller owns too many teams.',
    requires: 'a token',
    response: 'The new team; the caller is its owner. A replay has no ETag.',
    type: TeamResponse,
    headers: ['ETag'],
  })
  async createTeam(
    @CurrentActor() actor: Actor,
    @Body() body: CreateTeamRequest,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeTeam, async (write) =>
      withTeamEtag(reply, await this.teams.create(actor, body, write)),
    );
  }

  @Get(':team_slug')
  @JsonText()
  @ApiHeader(IF_NONE_MATCH)
  @Operation({
    summary: 'Retrieve a team',
    description: 'Every member of the team may read it; others receive 403.',
    access: { action: 'team.read', on: 'team' },
    response: 'The team; `inviteCode` is `""` below moderator.',
    type: TeamResponse,
    headers: ['ETag'],
  })
  async getTeamInfo(
    @CurrentActor() actor: Actor,
    @Team() ref: TeamRef,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const team = await this.teams.forAction(actor, ref, 'team.read');
    return respondWithRecord(reply, ifNoneMatch, teamSettings(team), serializeTeam(team));
  }

  @Put(':team_slug')
  @ApiHeader(IF_SETTINGS_MATCH)
  @Operation({
    summary: 'Update a team',
    description: 'Absent properties are left unchanged. Returns 409 if the slug is taken.',
    requires: '`moderator` of the team; for `slug` an `owner`',
    access: { action: 'team.update', on: 'team' },
    response: 'The team as it is now.',
    type: TeamResponse,
    headers: ['ETag'],
  })
  async updateTeam(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() body: UpdateTeamRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TeamResponse> {
    const updated = await this.teams.update(actor, team, body, ifMatch);
    return serializeTeam(withTeamEtag(reply, updated));
  }

  @Post(':team_slug/invite-code')
  @Idempotent()
  @Operation({
    summary: 'Renew the invite code of a team',
    description: 'The old code stops working at once.',
    access: { action: 'team.renewInviteCode', on: 'team' },
    response: 'The team with its new code; the old one no longer works. A replay has no ETag.',
    type: TeamResponse,
    headers: ['ETag'],
    bare: true,
  })
  async renewInviteCode(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeTeam, async (write) =>
      withTeamEtag(reply, await this.teams.renewInviteCode(actor, team, write)),
    );
  }
}
