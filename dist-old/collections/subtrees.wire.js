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
import { Id, Index, Name, OneOf } from '../validation/fields.js';
import { CollectionResponse, ID } from './collection.wire.js';
import { Parent, toParent } from './collection-requests.wire.js';
let DuplicateCollectionRequest = class DuplicateCollectionRequest {
    name;
    parent;
    index;
    workspace_slug;
};
__decorate([
    Name({
        optional: true,
        description: 'Name of the copy; absent: that of the original.',
        example: 'Guides (copy)',
    }),
    __metadata("design:type", String)
], DuplicateCollectionRequest.prototype, "name", void 0);
__decorate([
    Parent('Id of the parent collection; null or "": top level; absent: the parent of the original, or the top level of another workspace.', { example: null }),
    __metadata("design:type", Object)
], DuplicateCollectionRequest.prototype, "parent", void 0);
__decorate([
    Index({
        optional: true,
        description: 'Zero-based position among its siblings, past the end means the end; absent: behind the original if `parent` is absent, too, and the workspace is its own; otherwise the end.',
        example: 0,
    }),
    __metadata("design:type", Number)
], DuplicateCollectionRequest.prototype, "index", void 0);
__decorate([
    Id({
        optional: true,
        description: 'Slug of the workspace of the same team that the copy goes to; absent: its own.',
        example: 'handbook',
    }),
    __metadata("design:type", String)
], DuplicateCollectionRequest.prototype, "workspace_slug", void 0);
DuplicateCollectionRequest = __decorate([
    ApiSchema({
        name: 'DuplicateCollectionRequest',
        description: 'What the copy is called, and where it goes.',
    })
], DuplicateCollectionRequest);
export { DuplicateCollectionRequest };
let TransferCollectionRequest = class TransferCollectionRequest {
    workspace_slug;
    parent;
    index;
};
__decorate([
    Id({
        description: 'Slug of another workspace of the same team.',
        example: 'archive',
    }),
    __metadata("design:type", String)
], TransferCollectionRequest.prototype, "workspace_slug", void 0);
__decorate([
    Parent('Id of the parent collection there; absent, null or "": top level.', { example: null }),
    __metadata("design:type", Object)
], TransferCollectionRequest.prototype, "parent", void 0);
__decorate([
    Index({
        optional: true,
        description: 'Zero-based position among its siblings; absent or past the end: at the end.',
        example: 0,
    }),
    __metadata("design:type", Number)
], TransferCollectionRequest.prototype, "index", void 0);
TransferCollectionRequest = __decorate([
    ApiSchema({ name: 'TransferCollectionRequest', description: 'Where the item goes.' })
], TransferCollectionRequest);
export { TransferCollectionRequest };
/** Query of a copy. */
export class DuplicateCollectionQuery {
    include;
}
__decorate([
    OneOf(['ids'], {
        optional: true,
        description: '`ids` adds the id of each copied item, by the id of its original.',
    }),
    __metadata("design:type", String)
], DuplicateCollectionQuery.prototype, "include", void 0);
let DuplicatedCollectionResponse = class DuplicatedCollectionResponse extends CollectionResponse {
    ids;
};
__decorate([
    ApiProperty({
        type: 'object',
        additionalProperties: { type: 'string' },
        selfRequired: false,
        description: 'With include=ids: the id of each copied item, by the id of its original. Links inside content are not changed.',
        example: { [ID]: ID },
    }),
    __metadata("design:type", Object)
], DuplicatedCollectionResponse.prototype, "ids", void 0);
DuplicatedCollectionResponse = __decorate([
    ApiSchema({ name: 'DuplicatedCollection', description: 'A copy of a collection or page.' })
], DuplicatedCollectionResponse);
export { DuplicatedCollectionResponse };
export const toTarget = (body, ifMatch) => ({
    workspaceSlug: body.workspace_slug,
    parentId: toParent(body.parent),
    index: body.index,
    ifMatch,
});
/** The ids of a copy, if they are asked for. */
export const idsShown = ({ include }) => ({ copies }) => include === 'ids' && copies ? { ids: Object.fromEntries(copies) } : {};
//# sourceMappingURL=subtrees.wire.js.map