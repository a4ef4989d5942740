import { createHash } from 'node:crypto';
/**
 * The strong ETag of an item with its direct children: it changes with every change of any of them,
 * and with their order. Versions stand for contents, so that no content is read for it.
 * @param childVersions `;id:version` of each child, in order; '' on a page
 * @param ancestors where the response shows them: they are a part of their own, behind a dot, which
 *   `If-Match` leaves out
 */
export const etagOf = ({ id, version }, childVersions, ancestors) => {
    const ofItem = digest(`${id}:${version}${childVersions}`);
    return ancestors ? `"${ofItem}.${digest(JSON.stringify(ancestors))}"` : `"${ofItem}"`;
};
/** The query of a plain list: the whole tree. */
const PLAIN_LIST = { parentId: null, withContent: false };
/** The strong ETag of a list: of this very query, in this very state of the tree. */
export const listEtagOf = (treeStamp, query = PLAIN_LIST) => `"${digest(treeStamp + JSON.stringify(query))}"`;
const digest = (text) => createHash('sha256').update(text).digest('hex');
/**
 * `If-Match`: strong comparison; `*` matches whatever exists. A write replaces the item and not its
 * ancestors: of a tag that covers them, only the item's part counts.
 * @param etag without ancestors
 */
export function matches(header, etag) {
    return tags(header).some((tag) => tag === '*' || tag.replace(/\.[0-9a-f]{64}"$/, '"') === etag);
}
/** `If-None-Match`, absent or given: weak comparison, `W/` makes no difference. */
export function matchesWeakly(header, etag) {
    return tags(header ?? '').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
const tags = (header) => header.split(',').map((tag) => tag.trim());
//# sourceMappingURL=etag.js.map