import { Body, Controller, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { CurrentActor } from '../../auth/token.guard.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { asJson, respondWithList, USERS } from '../../http/list-response.js';
import { PageQuery, toPageRequest } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { type TeamRef } from '../team.js';
import { serializeTeam, TeamResponse, withTeamEtag } from '../team.wire.js';
import { Team } from '../team-ref.js';
import {
  JoinTeamRequest,
  serializeMember,
  TeamMemberListResponse,
  UpdateTeamMemberRoleRequest,
} from './team-member.wire.js';
import { TeamMembersService } from './team-members.service.js';

const CHANGED: MessageResponse = { message: 'The role was changed.' };

@Controller('teams')
export class TeamMembersController {
  constructor(private readonly members: TeamMembersService) {}

  @ApiTags('me')
  @Post('join')
  @Idempotent()
  @Operation({
    summary: 'Join a team by its invite code',
    description:
      'The caller becomes a `member`. Returns 404 if no team has the code, 409 if the caller is already a member, 403 at the limit of the plan.',
    requires: 'the invite code',
    response: 'The team; the caller is a member. A replay has no ETag.',
    type: TeamResponse,
    headers: ['ETag'],
  })
  async joinTeam(
    @CurrentActor() actor: Actor,
    @Body() { inviteCode }: JoinTeamRequest,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return idempotentResponse(key, serializeTeam, async (write) =>
      withTeamEtag(reply, await this.members.joinByCode(actor, inviteCode, write)),
    );
  }

  @ApiTags('members')
  @Get(':team_slug/members')
  @JsonText()
  @Operation({
    summary: 'List the members of a team',
    description: 'Longest-standing members first. Returns 403 for guests.',
    access: { action: 'team.listMembers', on: 'team' },
    response: 'The members, the longest-standing first.',
    type: TeamMemberListResponse,
    headers: ['Link'],
  })
  async getTeamMembers(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.members.list(actor, team, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeMember), USERS);
  }

  @ApiTags('members')
  @Put(':team_slug/members')
  @Operation({
    summary: "Change a team member's role",
    description:
      'An owner may give anyone any role; a moderator manages only people and roles below moderator. If someone else demotes a member, the invite code is renewed, and the pending invites that the member may no longer send are revoked. Returns 403 if a new owner owns too many teams, 409 for the last owner.',
    requires: '`owner` of the team; a `moderator` for people and roles below moderator',
    access: { action: 'team.managePeople', on: 'people' },
    ...messageResponse(CHANGED),
  })
  async updateTeamMember(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { userId, role }: UpdateTeamMemberRoleRequest,
  ): Promise<MessageResponse> {
    await this.members.changeRole(actor, team, userId, role);
    return CHANGED;
  }
}
