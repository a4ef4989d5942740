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
import { Body, Controller, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { notFound, pageAsParent, stale } from '../errors/domain-error.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { bodyErrors, itemErrors, queryErrors } from '../openapi/example-errors.js';
import { GUIDES_COPY, TREE } from '../openapi/examples.js';
import { Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { limitReached, ON_FREE_PLAN } from '../teams/team.js';
import { MAX_COPIED } from './collection.js';
import { CollectionResponse, IF_MATCH } from './collection.wire.js';
import { respondWithChildren } from './respond-with-children.js';
import { SubtreesService } from './subtrees.service.js';
import { DuplicateCollectionQuery, DuplicateCollectionRequest, DuplicatedCollectionResponse, idsShown, TransferCollectionRequest, toTarget, } from './subtrees.wire.js';
import { ownWorkspace, tooLargeToCopy } from './tree-errors.js';
import { Selector } from './workspace-selector.wire.js';
let SubtreesController = class SubtreesController {
    subtrees;
    constructor(subtrees) {
        this.subtrees = subtrees;
    }
    async duplicateCollection(actor, id, selector, query, body, ifMatch, key, reply) {
        const target = toTarget(body, ifMatch);
        return respondWithChildren(key, reply, (write) => this.subtrees.duplicate(actor, selector, id, body.name, target, write), idsShown(query));
    }
    async transferCollection(actor, id, selector, body, ifMatch, key, reply) {
        const target = { ...toTarget(body, ifMatch), workspaceSlug: body.workspace_slug };
        return respondWithChildren(key, reply, (write) => this.subtrees.transfer(actor, selector, id, target, write));
    }
};
__decorate([
    Post(':id/duplicate'),
    Idempotent(),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Copy a collection or page with all below it',
        description: `The copy has new ids and slugs, and the same names, content and order. It is placed after the original, or with \`workspace_slug\` to the end of the top level of another workspace of the team; \`parent\` and \`index\` choose another place. Links inside content are not changed: \`include=ids\` returns the new id of each item. Returns 422 for more than ${MAX_COPIED} items.`,
        requires: `${WORKSPACE_ACCESS.write}; with \`workspace_slug\`, \`full\` access to that workspace and read access to the original`,
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
            ...itemErrors('content.write'),
            notFound('workspace'),
            notFound('parent'),
            limitReached(ON_FREE_PLAN, 'pages'),
            stale(),
            pageAsParent('parent'),
            tooLargeToCopy(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Query()),
    __param(4, Body()),
    __param(5, Headers('if-match')),
    __param(6, IdempotencyKey()),
    __param(7, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, DuplicateCollectionQuery,
        DuplicateCollectionRequest, Object, Object, Object]),
    __metadata("design:returntype", Promise)
], SubtreesController.prototype, "duplicateCollection", null);
__decorate([
    Post(':id/transfer'),
    Idempotent(),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Move a collection or page to another workspace',
        description: 'The item moves with all below it to another workspace of the team: ids, content, order and `createdAt` are unchanged; a slug that is taken there gets a suffix; every item has a new ETag. It goes to the end of the top level, or where `parent` and `index` say. The feed of changes shows deletions in one workspace and changes in the other. Items in the trash are not transferred.',
        requires: `${WORKSPACE_ACCESS.write}, in both workspaces`,
        response: 'The item with its content and, on a collection, its direct children.',
        type: CollectionResponse,
        example: { ...TREE, content: {} },
        headers: ['ETag'],
        bodies: {
            end: { summary: 'To the end of the top level', value: { workspace_slug: 'archive' } },
        },
        errors: [
            ...bodyErrors(TransferCollectionRequest, {}, { workspace_slug: 'archive', index: -1 }),
            ...itemErrors('content.write'),
            notFound('workspace'),
            notFound('parent'),
            stale(),
            pageAsParent('parent'),
            ownWorkspace(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Body()),
    __param(4, Headers('if-match')),
    __param(5, IdempotencyKey()),
    __param(6, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, TransferCollectionRequest, Object, Object, Object]),
    __metadata("design:returntype", Promise)
], SubtreesController.prototype, "transferCollection", null);
SubtreesController = __decorate([
    ApiTags('collections'),
    ChangesContent(),
    Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections']),
    __metadata("design:paramtypes", [SubtreesService])
], SubtreesController);
export { SubtreesController };
//# sourceMappingURL=subtrees.controller.js.map