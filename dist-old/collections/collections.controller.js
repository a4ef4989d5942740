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
import { Body, Controller, Delete, Headers, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { notFound, pageAsParent, stale } from '../errors/domain-error.js';
import { JsonText } from '../http/json-stream.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../idempotency/idempotent-write.js';
import { bodyErrors, itemErrors, queryErrors, workspaceErrors } from '../openapi/example-errors.js';
import { CONTENT, FIRST_DAY, GUIDES } from '../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../teams/team.js';
import { CollectionResponse, DeleteCollectionQuery, IF_MATCH, serializeItem, serializeNewItem, } from './collection.wire.js';
import { CreateCollectionRequest, ReorderItemRequest, toChanges, toMove, toNewItems, UpdateCollectionRequest, } from './collection-requests.wire.js';
import { CollectionsService } from './collections.service.js';
import { WHAT } from './item-places.js';
import { contentOfCollection, noWorkspaceNamed, otherKind, ownSubtree, staleParent, } from './tree-errors.js';
import { Selector } from './workspace-selector.wire.js';
const MOVED = { message: 'The item was moved.' };
const DELETED = { message: 'The item was deleted with all below it.' };
let CollectionsController = class CollectionsController {
    collections;
    constructor(collections) {
        this.collections = collections;
    }
    async createCollection(actor, selector, body, key) {
        const given = toNewItems(body);
        return idempotentResponse(key, serializeNewItem, (write) => this.collections.create(actor, selector, given, write));
    }
    async reorderItem(actor, selector, body, ifMatch, key) {
        const move = toMove(body, ifMatch);
        return idempotentResponse(key, () => MOVED, (write) => this.collections.reorder(actor, selector, move, write));
    }
    async updateCollection(actor, id, selector, body, ifMatch, reply) {
        const changes = toChanges(body, ifMatch);
        const updated = await this.collections.update(actor, selector, id, changes);
        reply.header('etag', updated.etag);
        return serializeItem(updated.item, updated.children);
    }
    async deleteCollection(actor, id, selector, { permanent }, ifMatch) {
        await this.collections.delete(actor, selector, id, permanent === 'true', ifMatch);
        return DELETED;
    }
};
__decorate([
    Post(),
    Idempotent(),
    Operation({
        summary: 'Create a collection or a page',
        description: 'The item goes to `index` among its siblings, or to their end. Returns 422 if the parent is a page.',
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
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Body()),
    __param(3, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, CreateCollectionRequest, Object]),
    __metadata("design:returntype", Promise)
], CollectionsController.prototype, "createCollection", null);
__decorate([
    Post('reorder'),
    Idempotent(),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Move a collection or page',
        description: 'The item moves within its collection, to another one, or to the top level; `index` is its final position. Returns 409 if `parent` is stale, 422 if the item would move into its own subtree.',
        requires: WORKSPACE_ACCESS.write,
        ...messageResponse(MOVED),
        bodies: {
            within: {
                summary: 'After its sibling',
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
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Body()),
    __param(3, Headers('if-match')),
    __param(4, IdempotencyKey()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, ReorderItemRequest, Object, Object]),
    __metadata("design:returntype", Promise)
], CollectionsController.prototype, "reorderItem", null);
__decorate([
    Put(':id'),
    JsonText(),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Update a collection or page',
        description: 'Absent properties are left unchanged. `parent` moves the item to the end of that collection.',
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
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Body()),
    __param(4, Headers('if-match')),
    __param(5, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, UpdateCollectionRequest, Object, Object]),
    __metadata("design:returntype", Promise)
], CollectionsController.prototype, "updateCollection", null);
__decorate([
    Delete(':id'),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Delete a collection or page',
        description: 'The whole subtree goes to the trash; its pages no longer count as usage of the team. restoreFromTrash brings it back. With `permanent=true` it is deleted for good.',
        requires: `${WORKSPACE_ACCESS.write}; with \`permanent=true\`, ${WORKSPACE_ACCESS.manage}`,
        ...messageResponse(DELETED),
        errors: [
            ...queryErrors(DeleteCollectionQuery, { permanent: 'yes' }),
            ...itemErrors('content.write'),
            stale(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Query()),
    __param(4, Headers('if-match')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, DeleteCollectionQuery, Object]),
    __metadata("design:returntype", Promise)
], CollectionsController.prototype, "deleteCollection", null);
CollectionsController = __decorate([
    ApiTags('collections'),
    ChangesContent(),
    Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections']),
    __metadata("design:paramtypes", [CollectionsService])
], CollectionsController);
export { CollectionsController };
//# sourceMappingURL=collections.controller.js.map