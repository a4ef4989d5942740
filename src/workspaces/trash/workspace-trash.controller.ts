import { Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { CurrentActor } from '../../auth/token.guard.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { asJson, respondWithList } from '../../http/list-response.js';
import { PageQuery, toPageRequest } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { DELETED_WORKSPACE } from '../../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { type TeamRef } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import { serializeWorkspace, WorkspaceResponse, withWorkspaceEtag } from '../workspace.wire.js';
import { WorkspaceTrashService } from './workspace-trash.service.js';
import { DeletedWorkspaceResponse, serializeDeletedWorkspace } from './workspace-trash.wire.js';

const PURGED: MessageResponse = { message: 'The workspace was purged from the trash.' };

const WORKSPACE_ID = {
  name: 'workspace_id',
  description: 'Id of the deleted workspace.',
  example: DELETED_WORKSPACE._id,
};

@ApiTags('trash')
@Controller('teams/:team_slug/trash')
export class WorkspaceTrashController {
  constructor(private readonly trash: WorkspaceTrashService) {}

  @Get()
  @JsonText()
  @Operation({
    summary: 'List the deleted workspaces of a team',
    description:
      'The workspaces that the caller can restore, newest first: those that the caller could delete. `meta.slug` is the slug that the workspace had.',
    access: { action: 'workspace.list', on: 'team' },
    response: 'The deleted workspaces, newest first.',
    type: [DeletedWorkspaceResponse],
    headers: ['Link'],
  })
  async getDeletedWorkspaces(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.trash.list(actor, team, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeDeletedWorkspace));
  }

  @Post(':workspace_id/restore')
  @Idempotent()
  @ApiParam(WORKSPACE_ID)
  @Operation({
    summary: 'Restore a workspace',
    description:
      'The workspace comes back with its id, content, members and trash, under the slug that it had; if that is taken, with a suffix. Returns 403 at the limits of the plan, and 404 to those who could not delete the workspace.',
    requires: WORKSPACE_ACCESS.manage,
    access: { action: 'team.read', on: 'team' },
    response: 'The restored workspace. A replay has no ETag.',
    type: WorkspaceResponse,
    headers: ['ETag'],
  })
  async restoreWorkspace(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('workspace_id') id: string,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeWorkspace, async (write) =>
      withWorkspaceEtag(reply, await this.trash.restore(actor, team, id, write)),
    );
  }

  @Delete(':workspace_id')
  @ApiParam(WORKSPACE_ID)
  @Operation({
    summary: 'Purge a workspace from the trash',
    description:
      'Deletes it for good, with all its content. Returns 404 to those who could not delete the workspace.',
    requires: WORKSPACE_ACCESS.manage,
    access: { action: 'team.read', on: 'team' },
    ...messageResponse(PURGED),
    bare: true,
  })
  async purgeWorkspace(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('workspace_id') id: string,
  ): Promise<MessageResponse> {
    await this.trash.purge(actor, team, id);
    return PURGED;
  }
}
