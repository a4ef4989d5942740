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
import { bodyOf } from '../http/json-stream.js';
import { isoTime } from '../http/record.wire.js';
import { OneOf } from '../validation/fields.js';
import { MOST_CHILDREN, OBJECTS, } from './collection.js';
import { treePieces } from './tree-json.js';
/** An id, as an example. */
export const ID = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0f';
/** Request header of changes. */
export const IF_MATCH = {
    name: 'If-Match',
    required: false,
    description: 'ETag that the item must still have; otherwise 409.',
};
let CollectionMetaResponse = class CollectionMetaResponse {
    title;
    slug;
};
__decorate([
    ApiProperty({ description: 'The name.', example: 'Guides' }),
    __metadata("design:type", String)
], CollectionMetaResponse.prototype, "title", void 0);
__decorate([
    ApiProperty({
        description: 'Made from the first name, unique in the workspace; does not change on rename.',
        example: 'guides',
    }),
    __metadata("design:type", String)
], CollectionMetaResponse.prototype, "slug", void 0);
CollectionMetaResponse = __decorate([
    ApiSchema({ name: 'CollectionMeta', description: 'Title and slug.' })
], CollectionMetaResponse);
export { CollectionMetaResponse };
let CollectionResponse = class CollectionResponse {
    id;
    name;
    object;
    parent;
    children;
    team;
    content;
    workspace;
    meta;
    createdAt;
    updatedAt;
    ancestors;
};
__decorate([
    ApiProperty({ description: 'Id of the collection or page.', example: ID }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "id", void 0);
__decorate([
    ApiProperty({ description: 'Name.', example: 'Guides' }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({
        enum: OBJECTS,
        required: false,
        description: '`collection`, or `item` for a page.',
        example: 'collection',
    }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "object", void 0);
__decorate([
    ApiProperty({
        required: false,
        description: 'Id of the parent collection; absent at the top level.',
        example: ID,
    }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "parent", void 0);
__decorate([
    ApiProperty({
        type: () => [CollectionResponse],
        required: false,
        description: 'Children of a collection, in order; absent on pages and beyond `depth`.',
        example: [],
    }),
    __metadata("design:type", Array)
], CollectionResponse.prototype, "children", void 0);
__decorate([
    ApiProperty({ description: 'Id of the owning team.', example: ID }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "team", void 0);
__decorate([
    ApiProperty({
        type: 'object',
        additionalProperties: true,
        selfRequired: false,
        description: 'Page content, {} on a collection; in lists only with include=content.',
        example: {},
    }),
    __metadata("design:type", Object)
], CollectionResponse.prototype, "content", void 0);
__decorate([
    ApiProperty({ description: 'Id of the owning workspace.', example: ID }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "workspace", void 0);
__decorate([
    ApiProperty({ description: 'Title and slug.' }),
    __metadata("design:type", CollectionMetaResponse)
], CollectionResponse.prototype, "meta", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "createdAt", void 0);
__decorate([
    ApiProperty({
        format: 'date-time',
        description: 'ISO 8601 UTC with milliseconds.',
        example: '2026-01-01T00:00:00.000Z',
    }),
    __metadata("design:type", String)
], CollectionResponse.prototype, "updatedAt", void 0);
__decorate([
    ApiProperty({
        type: () => [AncestorResponse],
        required: false,
        description: 'With include=ancestors: the collections that contain it, from the top level down; otherwise absent.',
        example: [],
    }),
    __metadata("design:type", Array)
], CollectionResponse.prototype, "ancestors", void 0);
CollectionResponse = __decorate([
    ApiSchema({ name: 'Collection', description: 'A collection or page.' })
], CollectionResponse);
export { CollectionResponse };
let AncestorResponse = class AncestorResponse {
    id;
    name;
    slug;
};
__decorate([
    ApiProperty({ description: 'Id of the collection.', example: ID }),
    __metadata("design:type", String)
], AncestorResponse.prototype, "id", void 0);
__decorate([
    ApiProperty({ description: 'Name.', example: 'Guides' }),
    __metadata("design:type", String)
], AncestorResponse.prototype, "name", void 0);
__decorate([
    ApiProperty({ description: 'Slug.', example: 'guides' }),
    __metadata("design:type", String)
], AncestorResponse.prototype, "slug", void 0);
AncestorResponse = __decorate([
    ApiSchema({ name: 'Ancestor', description: 'A collection on the way to an item.' })
], AncestorResponse);
export { AncestorResponse };
/** Query of a read of a single item. */
export class GetCollectionQuery {
    include;
}
__decorate([
    OneOf(['ancestors'], {
        optional: true,
        description: '`ancestors` adds the collections that contain the item, read at the same moment. The ETag also covers them; `If-Match` accepts it and compares only the part of the item.',
    }),
    __metadata("design:type", String)
], GetCollectionQuery.prototype, "include", void 0);
/** Query of a deletion. */
export class DeleteCollectionQuery {
    permanent;
}
__decorate([
    OneOf(['true', 'false'], {
        optional: true,
        default: 'false',
        description: '`true`: deletes for good, without the trash.',
    }),
    __metadata("design:type", String)
], DeleteCollectionQuery.prototype, "permanent", void 0);
/**
 * The JSON of an item up to its `children`, without the closing brace: a page's content is put in as
 * the text that the database holds, so that it comes back whole and is not parsed on the way.
 */
function openItem(item, withContent, more = {}) {
    const record = JSON.stringify({
        id: item.id,
        name: item.name,
        object: item.object,
        ...(item.parentId !== null && { parent: item.parentId }),
        team: item.teamId,
        workspace: item.workspaceId,
        meta: { title: item.name, slug: item.slug },
        createdAt: isoTime(item.createdAt),
        updatedAt: isoTime(item.updatedAt),
        ...more,
    });
    const open = record.slice(0, -1);
    return withContent ? `${open},"content":${item.content ?? '{}'}` : open;
}
/** A single item with its content and, on a collection, its direct children. */
export const serializeItem = (item, children, more = {}) => bodyOf(itemPieces(openItem(item, true, more), item, children));
/** The same, of an item that was read on its own. */
export const serializeReadItem = (item) => {
    const open = `${item.json},"content":${item.content ?? '{}'}`;
    const { ancestors } = item;
    const known = ancestors ? `${open},"ancestors":${JSON.stringify(ancestors)}` : open;
    return bodyOf(itemPieces(known, item, item.children));
};
/** A new item, as serializeItem() has it. */
export const serializeNewItem = ({ items: [item] }) => [...itemPieces(openItem(item, true), item, [])].join('');
/**
 * An item and its direct children, as serializeItem() has them. If not all of them are known, it has
 * neither content nor children: a replay reads both.
 * @param more properties of the item
 */
export const serializeWithChildren = ({ items: [item, ...children] }, more = {}) => {
    if (children.length > MOST_CHILDREN)
        return `${openItem(item, false, more)}}`;
    return [
        ...itemPieces(openItem(item, true, more), item, children.map((child) => ({ json: `${openItem(child, false)}}` }))),
    ].join('');
};
/** A page, as serializeItem() has it. */
export const serializePage = serializeNewItem;
/** New items as a list shows them: nested, without content. */
export const serializeItems = ({ items }) => [...piecesOf(items)].join('');
function piecesOf(items) {
    const childrenOf = new Map();
    for (const item of items) {
        const { id, parentId, object } = item;
        const collection = object === 'collection' ? id : null;
        const listed = { collection, parent_id: parentId, json: openItem(item, false) };
        const siblings = childrenOf.get(parentId);
        if (siblings)
            siblings.push(listed);
        else
            childrenOf.set(parentId, [listed]);
    }
    return treePieces(childrenOf, items[0]?.parentId ?? null, () => false);
}
function* itemPieces(open, { object }, children) {
    if (object === 'item') {
        yield `${open}}`;
        return;
    }
    yield `${open},"children":[`;
    for (const [n, { json }] of children.entries())
        yield n > 0 ? `,${json}` : json;
    yield ']}';
}
//# sourceMappingURL=collection.wire.js.map