import { Body, Controller, Get, Headers, Post, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { ChangesContent, CurrentActor } from '../../auth/token.guard.js';
import { Held, type HeldRequest } from '../../http/deadline.js';
import { withEtag } from '../../http/etag.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { linkNext } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { CHANGES, FIRST_DAY, GUIDES, TREE } from '../../openapi/examples.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import { Costs } from '../../rate-limit/rate-limit.js';
import { ChangesService } from '../changes/changes.service.js';
import {
  ChangesResponse,
  GetChangesQuery,
  serializeChanges,
  toChangesQuery,
} from '../changes/changes.wire.js';
import type { WorkspaceSelector } from '../items/collection.js';
import {
  CollectionResponse,
  ConditionalGet,
  IF_MATCH,
  serializeItems,
} from '../items/collection.wire.js';
import { Selector } from '../items/collection-requests.wire.js';
import { ItemsService } from '../items/items.service.js';
import { ITEMS_PER_POINT, ORDERED_PER_POINT } from '../limits.js';
import { TreeService } from './tree.service.js';
import {
  CreateCollectionsRequest,
  GetCollectionsQuery,
  LIST_CURSOR,
  OrderCollectionsRequest,
  ReorderItemRequest,
  toManyItems,
  toMove,
  toOrdering,
  toTreeQuery,
} from './tree.wire.js';

const MOVED: MessageResponse = { message: 'The item was moved.' };
const ORDERED: MessageResponse = { message: 'The order was saved.' };

/** What concerns a tree: its list, batches, moves and orders, and the feed of its changes. */
@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class TreeController {
  constructor(
    private readonly tree: TreeService,
    private readonly items: ItemsService,
    private readonly changes: ChangesService,
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
  })
  @ConditionalGet('ETag of this list, from an earlier response; 304 while it is current.')
  async getCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionsQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const tree = await this.tree.list(actor, selector, toTreeQuery(query), ifNoneMatch);
    linkNext(reply, tree.next && LIST_CURSOR.encode(tree.next));
    return withEtag(reply, tree.etag, tree.body);
  }

  @Post('batch')
  @Idempotent()
  @Costs({ list: 'items', below: 'children', per: ITEMS_PER_POINT })
  @Operation({
    summary: 'Create many collections and pages',
    description:
      'All items are created in the order given, or none. Returns the new items as a list shows them. Returns 422 for children of a page, 403 at the limit of the plan.',
    access: { action: 'content.write', on: 'workspace' },
    response: 'The items that were created, nested as in a list.',
    type: [CollectionResponse],
    example: [TREE],
  })
  async createCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionsRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    const given = toManyItems(body);
    return idempotentResponse(key, serializeItems, (write) =>
      this.items.create(actor, selector, given, write),
    );
  }

  @Post('reorder')
  @Idempotent()
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Move a collection or page',
    description:
      'The item moves within its collection, to another one, or to the top level; `index` is its final position. Returns 409 if `parent` is stale, 422 if the item would move into its own subtree.',
    access: { action: 'content.write', on: 'workspace' },
    ...messageResponse(MOVED),
    headers: ['ETag'],
    bodies: {
      within: {
        summary: 'After its sibling',
        value: { id: FIRST_DAY.id, index: 1, parent: GUIDES.id },
      },
      top: {
        summary: 'To the beginning of the top level',
        value: { id: FIRST_DAY.id, index: 0, newParent: null },
      },
    },
  })
  async reorderItem(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: ReorderItemRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const move = toMove(body, ifMatch);
    return idempotentResponse(
      key,
      () => MOVED,
      async (write) => {
        const moved = await this.tree.reorder(actor, selector, move, write);
        reply.header('etag', moved.etag);
        return moved;
      },
    );
  }

  @Put('order')
  @Costs({ list: 'children', per: ORDERED_PER_POINT })
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Put the children of a collection in order',
    description:
      'Send the complete list of children in its final order; items from elsewhere in the workspace move in. Returns 409 if the list lacks a present child, 422 if an item would move into its own subtree.',
    access: { action: 'content.write', on: 'workspace' },
    ...messageResponse(ORDERED),
  })
  async orderCollections(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: OrderCollectionsRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.tree.order(actor, selector, toOrdering(body, ifMatch));
    return ORDERED;
  }

  @Get('changes')
  @JsonText()
  @Operation({
    summary: 'Follow the changes of a workspace',
    description:
      'Keeps a copy of the tree in sync: call it without `cursor` first, then with the `cursor` of each response. The feed starts with all items and continues with what has changed since, in the order of commits; an item that changed several times may appear once, as it is now. When `more` is false, your copy is a consistent snapshot. Returns 409 if the cursor is too old, or belongs to another workspace or another history of the database: start again without one.',
    access: { action: 'content.read', on: 'workspace' },
    response: 'A page of changes, and the cursor to continue with.',
    type: ChangesResponse,
    example: CHANGES,
  })
  async getChanges(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetChangesQuery,
    @Held() request: HeldRequest,
  ): Promise<string> {
    return serializeChanges(
      await this.changes.read(actor, selector, toChangesQuery(query), request),
    );
  }
}
