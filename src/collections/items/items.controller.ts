import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { PatchOperation } from '@teamspaces/json-text/json-patch';
import { MAX_OPERATIONS } from '@teamspaces/json-text/patch-operations';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { ChangesContent, CurrentActor } from '../../auth/token.guard.js';
import { AcceptsMediaType } from '../../http/body.guard.js';
import { matchesWhole, withEtag } from '../../http/etag.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import type { RequestKey } from '../../idempotency/idempotent-write.js';
import { CONTENT, FIRST_DAY, GUIDES, TREE } from '../../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import type { ReadItem, WorkspaceSelector } from './collection.js';
import {
  CollectionResponse,
  ConditionalGet,
  DeleteCollectionQuery,
  GetCollectionByKeyQuery,
  GetCollectionQuery,
  IF_MATCH,
  respondWithWritten,
  serializeReadItem,
} from './collection.wire.js';
import {
  CreateCollectionRequest,
  Selector,
  toChanges,
  toNewItems,
  UpdateCollectionRequest,
} from './collection-requests.wire.js';
import { ItemAccess } from './item-access.js';
import { ItemsService } from './items.service.js';
import { JSON_PATCH, PATCH_SCHEMA, PatchOperationRequest, PatchPipe } from './patch.wire.js';

const DELETED: MessageResponse = { message: 'The item and everything in it was deleted.' };

/** What both reads of a single item return. */
const AN_ITEM = {
  response: 'The item with its content and, on a collection, its direct children.',
  type: CollectionResponse,
  example: { ...TREE, content: {} },
  headers: ['ETag'],
} as const;
const ReadsItem = () => ConditionalGet('ETag from an earlier response; 304 while it is current.');

/** What concerns one item: it is created, read, changed, deleted. */
@ApiTags('collections')
@ApiExtraModels(PatchOperationRequest)
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class ItemsController {
  constructor(
    private readonly items: ItemsService,
    private readonly access: ItemAccess,
  ) {}

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a collection or a page',
    description:
      'The item goes to `index` among its siblings, or to their end. Returns 422 if the parent is a page.',
    access: { action: 'content.write', on: 'workspace' },
    response: 'The new collection or page. A replay has no ETag.',
    type: CollectionResponse,
    example: { ...GUIDES, children: [], content: {} },
    headers: ['ETag'],
    bodies: {
      collection: { summary: 'A collection at the top level', value: { name: 'Guides' } },
      page: {
        summary: 'A page in a collection',
        value: { name: 'First day', object: 'item', parent: GUIDES.id, content: CONTENT },
      },
      title: {
        summary: 'A page with a title, of which its name is made',
        value: { title: 'First day: what to bring, and whom to meet', object: 'item' },
      },
    },
  })
  async createCollection(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Body() body: CreateCollectionRequest,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const given = toNewItems(body);
    return respondWithWritten(
      key,
      reply,
      (write) => this.items.create(actor, selector, given, write),
      this.access.childrenFor(actor),
    );
  }

  @Get('by-slug/:slug')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page by its slug',
    description: 'Returns what getCollection does; `meta.slug` names the item in the workspace.',
    access: { action: 'content.read', on: 'workspace' },
    ...AN_ITEM,
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
    const found = await this.items.getBySlug(actor, selector, slug, toInclude(query));
    return respondWithItem(found, ifNoneMatch, reply);
  }

  @Get('by-key')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page by its key',
    description:
      'Returns what getCollection does; `key` is what a program has given the item, unique in the workspace.',
    access: { action: 'content.read', on: 'workspace' },
    ...AN_ITEM,
  })
  async getCollectionByKey(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: GetCollectionByKeyQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const found = await this.items.getByKey(actor, selector, query.key, toInclude(query));
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
    const found = await this.items.get(actor, selector, id, toInclude(query));
    return respondWithItem(found, ifNoneMatch, reply);
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
      name: { summary: 'A new name, which is the title, too', value: { name: 'Guides' } },
      title: {
        summary: 'A new title',
        value: { title: 'Guides for the first day, and for the days after it' },
      },
      content: { summary: 'New content of a page', value: { content: CONTENT } },
      move: { summary: 'To the end of the top level', value: { parent: null } },
      key: { summary: 'A new key', value: { key: 'handbook:guides/first-day.md' } },
    },
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
    return respondWithWritten(
      null,
      reply,
      () => this.items.update(actor, selector, id, changes),
      this.access.childrenFor(actor),
    );
  }

  @Patch(':id/content')
  @Idempotent()
  @AcceptsMediaType(JSON_PATCH)
  @ApiConsumes(JSON_PATCH, 'application/json')
  @ApiBody({ schema: PATCH_SCHEMA })
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Change parts of the content of a page',
    description: `A JSON Patch (RFC 6902) of at most ${MAX_OPERATIONS} operations, applied in order, all or none, to the content as it is when the patch is written: two clients that append to the same array at the same moment both succeed. The rate limit counts one more for each 10 MiB of work: the operations times the size of the page. Returns 409 if a \`test\` fails, 422 if a path is not there or the result is not valid content.`,
    access: { action: 'content.write', on: 'item' },
    response: 'The page as it is now. A replay has no ETag.',
    type: CollectionResponse,
    example: { ...FIRST_DAY, content: { ...CONTENT, items: ['Get a badge'] } },
    headers: ['ETag'],
    bodies: {
      replace: {
        summary: 'A new value of a member',
        value: [{ op: 'replace', path: '/text', value: 'Welcome!' }],
      },
      append: {
        summary: 'A new element at the end of an array',
        value: [{ op: 'add', path: '/items/-', value: 'Get a badge' }],
      },
      test: {
        summary: 'Only if the member has this value',
        value: [
          { op: 'test', path: '/type', value: 'doc' },
          { op: 'remove', path: '/text' },
        ],
      },
    },
  })
  async patchContent(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Body(new PatchPipe()) operations: PatchOperation[],
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const patch = { operations, ifMatch };
    return respondWithWritten(
      key,
      reply,
      (write) => this.items.patch(actor, selector, id, patch, write),
      this.access.childrenFor(actor),
    );
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
  })
  async deleteCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() { permanent }: DeleteCollectionQuery,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.items.delete(actor, selector, id, permanent === 'true', ifMatch);
    return DELETED;
  }
}

const toInclude = ({ include }: GetCollectionQuery): boolean => include === 'ancestors';

async function respondWithItem(
  item: ReadItem & { etag: string },
  ifNoneMatch: string | undefined,
  reply: FastifyReply,
): Promise<JsonBody | undefined> {
  const { etag } = item;
  const body = matchesWhole(ifNoneMatch, etag) ? null : await serializeReadItem(item);
  return withEtag(reply, etag, body);
}
