import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/actor.js';
import {
  CreateTeamRequest,
  presentTeam,
  TeamQuery,
  TeamResponse,
  UpdateTeamRequest,
} from './team.wire.js';
import { TeamsService } from './teams.service.js';

@ApiTags('teams')
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @ApiOperation({ summary: 'The teams of the caller', description: 'Oldest first.' })
  @ApiOkResponse({ type: [TeamResponse] })
  async getTeams(@CurrentActor() actor: Actor): Promise<TeamResponse[]> {
    const teams = await this.teams.list(actor);
    return teams.map((team) => presentTeam(team, actor));
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Create a team',
    description: 'The caller becomes its owner; the plan is free. 409 when the slug is taken.',
  })
  @ApiOkResponse({ type: TeamResponse })
  async createTeam(
    @CurrentActor() actor: Actor,
    @Body() body: CreateTeamRequest,
  ): Promise<TeamResponse> {
    return presentTeam(await this.teams.create(actor, body), actor);
  }

  @Get(':team_slug')
  @ApiOperation({ summary: 'Retrieve a team', description: 'Any member; 403 for others.' })
  @ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
  @ApiOkResponse({ type: TeamResponse })
  async getTeamInfo(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<TeamResponse> {
    return presentTeam(await this.teams.forAction(actor, { slug, id: teamId }, 'team.read'), actor);
  }

  @Put(':team_slug')
  @ApiOperation({
    summary: 'Update a team',
    description:
      'What is absent stays. Takes a moderator, for the slug an owner. 409 when the slug is taken.',
  })
  @ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
  @ApiOkResponse({ type: TeamResponse })
  async updateTeam(
    @CurrentActor() actor: Actor,
    @Param('team_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() body: UpdateTeamRequest,
  ): Promise<TeamResponse> {
    return presentTeam(await this.teams.update(actor, { slug, id: teamId }, body), actor);
  }
}
