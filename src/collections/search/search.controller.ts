import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../auth/actor.js';
import { CurrentActor } from '../../auth/token.guard.js';
import { JsonText } from '../../http/json-stream.js';
import { FOUND } from '../../openapi/examples.js';
import { Operation, type OperationMetadata } from '../../openapi/operation.js';
import type { TeamRef } from '../../teams/team.js';
import { Team } from '../../teams/team-ref.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { Selector } from '../items/collection-requests.wire.js';
import { SearchService } from './search.service.js';
import {
  FoundCollectionResponse,
  SearchNamesQuery,
  serializeHits,
  toSearchQuery,
} from './search.wire.js';

/** What both searches return. */
const HITS: Pick<OperationMetadata, 'response' | 'type' | 'example'> = {
  response:
    'The best matches first: titles equal to `q` and the item of that slug, titles that begin with it, titles with a word that begins with it, others; of each the shorter titles first.',
  type: [FoundCollectionResponse],
  example: FOUND,
};

/** Finds collections and pages by their titles. */
@ApiTags('collections')
@Controller()
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get(['collections/search', 'teams/:team_slug/workspaces/:workspace_slug/collections/search'])
  @JsonText()
  @Operation({
    summary: 'Search a workspace by title',
    description:
      'Finds collections and pages by their titles (`meta.title`), not by their content. There is no cursor: if you get `limit` results, ask more precisely. Counts one more request for each 10,000 titles in the workspace. In a team of more than 1,000,000 pages, only titles that begin with `q` are found.',
    access: { action: 'content.read', on: 'workspace' },
    ...HITS,
  })
  async searchCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: SearchNamesQuery,
  ): Promise<string> {
    return serializeHits(await this.search.inWorkspace(actor, selector, toSearchQuery(query)));
  }

  @Get('teams/:team_slug/search')
  @JsonText()
  @Operation({
    summary: 'Search a team by title',
    description:
      'Finds collections and pages in all workspaces of the team whose content you may read, as searchCollections does in one.',
    access: { action: 'workspace.list', on: 'team' },
    ...HITS,
  })
  async searchTeam(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: SearchNamesQuery,
  ): Promise<string> {
    return serializeHits(await this.search.inTeam(actor, team, toSearchQuery(query)));
  }
}
