import { Body, Controller, Headers, Param, Patch, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../../auth/actor.js';
import { ChangesContent } from '../../auth/token.guard.js';
import { stale } from '../../errors/domain-error.js';
import { AcceptsMediaType } from '../../http/body.guard.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { idempotentResponse, type RequestKey } from '../../idempotency/idempotent-write.js';
import { notThere, type PatchOperation, placeOf, testFailed } from '../../json/json-patch.js';
import { CONTENT, FIRST_DAY } from '../../openapi/examples.js';
import { Operation } from '../../openapi/operation.js';
import { patchOfCollection } from '../errors.js';
import type { WorkspaceSelector } from './collection.js';
import { CollectionResponse, IF_MATCH, serializePage } from './collection.wire.js';
import { CollectionsService } from './collections.service.js';
import {
  JSON_PATCH,
  MAX_OPERATIONS,
  PATCH_SCHEMA,
  PatchOperationRequest,
  PatchPipe,
  patchErrors,
} from './patch.wire.js';
import { Selector } from './workspace-selector.wire.js';

@ApiTags('collections')
@ApiExtraModels(PatchOperationRequest)
@ChangesContent()
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class PatchController {
  constructor(private readonly collections: CollectionsService) {}

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
      stale(),
      testFailed(placeOf(0)),
      notThere(`${placeOf(3)}.path`),
      patchOfCollection(),
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
  ): Promise<string> {
    const patch = { operations, ifMatch };
    return idempotentResponse(key, serializePage, async (write) => {
      const patched = await this.collections.patch(actor, selector, id, patch, write);
      reply.header('etag', patched.etag);
      return patched;
    });
  }
}
