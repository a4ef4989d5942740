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
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { notFound } from '../errors/domain-error.js';
import { workspaceErrors } from '../openapi/example-errors.js';
import { TREE } from '../openapi/examples.js';
import { Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { CollectionResponse, GetCollectionQuery, serializeReadItem } from './collection.wire.js';
import { ConditionalGet, withEtag } from './conditional-get.js';
import { matchesWeakly } from './etag.js';
import { WHAT } from './item-places.js';
import { ItemReadsService } from './item-reads.service.js';
import { noWorkspaceNamed } from './tree-errors.js';
import { Selector } from './workspace-selector.wire.js';
/** What both reads of a single item return. */
const AN_ITEM = {
    requires: WORKSPACE_ACCESS.read,
    response: 'The item with its content and, on a collection, its direct children.',
    type: CollectionResponse,
    example: { ...TREE, content: {} },
    headers: ['ETag'],
};
const ReadsItem = () => ConditionalGet('ETag from an earlier response; 304 while it is current.');
let ItemReadsController = class ItemReadsController {
    reads;
    constructor(reads) {
        this.reads = reads;
    }
    async getCollectionBySlug(actor, slug, selector, query, ifNoneMatch, reply) {
        const found = await this.reads.getBySlug(actor, selector, slug, toInclude(query));
        return respondWithItem(found, ifNoneMatch, reply);
    }
    async getCollection(actor, id, selector, query, ifNoneMatch, reply) {
        const found = await this.reads.get(actor, selector, id, toInclude(query));
        return respondWithItem(found, ifNoneMatch, reply);
    }
};
__decorate([
    Get('by-slug/:slug'),
    ReadsItem(),
    Operation({
        summary: 'Retrieve a collection or page by its slug',
        description: 'Returns what getCollection does; `meta.slug` names the item in the workspace.',
        ...AN_ITEM,
        errors: [noWorkspaceNamed(), ...workspaceErrors('content.read'), notFound(WHAT)],
    }),
    ApiParam({ name: 'slug', description: 'Slug of the item.', example: 'first-day' }),
    __param(0, CurrentActor()),
    __param(1, Param('slug')),
    __param(2, Selector()),
    __param(3, Query()),
    __param(4, Headers('if-none-match')),
    __param(5, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, GetCollectionQuery, Object, Object]),
    __metadata("design:returntype", Promise)
], ItemReadsController.prototype, "getCollectionBySlug", null);
__decorate([
    Get(':id'),
    ReadsItem(),
    Operation({
        summary: 'Retrieve a collection or page',
        description: 'The item with its content and its direct children, and a strong ETag.',
        ...AN_ITEM,
        errors: [notFound(WHAT)],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Query()),
    __param(4, Headers('if-none-match')),
    __param(5, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, GetCollectionQuery, Object, Object]),
    __metadata("design:returntype", Promise)
], ItemReadsController.prototype, "getCollection", null);
ItemReadsController = __decorate([
    ApiTags('collections'),
    Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections']),
    __metadata("design:paramtypes", [ItemReadsService])
], ItemReadsController);
export { ItemReadsController };
const toInclude = ({ include }) => include === 'ancestors';
async function respondWithItem(item, ifNoneMatch, reply) {
    const { etag } = item;
    const body = matchesWeakly(ifNoneMatch, etag) ? null : await serializeReadItem(item);
    return withEtag(reply, etag, body);
}
//# sourceMappingURL=item-reads.controller.js.map