import { Body, Controller, Delete, Headers, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { ChangesContent } from '../../auth/token.guard.js';
import { notFound, pageAsParent, stale } from '../../errors/domain-error.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { bodyErrors, queryErrors } from '../../openapi/example-errors.js';
import { CONTENT, FIRST_DAY, GUIDES } from '../../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../../teams/errors.js';
import {
  contentOfCollection,
  ITEM,
  noWorkspaceNamed,
  otherKind,
  ownSubtree,
  staleParent,
  tooLargeToDelete,
} from '../errors.js';
import type { WorkspaceSelector } from './collection.js';
import {
  CollectionResponse,
  DeleteCollectionQuery,
  IF_MATCH,
  serializeItem,
  serializeNewItem,
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
import { Selector } from './workspace-selector.wire.js';

const MOVED: MessageResponse = { message: 'The item was moved.' };
const DELETED: MessageResponse = { message: 'The item was deleted with all below it.' };

@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a collection or a page',
    description:
      'The item goes to `index` among its siblings, or to their end. Returns 422 if the parent is a page.',
    access: { action: 'content.write', on: 'workspace' },
    response: 'The new collection or page.',
    type: CollectionResponse,
    example: { ...GUIDES, children: [], content: {} },
    bodies: {
      collection: { summary: 'A collection at the top level', value: { name: 'Guides' } },
      page: {
        summary: 'A page in a collection',
        value: { name: 'First day', object: 'item', parent: GUIDES.id, content: CONTENT },
      },
    },
    errors: [
      noWorkspaceNamed(),
      ...bodyErrors(CreateCollectionRequest, { name: '' }),
      limitReached(ON_FREE_PLAN, 'pages'),
      notFound('parent'),
      pageAsParent('parent'),
      contentOfCollection(''),
    ],
  })
  async createCollection(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    const given = toNewItems(body);
    return idempotentResponse(key, serializeNewItem, (write) =>
      this.collections.create(actor, selector, given, write),
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
    errors: [
      noWorkspaceNamed(),
      ...bodyErrors(ReorderItemRequest, { id: FIRST_DAY.id, index: -1 }),
      notFound(ITEM),
      notFound('newParent'),
      staleParent(),
      stale(),
      pageAsParent('newParent'),
      ownSubtree('newParent'),
      otherKind('item'),
    ],
  })
  async reorderItem(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: ReorderItemRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    const move = toMove(body, ifMatch);
    return idempotentResponse(
      key,
      () => MOVED,
      (write) => this.collections.reorder(actor, selector, move, write),
    );
  }

  @Put(':id')
  @JsonText()
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Update a collection or page',
    description:
      'Absent properties are left unchanged. `parent` moves the item to the end of that collection.',
    access: { action: 'content.write', on: 'item' },
    response: 'The item as it is now.',
    type: CollectionResponse,
    headers: ['ETag'],
    bodies: {
      name: { summary: 'A new name', value: { name: 'Guides' } },
      content: { summary: 'New content of a page', value: { content: CONTENT } },
      move: { summary: 'To the end of the top level', value: { parent: null } },
    },
    errors: [
      ...bodyErrors(UpdateCollectionRequest, { name: '' }, { content: [] }),
      notFound('parent'),
      stale(),
      pageAsParent('parent'),
      ownSubtree('parent'),
      contentOfCollection(''),
    ],
  })
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
    return serializeItem(updated.item, updated.children);
  }

  @Delete(':id')
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Delete a collection or page',
    description:
      'The whole subtree goes to the trash; its pages no longer count as usage of the team. restoreFromTrash brings it back. With `permanent=true` it is deleted for good. Returns 422 for more than 20,000 items, the item itself counted: delete parts of it first, or the whole workspace, which has no limit. The rate limit counts one more for each 100 items.',
    requires: `${WORKSPACE_ACCESS.write}; with \`permanent=true\`, ${WORKSPACE_ACCESS.manage}`,
    access: { action: 'content.write', on: 'item' },
    ...messageResponse(DELETED),
    errors: [
      ...queryErrors(DeleteCollectionQuery, { permanent: 'yes' }),
      stale(),
      tooLargeToDelete(),
    ],
  })
  async deleteCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() { permanent }: DeleteCollectionQuery,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.delete(actor, selector, id, permanent === 'true', ifMatch);
    return DELETED;
  }
}
