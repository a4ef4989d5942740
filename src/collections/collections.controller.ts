import type { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiHeader,
  ApiNotModifiedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, CurrentActor } from '../auth/actor.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { MessageResponse } from '../http/message.wire.js';
import {
  CollectionResponse,
  ETAG_HEADER,
  IF_MATCH,
  IF_NONE_MATCH,
  presentItem,
} from './collection.wire.js';
import {
  CreateCollectionRequest,
  ReorderItemRequest,
  toChanges,
  toMove,
  toNewItem,
  UpdateCollectionRequest,
} from './collection-requests.wire.js';
import { CollectionsService } from './collections.service.js';
import { matchesWeakly } from './etag.js';
import { type PlaceParams, PlaceQuery, toPlace } from './place.wire.js';
import {
  GetCollectionsQuery,
  LINK_HEADER,
  nextLink,
  presentTree,
  toTreeQuery,
} from './tree.wire.js';

const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const;

@ApiTags('collections')
@Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections'])
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Header(...JSON_TYPE)
  @ApiOperation({
    summary: 'The collections and pages of a workspace, as a tree',
    description:
      'In order and complete: the array holds the top level, `children` nests the rest. With limit, a header `Link: <…>; rel="next"` leads on until there is no more.',
  })
  @ApiOkResponse({ type: [CollectionResponse], headers: LINK_HEADER })
  async getCollections(
    @CurrentActor() actor: Actor,
    @Param() params: PlaceParams,
    @Query() query: GetCollectionsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Readable> {
    const treeQuery = toTreeQuery(query);
    const tree = await this.collections.list(actor, toPlace(params, query), treeQuery);
    if (tree.next) reply.header('link', nextLink(request.url, this.config.publicUrl, tree.next));
    return presentTree(tree, treeQuery.withContent);
  }

  @Post()
  @HttpCode(200)
  @Header(...JSON_TYPE)
  @ApiOperation({
    summary: 'Create a collection or a page',
    description: 'At the end of its siblings. 422 when the parent is a page.',
  })
  @ApiOkResponse({ type: CollectionResponse })
  async createCollection(
    @CurrentActor() actor: Actor,
    @Param() params: PlaceParams,
    @Query() query: PlaceQuery,
    @Body() body: CreateCollectionRequest,
  ): Promise<string | Readable> {
    const item = await this.collections.create(actor, toPlace(params, query), toNewItem(body));
    return presentItem(item, []);
  }

  @Post('reorder')
  @HttpCode(200)
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Move a collection or page',
    description:
      'Within its collection, to another one, or to the top level; `index` is its final position. 409 when `parent` is stale, 422 for a move into its own subtree.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async reorderItem(
    @CurrentActor() actor: Actor,
    @Param() params: PlaceParams,
    @Query() query: PlaceQuery,
    @Body() body: ReorderItemRequest,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.reorder(actor, toPlace(params, query), toMove(body, ifMatch));
    return { message: 'The item was moved.' };
  }

  @Get(':id')
  @Header(...JSON_TYPE)
  @ApiHeader(IF_NONE_MATCH)
  @ApiOperation({
    summary: 'Retrieve a collection or page',
    description: 'With its content and its direct children. Carries a strong ETag.',
  })
  @ApiOkResponse({ type: CollectionResponse, headers: ETAG_HEADER })
  @ApiNotModifiedResponse({
    description: 'If-None-Match is current: no body.',
    headers: ETAG_HEADER,
  })
  async getCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Param() params: PlaceParams,
    @Query() query: PlaceQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Readable | undefined> {
    const found = await this.collections.get(actor, toPlace(params, query), id);
    reply.header('etag', found.etag);
    if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, found.etag)) {
      reply.status(304);
      return undefined;
    }
    return presentItem(found.item, found.children);
  }

  @Put(':id')
  @Header(...JSON_TYPE)
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Update a collection or page',
    description: 'What is absent stays. `parent` moves it to the end of that collection.',
  })
  @ApiOkResponse({ type: CollectionResponse, headers: ETAG_HEADER })
  async updateCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Param() params: PlaceParams,
    @Query() query: PlaceQuery,
    @Body() body: UpdateCollectionRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Readable> {
    const changes = toChanges(body, ifMatch);
    const updated = await this.collections.update(actor, toPlace(params, query), id, changes);
    reply.header('etag', updated.etag);
    return presentItem(updated.item, updated.children);
  }

  @Delete(':id')
  @ApiHeader(IF_MATCH)
  @ApiOperation({
    summary: 'Delete a collection or page',
    description: 'With its whole subtree; the pages go back to the usage of the team.',
  })
  @ApiOkResponse({ type: MessageResponse })
  async deleteCollection(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Param() params: PlaceParams,
    @Query() query: PlaceQuery,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.collections.delete(actor, toPlace(params, query), id, ifMatch);
    return { message: 'The item was deleted with all below it.' };
  }
}
