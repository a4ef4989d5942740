import { Body, Controller, Delete, Get, Inject, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { MessageResponse } from '../../http/message.wire.js';
import { LINK_HEADER, PageQuery } from '../../http/pagination.js';
import { Idempotent } from '../../idempotency/idempotency.interceptor.js';
import { IdempotencyKey } from '../../idempotency/idempotency-key.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { linkNextPage, toPageRequest } from '../../teams/page.wire.js';
import type { WorkspaceRef } from '../workspace.js';
import { Workspace } from '../workspace-ref.js';
import {
  ADD_WORKSPACE_MEMBERS_SCHEMA,
  AddWorkspaceMemberRequest,
  AddWorkspaceMembersBody,
  presentWorkspaceMembers,
  RemoveWorkspaceMemberRequest,
  UpdateWorkspaceMemberRequest,
  WorkspaceMemberListResponse,
} from './workspace-member.wire.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

@ApiTags('people')
@ApiExtraModels(AddWorkspaceMemberRequest)
@Controller('teams/:team_slug/workspaces/:workspace_slug/members')
export class WorkspaceMembersController {
  constructor(
    private readonly members: WorkspaceMembersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the members of a workspace',
    description:
      'People with a role of their own in the workspace; the longest-standing comes first.',
  })
  @ApiOkResponse({ type: WorkspaceMemberListResponse, headers: LINK_HEADER })
  async getWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WorkspaceMemberListResponse> {
    const page = await this.members.list(actor, workspace, toPageRequest(query));
    linkNextPage(reply, this.config.publicUrl, page);
    return presentWorkspaceMembers(page.items);
  }

  @Post()
  @Idempotent()
  @ApiBody({
    schema: {
      ...ADD_WORKSPACE_MEMBERS_SCHEMA,
      items: { $ref: getSchemaPath(AddWorkspaceMemberRequest) },
    },
  })
  @ApiOperation({
    summary: 'Add team members to a workspace',
    description:
      'All people are added, or none; a person who has a role already gets the new one. Answers the whole list. 422 when an email is not the verified one of exactly one team member, 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: WorkspaceMemberListResponse })
  async addWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body(AddWorkspaceMembersBody) people: AddWorkspaceMemberRequest[],
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, presentWorkspaceMembers, (write) =>
      this.members.add(actor, workspace, people, write),
    );
  }

  @Put()
  @ApiOperation({
    summary: "Change a workspace member's role",
    description:
      '404 for people without a role of their own, 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async updateWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() { userId, role }: UpdateWorkspaceMemberRequest,
  ): Promise<MessageResponse> {
    await this.members.changeRole(actor, workspace, userId, role);
    return { message: 'The role was changed.' };
  }

  @Delete()
  @ApiOperation({
    summary: 'Remove a member from a workspace, or leave it',
    description:
      'The team role stays. Everyone may give up their own role, but a `reader` who could do more without it needs somebody who manages the workspace (403). 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async removeWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() { userId }: RemoveWorkspaceMemberRequest,
  ): Promise<MessageResponse> {
    await this.members.remove(actor, workspace, userId);
    return { message: 'The member was removed from the workspace.' };
  }
}
