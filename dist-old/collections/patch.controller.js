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
import { Body, Controller, Headers, Param, Patch, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiHeader, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../auth/actor.js';
import { ChangesContent } from '../auth/token.guard.js';
import { stale } from '../errors/domain-error.js';
import { AcceptsMediaType } from '../http/body.guard.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import { idempotentResponse } from '../idempotency/idempotent-write.js';
import { notThere, placeOf, testFailed } from '../json/json-patch.js';
import { itemErrors } from '../openapi/example-errors.js';
import { CONTENT, FIRST_DAY } from '../openapi/examples.js';
import { Operation, WORKSPACE_ACCESS } from '../openapi/operation.js';
import { CollectionResponse, IF_MATCH, serializePage } from './collection.wire.js';
import { CollectionsService } from './collections.service.js';
import { JSON_PATCH, MAX_OPERATIONS, PATCH_SCHEMA, PatchOperationRequest, PatchPipe, patchErrors, } from './patch.wire.js';
import { patchOfCollection } from './tree-errors.js';
import { Selector } from './workspace-selector.wire.js';
let PatchController = class PatchController {
    collections;
    constructor(collections) {
        this.collections = collections;
    }
    async patchContent(actor, id, selector, operations, ifMatch, key, reply) {
        const patch = { operations, ifMatch };
        return idempotentResponse(key, serializePage, async (write) => {
            const patched = await this.collections.patch(actor, selector, id, patch, write);
            reply.header('etag', patched.etag);
            return patched;
        });
    }
};
__decorate([
    Patch(':id/content'),
    Idempotent(),
    AcceptsMediaType(JSON_PATCH),
    ApiConsumes(JSON_PATCH, 'application/json'),
    ApiBody({ schema: PATCH_SCHEMA }),
    ApiHeader(IF_MATCH),
    Operation({
        summary: 'Change parts of the content of a page',
        description: `A JSON Patch (RFC 6902) of at most ${MAX_OPERATIONS} operations, applied in order, all or none, to the content as it is when the patch is written: two clients that append to the same array at the same moment both succeed. Returns 409 if a \`test\` fails, 422 if a path is not there or the result is not valid content.`,
        requires: WORKSPACE_ACCESS.write,
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
            ...itemErrors('content.write'),
            stale(),
            testFailed(placeOf(0)),
            notThere(`${placeOf(3)}.path`),
            patchOfCollection(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Param('id')),
    __param(2, Selector()),
    __param(3, Body(new PatchPipe())),
    __param(4, Headers('if-match')),
    __param(5, IdempotencyKey()),
    __param(6, Res({ passthrough: true })),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String, Object, Array, Object, Object, Object]),
    __metadata("design:returntype", Promise)
], PatchController.prototype, "patchContent", null);
PatchController = __decorate([
    ApiTags('collections'),
    ApiExtraModels(PatchOperationRequest),
    ChangesContent(),
    Controller(['collections', 'teams/:team_slug/workspaces/:workspace_slug/collections']),
    __metadata("design:paramtypes", [CollectionsService])
], PatchController);
export { PatchController };
//# sourceMappingURL=patch.controller.js.map