import { Body, Controller, Get, Headers, Inject, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { type JsonBody, JsonText } from '../http/json-stream.js';
import { MessageResponse } from '../http/message.wire.js';
import { LINK_HEADER, nextLink } from '../http/pagination.js';
import { IdempotencyKey, Repeatable } from '../idempotency/idempotency-key.js';
import { once, type RequestKey } from '../idempotency/once.js';
import { Costs } from '../rate-limit/rate-limit.guard.js';
import type { WorkspaceSelector } from './collection.js';
import { CollectionResponse, IF_MATCH, presentItems, textOfItems } from './collection.wire.js';
import { CollectionsService } from './collections.service.js';
import { ConditionalGet, etagHeader, withEtag } from './conditional-get.js';
import { GetCollectionsQuery, textOfCursor, toTreeQuery } from './tree.wire.js';
import {
  CreateCollectionsRequest,
  OrderCollectionsRequest,
  toManyItems,
  toOrdering,
} from './tree-requests.wire.js';
import { Selector } from './workspace-selector.wire.js';

/** What concerns many items at once: lists, batches, complete orders. */
@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class TreeController {
  constructor(
    private readonly collections: CollectionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the collections and pages of a workspace',
    description:
      'The answer is the whole tree, in order: the array holds the top level, `children` nests the rest. With `limit`, follow the header `Link: <…>; rel="next"` until there is none.',
  })
  @ConditionalGet({
    type: [CollectionResponse],
    headers: LINK_HEADER,
    etag: etagHeader('Strong ETag of this very query: it changes with every change of the tree.'),
    ifNoneMatch: 'ETag of this very list that the caller has: 304 while it is current.',
  })
  async getCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionsQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const tree = await this.collections.list(actor, selector, toTreeQuery(query), ifNoneMatch);
    if (tree.next) {
      reply.header('link', nextLink(request.url, this.config.publicUrl, textOfCursor(tree.next)));
    }
    return withEtag(reply, tree.etag, tree.body);
  }

  @Post('batch')
  @Repeatable()
  @Costs({ list: 'items', below: 'children', per: 100 })
  @JsonText()
  @ApiOperation({
    summary: 'Create many collections and pages',
    description:
      'All items are created in the order given, or none. Answers the new items as a list shows them. 422 for children of a page, 403 at the limit of the plan.',
  })
  @ApiOkResponse({ type: [CollectionResponse] })
  async createCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionsRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<JsonBody> {
    const keyed = once(key, textOfItems);
    return presentItems(await this.collections.create(actor, selector, toManyItems(body), keyed));
  }

  @Put('order')
  @Costs({ list: 'children', per: 1000 })
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Put the children of a collection in order',
    description:
      'Send the complete list of children in its final order; items from elsewhere in the workspace move in. 409 when the list lacks a present child, 422 for a move of an item into its own subtree.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async orderCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: OrderCollectionsRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.order(actor, selector, toOrdering(body, ifMatch));
    return { message: 'The children are in this order now.' };
  }
}
