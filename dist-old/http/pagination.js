var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { badRequest } from '../errors/domain-error.js';
import { Id, QueryNumber } from '../validation/fields.js';
/** The most elements of a page that a request can ask for. */
const LARGEST_PAGE = 1000;
/** The query parameter `limit`: a whole number from 1 to 1000. */
export const PageLimit = (description) => QueryNumber({ min: 1, max: LARGEST_PAGE }, { optional: true, description, example: 100 });
/** The query parameter `cursor`: opaque to callers. */
export const PageCursor = (more = '') => Id({
    optional: true,
    description: `Where to continue: the value in the \`Link\` header of the last response.${more}`,
});
/** Query of a list with pages. */
export class PageQuery {
    limit;
    cursor;
}
__decorate([
    PageLimit('How many elements to show; `Link: rel=next` leads to the rest. Without it, the list is complete.'),
    __metadata("design:type", Number)
], PageQuery.prototype, "limit", void 0);
__decorate([
    PageCursor(),
    __metadata("design:type", String)
], PageQuery.prototype, "cursor", void 0);
/** A cursor that holds these parts; none of them contains a space. */
export const encodeCursor = (...parts) => Buffer.from(parts.join(' ')).toString('base64url');
/** @param source where callers get cursors from */
export const foreignCursor = (source) => badRequest(`cursor must be one that ${source} gave`);
/**
 * The parts of a cursor.
 * @param shape matches the parts, joined by spaces, and captures each
 * @param source where callers get such cursors from
 * @throws DomainError bad_request: the cursor has another shape
 */
export function decodeCursor(cursor, shape, source = 'a Link header') {
    const parts = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
    if (parts === null)
        throw foreignCursor(source);
    return parts.slice(1);
}
/**
 * The value of an RFC 8288 Link header: the same request, continued at `cursor`.
 * @param url path and query of the request
 */
export function nextLink(url, publicUrl, cursor) {
    const next = new URL(url, 'http://localhost');
    next.searchParams.set('cursor', cursor);
    return `<${publicUrl}${next.pathname}${next.search}>; rel="next"`;
}
//# sourceMappingURL=pagination.js.map