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
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../auth/actor.js';
import { Held } from '../../http/held-request.js';
import { JsonText } from '../../http/json-stream.js';
import { foreignCursor } from '../../http/pagination.js';
import { queryErrors, workspaceErrors } from '../../openapi/example-errors.js';
import { CHANGES } from '../../openapi/examples.js';
import { Operation, WORKSPACE_ACCESS } from '../../openapi/operation.js';
import { noWorkspaceNamed } from '../tree-errors.js';
import { Selector } from '../workspace-selector.wire.js';
import { CURSOR_SOURCE } from './change-cursor.js';
import { cursorTooOld, tooManyWaiting } from './changes.js';
import { ChangesService } from './changes.service.js';
import { ChangesResponse, GetChangesQuery, serializeChanges, toChangesQuery, } from './changes.wire.js';
/** The feed that keeps a copy of a workspace in step. */
let ChangesController = class ChangesController {
    changes;
    constructor(changes) {
        this.changes = changes;
    }
    async getChanges(actor, selector, query, request) {
        return serializeChanges(await this.changes.read(actor, selector, toChangesQuery(query), request));
    }
};
__decorate([
    Get(),
    JsonText(),
    Operation({
        summary: 'Follow the changes of a workspace',
        description: 'Keeps a copy of the tree in sync: call it without `cursor` first, then with the `cursor` of each response. The feed starts with all items and continues with what has changed since, in the order of commits; an item that changed several times may appear once, as it is now. When `more` is false, your copy is a consistent snapshot. Returns 409 if the cursor is too old, or belongs to another history of the database: start again without one.',
        requires: WORKSPACE_ACCESS.read,
        response: 'A page of changes, and the cursor to continue with.',
        type: ChangesResponse,
        example: CHANGES,
        errors: [
            noWorkspaceNamed(),
            ...queryErrors(GetChangesQuery, { limit: '0' }, { wait: '60' }),
            foreignCursor(CURSOR_SOURCE),
            ...workspaceErrors('content.read'),
            cursorTooOld(),
            tooManyWaiting(),
        ],
    }),
    __param(0, CurrentActor()),
    __param(1, Selector()),
    __param(2, Query()),
    __param(3, Held()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, GetChangesQuery, Object]),
    __metadata("design:returntype", Promise)
], ChangesController.prototype, "getChanges", null);
ChangesController = __decorate([
    ApiTags('collections'),
    Controller([
        'collections/changes',
        'teams/:team_slug/workspaces/:workspace_slug/collections/changes',
    ]),
    __metadata("design:paramtypes", [ChangesService])
], ChangesController);
export { ChangesController };
//# sourceMappingURL=changes.controller.js.map