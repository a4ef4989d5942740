import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { MessageResponse } from '../../http/message.wire.js';
import { TeamQuery } from '../../teams/team.wire.js';
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
@ApiParam({ name: 'team_slug', description: 'Slug of the team.', example: 'acme' })
@ApiParam({ name: 'workspace_slug', description: 'Slug of the workspace.', example: 'handbook' })
@ApiExtraModels(AddWorkspaceMemberRequest)
@Controller('teams/:team_slug/workspaces/:workspace_slug/members')
export class WorkspaceMembersController {
  constructor(private readonly members: WorkspaceMembersService) {}

  @Get()
  @ApiOperation({
    summary: 'The members of a workspace',
    description: 'Those who have a role of their own in it, the longest-standing first.',
  })
  @ApiOkResponse({ type: WorkspaceMemberListResponse })
  async getWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
  ): Promise<WorkspaceMemberListResponse> {
    const ref = { team: { slug: team, id: teamId }, slug };
    return presentWorkspaceMembers(await this.members.list(actor, ref));
  }

  @Post()
  @HttpCode(200)
  @ApiBody({
    schema: {
      ...ADD_WORKSPACE_MEMBERS_SCHEMA,
      items: { $ref: getSchemaPath(AddWorkspaceMemberRequest) },
    },
  })
  @ApiOperation({
    summary: 'Add team members to a workspace',
    description:
      'All or none; who is there already gets the new role. Answers the whole list. Takes an editor, or a moderator where it is public. 422 when an email is no team member’s, 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: WorkspaceMemberListResponse })
  async addWorkspaceMembers(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body(AddWorkspaceMembersBody) people: AddWorkspaceMemberRequest[],
  ): Promise<WorkspaceMemberListResponse> {
    const ref = { team: { slug: team, id: teamId }, slug };
    return presentWorkspaceMembers(await this.members.add(actor, ref, people));
  }

  @Put()
  @ApiOperation({
    summary: "Change a workspace member's role",
    description:
      'Takes an editor, or a moderator where it is public. 404 for those without a role of their own, 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async updateWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() { userId, role }: UpdateWorkspaceMemberRequest,
  ): Promise<MessageResponse> {
    const ref = { team: { slug: team, id: teamId }, slug };
    await this.members.changeRole(actor, ref, userId, role);
    return { message: 'The role was changed.' };
  }

  @Delete()
  @ApiOperation({
    summary: "Take a member's role in a workspace",
    description:
      'Takes an editor, or a moderator where it is public; everyone may give up their own. 409 for the last editor of a private workspace.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async removeWorkspaceMember(
    @CurrentActor() actor: Actor,
    @Param('team_slug') team: string,
    @Param('workspace_slug') slug: string,
    @Query() { teamId }: TeamQuery,
    @Body() { userId }: RemoveWorkspaceMemberRequest,
  ): Promise<MessageResponse> {
    await this.members.remove(actor, { team: { slug: team, id: teamId }, slug }, userId);
    return { message: 'The member was removed from the workspace.' };
  }
}
