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
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { ChangesContent, CurrentActor } from '../../auth/token.guard.js';
import { notFound, pageAsParent, stale } from '../../errors/domain-error.js';
import { AcceptsMediaType } from '../../http/body.guard.js';
import { matchesWeakly, withEtag } from '../../http/etag.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { type RequestKey } from '../../idempotency/idempotent-write.js';
import { notThere, type PatchOperation, placeOf, testFailed } from '../../json/json-patch.js';
import { CONTENT, FIRST_DAY, GUIDES, GUIDES_COPY, TREE } from '../../openapi/examples.js';
import {
  bodyErrors,
  messageResponse,
  Operation,
  queryErrors,
  WORKSPACE_ACCESS,
} from '../../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../../teams/errors.js';
import * as errors from '../errors.js';
import { SubtreesService } from '../subtrees/subtrees.service.js';
import {
  DuplicateCollectionQuery,
  DuplicateCollectionRequest,
  DuplicatedCollectionResponse,
  idsShown,
  TransferCollectionRequest,
  toDestination,
} from '../subtrees/subtrees.wire.js';
import { MAX_COPIED, type ReadItem, type WorkspaceSelector } from './collection.js';
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
import { ItemsService } from './items.service.js';
import {
  JSON_PATCH,
  MAX_OPERATIONS,
  PATCH_SCHEMA,
  PatchOperationRequest,
  PatchPipe,
  patchErrors,
} from './patch.wire.js';

const DELETED: MessageResponse = { message: 'The item and everything in it was deleted.' };

/** What both reads of a single item return. */
const AN_ITEM = {
  response: 'The item with its content and, on a collection, its direct children.',
  type: CollectionResponse,
  example: { ...TREE, content: {} },
  headers: ['ETag'],
} as const;
const ReadsItem = () => ConditionalGet('ETag from an earlier response; 304 while it is current.');

