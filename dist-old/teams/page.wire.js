import { decodeCursor, encodeCursor, nextLink } from '../http/pagination.js';
const CURSOR = /^(\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** @throws DomainError bad_request: the cursor is none that a Link header gave */
export function toPageRequest({ limit, cursor }) {
    const [at, id = ''] = cursor === undefined ? [] : decodeCursor(cursor, CURSOR);
    return {
        limit,
        after: at === undefined ? undefined : { at: new Date(Number(at)), id },
    };
}
/** Sets the Link header that leads to the next page, if there is one. */
export function linkNextPage(reply, publicUrl, { next }) {
    if (next === null)
        return;
    const cursor = encodeCursor(String(next.at.getTime()), next.id);
    reply.header('link', nextLink(reply.request.url, publicUrl, cursor));
}
//# sourceMappingURL=page.wire.js.map