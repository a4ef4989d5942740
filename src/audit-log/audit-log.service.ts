import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';
import { ownPosition, type Page, type PageRequest, pageOf } from '../http/pagination.js';
import type { TeamRef } from '../teams/team.js';
import { TeamsService } from '../teams/teams.service.js';
import { type AuditEntry, type AuditFilter, readEntries } from './audit-log.repository.js';

/** Who did what in a team. */
@Injectable()
export class AuditLogService {
  constructor(private readonly teams: TeamsService) {}

  /**
   * The entries that the caller may see, newest first: none about a private workspace that the caller is
   * not a member of. The pages are as if there were no others.
   * @throws DomainError not_found, forbidden
   */
  async list(
    actor: Actor,
    ref: TeamRef,
    filter: AuditFilter,
    page: PageRequest & { limit: number },
  ): Promise<Page<AuditEntry>> {
    const read = readEntries(filter, page);
    const rows = await this.teams.readForAction<AuditEntry>(actor, ref, 'team.readAuditLog', read);
    return pageOf(rows, page, ownPosition);
  }
}
