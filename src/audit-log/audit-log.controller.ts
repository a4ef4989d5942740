import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { CurrentActor, RequiresManage } from '../auth/token.guard.js';
import { linkNextPage } from '../http/pagination.js';
import { AUDIT_LOG } from '../openapi/examples.js';
import { Operation } from '../openapi/operation.js';
import type { TeamRef } from '../teams/team.js';
import { Team } from '../teams/team-ref.js';
import { AuditLogService } from './audit-log.service.js';
import {
  AuditEntryResponse,
  AuditLogQuery,
  serializeEntry,
  toAuditQuery,
} from './audit-log.wire.js';

@ApiTags('teams')
@Controller('teams/:team_slug/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequiresManage()
  @Operation({
    summary: 'Read the audit log of a team',
    description:
      'Who did what, newest first: changes of the team, its people, invites and workspaces, deletions, restores and purges; neither reads nor edits of content. Entries about a private workspace are shown only to its members.',
    access: { action: 'team.readAuditLog', on: 'team' },
    response: 'The entries, newest first.',
    type: [AuditEntryResponse],
    example: AUDIT_LOG,
    headers: ['Link'],
  })
  async getAuditLog(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: AuditLogQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntryResponse[]> {
    const { filter, page } = toAuditQuery(query);
    const entries = await this.log.list(actor, team, filter, page);
    linkNextPage(reply, entries);
    return entries.items.map(serializeEntry);
  }
}
