import { Body, Controller, Get, Inject, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { notFound } from '../../errors/domain-error.js';
import { MessageResponse } from '../../http/message.wire.js';
import { linkNextPage, PageQuery, toPageRequest } from '../../http/pagination.js';
import { bodyErrors, peopleErrors, teamErrors } from '../../openapi/example-errors.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import type { TeamRef } from '../team.js';
import { Team } from '../team-ref.js';
import { tooManyTeams } from './ownership.js';
import { lastOwner } from './team-member.js';
import {
  serializeMembers,
  TeamMemberListResponse,
  UpdateTeamMemberRequest,
} from './team-member.wire.js';
import { TeamMembersService } from './team-members.service.js';

const CHANGED: MessageResponse = { message: 'The role was changed.' };

@ApiTags('members')
@Controller('teams/:team_slug/members')
export class TeamMembersController {
  constructor(
    private readonly members: TeamMembersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Operation({
    summary: 'List the members of a team',
    description: 'Longest-standing members first. Returns 403 for guests.',
    requires: '`member` of the team',
    response: 'The members, the longest-standing first.',
    type: TeamMemberListResponse,
    headers: ['Link'],
    errors: teamErrors('team.listMembers'),
  })
  async getTeamMembers(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TeamMemberListResponse> {
    const page = await this.members.list(actor, team, toPageRequest(query));
    linkNextPage(reply, this.config.publicUrl, page);
    return serializeMembers(page.items);
  }

  @Put()
  @Operation({
    summary: "Change a team member's role",
    description:
      'An owner may give anyone any role; a moderator manages only people and roles below moderator. If someone else demotes a member, the invite code is renewed, and the pending invites that the member may no longer send are revoked. Returns 403 if a new owner owns too many teams, 409 for the last owner.',
    requires: '`owner` of the team; a `moderator` for people and roles below moderator',
    ...messageResponse(CHANGED),
    errors: [
      ...bodyErrors(UpdateTeamMemberRequest, { userId: 'x', role: 'admin' }, { role: 'member' }),
      ...peopleErrors(),
      tooManyTeams(100),
      notFound('member'),
      lastOwner(),
    ],
  })
  async updateTeamMember(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() { userId, role }: UpdateTeamMemberRequest,
  ): Promise<MessageResponse> {
    await this.members.changeRole(actor, team, userId, role);
    return CHANGED;
  }
}
