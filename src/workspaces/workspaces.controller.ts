import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/actor.js';
import { MessageResponse } from '../http/message.wire.js';
import { TeamQuery } from '../teams/team.wire.js';
import {
  CreateWorkspaceRequest,
  presentWorkspace,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
} from './workspace.wire.js';
import { WorkspacesService } from './workspaces.service.js';

const WORKSPACE_SLUG = {
  name: 'workspace_slug',
  description: 'Slug of the workspace.',
  example: 'handbook',
};

@ApiTags('workspaces')
@ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
@Controller('teams/:team_slug/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Create a workspace',
    description: 'The caller becomes its first editor. 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async createWorkspace(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Query() { teamId }: TeamQuery,
    @Body() body: CreateWorkspaceRequest,
  ): Promise<WorkspaceResponse> {
    return presentWorkspace(await this.workspaces.create(actor, { slug: team, id: teamId }, body));
  }

  @Get()
  @ApiOperation({
    summary: 'The workspaces of a team that the caller can see',
    description: 'Oldest first.',
  })
  @ApiOkResponse({ type: [WorkspaceResponse] })
  async getWorkspaces(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<WorkspaceResponse[]> {
    const workspaces = await this.workspaces.list(actor, { slug: team, id: teamId });
    return workspaces.map(presentWorkspace);
  }

  @Get(':workspace_slug')
  @ApiParam(WORKSPACE_SLUG)
  @ApiOperation({
    summary: 'Retrieve a workspace',
    description: 'A private one is 404 to those who are not its members.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async getWorkspaceInfo(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<WorkspaceResponse> {
    const ref = { team: { slug: team, id: teamId }, slug };
    return presentWorkspace(await this.workspaces.forAction(actor, ref, 'workspace.read'));
  }

  @Put(':workspace_slug')
  @ApiParam(WORKSPACE_SLUG)
  @ApiOperation({
    summary: 'Update a workspace',
    description:
      'What is absent stays. Takes an editor, or a moderator where it is public. 409 when the slug is taken.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async updateWorkspace(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() body: UpdateWorkspaceRequest,
  ): Promise<WorkspaceResponse> {
    const ref = { team: { slug: team, id: teamId }, slug };
    return presentWorkspace(await this.workspaces.update(actor, ref, body));
  }

  @Delete(':workspace_slug')
  @ApiParam(WORKSPACE_SLUG)
  @ApiOperation({
    summary: 'Delete a workspace',
    description: 'With all its content and members; its pages go back to the usage of the team.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async deleteWorkspace(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<MessageResponse> {
    await this.workspaces.delete(actor, { team: { slug: team, id: teamId }, slug });
    return { message: 'The workspace was deleted.' };
  }
}
