import { digest } from '../../http/etag.js';
import type { Ancestor, Item, TreeQuery } from './collection.js';

/**
 * The strong ETag of an item with its direct children: it changes with every change of any of them,
 * and with their order. Versions stand for contents, so that no content is read for it. The item, its children and
 * its ancestors are parts of their own: see http/etag.ts.
 * @param childVersions `;id:version` of each child, in order; '' on a page
 * @param ancestors where the response shows them
 */
export const etagOf = (
  { id, version }: Pick<Item, 'id' | 'version'>,
  childVersions: string,
  ancestors?: readonly Ancestor[],
): string => {
  const own = digest(`${id}:${version}`);
  const ofItem = childVersions === '' ? own : `${own}-${digest(childVersions)}`;
  return ancestors ? `"${ofItem}.${digest(JSON.stringify(ancestors))}"` : `"${ofItem}"`;
};

/** The query of a plain list: the whole tree. */
const PLAIN_LIST: TreeQuery = { parentId: null, withContent: false };

/** The strong ETag of a list: of this very query, in this very state of the tree. */
export const listEtagOf = (treeStamp: string, query: TreeQuery = PLAIN_LIST): string =>
  `"${digest(treeStamp + JSON.stringify(query))}"`;

export { matches, matchesOwn, matchesWeakly } from '../../http/etag.js';
