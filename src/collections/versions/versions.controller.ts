import { Controller, Delete, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '../../auth/actor.js';
import {
  ChangesContent,
  CurrentActor,
  ReadsFormerContent,
  RequiresManage,
} from '../../auth/token.guard.js';
import { matchesWhole, withEtag } from '../../http/etag.js';
import { bodyOf, type JsonBody } from '../../http/json-stream.js';
import { linkNext, PageQuery } from '../../http/pagination.js';
import { MessageResponse } from '../../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import type { RequestKey } from '../../idempotency/idempotent-write.js';
import { CONTENT, FIRST_DAY, VERSION } from '../../openapi/examples.js';
import { messageResponse, Operation } from '../../openapi/operation.js';
import type { WorkspaceSelector } from '../items/collection.js';
import {
  CollectionResponse,
  ConditionalGet,
  IF_MATCH,
  respondWithWritten,
} from '../items/collection.wire.js';
import { Selector } from '../items/collection-requests.wire.js';
import { ItemAccess } from '../items/item-access.js';
import { VersionsService } from './versions.service.js';
import {
  PageVersionResponse,
  PageVersionWithContentResponse,
  serializeVersion,
  serializeVersionWithContent,
  toVersionNumber,
  VERSION_CURSOR,
  versionEtagOf,
} from './versions.wire.js';

const PURGED: MessageResponse = { message: 'The versions of the page were deleted.' };

/** The path parameter `version`. */
const VERSION_NUMBER = {
  name: 'version',
  description: '`version` from the list of versions.',
  schema: { type: 'integer' as const, minimum: 1 },
  example: VERSION.version,
};

/** What pages were before they were overwritten. */
@ApiTags('versions')
@ChangesContent()
@Controller([
  'collections/:id/versions',
  'teams/:team_slug/workspaces/:workspace_slug/collections/:id/versions',
])
export class VersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly access: ItemAccess,
  ) {}

  @Get()
  @ReadsFormerContent()
  @Operation({
    summary: 'List the versions of a page',
    description:
      'What the page was before writes of its content, newest first, without content. A write keeps what was there as a version, unless the same person began to save it (PUT or patch) less than 10 minutes ago, or it was empty. The newest 50 versions of a page are kept, 8 MiB at most, for 30 days. A transfer to another workspace takes them along: who may write there can read them. purgeVersions deletes them.',
    access: { action: 'content.readHistory', on: 'item' },
    response: 'The versions, newest first.',
    type: [PageVersionResponse],
    example: [VERSION],
    headers: ['Link'],
  })
  async getVersions(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
    @Query() { limit, cursor }: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageVersionResponse[]> {
    const before = cursor === undefined ? undefined : VERSION_CURSOR.decode(cursor);
    const { items, next } = await this.versions.list(actor, selector, id, limit, before);
    linkNext(reply, next === null ? null : VERSION_CURSOR.encode(next));
    return items.map(serializeVersion);
  }

  @Get(':version')
  @ReadsFormerContent()
  @ApiParam(VERSION_NUMBER)
  @ConditionalGet('ETag from an earlier response; 304, since a version does not change.')
  @Operation({
    summary: 'Retrieve a version of a page',
    description: 'The version with its content.',
    access: { action: 'content.readHistory', on: 'item' },
    response: 'The version with its content.',
    type: PageVersionWithContentResponse,
    example: { ...VERSION, content: CONTENT },
    headers: ['ETag'],
  })
  async getVersion(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Param('version') version: string,
    @Selector() selector: WorkspaceSelector,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody | undefined> {
    const found = await this.versions.get(actor, selector, id, toVersionNumber(version));
    const etag = versionEtagOf(id, found);
    const isKnown = matchesWhole(ifNoneMatch, etag);
    const body = isKnown ? null : await bodyOf([serializeVersionWithContent(found)]);
    return withEtag(reply, etag, body);
  }

  @Post(':version/restore')
  @Idempotent()
  @ApiHeader(IF_MATCH)
  @ApiParam(VERSION_NUMBER)
  @Operation({
    summary: 'Restore a version of a page',
    description:
      'The page gets the content of the version, as by updateCollection; what was there becomes a version, however young it is.',
    access: { action: 'content.write', on: 'item' },
    response: 'The page as it is now. A replay has no ETag.',
    type: CollectionResponse,
    example: { ...FIRST_DAY, content: CONTENT },
    headers: ['ETag'],
  })
  async restoreVersion(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Param('version') version: string,
    @Selector() selector: WorkspaceSelector,
    @Headers('if-match') ifMatch: string | undefined,
    @IdempotencyKey() key: RequestKey | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonBody> {
    const number = toVersionNumber(version);
    return respondWithWritten(
      key,
      reply,
      (write) => this.versions.restore(actor, selector, id, number, ifMatch, write),
      this.access.childrenFor(actor),
    );
  }

  @Delete()
  @RequiresManage()
  @Operation({
    summary: 'Delete the versions of a page',
    description:
      'Deletes all versions of the page permanently, such as those that a secret was pasted into, and its content in stored responses (`Idempotency-Key`), which a replay then reads from the page. The page itself stays as it is.',
    access: { action: 'content.purge', on: 'item' },
    ...messageResponse(PURGED),
    bare: true,
  })
  async purgeVersions(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Selector() selector: WorkspaceSelector,
  ): Promise<MessageResponse> {
    await this.versions.purge(actor, selector, id);
    return PURGED;
  }
}
