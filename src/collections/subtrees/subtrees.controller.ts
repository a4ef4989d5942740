import { Body, Controller, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import { ChangesContent, CurrentActor } from '../../auth/token.guard.js';
import type { JsonBody } from '../../http/json-stream.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import type { RequestKey } from '../../idempotency/idempotent-write.js';
import { GUIDES_COPY, TREE } from '../../openapi/examples.js';
import { Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { type WorkspaceSelector } from '../items/collection.js';
import { CollectionResponse, IF_MATCH, respondWithWritten } from '../items/collection.wire.js';
import { Selector, toTarget } from '../items/collection-requests.wire.js';
import { ItemAccess } from '../items/item-access.js';
import { MAX_COPIED } from '../limits.js';
import { SubtreesService } from './subtrees.service.js';
import {
  DuplicateCollectionQuery,
  DuplicateCollectionRequest,
  DuplicatedCollectionResponse,
  idsShown,
  TransferCollectionRequest,
} from './subtrees.wire.js';

/** An item with all below it: it is copied, or transferred to another workspace. */
@ApiTags('collections')
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class SubtreesController {
  constructor(
    private readonly subtrees: SubtreesService,
    private readonly access: ItemAccess,
  ) {}

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
    const workspaceSlug = body.workspace_slug;
    const target = { ...toTarget(body), workspaceSlug, ifMatch };
    return respondWithWritten(
      key,
      reply,
      (write) => this.subtrees.duplicate(actor, selector, id, body, target, write),
      this.access.childrenFor(actor),
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
    const workspaceSlug = body.workspace_slug;
    const target = { ...toTarget(body), workspaceSlug, ifMatch };
    return respondWithWritten(
      key,
      reply,
      (write) => this.subtrees.transfer(actor, selector, id, target, write),
      this.access.childrenFor(actor),
    );
  }
}
