var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { decodeCursor, encodeCursor, PageCursor, PageLimit } from '../http/pagination.js';
import { Id, OneOf, QueryNumber } from '../validation/fields.js';
import { MAX_DEPTH } from './collection.js';
/** Query of getCollections. */
export class GetCollectionsQuery {
    parent;
    depth;
    limit;
    cursor;
    include;
}
__decorate([
    Id({
        optional: true,
        emptyAllowed: true,
        description: 'Lists the children of this collection instead of the top level.',
    }),
    __metadata("design:type", String)
], GetCollectionsQuery.prototype, "parent", void 0);
__decorate([
    QueryNumber({ min: 1 }, {
        optional: true,
        description: 'Levels to show; a collection at the last level has no `children`.',
        example: 2,
    }),
    __metadata("design:type", Number)
], GetCollectionsQuery.prototype, "depth", void 0);
__decorate([
    PageLimit('How many items of the top level to show; `Link: rel=next` leads to the rest.'),
    __metadata("design:type", Number)
], GetCollectionsQuery.prototype, "limit", void 0);
__decorate([
    PageCursor(' 400 after the list was rearranged: start again without it.'),
    __metadata("design:type", String)
], GetCollectionsQuery.prototype, "cursor", void 0);
__decorate([
    OneOf(['content'], { optional: true, description: '`content` includes the content of pages.' }),
    __metadata("design:type", String)
], GetCollectionsQuery.prototype, "include", void 0);
/** @throws DomainError bad_request: the cursor is none of ours */
export function toTreeQuery(query) {
    return {
        parentId: query.parent || null,
        depth: query.depth === undefined ? undefined : Math.min(query.depth, MAX_DEPTH),
        limit: query.limit,
        cursor: query.cursor === undefined ? undefined : toCursor(query.cursor),
        withContent: query.include === 'content',
    };
}
/** Rebalances, position and list. */
const CURSOR = /^(\d{1,9}) ([0-9A-Za-z]{1,64}) ([\w-]{8})$/;
function toCursor(text) {
    const [rebalances, position = '', list = ''] = decodeCursor(text, CURSOR);
    return { rebalances: Number(rebalances), position, list };
}
export const textOfCursor = ({ rebalances, position, list }) => encodeCursor(String(rebalances), position, list);
//# sourceMappingURL=tree.wire.js.map