/** What concerns one item: it is created, read, changed, deleted, copied, transferred. */
@ApiTags('collections')
@ApiExtraModels(PatchOperationRequest)
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class ItemsController {
  constructor(
    private readonly items: ItemsService,
    private readonly subtrees: SubtreesService,
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
    },
    errors: [
      errors.noWorkspaceNamed(),
      ...bodyErrors(CreateCollectionRequest, { name: '' }),
      limitReached(ON_FREE_PLAN, 'pages'),
      notFound('parent'),
      pageAsParent('parent'),
      errors.contentOfCollection(''),
      errors.keyTaken(''),
    ],
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
      this.items.childrenFor(actor),
    );
  }

  @Get('by-slug/:slug')
  @ReadsItem()
  @Operation({
    summary: 'Retrieve a collection or page by its slug',
    description: 'Returns what getCollection does; `meta.slug` names the item in the workspace.',
    access: { action: 'content.read', on: 'workspace' },
    ...AN_ITEM,
    errors: [errors.noWorkspaceNamed(), notFound(errors.ITEM)],
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
    errors: [
      errors.noWorkspaceNamed(),
      ...queryErrors(GetCollectionByKeyQuery, {}),
      notFound(errors.ITEM),
    ],
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
      name: { summary: 'A new name', value: { name: 'Guides' } },
      content: { summary: 'New content of a page', value: { content: CONTENT } },
      move: { summary: 'To the end of the top level', value: { parent: null } },
      key: { summary: 'A new key', value: { key: 'handbook:guides/first-day.md' } },
    },
    errors: [
      ...bodyErrors(UpdateCollectionRequest, { name: '' }, { content: [] }),
      notFound('parent'),
      stale('item'),
      pageAsParent('parent'),
      errors.ownSubtree('parent'),
      errors.contentOfCollection(''),
      errors.keyTaken(''),
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
    return respondWithWritten(
      null,
      reply,
      () => this.items.update(actor, selector, id, changes),
      this.items.childrenFor(actor),
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
    errors: [
      ...patchErrors([{ op: 'append' }], Array(MAX_OPERATIONS + 1).fill({})),
      stale('item'),
      testFailed(placeOf(0)),
      notThere(`${placeOf(3)}.path`),
      errors.patchOfCollection(),
    ],
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
      this.items.childrenFor(actor),
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
    errors: [
      ...queryErrors(DeleteCollectionQuery, { permanent: 'yes' }),
      stale('item'),
      errors.tooLargeToDelete(),
    ],
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

  @Post(':id/duplicate')
  @Idempotent()
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Copy a collection or page with all below it',
    description: `The copy has new ids and slugs, and the same names, content and order. It is placed after the original, or with \`workspace_slug\` to the end of the top level of another workspace of the team; \`parent\` and \`index\` choose another place. Links inside content are not changed: \`include=ids\` returns the new id of each item. Returns 422 for more than ${MAX_COPIED} items. The rate limit counts one more for each 100 items.`,
    requires: `${WORKSPACE_ACCESS.write}; with \`workspace_slug\`, \`full\` access to that workspace and read access to the original`,
    access: { action: 'content.write', on: 'item' },
    response: 'The copy with its content and, on a collection, its direct children.',
    type: DuplicatedCollectionResponse,
    example: { ...GUIDES_COPY, content: {} },
    headers: ['ETag'],
    bodies: {
      beside: { summary: 'After the original', value: {} },
      elsewhere: {
        summary: 'With a new name, to the beginning of the top level',
        value: { name: 'Guides (copy)', parent: null, index: 0 },
      },
    },
    errors: [
      ...bodyErrors(DuplicateCollectionRequest, { name: '' }),
      ...queryErrors(DuplicateCollectionQuery, { include: 'links' }),
      notFound('workspace'),
      notFound('parent'),
      limitReached(ON_FREE_PLAN, 'pages'),
      stale('item'),
      pageAsParent('parent'),
      errors.tooLargeToCopy(),
    ],
  })
  async duplicateCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() query: DuplicateCollectionQuery,
    @Body() body: DuplicateCollectionRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const destination = toDestination(body, ifMatch);
    return respondWithWritten(
      key,
      reply,
      (write) => this.subtrees.duplicate(actor, selector, id, body.name, destination, write),
      this.items.childrenFor(actor),
      idsShown(query),
    );
  }

  @Post(':id/transfer')
  @Idempotent()
  @ApiHeader(IF_MATCH)
  @Operation({
    summary: 'Move a collection or page to another workspace',
    description:
      'Versions of pages are transferred, too: anyone who may write there can read what was removed from a page here; call purgeVersions first to prevent that. The item moves with all below it to another workspace of the team: ids, content, order and `createdAt` are unchanged; a slug that is taken there gets a suffix; every item has a new ETag. It goes to the end of the top level, or where `parent` and `index` say. The feed of changes shows deletions in one workspace and changes in the other. Items in the trash are not transferred. Returns 422 for more than 20,000 items, the item itself counted: transfer parts of it first. The rate limit counts one more for each 100 items.',
    requires: `${WORKSPACE_ACCESS.write}, in both workspaces`,
    access: { action: 'content.write', on: 'item' },
    response: 'The item with its content and, on a collection, its direct children.',
    type: CollectionResponse,
    example: { ...TREE, content: {} },
    headers: ['ETag'],
    bodies: {
      end: { summary: 'To the end of the top level', value: { workspace_slug: 'archive' } },
    },
    errors: [
      ...bodyErrors(TransferCollectionRequest, {}, { workspace_slug: 'archive', index: -1 }),
      notFound('workspace'),
      notFound('parent'),
      stale('item'),
      pageAsParent('parent'),
      errors.ownWorkspace(),
      errors.tooLargeToTransfer(),
    ],
  })
  async transferCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Body() body: TransferCollectionRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const destination = { ...toDestination(body, ifMatch), workspaceSlug: body.workspace_slug };
    return respondWithWritten(
      key,
      reply,
      (write) => this.subtrees.transfer(actor, selector, id, destination, write),
      this.items.childrenFor(actor),
    );
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
