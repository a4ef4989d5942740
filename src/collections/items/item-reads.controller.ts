import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { notFound } from '../../errors/domain-error.js';
import type { JsonBody } from '../../http/json-stream.js';
import { TREE } from '../../openapi/examples.js';
import { Operation } from '../../openapi/operation.js';
import { ITEM, noWorkspaceNamed } from '../errors.js';
import type { ReadItem, WorkspaceSelector } from './collection.js';
import { CollectionResponse, GetCollectionQuery, serializeReadItem } from './collection.wire.js';
import { ConditionalGet, withEtag } from './conditional-get.js';
import { matchesWeakly } from './etag.js';
import { ItemReadsService } from './item-reads.service.js';
import { Selector } from './workspace-selector.wire.js';

/** What both reads of a single item return. */
const AN_ITEM = {
  response: 'The item with its content and, on a collection, its direct children.',
  type: CollectionResponse,
  example: { ...TREE, content: {} },
  headers: ['ETag'],
} as const;
const ReadsItem = () => ConditionalGet('ETag from an earlier response; 304 while it is current.');

@ApiTags('collections')
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class ItemReadsController {
  constructor(private readonly reads: ItemReadsService) {}

  @Get('by-slug/:slug')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page by its slug',
    description: 'Returns what getCollection does; `meta.slug` names the item in the workspace.',
    access: { action: 'content.read', on: 'workspace' },
    ...AN_ITEM,
    errors: [noWorkspaceNamed(), notFound(ITEM)],
  })
  @ApiParam({ name: 'slug', description: 'Slug of the item.', example: 'first-day' })
  async getCollectionBySlug(
    @CurrentActor() actor: Actor,
    @Param('slug') slug: string,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const found = await this.reads.getBySlug(actor, selector, slug, toInclude(query));
    return respondWithItem(found, ifNoneMatch, reply);
  }

  @Get(':id')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page',
    description: 'The item with its content and its direct children, and a strong ETag.',
    access: { action: 'content.read', on: 'item' },
    ...AN_ITEM,
  })
  async getCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const found = await this.reads.get(actor, selector, id, toInclude(query));
    return respondWithItem(found, ifNoneMatch, reply);
  }
}

const toInclude = ({ include }: GetCollectionQuery): boolean => include === 'ancestors';

async function respondWithItem(
  item: ReadItem & { etag: string },
  ifNoneMatch: string | undefined,
  reply: FastifyReply,
): Promise<JsonBody | undefined> {
  const { etag } = item;
  const body = matchesWeakly(ifNoneMatch, etag) ? null : await serializeReadItem(item);
  return withEtag(reply, etag, body);
}
