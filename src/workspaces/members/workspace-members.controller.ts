import { Body, Controller, Delete, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { CurrentActor } from '../../auth/token.guard.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { asJson, respondWithList, USERS } from '../../http/list-response.js';
import { PageQuery, toPageRequest } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { RemoveTeamMemberRequest } from '../../teams/members/team-member.wire.js';
import type { TeamRef } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import type { WorkspaceRef } from '../workspace.js';
import { Workspace } from '../workspace-ref.js';
import { MemberRemovalService } from './member-removal.service.js';
import {
  ADD_WORKSPACE_MEMBERS_SCHEMA,
  AddWorkspaceMemberRequest,
  AddWorkspaceMembersBody,
  RemoveWorkspaceUserRequest,
  serializeWorkspaceMember,
  serializeWorkspaceMembers,
  UpdateWorkspaceRoleRequest,
  WorkspaceMemberListResponse,
} from './workspace-member.wire.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

const WORKSPACE_MEMBERS = 'workspaces/:workspace_slug/members';

const CHANGED: MessageResponse = { message: 'The role was changed.' };
const REMOVED_FROM_TEAM: MessageResponse = { message: 'The member was removed from the team.' };
const REMOVED: MessageResponse = { message: 'The member was removed from the workspace.' };

@ApiExtraModels(AddWorkspaceMemberRequest)
@Controller('teams/:team_slug')
export class WorkspaceMembersController {
  constructor(
    private readonly members: WorkspaceMembersService,
    private readonly removal: MemberRemovalService,
  ) {}

  @ApiTags('workspace members')
  @Get(WORKSPACE_MEMBERS)
  @JsonText()
  @Operation({
    summary: 'List the members of a workspace',
    description: 'People with a role of their own in the workspace, longest-standing first.',
    access: { action: 'workspace.listMembers', on: 'workspace' },
    response: 'Those who have a role of their own, the longest-standing first.',
    type: WorkspaceMemberListResponse,
    headers: ['Link'],
  })
  async getWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.members.list(actor, workspace, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeWorkspaceMember), USERS);
  }

  @ApiTags('workspace members')
  @Post(WORKSPACE_MEMBERS)
  @Idempotent()
  @ApiBody({
    schema: {
      ...ADD_WORKSPACE_MEMBERS_SCHEMA,
      items: { $ref: getSchemaPath(AddWorkspaceMemberRequest) },
    },
  })
  @Operation({
    summary: 'Add team members to a workspace',
    description:
      'All people are added, or none; a person who already has a role gets the new one. Returns the whole list. Returns 422 if an email is not the verified one of exactly one team member, 409 for the last editor of a private workspace.',
    access: { action: 'workspace.manageMembers', on: 'workspace' },
    response: 'All who have a role of their own now.',
    type: WorkspaceMemberListResponse,
  })
  async addWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body(AddWorkspaceMembersBody) people: AddWorkspaceMemberRequest[],
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(key, serializeWorkspaceMembers, (write) =>
      this.members.add(actor, workspace, people, write),
    );
  }

  @ApiTags('workspace members')
  @Put(WORKSPACE_MEMBERS)
  @Operation({
    summary: "Change a workspace member's role",
    description:
      'Returns 404 for people without a role of their own, 409 for the last editor of a private workspace.',
    access: { action: 'workspace.manageMembers', on: 'workspace' },
    ...messageResponse(CHANGED),
  })
  async updateWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() { userId, role }: UpdateWorkspaceRoleRequest,
  ): Promise<MessageResponse> {
    await this.members.changeRole(actor, workspace, userId, role);
    return CHANGED;
  }

  @ApiTags('workspace members')
  @Delete(WORKSPACE_MEMBERS)
  @Operation({
    summary: 'Remove a member from a workspace, or leave it',
    description:
      'The team role stays. Everyone may give up their own role, but a `reader` who could do more without it needs someone who manages the workspace (403). Returns 409 for the last editor of a private workspace.',
    requires: `${WORKSPACE_ACCESS.manage}; everyone for themselves, unless it would widen their access`,
    access: { action: 'workspace.manageMembers', on: 'workspace' },
    ...messageResponse(REMOVED),
  })
  async removeWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Workspace() workspace: WorkspaceRef,
    @Body() { userId }: RemoveWorkspaceUserRequest,
  ): Promise<MessageResponse> {
    await this.members.remove(actor, workspace, userId);
    return REMOVED;
  }

  /** Takes the roles in the team's workspaces along: hence here, not in teams/. */
  @ApiTags('members')
  @Delete('members')
  @Operation({
    summary: 'Remove a member from a team, or leave it',
    description:
      'The person loses all roles in its workspaces at once. If someone else removes them, the invite code is renewed, and their pending invites are revoked. An owner may remove anyone, a moderator only people below moderator, and everyone themselves. Returns 409 for the last owner.',
    requires:
      '`owner` of the team; a `moderator` for people below moderator; everyone for themselves',
    access: { action: 'team.managePeople', on: 'people' },
    ...messageResponse(REMOVED_FROM_TEAM),
  })
  async removeTeamMember(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { userId }: RemoveTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.removal.remove(actor, team, userId);
    return REMOVED_FROM_TEAM;
  }
}
