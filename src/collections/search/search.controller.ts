import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
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
  respondWithHits,
  SearchItemsQuery,
  toSearchQuery,
} from './search.wire.js';

/** What both searches return. */
const HITS: Pick<OperationMetadata, 'response' | 'type' | 'example' | 'headers'> = {
  response:
    'The best matches first: titles equal to `q` and the item of that slug, titles that begin with it, titles with a word that begins with it, others; of each the shorter titles first. With `in=all`, pages follow that were found by their text: those with all words in one heading first, then the newest change first.',
  type: [FoundCollectionResponse],
  example: FOUND,
  headers: ['Search-Behind'],
};

/** Finds collections and pages by their titles, and pages by their text. */
@ApiTags('collections')
@Controller()
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get(['collections/search', 'teams/:team_slug/workspaces/:workspace_slug/collections/search'])
  @JsonText()
  @Operation({
    summary: 'Search a workspace',
    description:
      'Finds collections and pages by their titles (`meta.title`). With `in=all`, it also finds pages whose text has every word of `q`, each with a `snippet`: at most 8 words; `"a phrase"` in double quotes; a word of three letters or more also finds longer words that begin with it. What was saved is found at once. There is no cursor: if you get `limit` results, ask more precisely. Counts one more request for each 10,000 titles in the workspace, and for each 1,000 pages whose text was read. In a team of more than 1,000,000 pages, only titles that begin with `q` are found.',
    access: { action: 'content.read', on: 'workspace' },
    ...HITS,
  })
  async searchCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: SearchItemsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return respondWithHits(
      reply,
      await this.search.inWorkspace(actor, selector, toSearchQuery(query)),
    );
  }

  @Get('teams/:team_slug/search')
  @JsonText()
  @Operation({
    summary: 'Search a team',
    description:
      'Finds collections and pages in all workspaces of the team whose content you may read, as searchCollections does in one.',
    access: { action: 'workspace.list', on: 'team' },
    ...HITS,
  })
  async searchTeam(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Query() query: SearchItemsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return respondWithHits(reply, await this.search.inTeam(actor, team, toSearchQuery(query)));
  }
}
