import { hash } from 'node:crypto';
import type { Ancestor, Item, TreeQuery } from './collection.js';

/**
 * The strong ETag of an item with its direct children: it changes with every change of any of them,
 * and with their order. Versions stand for contents, so that no content is read for it.
 * @param childVersions `;id:version` of each child, in order; '' on a page
 * @param ancestors where the response shows them: they are a part of their own, after a dot, which
 *   `If-Match` leaves out
 */
export const etagOf = (
  { id, version }: Pick<Item, 'id' | 'version'>,
  childVersions: string,
  ancestors?: readonly Ancestor[],
): string => {
  const ofItem = digest(`${id}:${version}${childVersions}`);
  return ancestors ? `"${ofItem}.${digest(JSON.stringify(ancestors))}"` : `"${ofItem}"`;
};

/** The query of a plain list: the whole tree. */
const PLAIN_LIST: TreeQuery = { parentId: null, withContent: false };

/** The strong ETag of a list: of this very query, in this very state of the tree. */
export const listEtagOf = (treeStamp: string, query: TreeQuery = PLAIN_LIST): string =>
  `"${digest(treeStamp + JSON.stringify(query))}"`;

const digest = (text: string): string => hash('sha256', text);

/**
 * `If-Match`: strong comparison; `*` matches whatever exists. A write replaces the item and not its
 * ancestors: of a tag that covers them, only the item's part counts.
 * @param etag without ancestors
 */
export function matches(header: string, etag: string): boolean {
  return tags(header).some((tag) => tag === '*' || tag.replace(/\.[0-9a-f]{64}"$/, '"') === etag);
}

/** `If-None-Match`, absent or given: weak comparison, `W/` makes no difference. */
export function matchesWeakly(header: string | undefined, etag: string): boolean {
  return tags(header ?? '').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());
