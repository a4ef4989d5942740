import type { Command, NewItem, Shown } from './history.js';
import type { Item, Tag, Tree } from './tree.js';

// The sequential model: what each command does to a tree when nothing else happens. A new command is a
// new kind in history.ts, a function here, and its request in requests.ts.

/** What a command does, and what its response may be. */
export interface Effect {
  /** Statuses that apply; if there are any, the response has one of them (or of `may`). */
  must: number[];
  /** Statuses that may apply: the model cannot tell. */
  may: number[];
  /** The tree after a 200; the very same one where nothing changes. */
  next: Tree;
  /** What a 200 shows. */
  shown?: Shown[];
  /** What the ETag of a 200 stands for. */
  tag?: Tag;
}

type Rules = {
  [Kind in Command['kind']]: (tree: Tree, command: Command & { kind: Kind }) => Effect;
};

/** Says what a command does to a tree. */
export const effectOf = <Kind extends Command['kind']>(
  tree: Tree,
  command: Command & { kind: Kind },
): Effect =>
  tree.isInTrash && !INSIDE_TRASH.has(command.kind)
    ? refusal(tree, [404])
    : (RULES as Rules)[command.kind](tree, command);

/**
 * What does not look for the workspace, or looks for it in the trash: the children in the response to an
 * update are read after its commit, wherever the workspace is by then.
 */
const INSIDE_TRASH: ReadonlySet<Command['kind']> = new Set(['restoreWorkspace', 'children']);

const END = Number.POSITIVE_INFINITY;

const RULES: Rules = {
  create(tree, { parent, index = END, items, idempotencyKey }) {
    if (isDone(tree, idempotencyKey)) return { ...refusal(tree), shown: items.map(shownNew) };
    const must = parentRefusals(tree, parent);
    if (must.length > 0) return refusal(tree, must);
    const add = (into: Tree, below: string | null, at: number, given: NewItem[]): Tree =>
      given.reduce((made, { name, object, content = '{}', children = [] }, n) => {
        const one = made.insert(name, { name, object, parent: below, content }, at + n);
        return add(one, name, 0, children);
      }, into);
    const next = add(tree, parent, index, items).counted();
    return { must, may: [], next: done(next, idempotencyKey), shown: items.map(shownNew) };
  },

  move(tree, { id, index, newParent, parent, ifMatch, idempotencyKey }) {
    if (isDone(tree, idempotencyKey)) return refusal(tree);
    const item = tree.items.get(id);
    const condition = conditionOf(tree, ifMatch, item && tagOf(tree, id));
    const must = item ? [] : [404];
    if (item && parent !== undefined && parent !== item.parent) must.push(409);
    const goal = newParent === undefined ? (item?.parent ?? null) : newParent;
    must.push(...moveRefusals(tree, id, goal), ...condition.must);
    if (must.length > 0) return refusal(tree, must, condition.may);
    const next = tree.place(id, goal, index).write(id).counted();
    return { must, may: condition.may, next: done(next, idempotencyKey) };
  },

  update(tree, { id, name, content, parent, ifMatch }) {
    const item = tree.items.get(id);
    const condition = conditionOf(tree, ifMatch, item && tagOf(tree, id));
    const must = [...(item ? [] : [404]), ...condition.must];
    if (item && content !== undefined && item.object !== 'item') must.push(422);
    if (parent !== undefined) must.push(...moveRefusals(tree, id, parent));
    if (must.length > 0 || !item) return refusal(tree, must, condition.may);
    const placed = parent === undefined ? tree : tree.place(id, parent, END);
    const changes = { name: name ?? item.name, content: content ?? item.content };
    const next = placed.write(id, changes).counted();
    return { must, may: condition.may, next, shown: [shownAlone(next, id)], tag: tagOf(next, id) };
  },

  patch(tree, { id, member, ifMatch }) {
    const item = tree.items.get(id);
    const condition = conditionOf(tree, ifMatch, item && tagOf(tree, id));
    const must = [...(item ? [] : [404]), ...condition.must];
    if (item && item.object !== 'item') must.push(422);
    if (must.length > 0 || !item) return refusal(tree, must, condition.may);
    const content = JSON.stringify({ ...JSON.parse(item.content), [member]: true });
    const next = tree.write(id, { content }).counted();
    return { must, may: condition.may, next, shown: [shownAlone(next, id)], tag: tagOf(next, id) };
  },

  order(tree, { parent, children, ifMatch }) {
    const must = parentRefusals(tree, parent);
    const tag = parent === null ? listTag(tree) : tree.items.has(parent) && tagOf(tree, parent);
    const condition = conditionOf(tree, ifMatch, tag || undefined);
    must.push(...condition.must);
    if (tree.children(parent).some((id) => !children.includes(id))) must.push(409);
    if (children.some((id) => !tree.items.has(id))) must.push(404);
    if (children.some((id) => tree.isAtOrAbove(id, parent))) must.push(422);
    if (must.length > 0) return refusal(tree, must, condition.may);
    const ordered = tree.order(parent, children);
    return { must, may: condition.may, next: ordered === tree ? tree : ordered.counted() };
  },

  delete(tree, { id, ifMatch }) {
    const exists = tree.items.has(id);
    const condition = conditionOf(tree, ifMatch, exists ? tagOf(tree, id) : undefined);
    const must = [...(exists ? [] : [404]), ...condition.must];
    if (must.length > 0) return refusal(tree, must, condition.may);
    return { must, may: condition.may, next: tree.remove(id).counted() };
  },

  restore(tree, { id, parent, index, idempotencyKey }) {
    if (isDone(tree, idempotencyKey)) return refusal(tree);
    const must = [...(tree.trash.has(id) ? [] : [404]), ...parentRefusals(tree, parent)];
    if (must.length > 0) return refusal(tree, must);
    const next = tree.restore(id, parent, index).counted();
    const tag = tagOf(next, id);
    return { must, may: [], next: done(next, idempotencyKey), tag };
  },

  deleteWorkspace: (tree) => ({ ...refusal(tree), next: tree.inTrash(true) }),

  restoreWorkspace: (tree) =>
    tree.isInTrash ? { ...refusal(tree), next: tree.inTrash(false) } : refusal(tree, [404]),

  list(tree, { parent = null, withContent, ifNoneMatch }) {
    const must = parentRefusals(tree, parent);
    if (must.length > 0) return refusal(tree, must);
    const tag = listTag(tree);
    const show = (id: string): Shown => {
      const item = tree.items.get(id) as Item;
      return {
        ...shownName(id, item),
        ...(withContent && { content: item.content }),
        ...(item.object === 'collection' && { children: item.children.map(show) }),
      };
    };
    const shown = tree.children(parent).map(show);
    return { ...unmodified(tree, ifNoneMatch, tag), shown, tag };
  },

  read(tree, { id, withAncestors, ifNoneMatch }) {
    const item = tree.items.get(id);
    if (!item) return refusal(tree, [404]);
    const ancestors = withAncestors ? ancestorsOf(tree, item) : undefined;
    const names = ancestors?.map(({ id, name }) => [`${id}=${name}`, 0, 0] as const) ?? [];
    const tag = [...tagOf(tree, id), ...names];
    const shown = { ...shownAlone(tree, id), ...shownChildren(tree, item), ancestors };
    return { ...unmodified(tree, ifNoneMatch, tag), shown: [shown], tag };
  },

  children(tree, { id }) {
    const shown = tree.children(id).map((child) => shownName(child, tree.items.get(child) as Item));
    return { ...refusal(tree), shown };
  },
};

