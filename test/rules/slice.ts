import type { Siblings } from '../../src/collections/writer/sibling-order.js';
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
  return {
    teamId: 'team',
    workspaceId: 'workspace',
    treeStamp: 'stamp',
    now: new Date(),
    items: new Map(rows),
    lists,
    takenSlugs: new Set(sorted.map(({ slug }) => slug)),
    heights: new Map([...rows.keys()].map((id) => [id, heightOf(id)])),
    childVersions: new Map([...rows.keys()].map((id) => [id, ''])),
    usedKeys: new Set(),
  };
}
