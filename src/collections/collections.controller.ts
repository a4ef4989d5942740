import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { type JsonBody, JsonText } from '../http/json-stream.js';
import { MessageResponse } from '../http/message.wire.js';
import { IdempotencyKey, Repeatable } from '../idempotency/idempotency-key.js';
import { once, type RequestKey } from '../idempotency/once.js';
import type { Item, ItemWithChildren, WorkspaceSelector } from './collection.js';
import {
  CollectionResponse,
  ETAG_HEADER,
  GetCollectionQuery,
  IF_MATCH,
  presentItem,
  textOfItem,
} from './collection.wire.js';
import {
  CreateCollectionRequest,
  ReorderItemRequest,
  toChanges,
  toMove,
  toNewItems,
  UpdateCollectionRequest,
} from './collection-requests.wire.js';
import { CollectionsService } from './collections.service.js';
import { ConditionalGet, withEtag } from './conditional-get.js';
import { matchesWeakly } from './etag.js';
import { Selector } from './workspace-selector.wire.js';

const ReadsItem = () =>
  ConditionalGet({
    type: CollectionResponse,
    etag: ETAG_HEADER,
    ifNoneMatch: 'ETag that the caller has: 304 while it is current.',
  });

const MOVED: MessageResponse = { message: 'The item was moved.' };

@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  @Post()
  @Repeatable()
  @JsonText()
  @ApiOperation({
    summary: 'Create a collection or a page',
    description:
      'The item goes to `index` among its siblings, or to their end. 422 when the parent is a page.',
  })
  @ApiOkResponse({ type: CollectionResponse })
  async createCollection(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<JsonBody> {
    const keyed = once(key, textOfItem);
    const [item] = await this.collections.create(actor, selector, toNewItems(body), keyed);
    return presentItem(item as Item, []);
  }

  @Post('reorder')
  @Repeatable()
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Move a collection or page',
    description:
      'The item moves within its collection, to another one, or to the top level; `index` is its final position. 409 when `parent` is stale, 422 for a move of an item into its own subtree.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async reorderItem(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: ReorderItemRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<MessageResponse> {
    const keyed = once(key, () => MOVED);
    await this.collections.reorder(actor, selector, toMove(body, ifMatch), keyed);
    return MOVED;
  }

  @Get('by-slug/:slug')
  @ReadsItem()
  @ApiOperation({
    summary: 'Retrieve a collection or page by its slug',
    description: 'Answers as getCollection does; `meta.slug` names the item in the workspace.',
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
    const found = await this.collections.getBySlug(actor, selector, slug, toInclude(query));
    return answerItem(found, ifNoneMatch, reply);
  }

  @Get(':id')
  @ReadsItem()
  @ApiOperation({
    summary: 'Retrieve a collection or page',
    description: 'The item with its content and its direct children, and a strong ETag.',
  })
  async getCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const found = await this.collections.get(actor, selector, id, toInclude(query));
    return answerItem(found, ifNoneMatch, reply);
  }

  @Put(':id')
  @JsonText()
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Update a collection or page',
    description:
      'Absent properties stay as they are. `parent` moves the item to the end of that collection.',
  })
  @ApiOkResponse({ type: CollectionResponse, headers: ETAG_HEADER })
  async updateCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Body() body: UpdateCollectionRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const changes = toChanges(body, ifMatch);
    const updated = await this.collections.update(actor, selector, id, changes);
    reply.header('etag', updated.etag);
    return presentItem(updated.item, updated.children);
  }

  @Delete(':id')
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Delete a collection or page',
    description: 'The whole subtree goes with it, and its pages go back to the usage of the team.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async deleteCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.delete(actor, selector, id, ifMatch);
    return { message: 'The item was deleted with all below it.' };
  }
}

const toInclude = ({ include }: GetCollectionQuery): boolean => include === 'ancestors';

async function answerItem(
  { item, children, ancestors, etag }: ItemWithChildren,
  ifNoneMatch: string | undefined,
  reply: FastifyReply,
): Promise<JsonBody | undefined> {
  const body = matchesWeakly(ifNoneMatch, etag)
    ? null
    : await presentItem(item, children, ancestors);
  return withEtag(reply, etag, body);
}
