import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { Database } from '../../database/database.js';
import { elementsOf } from '../../http/pagination.js';
import type { TeamRef } from '../../teams/team.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { refOf } from '../items/item-access.js';
import { MAX_PAGES_SEARCHED, NAMES_PER_POINT } from '../limits.js';
import {
  READABLE,
  type SearchableWorkspace,
  type SearchHit,
  type SearchQuery,
  searchTitles,
} from './search.repository.js';

/**
 * Finds items by title. Which workspaces the caller may read is decided first, and the search names them:
 * what is hidden is neither looked at nor filtered, so that its size does not show in the time or the cost.
 */
@Injectable()
export class SearchService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly database: Database,
  ) {}

  /** @throws DomainError bad_request: no workspace; not_found, forbidden */
  async inWorkspace(
    actor: Actor,
    selector: WorkspaceSelector,
    query: SearchQuery,
  ): Promise<readonly SearchHit[]> {
    const found = await this.workspaces.readForAction<SearchableWorkspace>(
      actor,
      refOf(selector),
      'content.read',
      [READABLE.one, []],
    );
    return this.search(actor, found, query);
  }

  /** In all workspaces of the team that the caller may read. @throws DomainError not_found, forbidden */
  async inTeam(actor: Actor, team: TeamRef, query: SearchQuery): Promise<readonly SearchHit[]> {
    const found = await this.workspaces.listEachForAction<SearchableWorkspace>(
      actor,
      team,
      'content.read',
      READABLE.all,
    );
    return this.search(actor, await elementsOf(found), query);
  }

  private async search(
    actor: Actor,
    workspaces: readonly SearchableWorkspace[],
    query: SearchQuery,
  ): Promise<readonly SearchHit[]> {
    const [first] = workspaces;
    if (!first) return [];
    const { teamId, pages } = first;
    const scope = { teamId, workspaceIds: workspaces.map(({ id }) => id), callerId: actor.id };
    const { walked, hits } = await searchTitles(
      this.database,
      scope,
      query,
      pages > MAX_PAGES_SEARCHED,
    );
    actor.charge(Math.floor(walked / NAMES_PER_POINT));
    return hits;
  }
}
