var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiSchema } from '@nestjs/swagger';
import { Id, Index, JsonObject, Name, OneOf } from '../validation/fields.js';
import { OBJECTS, } from './collection.js';
import { ID } from './collection.wire.js';
/** A page's content. */
export const Content = () => JsonObject({
    optional: true,
    description: 'Content of a page: at most 1 MiB of JSON, nested at most 64 deep.',
    example: { type: 'doc', text: 'Hello' },
});
/** The id of a collection, or null or `""` for the top level: toParent() makes one of the two. */
export const Parent = (description, { optional = true, example = ID } = {}) => Id({ optional, nullable: true, emptyAllowed: true, description, example });
/** Where new items go. */
export const NewParent = () => Parent('Id of the parent collection; absent, null or "": top level.', { example: null });
/** What every new collection or page has, alone or in a batch. */
export class NewItemFields {
    name;
    object;
}
__decorate([
    Name({ optional: true, default: 'Untitled', description: 'Name.', example: 'Guides' }),
    __metadata("design:type", String)
], NewItemFields.prototype, "name", void 0);
__decorate([
    OneOf(OBJECTS, {
        optional: true,
        default: 'collection',
        description: '`collection`, or `item` for a page.',
        example: 'collection',
    }),
    __metadata("design:type", String)
], NewItemFields.prototype, "object", void 0);
let CreateCollectionRequest = class CreateCollectionRequest extends NewItemFields {
    parent;
    content;
    index;
};
__decorate([
    NewParent(),
    __metadata("design:type", Object)
], CreateCollectionRequest.prototype, "parent", void 0);
__decorate([
    Content(),
    __metadata("design:type", Function)
], CreateCollectionRequest.prototype, "content", void 0);
__decorate([
    Index({
        optional: true,
        description: 'Zero-based position among its siblings; absent or past the end: at the end.',
        example: 0,
    }),
    __metadata("design:type", Number)
], CreateCollectionRequest.prototype, "index", void 0);
CreateCollectionRequest = __decorate([
    ApiSchema({ name: 'CreateCollectionRequest', description: 'A new collection or page.' })
], CreateCollectionRequest);
export { CreateCollectionRequest };
let UpdateCollectionRequest = class UpdateCollectionRequest {
    name;
    parent;
    content;
};
__decorate([
    Name({ optional: true, description: 'Name; the slug stays.', example: 'Guides' }),
    __metadata("design:type", String)
], UpdateCollectionRequest.prototype, "name", void 0);
__decorate([
    Parent('Moves to the end of this collection; null or "": to the end of the top level.'),
    __metadata("design:type", Object)
], UpdateCollectionRequest.prototype, "parent", void 0);
__decorate([
    Content(),
    __metadata("design:type", Function)
], UpdateCollectionRequest.prototype, "content", void 0);
UpdateCollectionRequest = __decorate([
    ApiSchema({
        name: 'UpdateCollectionRequest',
        description: 'Absent properties are left unchanged.',
    })
], UpdateCollectionRequest);
export { UpdateCollectionRequest };
let ReorderItemRequest = class ReorderItemRequest {
    id;
    index;
    parent;
    newParent;
    object;
};
__decorate([
    Id({ emptyAllowed: true, description: 'Id of the item to move.', example: ID }),
    __metadata("design:type", String)
], ReorderItemRequest.prototype, "id", void 0);
__decorate([
    Index({
        description: 'Final zero-based position among the siblings; past the end means the end.',
        example: 0,
    }),
    __metadata("design:type", Number)
], ReorderItemRequest.prototype, "index", void 0);
__decorate([
    Parent('The current parent (null or "": top level); 409 if the item now has another one.'),
    __metadata("design:type", Object)
], ReorderItemRequest.prototype, "parent", void 0);
__decorate([
    Parent('The new parent; absent: the item stays under its parent; null or "": top level.'),
    __metadata("design:type", Object)
], ReorderItemRequest.prototype, "newParent", void 0);
__decorate([
    OneOf(OBJECTS, {
        optional: true,
        description: 'What the item is; 422 if it is something else.',
        example: 'item',
    }),
    __metadata("design:type", String)
], ReorderItemRequest.prototype, "object", void 0);
ReorderItemRequest = __decorate([
    ApiSchema({ name: 'ReorderItemRequest', description: 'A move within or to another collection.' })
], ReorderItemRequest);
export { ReorderItemRequest };
/** A new item, with the contract's defaults. */
export const toItem = ({ name, object, content, }) => ({
    name: name ?? 'Untitled',
    object: object ?? 'collection',
    content: content?.text ?? null,
    children: null,
});
/** One item to create. */
export const toNewItems = (body) => ({
    parentId: toParent(body.parent) ?? null,
    index: body.index,
    items: [toItem(body)],
    field: '',
});
/** A move; `""` stands for the top level, as null does. */
export function toMove(body, ifMatch) {
    return {
        id: body.id,
        index: body.index,
        newParentId: toParent(body.newParent),
        expectedParentId: toParent(body.parent),
        expectedObject: body.object,
        ifMatch,
    };
}
/** What to change; what is absent stays. */
export function toChanges(body, ifMatch) {
    return {
        name: body.name,
        parentId: toParent(body.parent),
        content: body.content?.text,
        ifMatch,
    };
}
/** `""` stands for the top level, as null does; absent stays absent. */
export const toParent = (parent) => parent === '' ? null : parent;
//# sourceMappingURL=collection-requests.wire.js.map