/** Nothing changes. */
const refusal = (tree: Tree, must: number[] = [], may: number[] = []): Effect => ({
  must,
  may,
  next: tree,
});

const isDone = (tree: Tree, key: string | undefined): boolean =>
  key !== undefined && tree.keys.has(key);

const done = (tree: Tree, key: string | undefined): Tree =>
  key === undefined ? tree : tree.withKey(key);

function parentRefusals(tree: Tree, parent: string | null): number[] {
  if (parent === null) return [];
  const item = tree.items.get(parent);
  if (!item) return [404];
  return item.object === 'item' ? [422] : [];
}

const moveRefusals = (tree: Tree, id: string, parent: string | null): number[] => [
  ...parentRefusals(tree, parent),
  ...(tree.isAtOrAbove(id, parent) ? [422] : []),
];

/** An item's ETag covers the item and its children, in their order. */
const tagOf = (tree: Tree, id: string): Tag => {
  const item = tree.items.get(id) as Item;
  const counts = (of: string): Tag[number] => {
    const { changes, maybes } = tree.items.get(of) as Item;
    return [of, changes, maybes];
  };
  return [counts(id), ...item.children.map(counts)];
};

/** The ETag of the whole tree changes with every change of it. */
const listTag = (tree: Tree): Tag => [['', tree.changes, 0]];

/** Whether two ETags are the same; null: nobody knows. */
export function isSame(a: Tag, b: Tag): boolean | null {
  if (a.length !== b.length) return false;
  const pairs = a.map((one, n) => [one, b[n] as Tag[number]] as const);
  if (pairs.some(([one, other]) => one[0] !== other[0] || one[1] !== other[1])) return false;
  return pairs.every(([one, other]) => one[2] === other[2]) ? true : null;
}

/** If-Match: 409 where the ETag is not the current one. */
function conditionOf(tree: Tree, ifMatch: string | undefined, current: Tag | undefined) {
  if (ifMatch === undefined || !current) return { must: [], may: [] };
  const given = tree.tags.get(ifMatch);
  const same = given ? isSame(given, current) : null;
  return { must: same === false ? [409] : [], may: same === null ? [409] : [] };
}

/** If-None-Match: 304 where the ETag is the current one. */
function unmodified(tree: Tree, ifNoneMatch: string | undefined, current: Tag): Effect {
  if (ifNoneMatch === undefined) return refusal(tree);
  const given = tree.tags.get(ifNoneMatch);
  const same = given ? isSame(given, current) : null;
  return refusal(tree, same === true ? [304] : [], same === null ? [304] : []);
}

const shownName = (id: string, { name, object }: Pick<Item, 'name' | 'object'>): Shown => ({
  id,
  name,
  object,
});

const shownAlone = (tree: Tree, id: string): Shown => {
  const item = tree.items.get(id) as Item;
  return { ...shownName(id, item), parent: item.parent, content: item.content };
};

const ancestorsOf = (tree: Tree, { parent }: Item): Shown[] => {
  const above = parent === null ? undefined : tree.items.get(parent);
  if (parent === null || !above) return [];
  return [...ancestorsOf(tree, above), shownName(parent, above)];
};

const shownChildren = (tree: Tree, { object, children }: Item) =>
  object === 'collection' && {
    children: children.map((child) => shownName(child, tree.items.get(child) as Item)),
  };

const shownNew = ({ name, object, children = [] }: NewItem): Shown => ({
  ...shownName(name, { name, object }),
  ...(object === 'collection' && { children: children.map(shownNew) }),
});
