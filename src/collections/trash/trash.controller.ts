import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import {
  ChangesContent,
  CurrentActor,
  ReadsFormerContent,
  RequiresManage,
} from '../../auth/token.guard.js';
import { type JsonBody, JsonText } from '../../http/json-stream.js';
import { asJson, respondWithList } from '../../http/list-response.js';
import { PageQuery, toPageRequest } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import type { RequestKey } from '../../idempotency/idempotent-write.js';
import { DELETION, TREE } from '../../openapi/examples.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import type { WorkspaceSelector } from '../items/collection.js';
import { CollectionResponse, respondWithWritten } from '../items/collection.wire.js';
import { Selector, toTarget } from '../items/collection-requests.wire.js';
import { ItemAccess } from '../items/item-access.js';
import { TrashService } from './trash.service.js';
import { DeletionResponse, RestoreRequest, serializeDeletion } from './trash.wire.js';

const PURGED: MessageResponse = { message: 'The deletion was purged from the trash.' };
const EMPTIED: MessageResponse = { message: 'The trash was emptied.' };

@ApiTags('trash')
@ChangesContent()
@Controller(['collections/trash', 'teams/:team_slug/workspaces/:workspace_slug/collections/trash'])
export class TrashController {
  constructor(
    private readonly trash: TrashService,
    private readonly access: ItemAccess,
  ) {}

  @Get()
  @JsonText()
  @ReadsFormerContent()
  @Operation({
    summary: 'List the trash of a workspace',
    description:
      'The deletions that can be restored, newest first. One deletion holds an item with all that was below it; `pages` and `collections` count all of it.',
    access: { action: 'content.readHistory', on: 'workspace' },
    response: 'The deletions, newest first.',
    type: [DeletionResponse],
    example: [DELETION],
    headers: ['Link'],
  })
  async getTrash(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const listed = await this.trash.list(actor, selector, toPageRequest(query));
    return respondWithList(reply, listed, asJson(serializeDeletion));
  }

  @Post(':id/restore')
  @Idempotent()
  @Operation({
    summary: 'Restore a deletion from the trash',
    description:
      'The whole deletion comes back, or nothing: ids, slugs, content, order and `createdAt` are unchanged; every item has a new `updatedAt` and a new ETag. Without `parent` it goes to the parent that it had, or to the end of the top level if that is gone; without `index` to the place that it had among its siblings. A slug that was taken meanwhile gets a new suffix. A deletion can be restored once; a second request returns 404. Returns 422 for more than 20,000 items: the operator can restore them. The rate limit counts one more for each 100 items.',
    access: { action: 'content.write', on: 'deletion' },
    response: 'The restored item with its content and, on a collection, its direct children.',
    type: CollectionResponse,
    example: { ...TREE, content: {} },
    bodies: {
      back: { summary: 'To the place that it had', value: {} },
      top: { summary: 'To the beginning of the top level', value: { parent: null, index: 0 } },
    },
    headers: ['ETag'],
  })
  async restoreFromTrash(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Body() body: RestoreRequest,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const target = toTarget(body);
    return respondWithWritten(
      key,
      reply,
      (write) => this.trash.restore(actor, selector, id, target, write),
      this.access.childrenFor(actor),
    );
  }

  @Delete(':id')
  @RequiresManage()
  @Operation({
    summary: 'Purge a deletion from the trash',
    description: 'Deletes it permanently.',
    access: { action: 'content.purge', on: 'deletion' },
    ...messageResponse(PURGED),
    bare: true,
  })
  async purgeFromTrash(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
  ): Promise<MessageResponse> {
    await this.trash.purge(actor, selector, id);
    return PURGED;
  }

  @Delete()
  @RequiresManage()
  @Operation({
    summary: 'Empty the trash of a workspace',
    description: 'Deletes everything in it for good.',
    access: { action: 'content.purge', on: 'workspace' },
    ...messageResponse(EMPTIED),
    bare: true,
  })
  async emptyTrash(
    @CurrentActor() actor: Actor,
    @Selector() selector: WorkspaceSelector,
  ): Promise<MessageResponse> {
    await this.trash.empty(actor, selector);
    return EMPTIED;
  }
}
