var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { PageLimit } from '../../http/pagination.js';
import { Id, OneOf, QueryNumber } from '../../validation/fields.js';
import { CollectionResponse, ID } from '../collection.wire.js';
import { parseChangeCursor, textOfChangeCursor } from './change-cursor.js';
/** Items of a page if the query does not say. */
const USUAL_LIMIT = 200;
/** Seconds that a response is held, at most. */
const LONGEST_WAIT = 25;
/** Query of getChanges. */
export class GetChangesQuery {
    cursor;
    limit;
    include;
    wait;
}
__decorate([
    Id({
        optional: true,
        description: 'How far you have read: `cursor` of the last response. Without it, the feed starts with all items.',
    }),
    __metadata("design:type", String)
], GetChangesQuery.prototype, "cursor", void 0);
__decorate([
    PageLimit(`How many changes to show at most; ${USUAL_LIMIT} by default.`),
    __metadata("design:type", Number)
], GetChangesQuery.prototype, "limit", void 0);
__decorate([
    OneOf(['content'], {
        optional: true,
        description: '`content` includes the content of pages; a page of the feed then ends after 4 MiB.',
    }),
    __metadata("design:type", String)
], GetChangesQuery.prototype, "include", void 0);
__decorate([
    QueryNumber({ min: 0, max: LONGEST_WAIT }, {
        optional: true,
        description: 'Seconds to wait for a change if there is none. The response comes with the change, or is empty when the time is over.',
        example: 0,
    }),
    __metadata("design:type", Number)
], GetChangesQuery.prototype, "wait", void 0);
/** @throws DomainError bad_request: the cursor is not one of this feed */
export const toChangesQuery = ({ cursor, limit = USUAL_LIMIT, include, wait = 0, }) => ({
    cursor: cursor === undefined ? null : parseChangeCursor(cursor),
    limit,
    withContent: include === 'content',
    wait,
});
let ChangedItemResponse = class ChangedItemResponse extends OmitType(CollectionResponse, [
    'children',
    'content',
    'ancestors',
]) {
    content;
    position;
};
__decorate([
    ApiProperty({
        type: 'object',
        additionalProperties: true,
        selfRequired: false,
        description: 'Page content, {} on a collection; only with include=content.',
        example: {},
    }),
    __metadata("design:type", Object)
], ChangedItemResponse.prototype, "content", void 0);
__decorate([
    ApiProperty({
        description: 'Place among the siblings, an opaque text: siblings sorted by it, byte by byte, are in order.',
        example: 'a0',
    }),
    __metadata("design:type", String)
], ChangedItemResponse.prototype, "position", void 0);
ChangedItemResponse = __decorate([
    ApiSchema({
        name: 'ChangedItem',
        description: 'A collection or page as it is now, without its children.',
    })
], ChangedItemResponse);
export { ChangedItemResponse };
let ChangeResponse = class ChangeResponse {
    id;
    deleted;
    item;
};
__decorate([
    ApiProperty({ description: 'Id of the collection or page.', example: ID }),
    __metadata("design:type", String)
], ChangeResponse.prototype, "id", void 0);
__decorate([
    ApiProperty({ description: 'True if it is not in the workspace any more.', example: false }),
    __metadata("design:type", Boolean)
], ChangeResponse.prototype, "deleted", void 0);
__decorate([
    ApiProperty({ required: false, description: 'The item; absent if it was deleted.' }),
    __metadata("design:type", ChangedItemResponse)
], ChangeResponse.prototype, "item", void 0);
ChangeResponse = __decorate([
    ApiSchema({ name: 'Change', description: 'The present state of an item that has changed.' })
], ChangeResponse);
export { ChangeResponse };
let ChangesResponse = class ChangesResponse {
    changes;
    cursor;
    more;
};
__decorate([
    ApiProperty({ type: [ChangeResponse], description: 'In the order of commits.' }),
    __metadata("design:type", Array)
], ChangesResponse.prototype, "changes", void 0);
__decorate([
    ApiProperty({
        description: 'Where to continue, an opaque text: store it with what you have applied.',
        example: 'd0JZb3FfTUEgNCBmZmZm',
    }),
    __metadata("design:type", String)
], ChangesResponse.prototype, "cursor", void 0);
__decorate([
    ApiProperty({
        description: 'False: with the changes up to here applied, you have the tree of one moment.',
        example: false,
    }),
    __metadata("design:type", Boolean)
], ChangesResponse.prototype, "more", void 0);
ChangesResponse = __decorate([
    ApiSchema({ name: 'Changes', description: 'A page of the feed of changes.' })
], ChangesResponse);
export { ChangesResponse };
export const serializeChanges = ({ changes, cursor, more }) => `{"changes":[${changes.join(',')}],"cursor":"${textOfChangeCursor(cursor)}","more":${more}}`;
//# sourceMappingURL=changes.wire.js.map