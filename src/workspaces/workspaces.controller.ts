import { Body, Controller, Delete, Get, Headers, Post, Put, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { CurrentActor } from '../auth/token.guard.js';
import { IF_NONE_MATCH, IF_SETTINGS_MATCH, respondWithRecord } from '../http/etag.js';
import { type JsonBody, JsonText } from '../http/json-stream.js';
import { respondWithList } from '../http/list-response.js';
import { MessageResponse } from '../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../idempotency/idempotent-write.js';
import { messageResponse, Operation } from '../openapi/operation.js';
import { type TeamRef } from '../teams/team.js';
import { Team } from '../teams/team-ref.js';
import { type WorkspaceRef, workspaceSettings } from './workspace.js';
import {
  CreateWorkspaceRequest,
  listedWorkspacesJson,
  serializeWorkspace,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
  withWorkspaceEtag,
} from './workspace.wire.js';
import { Workspace } from './workspace-ref.js';
import { WorkspacesService } from './workspaces.service.js';

const DELETED: MessageResponse = { message: 'The workspace was deleted.' };

@ApiTags('workspaces')
@Controller('teams/:team_slug/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a workspace',
    description: 'The caller becomes its first editor. Returns 403 at the limit of the plan.',
    access: { action: 'workspace.create', on: 'team' },
    response: 'The new workspace; the caller is its first editor. A replay has no ETag.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  async createWorkspace(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() body: CreateWorkspaceRequest,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeWorkspace, async (write) =>
      withWorkspaceEtag(reply, await this.workspaces.create(actor, team, body, write)),
    );
  }

  @Get()
  @JsonText()
  @Operation({
    summary: 'List the workspaces of a team',
    description: 'Oldest first.',
    access: { action: 'workspace.list', on: 'team' },
    response: 'The workspaces that the caller can see, oldest first.',
    type: [WorkspaceResponse],
  })
  async getWorkspaces(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    return respondWithList(reply, await this.workspaces.list(actor, team), listedWorkspacesJson);
  }

  @Get(':workspace_slug')
  @JsonText()
  @ApiHeader(IF_NONE_MATCH)
  @Operation({
    summary: 'Retrieve a workspace',
    description: 'A private workspace returns 404 to everyone except its members.',
    access: { action: 'workspace.read', on: 'workspace' },
    response: 'The workspace, with the access of the caller.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  async getWorkspaceInfo(
    @CurrentActor() actor: Actor,
    @Workspace() ref: WorkspaceRef,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const found = await this.workspaces.forAction(actor, ref, 'workspace.read');
    return respondWithRecord(
      reply,
      ifNoneMatch,
      workspaceSettings(found),
      serializeWorkspace(found),
    );
  }

  @Put(':workspace_slug')
  @ApiHeader(IF_SETTINGS_MATCH)
  @Operation({
    summary: 'Update a workspace',
    description: 'Absent properties are left unchanged. Returns 409 if the slug is taken.',
    access: { action: 'workspace.update', on: 'workspace' },
    response: 'The workspace as it is now.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  async updateWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() body: UpdateWorkspaceRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WorkspaceResponse> {
    const updated = await this.workspaces.update(actor, workspace, body, ifMatch);
    return serializeWorkspace(withWorkspaceEtag(reply, updated));
  }

  @Post(':workspace_slug/archive')
  @Idempotent()
  @Operation({
    summary: 'Archive a workspace',
    description:
      'Its content can be read, but not changed: every write of it returns 409 until the workspace is unarchived. Its settings and members can be changed, and it can be deleted. Archiving an archived workspace changes nothing.',
    access: { action: 'workspace.update', on: 'workspace' },
    response: 'The workspace. A replay has no ETag.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  archiveWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.setArchived(actor, workspace, true, key, reply);
  }

  @Post(':workspace_slug/unarchive')
  @Idempotent()
  @Operation({
    summary: 'Unarchive a workspace',
    description:
      'Its content can be changed again. Unarchiving a workspace that is not archived changes nothing.',
    access: { action: 'workspace.update', on: 'workspace' },
    response: 'The workspace. A replay has no ETag.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  unarchiveWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.setArchived(actor, workspace, false, key, reply);
  }

  private setArchived(
    actor: Actor,
    workspace: WorkspaceRef,
    isArchived: boolean,
    key: RequestKey | null,
    reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeWorkspace, async (write) =>
      withWorkspaceEtag(
        reply,
        await this.workspaces.setArchived(actor, workspace, isArchived, write),
      ),
    );
  }

  @Delete(':workspace_slug')
  @ApiHeader(IF_SETTINGS_MATCH)
  @Operation({
    summary: 'Delete a workspace',
    description:
      'Moves it to the trash of the team with its content and members; its pages no longer count as usage of the team.',
    access: { action: 'workspace.delete', on: 'workspace' },
    ...messageResponse(DELETED),
    bare: true,
  })
  async deleteWorkspace(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.workspaces.delete(actor, workspace, ifMatch);
    return DELETED;
  }
}
