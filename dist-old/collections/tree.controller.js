var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Body, Controller, Get, Headers, Inject, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { CONFIG } from '../config/config.module.js';
import { notFound, pageAsParent, stale } from '../errors/domain-error.js';
import { nextLink } from '../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../idempotency/idempotent-write.js';
import { bodyErrors, queryErrors, workspaceErrors } from '../openapi/example-errors.js';
import { HOLIDAYS, TREE } from '../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { Costs } from '../rate-limit/rate-limit.guard.js';
import { limitReached, ON_FREE_PLAN } from '../teams/team.js';
import { CollectionResponse, IF_MATCH, serializeItems } from './collection.wire.js';
import { CollectionsService } from './collections.service.js';
import { ConditionalGet, withEtag } from './conditional-get.js';
import { ItemReadsService } from './item-reads.service.js';
import { GetCollectionsQuery, textOfCursor, toTreeQuery } from './tree.wire.js';
import { childrenOfPage, expiredCursor, lacksChild, noWorkspaceNamed, ownSubtree, } from './tree-errors.js';
import { CreateCollectionsRequest, OrderCollectionsRequest, toManyItems, toOrdering, } from './tree-requests.wire.js';
import { Selector } from './workspace-selector.wire.js';
const ORDERED = { message: 'The children are in this order now.' };
/** What concerns many items at once: lists, batches, complete orders. */
let TreeController = class TreeController {
    reads;
    collections;
    config;
    constructor(reads, collections, config) {
        this.reads = reads;
        this.collections = collections;
        this.config = config;
    }
    async getCollections(actor, selector, query, ifNoneMatch, request, reply) {
        const tree = await this.reads.list(actor, selector, toTreeQuery(query), ifNoneMatch);
        if (tree.next) {
            reply.header('link', nextLink(request.url, this.config.publicUrl, textOfCursor(tree.next)));
        }
        return withEtag(reply, tree.etag, tree.body);
    }
    async createCollections(actor, selector, body, key) {
        const given = toManyItems(body);
        return idempotentResponse(key, serializeItems, (write) => this.collections.create(actor, selector, given, write));
    }
    async orderCollections(actor, selector, body, ifMatch) {
        await this.collections.order(actor, selector, toOrdering(body, ifMatch));
        return ORDERED;
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the collections and pages of a workspace',
        description: 'Returns the whole tree, in order: the array holds the top level, `children` nests the rest. With `limit`, follow the header `Link: <…>; rel="next"` until there is none.',
        requires: WORKSPACE_ACCESS.read,
        response: 'The tree: the array holds the top level, `children` nests the rest.',
        type: [CollectionResponse],
        example: [TREE],
        headers: ['ETag', 'Link'],
        errors: [
            noWorkspaceNamed(),
            ...queryErrors(GetCollectionsQuery, { limit: '0' }),
            expiredCursor(),
            ...workspaceErrors('content.read'),
            notFound('parent'),
            pageAsParent('parent'),
        ],
    }),
    ConditionalGet('ETag of this list, from an earlier response; 304 while it is current.'),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Query()),
    __param(3, Headers('if-none-match')),
    __param(4, Req()),
    __param(5, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, GetCollectionsQuery, Object, Object, Object]),
    __metadata("design:returntype", Promise)
], TreeController.prototype, "getCollections", null);
__decorate([
    Post('batch'),
    Idempotent(),
    Costs({ list: 'items', below: 'children', per: 100 }),
    Operation({
        summary: 'Create many collections and pages',
        description: 'All items are created in the order given, or none. Returns the new items as a list shows them. Returns 422 for children of a page, 403 at the limit of the plan.',
        requires: WORKSPACE_ACCESS.write,
        response: 'The items that were created, nested as in a list.',
        type: [CollectionResponse],
        example: [TREE],
        errors: [
            noWorkspaceNamed(),
            ...bodyErrors(CreateCollectionsRequest, { items: [{}, {}, { children: [{ name: '' }] }] }),
            ...workspaceErrors('content.write'),
            limitReached(ON_FREE_PLAN, 'pages'),
            notFound('parent'),
            pageAsParent('parent'),
            childrenOfPage('items[0].'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Body()),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, CreateCollectionsRequest, Object]),
    __metadata("design:returntype", Promise)
], TreeController.prototype, "createCollections", null);
__decorate([
    Put('order'),
    Costs({ list: 'children', per: 1000 }),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Put the children of a collection in order',
        description: 'Send the complete list of children in its final order; items from elsewhere in the workspace move in. Returns 409 if the list lacks a present child, 422 if an item would move into its own subtree.',
        requires: WORKSPACE_ACCESS.write,
        ...messageResponse(ORDERED),
        errors: [
            noWorkspaceNamed(),
            ...workspaceErrors('content.write'),
            notFound('parent'),
            lacksChild(HOLIDAYS.id),
            stale(),
            pageAsParent('parent'),
            ownSubtree('children[0]'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Body()),
    __param(3, Headers('if-match')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, OrderCollectionsRequest, Object]),
    __metadata("design:returntype", Promise)
], TreeController.prototype, "orderCollections", null);
TreeController = __decorate([
    ApiTags('collections'),
    ChangesContent(),
    Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections']),
    __param(2, Inject(CONFIG)),
    __metadata("design:paramtypes", [ItemReadsService,
        CollectionsService, Object])
], TreeController);
export { TreeController };
//# sourceMappingURL=tree.controller.js.map