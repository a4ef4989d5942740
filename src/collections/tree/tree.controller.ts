import { Body, Controller, Get, Headers, Inject, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { ChangesContent } from '../../auth/token.guard.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { notFound, pageAsParent, stale } from '../../errors/domain-error.js';
import type { JsonBody } from '../../http/json-stream.js';
import { nextLink } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { bodyErrors, queryErrors } from '../../openapi/example-errors.js';
import { HOLIDAYS, TREE } from '../../openapi/examples.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { Costs } from '../../rate-limit/rate-limit.guard.js';
import { limitReached, ON_FREE_PLAN } from '../../teams/errors.js';
import {
  childrenOfPage,
  expiredCursor,
  lacksChild,
  noWorkspaceNamed,
  ownSubtree,
} from '../errors.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { CollectionResponse, IF_MATCH, serializeItems } from '../items/collection.wire.js';
import { CollectionsService } from '../items/collections.service.js';
import { ConditionalGet, withEtag } from '../items/conditional-get.js';
import { ItemReadsService } from '../items/item-reads.service.js';
import { Selector } from '../items/workspace-selector.wire.js';
import { GetCollectionsQuery, textOfCursor, toTreeQuery } from './tree.wire.js';
import {
  CreateCollectionsRequest,
  OrderCollectionsRequest,
  toManyItems,
  toOrdering,
} from './tree-requests.wire.js';

const ORDERED: MessageResponse = { message: 'The children are in this order now.' };

/** What concerns many items at once: lists, batches, complete orders. */
@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class TreeController {
  constructor(
    private readonly reads: ItemReadsService,
    private readonly collections: CollectionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Operation({
    summary: 'List the collections and pages of a workspace',
    description:
      'Returns the whole tree, in order: the array holds the top level, `children` nests the rest. With `limit`, follow the header `Link: <…>; rel="next"` until there is none.',
    access: { action: 'content.read', on: 'workspace' },
    response: 'The tree: the array holds the top level, `children` nests the rest.',
    type: [CollectionResponse],
    example: [TREE],
    headers: ['ETag', 'Link'],
    errors: [
      noWorkspaceNamed(),
      ...queryErrors(GetCollectionsQuery, { limit: '0' }),
      expiredCursor(),
      notFound('parent'),
      pageAsParent('parent'),
    ],
  })
  @ConditionalGet('ETag of this list, from an earlier response; 304 while it is current.')
  async getCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionsQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const tree = await this.reads.list(actor, selector, toTreeQuery(query), ifNoneMatch);
    if (tree.next) {
      reply.header('link', nextLink(request.url, this.config.publicUrl, textOfCursor(tree.next)));
    }
    return withEtag(reply, tree.etag, tree.body);
  }

  @Post('batch')
  @Idempotent()
  @Costs({ list: 'items', below: 'children', per: 100 })
  @Operation({
    summary: 'Create many collections and pages',
    description:
      'All items are created in the order given, or none. Returns the new items as a list shows them. Returns 422 for children of a page, 403 at the limit of the plan.',
    access: { action: 'content.write', on: 'workspace' },
    response: 'The items that were created, nested as in a list.',
    type: [CollectionResponse],
    example: [TREE],
    errors: [
      noWorkspaceNamed(),
      ...bodyErrors(CreateCollectionsRequest, { items: [{}, {}, { children: [{ name: '' }] }] }),
      limitReached(ON_FREE_PLAN, 'pages'),
      notFound('parent'),
      pageAsParent('parent'),
      childrenOfPage('items[0].'),
    ],
  })
  async createCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionsRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    const given = toManyItems(body);
    return idempotentResponse(key, serializeItems, (write) =>
      this.collections.create(actor, selector, given, write),
    );
  }

  @Put('order')
  @Costs({ list: 'children', per: 1000 })
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Put the children of a collection in order',
    description:
      'Send the complete list of children in its final order; items from elsewhere in the workspace move in. Returns 409 if the list lacks a present child, 422 if an item would move into its own subtree.',
    access: { action: 'content.write', on: 'workspace' },
    ...messageResponse(ORDERED),
    errors: [
      noWorkspaceNamed(),
      notFound('parent'),
      lacksChild(HOLIDAYS.id),
      stale(),
      pageAsParent('parent'),
      ownSubtree('children[0]'),
    ],
  })
  async orderCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: OrderCollectionsRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.order(actor, selector, toOrdering(body, ifMatch));
    return ORDERED;
  }
}
