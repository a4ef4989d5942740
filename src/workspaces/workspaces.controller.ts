import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/actor.js';
import { JsonText } from '../http/json-stream.js';
import { MessageResponse } from '../http/message.wire.js';
import { Idempotent } from '../idempotency/idempotency.interceptor.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.js';
import { idempotentResponse, type RequestKey } from '../idempotency/idempotent-write.js';
import type { TeamRef } from '../teams/team.js';
import { Team } from '../teams/team-ref.js';
import type { WorkspaceRef } from './workspace.js';
import {
  CreateWorkspaceRequest,
  presentWorkspace,
  textOfWorkspaces,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
} from './workspace.wire.js';
import { Workspace } from './workspace-ref.js';
import { WorkspacesService } from './workspaces.service.js';

@ApiTags('workspaces')
@Controller('teams/:team_slug/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Post()
  @Idempotent()
  @ApiOperation({
    summary: 'Create a workspace',
    description: 'The caller becomes its first editor. 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async createWorkspace(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() body: CreateWorkspaceRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, presentWorkspace, (write) =>
      this.workspaces.create(actor, team, body, write),
    );
  }

  @Get()
  @JsonText()
  @ApiOperation({
    summary: 'List the workspaces of a team',
    description: 'The oldest comes first.',
  })
  @ApiOkResponse({ type: [WorkspaceResponse] })
  async getWorkspaces(@CurrentActor() actor: Actor, @Team() team: TeamRef): Promise<string> {
    return textOfWorkspaces(await this.workspaces.list(actor, team));
  }

  @Get(':workspace_slug')
  @ApiOperation({
    summary: 'Retrieve a workspace',
    description: 'A private workspace is 404 to everyone but its members.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async getWorkspaceInfo(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
  ): Promise<WorkspaceResponse> {
    return presentWorkspace(await this.workspaces.forAction(actor, workspace, 'workspace.read'));
  }

  @Put(':workspace_slug')
  @ApiOperation({
    summary: 'Update a workspace',
    description: 'Absent properties stay as they are. 409 when the slug is taken.',
  })
  @ApiOkResponse({ type: WorkspaceResponse })
  async updateWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() body: UpdateWorkspaceRequest,
  ): Promise<WorkspaceResponse> {
    return presentWorkspace(await this.workspaces.update(actor, workspace, body));
  }

  @Delete(':workspace_slug')
  @ApiOperation({
    summary: 'Delete a workspace',
    description:
      'All its content and members go with it, and its pages go back to the usage of the team.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async deleteWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
  ): Promise<MessageResponse> {
    await this.workspaces.delete(actor, workspace);
    return { message: 'The workspace was deleted.' };
  }
}
