import type { NewItem } from './history.js';
import type { Shown } from './shown.js';
import type { Done, Item, Tag, Tree } from './tree.js';

// What several rules of the model share.

/** What a command does, and what its response may be. */
export interface Effect {
  /** Statuses that apply; if there are any, the response has one of them (or of `may`). */
  must: number[];
  /** Statuses that may apply: the model cannot tell. */
  may: number[];
  /** The tree after a 200; the very same one where nothing changes. */
  next: Tree;
  /** What a 200 shows. */
  shown?: Shown[] | undefined;
  /** What the ETag of a 200 stands for. */
  tag?: Tag;
}

export const END = Number.POSITIVE_INFINITY;

/** Nothing changes. */
export const refusal = (tree: Tree, must: number[] = [], may: number[] = []): Effect => ({
  must,
  may,
  next: tree,
});

/** A replay of what was done under a key; null: nothing was. */
export function replay(tree: Tree, key: string | undefined): Effect | null {
  const done = key === undefined ? undefined : tree.keys.get(key);
  if (!done) return null;
  if (done.workspaces.some((one) => tree.gone.has(one))) return refusal(tree, [404]);
  return { ...refusal(tree), shown: done.shown };
}

export const done = (
  tree: Tree,
  key: string | undefined,
  workspaces: readonly string[],
  shown?: Done['shown'],
): Tree => (key === undefined ? tree : tree.withKey(key, { workspaces, shown }));

/** An item that a command is about, in the workspace that it names, or in any. */
export function find(tree: Tree, id: string, workspace: string | undefined): Item | undefined {
  const item = tree.items.get(id);
  if (!item || item.object === 'workspace') return undefined;
  const own = tree.workspaceOf(id);
  const isThere = !tree.gone.has(own) && (workspace === undefined || workspace === own);
  return isThere ? item : undefined;
}

/** A parent is a collection of that workspace, or its top level. */
export function parentRefusals(tree: Tree, parent: string, workspace: string): number[] {
  if (parent === workspace) return [];
  const item = find(tree, parent, workspace);
  if (!item) return [404];
  return item.object === 'item' ? [422] : [];
}

export const moveRefusals = (
  tree: Tree,
  id: string,
  parent: string,
  workspace: string,
): number[] => [
  ...parentRefusals(tree, parent, workspace),
  ...(tree.isAtOrAbove(id, parent) ? [422] : []),
];

/** An item's ETag covers the item and its children, in their order. */
export const tagOf = (tree: Tree, id: string): Tag => {
  const item = tree.items.get(id) as Item;
  return [countsOf(tree, id), ...item.children.map((child) => countsOf(tree, child))];
};

/** The ETag of a whole tree changes with every change of it. */
export const listTag = (tree: Tree, workspace: string): Tag => [countsOf(tree, workspace)];

function countsOf(tree: Tree, id: string): Tag[number] {
  const { changes, maybes } = tree.items.get(id) as Item;
  return [id, changes, maybes];
}

/** Whether two ETags are the same; null: nobody knows. */
export function isSame(a: Tag, b: Tag): boolean | null {
  if (a.length !== b.length) return false;
  const pairs = a.map((one, n) => [one, b[n] as Tag[number]] as const);
  if (pairs.some(([one, other]) => one[0] !== other[0] || one[1] !== other[1])) return false;
  return pairs.every(([one, other]) => one[2] === other[2]) ? true : null;
}

/** If-Match: 409 where the ETag is not the current one. */
export function conditionOf(tree: Tree, ifMatch: string | undefined, current: Tag | undefined) {
  if (ifMatch === undefined || !current) return { must: [], may: [] };
  const given = tree.tags.get(ifMatch);
  const same = given ? isSame(given, current) : null;
  return { must: same === false ? [409] : [], may: same === null ? [409] : [] };
}

/** If-None-Match: 304 where the ETag is the current one. */
export function unmodified(tree: Tree, ifNoneMatch: string | undefined, current: Tag): Effect {
  if (ifNoneMatch === undefined) return refusal(tree);
  const given = tree.tags.get(ifNoneMatch);
  const same = given ? isSame(given, current) : null;
  return refusal(tree, same === true ? [304] : [], same === null ? [304] : []);
}

export const shownName = (tree: Tree, id: string): Shown => {
  const { name, object } = tree.items.get(id) as Item;
  return { id, name, object, workspace: tree.workspaceOf(id) };
};

export const shownAlone = (tree: Tree, id: string): Shown => {
  const { parent, content } = tree.items.get(id) as Item;
  const isTop = parent === tree.workspaceOf(id);
  return { ...shownName(tree, id), parent: isTop ? null : parent, content };
};

/** With the children, if it is a collection. */
export const shownWhole = (tree: Tree, id: string): Shown => {
  const { object, children } = tree.items.get(id) as Item;
  const shown = children.map((child) => shownName(tree, child));
  return { ...shownAlone(tree, id), ...(object === 'collection' && { children: shown }) };
};

export const ancestorsOf = (tree: Tree, id: string): Shown[] => {
  const parent = tree.items.get(id)?.parent as string;
  if (parent === tree.workspaceOf(id)) return [];
  return [...ancestorsOf(tree, parent), shownName(tree, parent)];
};

export const shownNew = ({ name, object, children = [] }: NewItem, workspace: string): Shown => ({
  ...{ id: name, name, object, workspace },
  ...(object === 'collection' && { children: children.map((one) => shownNew(one, workspace)) }),
});
