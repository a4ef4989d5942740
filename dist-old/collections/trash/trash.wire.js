var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Index } from '../../validation/fields.js';
import { DeletedResponse, serializeDeleted } from '../../workspaces/trash/workspace-trash.wire.js';
import { OBJECTS } from '../collection.js';
import { ID } from '../collection.wire.js';
import { Parent, toParent } from '../collection-requests.wire.js';
let DeletionResponse = class DeletionResponse extends DeletedResponse {
    id;
    name;
    object;
    parent;
    pages;
    collections;
};
__decorate([
    ApiProperty({ description: 'Id of the deleted collection or page.', example: ID }),
    __metadata("design:type", String)
], DeletionResponse.prototype, "id", void 0);
__decorate([
    ApiProperty({ description: 'Name.', example: 'Guides' }),
    __metadata("design:type", String)
], DeletionResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({
        enum: OBJECTS,
        description: '`collection`, or `item` for a page.',
        example: 'collection',
    }),
    __metadata("design:type", String)
], DeletionResponse.prototype, "object", void 0);
__decorate([
    ApiProperty({
        required: false,
        description: 'Id of the parent that it had; absent at the top level.',
        example: ID,
    }),
    __metadata("design:type", String)
], DeletionResponse.prototype, "parent", void 0);
__decorate([
    ApiProperty({ type: 'integer', description: 'Pages in the deletion.', example: 2 }),
    __metadata("design:type", Number)
], DeletionResponse.prototype, "pages", void 0);
__decorate([
    ApiProperty({ type: 'integer', description: 'Collections in the deletion.', example: 1 }),
    __metadata("design:type", Number)
], DeletionResponse.prototype, "collections", void 0);
DeletionResponse = __decorate([
    ApiSchema({ name: 'Deletion', description: 'A deleted item with all that was below it.' })
], DeletionResponse);
export { DeletionResponse };
let RestoreRequest = class RestoreRequest {
    parent;
    index;
};
__decorate([
    Parent('Id of the parent collection; null or "": top level; absent: the parent that it had, or the end of the top level if that is gone.', { example: null }),
    __metadata("design:type", Object)
], RestoreRequest.prototype, "parent", void 0);
__decorate([
    Index({
        optional: true,
        description: 'Zero-based position among its siblings, past the end means the end; absent: the place that it had. Without `parent`, it is ignored if the former parent is gone: the item goes to the end of the top level.',
        example: 0,
    }),
    __metadata("design:type", Number)
], RestoreRequest.prototype, "index", void 0);
RestoreRequest = __decorate([
    ApiSchema({ name: 'RestoreRequest', description: 'Where the item goes.' })
], RestoreRequest);
export { RestoreRequest };
export const toTarget = ({ parent, index }) => ({
    parentId: toParent(parent),
    index,
});
export const serializeDeletion = (deletion) => ({
    id: deletion.id,
    name: deletion.name,
    object: deletion.object,
    ...(deletion.parentId !== null && { parent: deletion.parentId }),
    pages: deletion.pages,
    collections: deletion.collections,
    ...serializeDeleted(deletion),
});
//# sourceMappingURL=trash.wire.js.map