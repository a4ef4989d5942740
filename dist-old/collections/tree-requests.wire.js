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
import { Ids, Index } from '../validation/fields.js';
import { ListOf } from '../validation/lists.js';
import { MAX_DEPTH } from './collection.js';
import { ID } from './collection.wire.js';
import { Content, NewItemFields, NewParent, Parent, toItem, toParent, } from './collection-requests.wire.js';
/** Items that one batch makes at most, all levels together. */
const MOST_CREATED = 1000;
let NewCollectionRequest = class NewCollectionRequest extends NewItemFields {
    content;
    children;
};
__decorate([
    Content(),
    __metadata("design:type", Function)
], NewCollectionRequest.prototype, "content", void 0);
__decorate([
    ListOf(() => NewCollectionRequest, { min: 0, max: MOST_CREATED }, { optional: true, description: 'What a collection holds, in order.', example: [] }),
    __metadata("design:type", Array)
], NewCollectionRequest.prototype, "children", void 0);
NewCollectionRequest = __decorate([
    ApiSchema({ name: 'NewCollection', description: 'A collection or page to create.' })
], NewCollectionRequest);
export { NewCollectionRequest };
let CreateCollectionsRequest = class CreateCollectionsRequest {
    parent;
    index;
    items;
};
__decorate([
    NewParent(),
    __metadata("design:type", Object)
], CreateCollectionsRequest.prototype, "parent", void 0);
__decorate([
    Index({
        optional: true,
        description: 'Zero-based position of the first among its siblings; absent: at the end.',
        example: 0,
    }),
    __metadata("design:type", Number)
], CreateCollectionsRequest.prototype, "index", void 0);
__decorate([
    ListOf(() => NewCollectionRequest, { max: MOST_CREATED, total: MOST_CREATED, depth: MAX_DEPTH }, { description: `The items in their order, 1 to ${MOST_CREATED} with all below them.` }),
    __metadata("design:type", Array)
], CreateCollectionsRequest.prototype, "items", void 0);
CreateCollectionsRequest = __decorate([
    ApiSchema({ name: 'CreateCollectionsRequest', description: 'All items are created, or none.' })
], CreateCollectionsRequest);
export { CreateCollectionsRequest };
/** Children that one call puts in order at most. */
const MOST_ORDERED = 10_000;
let OrderCollectionsRequest = class OrderCollectionsRequest {
    parent;
    children;
};
__decorate([
    Parent('Id of the collection whose children these are; null or "": top level.', {
        optional: false,
        example: null,
    }),
    __metadata("design:type", Object)
], OrderCollectionsRequest.prototype, "parent", void 0);
__decorate([
    Ids({ max: MOST_ORDERED }, {
        description: 'Ids of all children, in their final order: those there now, and any from elsewhere in the workspace that are to move in.',
        example: [ID],
    }),
    __metadata("design:type", Array)
], OrderCollectionsRequest.prototype, "children", void 0);
OrderCollectionsRequest = __decorate([
    ApiSchema({ name: 'OrderCollectionsRequest', description: 'The complete order of a list.' })
], OrderCollectionsRequest);
export { OrderCollectionsRequest };
/** Many items to create, with the contract's defaults. */
export function toManyItems({ parent, index, items }) {
    const toNode = (given) => ({
        ...toItem(given),
        children: given.children?.map(toNode) ?? null,
    });
    return { parentId: toParent(parent) ?? null, index, items: items.map(toNode), field: 'items' };
}
/** The complete order of a list. */
export const toOrdering = ({ parent, children }, ifMatch) => ({ parentId: parent || null, children, ifMatch });
//# sourceMappingURL=tree-requests.wire.js.map