import { Body, Controller, Get, Inject, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../auth/actor.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { LINK_HEADER, PageQuery } from '../http/pagination.js';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.js';
import { idempotentResponse, type RequestKey } from '../idempotency/idempotent-write.js';
import { linkNextPage, toPageRequest } from './page.wire.js';
import type { TeamRef } from './team.js';
import { CreateTeamRequest, presentTeam, TeamResponse, UpdateTeamRequest } from './team.wire.js';
import { Team } from './team-ref.js';
import { TeamsService } from './teams.service.js';

@ApiTags('teams')
@Controller('teams')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the teams of the caller', description: 'The oldest comes first.' })
  @ApiOkResponse({ type: [TeamResponse], headers: LINK_HEADER })
  async getTeams(
    @CurrentActor() actor: Actor,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TeamResponse[]> {
    const page = await this.teams.list(actor, toPageRequest(query));
    linkNextPage(reply, this.config.publicUrl, page);
    return page.items.map(presentTeam);
  }

  @Post()
  @Idempotent()
  @ApiOperation({
    summary: 'Create a team',
    description:
      'The caller becomes its owner, and its plan is `free`. 409 when the slug is taken, 403 when the caller owns too many teams.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async createTeam(
    @CurrentActor() actor: Actor,
    @Body() body: CreateTeamRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, presentTeam, (write) => this.teams.create(actor, body, write));
  }

  @Get(':team_slug')
  @ApiOperation({
    summary: 'Retrieve a team',
    description: 'Every member of the team may read it; others get 403.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async getTeamInfo(@CurrentActor() actor: Actor, @Team() team: TeamRef): Promise<TeamResponse> {
    return presentTeam(await this.teams.forAction(actor, team, 'team.read'));
  }

  @Put(':team_slug')
  @ApiOperation({
    summary: 'Update a team',
    description: 'Absent properties stay as they are. 409 when the slug is taken.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async updateTeam(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() body: UpdateTeamRequest,
  ): Promise<TeamResponse> {
    return presentTeam(await this.teams.update(actor, team, body));
  }

  @Post(':team_slug/invite-code')
  @Idempotent()
  @ApiOperation({
    summary: 'Renew the invite code of a team',
    description: 'The old code ends at once.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async renewInviteCode(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, presentTeam, (write) =>
      this.teams.renewInviteCode(actor, team, write),
    );
  }
}
