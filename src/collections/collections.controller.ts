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
import { ApiHeader, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { notFound, pageAsParent, stale } from '../errors/domain-error.js';
import { type JsonBody, JsonText } from '../http/json-stream.js';
import { MessageResponse } from '../http/message.wire.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../idempotency/idempotent-write.js';
import { bodyErrors, itemErrors, queryErrors, workspaceErrors } from '../openapi/example-errors.js';
import { CONTENT, FIRST_DAY, GUIDES, TREE } from '../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../teams/team.js';
import type { ReadItem, WorkspaceSelector } from './collection.js';
import {
  CollectionResponse,
  DeleteCollectionQuery,
  GetCollectionQuery,
  IF_MATCH,
  serializeItem,
  serializeNewItem,
  serializeReadItem,
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
import {
  contentOfCollection,
  noWorkspaceNamed,
  otherKind,
  ownSubtree,
  staleParent,
} from './tree-errors.js';
import { Selector } from './workspace-selector.wire.js';

const WHAT = 'collection or page';

/** What both reads of a single item return. */
const AN_ITEM = {
  requires: WORKSPACE_ACCESS.read,
  response: 'The item with its content and, on a collection, its direct children.',
  type: CollectionResponse,
  example: { ...TREE, content: {} },
  headers: ['ETag'],
} as const;
const ReadsItem = () => ConditionalGet('ETag from an earlier response; 304 while it is current.');

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
    requires: WORKSPACE_ACCESS.write,
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
      ...workspaceErrors('content.write'),
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
    requires: WORKSPACE_ACCESS.write,
    ...messageResponse(MOVED),
    bodies: {
      within: {
        summary: 'Behind its sibling',
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
      ...workspaceErrors('content.write'),
      notFound(WHAT),
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

  @Get('by-slug/:slug')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page by its slug',
    description: 'Returns what getCollection does; `meta.slug` names the item in the workspace.',
    ...AN_ITEM,
    errors: [noWorkspaceNamed(), ...workspaceErrors('content.read'), notFound(WHAT)],
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
  @Operation({
    summary: 'Retrieve a collection or page',
    description: 'The item with its content and its direct children, and a strong ETag.',
    ...AN_ITEM,
    errors: [notFound(WHAT)],
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
  @Operation({
    summary: 'Update a collection or page',
    description:
      'Absent properties are left unchanged. `parent` moves the item to the end of that collection.',
    requires: WORKSPACE_ACCESS.write,
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
      ...itemErrors('content.write'),
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
      'The whole subtree goes to the trash; its pages no longer count as usage of the team. restoreFromTrash brings it back. With `permanent=true` it is deleted for good.',
    requires: `${WORKSPACE_ACCESS.write}; with \`permanent=true\`, ${WORKSPACE_ACCESS.manage}`,
    ...messageResponse(DELETED),
    errors: [
      ...queryErrors(DeleteCollectionQuery, { permanent: 'yes' }),
      ...itemErrors('content.write'),
      stale(),
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

const toInclude = ({ include }: GetCollectionQuery): boolean => include === 'ancestors';

async function answerItem(
  item: ReadItem & { etag: string },
  ifNoneMatch: string | undefined,
  reply: FastifyReply,
): Promise<JsonBody | undefined> {
  const { etag } = item;
  const body = matchesWeakly(ifNoneMatch, etag) ? null : await serializeReadItem(item);
  return withEtag(reply, etag, body);
}
