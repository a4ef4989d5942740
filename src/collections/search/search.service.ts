import { Inject, Injectable } from '@nestjs/common';
import type { Question } from '@teamspaces/page-text/question';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Reader } from '../../database/database.js';
import { elementsOf } from '../../http/pagination.js';
import type { TeamRef } from '../../teams/team.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { noSearchInPages } from '../errors.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { refOf } from '../items/item-access.js';
import { MAX_PAGES_SEARCHED, NAMES_PER_POINT, PAGES_PER_POINT } from '../limits.js';
import { searchPages } from './page-search.js';
import {
  type FoundItems,
  READABLE,
  type SearchableWorkspace,
  type SearchQuery,
  type SearchScope,
  searchTitles,
} from './search.repository.js';

const NOTHING: FoundItems = { hits: [], behind: null };

/**
 * Finds items by title, and pages by their text. Which workspaces the caller may read is decided first, and the search
 * names them: what is hidden is neither looked at nor filtered, so that its size does not show in the time or the cost.
 */
@Injectable()
export class SearchService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws DomainError bad_request: no workspace; not_found, forbidden; unprocessable_entity: see search() */
  async inWorkspace(
    actor: Actor,
    selector: WorkspaceSelector,
    query: SearchQuery,
  ): Promise<FoundItems> {
    const found = await this.workspaces.readForAction<SearchableWorkspace>(
      actor,
      refOf(selector),
      'content.read',
      [READABLE.one, []],
    );
    return this.search(actor, found, query);
  }

  /**
   * In all workspaces of the team that the caller may read.
   * @throws DomainError not_found, forbidden; unprocessable_entity: see search()
   */
  async inTeam(actor: Actor, team: TeamRef, query: SearchQuery): Promise<FoundItems> {
    const found = await this.workspaces.listEachForAction<SearchableWorkspace>(
      actor,
      team,
      'content.read',
      READABLE.all,
    );
    return this.search(actor, await elementsOf(found), query);
  }

  /** @throws DomainError unprocessable_entity: no search in pages here, or it would take too long */
  private async search(
    actor: Actor,
    workspaces: readonly SearchableWorkspace[],
    query: SearchQuery,
  ): Promise<FoundItems> {
    if (query.question && !this.config.searchContent) throw noSearchInPages();
    const [first] = workspaces;
    if (!first) return NOTHING;
    const { teamId, pages } = first;
    const scope = { teamId, workspaceIds: workspaces.map(({ id }) => id) };
    const onlyPrefixes = pages > MAX_PAGES_SEARCHED;
    const { question } = query;
    if (!question) return this.searchNames(actor, scope, query, onlyPrefixes);
    return this.searchTexts(actor, scope, { ...query, question }, onlyPrefixes);
  }

  private async searchNames(
    actor: Actor,
    scope: SearchScope,
    query: SearchQuery,
    onlyPrefixes: boolean,
  ): Promise<FoundItems> {
    const by = { callerId: actor.id, teamId: scope.teamId };
    const reader: Reader = {
      query: (statement, values) => this.database.query(statement, values, by),
    };
    const { walked, hits } = await searchTitles(reader, scope, query, onlyPrefixes);
    actor.charge(Math.floor(walked / NAMES_PER_POINT));
    return { hits, behind: null };
  }

  /** By title first, and then by text: all of one moment. What it has read is charged, also if it fails. */
  private async searchTexts(
    actor: Actor,
    scope: SearchScope,
    query: SearchQuery & { question: Question },
    onlyPrefixes: boolean,
  ): Promise<FoundItems> {
    const isDistributed = await this.database.isDistributed();
    const by = { callerId: actor.id, teamId: scope.teamId };
    let points = 0;
    try {
      return await this.database.snapshot(by, async (tx) => {
        let read = 0;
        const { walked, hits } = await searchTitles(tx, scope, query, onlyPrefixes);
        const ofTitles = Math.floor(walked / NAMES_PER_POINT);
        points = ofTitles;
        const limit = query.limit - hits.length;
        const { question } = query;
        if (limit === 0 || question.words === 0 || query.object === 'collection') {
          return { hits, behind: null };
        }
        const except = new Set(hits.map(({ id }) => id));
        const request = { ...scope, question, limit, except, isDistributed };
        const found = await searchPages(tx, request, () => {
          points = ofTitles + Math.floor(++read / PAGES_PER_POINT);
        });
        return { hits: [...hits, ...found.hits], behind: found.behind };
      });
    } finally {
      actor.charge(points);
    }
  }
}
