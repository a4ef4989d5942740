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
import { Body, Controller, Delete, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { ChangesContent, RequiresManage } from '../../auth/token.guard.js';
import { CONFIG } from '../../config/config.module.js';
import { notFound, pageAsParent } from '../../errors/domain-error.js';
import { streamOf } from '../../http/json-stream.js';
import { PageQuery } from '../../http/pagination.js';
import { IdempotencyKey, Idempotent } from '../../idempotency/idempotency.guard.js';
import { bodyErrors, itemErrors, queryErrors, workspaceErrors, } from '../../openapi/example-errors.js';
import { DELETION, TREE } from '../../openapi/examples.js';
import { messageResponse, Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { linkNextPage, toPageRequest } from '../../teams/page.wire.js';
import { limitReached, ON_FREE_PLAN } from '../../teams/team.js';
import { CollectionResponse } from '../collection.wire.js';
import { respondWithChildren } from '../respond-with-children.js';
import { noWorkspaceNamed } from '../tree-errors.js';
import { Selector } from '../workspace-selector.wire.js';
import { TrashService } from './trash.service.js';
import { DeletionResponse, RestoreRequest, serializeDeletion, toTarget } from './trash.wire.js';
const PURGED = { message: 'The deletion was purged from the trash.' };
const EMPTIED = { message: 'The trash was emptied.' };
let TrashController = class TrashController {
    trash;
    config;
    constructor(trash, config) {
        this.trash = trash;
        this.config = config;
    }
    async getTrash(actor, selector, query, reply) {
        const listed = await this.trash.list(actor, selector, toPageRequest(query));
        if (!('items' in listed))
            return streamDeletions(listed, reply);
        linkNextPage(reply, this.config.publicUrl, listed);
        return listed.items.map(serializeDeletion);
    }
    async restoreFromTrash(actor, id, selector, body, key, reply) {
        const target = toTarget(body);
        return respondWithChildren(key, reply, (write) => this.trash.restore(actor, selector, id, target, write));
    }
    async purgeFromTrash(actor, id, selector) {
        await this.trash.purge(actor, selector, id);
        return PURGED;
    }
    async emptyTrash(actor, selector) {
        await this.trash.empty(actor, selector);
        return EMPTIED;
    }
};
__decorate([
    Get(),
    Operation({
        summary: 'List the trash of a workspace',
        description: 'The deletions that can be restored, newest first. One deletion holds an item with all that was below it; `pages` and `collections` count all of it.',
        requires: WORKSPACE_ACCESS.write,
        response: 'The deletions, newest first.',
        type: [DeletionResponse],
        example: [DELETION],
        headers: ['Link'],
        errors: [
            noWorkspaceNamed(),
            ...queryErrors(PageQuery, { limit: '0' }),
            ...workspaceErrors('content.write'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Query()),
    __param(3, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, PageQuery, Object]),
    __metadata("design:returntype", Promise)
], TrashController.prototype, "getTrash", null);
__decorate([
    Post(':id/restore'),
    Idempotent(),
    Operation({
        summary: 'Restore a deletion from the trash',
        description: 'The whole deletion comes back, or nothing: ids, slugs, content, order and `createdAt` are unchanged; every item has a new `updatedAt` and a new ETag. Without `parent` it goes to the parent that it had, or to the end of the top level if that is gone; without `index` to the place that it had among its siblings. A slug that was taken meanwhile gets a new suffix. A deletion can be restored once; a second request returns 404.',
        requires: WORKSPACE_ACCESS.write,
        response: 'The restored item with its content and, on a collection, its direct children.',
        type: CollectionResponse,
        example: { ...TREE, content: {} },
        bodies: {
            back: { summary: 'To the place that it had', value: {} },
            top: { summary: 'To the beginning of the top level', value: { parent: null, index: 0 } },
        },
        headers: ['ETag'],
        errors: [
            ...bodyErrors(RestoreRequest, { index: -1 }),
            ...itemErrors('content.write', 'deletion'),
            limitReached(ON_FREE_PLAN, 'pages'),
            notFound('parent'),
            pageAsParent('parent'),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Body()),
    __param(4, IdempotencyKey()),
    __param(5, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, RestoreRequest, Object, Object]),
    __metadata("design:returntype", Promise)
], TrashController.prototype, "restoreFromTrash", null);
__decorate([
    Delete(':id'),
    RequiresManage(),
    Operation({
        summary: 'Purge a deletion from the trash',
        description: 'Deletes it permanently.',
        requires: WORKSPACE_ACCESS.manage,
        ...messageResponse(PURGED),
        errors: itemErrors('content.purge', 'deletion'),
        bare: true,
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object]),
    __metadata("design:returntype", Promise)
], TrashController.prototype, "purgeFromTrash", null);
__decorate([
    Delete(),
    RequiresManage(),
    Operation({
        summary: 'Empty the trash of a workspace',
        description: 'Deletes everything in it for good.',
        requires: WORKSPACE_ACCESS.manage,
        ...messageResponse(EMPTIED),
        errors: [noWorkspaceNamed(), ...workspaceErrors('content.purge')],
        bare: true,
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object]),
    __metadata("design:returntype", Promise)
], TrashController.prototype, "emptyTrash", null);
TrashController = __decorate([
    ApiTags('trash'),
    ChangesContent(),
    Controller(['collections/trash', 'teams/:team_slug/workspaces/:workspace_slug/collections/trash']),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [TrashService, Object])
], TrashController);
export { TrashController };
/** @throws DomainError rate_limit_exceeded */
async function streamDeletions(portions, reply) {
    const first = await portions.next();
    reply.header('content-type', 'application/json; charset=utf-8');
    return streamOf(deletionPieces(first.value ?? [], portions), () => {
        portions.return().catch(() => undefined);
    });
}
async function* deletionPieces(first, portions) {
    let separator = '[';
    const piece = (deletions) => {
        const text = deletions.map((one) => JSON.stringify(serializeDeletion(one))).join(',');
        const begin = separator;
        separator = ',';
        return begin + text;
    };
    yield piece(first);
    for await (const deletions of portions)
        if (deletions.length > 0)
            yield piece(deletions);
    yield ']';
}
//# sourceMappingURL=trash.controller.js.map