import { positionsBetween, type Siblings } from '../../src/collections/writer/sibling-order.js';
import type { Row, Slice } from '../../src/collections/writer/tree-slice.js';

/** A slice that holds a whole tree; with ids, or without them, as they are read first. */
export function sliceOf(rows: ReadonlyMap<string, Row>, withIds: boolean): Slice {
  const lists = new Map<string | null, Siblings>();
  const sorted = [...rows.values()].sort((a, b) => (a.position < b.position ? -1 : 1));
  const parents = [null, ...rows.keys()];
  for (const parent of parents) {
    const children = sorted.filter(({ parentId }) => parentId === parent);
    lists.set(parent, {
      positions: children.map(({ position }) => position),
      ids: withIds ? children.map(({ id }) => id) : null,
      last: children.at(-1)?.position ?? null,
      long: null,
    });
  }
  const heightOf = (id: string): number =>
    1 + Math.max(0, ...sorted.filter((row) => row.parentId === id).map((row) => heightOf(row.id)));
  const versionsOf = (id: string): string =>
    sorted
      .filter(({ parentId }) => parentId === id)
      .map((child) => `;${child.id}:${child.version}`)
      .join('');
  return {
    teamId: 'team',
    workspaceId: 'workspace',
    treeStamp: 'stamp',
    now: new Date(),
    authorId: 'ada',
    items: new Map(rows),
    versions: new Map(),
    lists,
    takenSlugs: new Set(sorted.map(({ slug }) => slug)),
    takenKeys: new Map(sorted.flatMap(({ key, id }) => (key === null ? [] : [[key, id]]))),
    heights: new Map([...rows.keys()].map((id) => [id, heightOf(id)])),
    childVersions: new Map([...rows.keys()].map((id) => [id, versionsOf(id)])),
    usedKeys: new Set(),
  };
}

const YESTERDAY = new Date('2026-01-01T00:00:00Z');

/** A tree by its lists, from the top level (`top`) down; ids with a capital are collections. */
export function treeOf(lists: Record<string, string>): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const [parent, list] of Object.entries(lists)) {
    const ids = list.split(' ');
    const positions = positionsBetween(null, null, ids.length);
    for (const [n, id] of ids.entries()) {
      const isCollection = /^[A-Z]/.test(id);
      rows.set(id, {
        ...{
          id,
          teamId: 'team',
          workspaceId: 'workspace',
          name: id,
          title: id,
          slug: `slug-${id}`,
        },
        key: null,
        parentId: parent === 'top' ? null : parent,
        object: isCollection ? 'collection' : 'item',
        version: 1,
        createdAt: YESTERDAY,
        updatedAt: YESTERDAY,
        createdBy: 'bob',
        updatedBy: 'bob',
        content: isCollection ? null : '{"old":1}',
        position: positions[n] as string,
      });
    }
  }
  return rows;
}

/** The rows of a list, in order. */
export const childrenOf = (items: ReadonlyMap<string, Row>, parent: string | null): string[] =>
  [...items.values()]
    .filter(({ parentId }) => parentId === parent)
    .sort((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ id }) => id);
