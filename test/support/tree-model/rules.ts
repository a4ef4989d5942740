import type { Command, NewItem, Shown } from './command.js';
import type { Done, Item, Tag, Tree } from './tree.js';

// The sequential model: what each command does to the trees when nothing else happens. A new command is
// a new kind in command.ts, a function here, and its request in requests.ts.

/** What a command does, and what its response may be. */
export interface Effect {
  /**
   * Statuses that apply, in the order in which the service checks; if there are any, the response has one
   * of them (or of `may`).
   */
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

type Rules = {
  [Kind in Command['kind']]: (tree: Tree, command: Command & { kind: Kind }) => Effect;
};

/** Says what a command does to the trees. */
export const effectOf = <Kind extends Command['kind']>(
  tree: Tree,
  command: Command & { kind: Kind },
): Effect => {
  const { workspace } = command as { workspace?: string };
  const isGone = workspace !== undefined && tree.gone.has(workspace);
  return isGone && command.kind !== 'restoreWorkspace'
    ? refusal(tree, [404])
    : (RULES as Rules)[command.kind](tree, command);
};

const RULES: Rules = {
  create(tree, { workspace, parent: given, index = END, items, idempotencyKey }) {
    const replayed = replay(tree, idempotencyKey);
    if (replayed) return replayed;
    const parent = given ?? workspace;
    const must = parentRefusals(tree, parent, workspace);
    if (!items.every(isSensible)) must.push(422);
    if (must.length > 0) return refusal(tree, must);
    const add = (into: Tree, below: string, at: number, given: NewItem[]): Tree =>
      given.reduce((made, { name, id = name, object, content = '{}', children = [] }, n) => {
        const one = made.insert(id, { name, object, parent: below, content }, at + n);
        return add(one, id, 0, children);
      }, into);
    const shown = items.map((item) => shownNew(item, workspace));
    const next = add(tree, parent, index, items).write(workspace);
    return { must, may: [], next: done(next, idempotencyKey, [workspace], shown), shown };
  },

  move(tree, { workspace, id, index, newParent, parent, ifMatch, idempotencyKey }) {
    const replayed = replay(tree, idempotencyKey);
    if (replayed) return replayed;
    const item = find(tree, id, workspace);
    const condition = conditionOf(tree, ifMatch, item && tagOf(tree, id), 'alone');
    const must = item ? [] : [404];
    if (item && parent !== undefined && (parent || workspace) !== item.parent) must.push(409);
    const stays = newParent === undefined && item?.parent;
    const goal = stays || newParent || workspace;
    must.push(...moveRefusals(tree, id, goal, workspace), ...condition.must);
    if (must.length > 0) return refusal(tree, must, condition.may);
    const next = tree.place(id, goal, index).write(id).write(workspace);
    return { must, may: condition.may, next: done(next, idempotencyKey, [workspace]) };
  },

  update(tree, { id, workspace, name, content, parent, ifMatch }) {
    const item = find(tree, id, workspace);
    if (!item) return refusal(tree, [404]);
    const own = tree.workspaceOf(id);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id), 'alone');
    if (content !== undefined && item.object !== 'item') must.push(422);
    if (parent !== undefined) must.push(...moveRefusals(tree, id, parent || own, own));
    if (must.length > 0) return refusal(tree, must, may);
    const placed = parent === undefined ? tree : tree.place(id, parent || own, END);
    const changes = { name: name ?? item.name, content: content ?? item.content };
    const next = placed.write(id, changes).write(own);
    return { must, may, next, shown: [shownAlone(next, id)], tag: tagOf(next, id) };
  },

  patch(tree, { id, workspace, member, ifMatch }) {
    const item = find(tree, id, workspace);
    if (!item) return refusal(tree, [404]);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id), 'alone');
    if (item.object !== 'item') must.push(422);
    if (must.length > 0) return refusal(tree, must, may);
    const content = JSON.stringify({ ...JSON.parse(item.content), [member]: true });
    const next = tree.write(id, { content }).write(tree.workspaceOf(id));
    return { must, may, next, shown: [shownAlone(next, id)], tag: tagOf(next, id) };
  },

  order(tree, { workspace, parent: given, children, ifMatch }) {
    const parent = given ?? workspace;
    const must = parentRefusals(tree, parent, workspace);
    const tag =
      given === null ? listTag(tree, workspace) : tree.items.has(parent) && tagOf(tree, parent);
    const condition = conditionOf(tree, ifMatch, tag || undefined);
    must.push(...condition.must);
    if (tree.children(parent).some((id) => !children.includes(id))) must.push(409);
    if (children.some((id) => !find(tree, id, workspace))) must.push(404);
    if (children.some((id) => tree.isAtOrAbove(id, parent))) must.push(422);
    if (must.length > 0) return refusal(tree, must, condition.may);
    const ordered = tree.order(parent, children);
    const next = ordered === tree ? tree : ordered.write(workspace);
    return { must, may: condition.may, next };
  },

  delete(tree, { id, workspace, isPermanent, ifMatch }) {
    if (!find(tree, id, workspace)) return refusal(tree, [404]);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
    if (must.length > 0) return refusal(tree, must, may);
    const next = tree.remove(id).write(tree.workspaceOf(id));
    return { must, may, next: isPermanent ? next.purge(id) : next };
  },

  restore(tree, { id, workspace, parent: given, index = END, idempotencyKey }) {
    const replayed = replay(tree, idempotencyKey);
    if (replayed) return replayed;
    const { workspace: own, items } = tree.trash.get(id) ?? {};
    if (own === undefined || tree.gone.has(own)) return refusal(tree, [404]);
    if (workspace !== undefined && workspace !== own) return refusal(tree, [404]);
    const had = items?.get(id)?.parent as string;
    const isBack = given === undefined && (had === own || find(tree, had, own));
    const parent = isBack ? had : (given ?? own);
    const place = isBack || given !== undefined ? index : END;
    const must = parentRefusals(tree, parent, own);
    if (must.length > 0) return refusal(tree, must);
    const next = tree.restore(id, parent, place).write(own);
    const shown = [shownWhole(next, id)];
    return {
      must,
      may: [],
      next: done(next, idempotencyKey, [own], shown),
      shown,
      tag: tagOf(next, id),
    };
  },

  purge: (tree, { id }) =>
    tree.trash.has(id) ? { ...refusal(tree), next: tree.purge(id) } : refusal(tree, [404]),

  // A copy goes right after its original, or to the end of the top level of another workspace.
  duplicate: (tree, command) =>
    arrive(tree, command, (from) => {
      const { id, target = from, index, ids } = command;
      const { parent: own, name: had } = tree.items.get(id) as Item & { parent: string };
      const { name = had } = command;
      const isBeside = target === from && command.parent === undefined;
      const parent = isBeside ? own : (command.parent ?? target);
      const after = isBeside ? tree.children(own).indexOf(id) + 1 : END;
      const idOf = (one: string) => ids?.[one] ?? (one === id ? name : `${name}/${one}`);
      const must = parentRefusals(tree, parent, target);
      const next = () => tree.copy(id, { idOf, name, parent }, index ?? after).write(target);
      return { must, next, id: idOf(id) };
    }),

  // The item goes to the end of the top level there.
  transfer: (tree, command) =>
    arrive(tree, command, (from) => {
      const { id, target, index = END } = command;
      const parent = command.parent ?? target;
      const must = [...(target === from ? [422] : []), ...parentRefusals(tree, parent, target)];
      const next = () => tree.transfer(id, parent, index).write(from).write(target);
      return { must, next, id };
    }),

  deleteWorkspace: (tree, { workspace }) => ({
    ...refusal(tree),
    next: tree.inTrash(workspace, true),
  }),

  restoreWorkspace: (tree, { workspace }) =>
    tree.gone.has(workspace)
      ? { ...refusal(tree), next: tree.inTrash(workspace, false) }
      : refusal(tree, [404]),

  list(tree, { workspace, parent = workspace, depth = END, withContent, ifNoneMatch }) {
    const must = parentRefusals(tree, parent, workspace);
    if (must.length > 0) return refusal(tree, must);
    const tag = listTag(tree, workspace);
    const show = (id: string, level: number): Shown => {
      const { object, content, children } = tree.items.get(id) as Item;
      return {
        ...shownName(tree, id),
        ...(withContent && { content }),
        ...(object === 'collection' &&
          level < depth && { children: children.map((child) => show(child, level + 1)) }),
      };
    };
    const shown = tree.children(parent).map((id) => show(id, 1));
    return { ...unmodified(tree, ifNoneMatch, tag), shown, tag };
  },

  read(tree, { id, workspace, withAncestors, ifNoneMatch }) {
    if (!find(tree, id, workspace)) return refusal(tree, [404]);
    const ancestors = withAncestors ? ancestorsOf(tree, id) : undefined;
    const names = ancestors?.map(({ id, name }) => [`${id}=${name}`, 0, 0] as const) ?? [];
    const tag = [...tagOf(tree, id), ...names];
    const shown = { ...shownWhole(tree, id), ancestors };
    return { ...unmodified(tree, ifNoneMatch, tag), shown: [shown], tag };
  },

  // Read by the id alone, after a commit: wherever the item is by then, even in a workspace in the trash.
  children(tree, { id }) {
    return { ...refusal(tree), shown: tree.children(id).map((child) => shownName(tree, child)) };
  },
};

type Arriving = Command & { kind: 'duplicate' | 'transfer' };

interface Arrival {
  must: number[];
  next: () => Tree;
  /** What is shown. */
  id: string;
}

/** @param decide gets the workspace that the item is in */
function arrive(tree: Tree, command: Arriving, decide: (from: string) => Arrival): Effect {
  const { id, workspace, target, ifMatch, idempotencyKey } = command;
  const replayed = replay(tree, idempotencyKey);
  if (replayed) return replayed;
  const item: Item | undefined = find(tree, id, workspace);
  if (!item || (target !== undefined && tree.gone.has(target))) return refusal(tree, [404]);
  const from = tree.workspaceOf(id);
  const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
  const decided = decide(from);
  must.push(...decided.must);
  if (must.length > 0) return refusal(tree, must, may);
  const next = decided.next();
  const shown = [shownWhole(next, decided.id)];
  const places = [from, target ?? from];
  return {
    must,
    may,
    next: done(next, idempotencyKey, places, shown),
    shown,
    tag: tagOf(next, decided.id),
  };
}

const END = Number.POSITIVE_INFINITY;

/** Nothing changes. */
const refusal = (tree: Tree, must: number[] = [], may: number[] = []): Effect => ({
  must,
  may,
  next: tree,
});

/** A replay of what was done under a key; null: nothing was. */
function replay(tree: Tree, key: string | undefined): Effect | null {
  const done = key === undefined ? undefined : tree.keys.get(key);
  if (!done) return null;
  if (done.workspaces.some((one) => tree.gone.has(one))) return refusal(tree, [404]);
  return { ...refusal(tree), shown: done.shown };
}

const done = (
  tree: Tree,
  key: string | undefined,
  workspaces: readonly string[],
  shown?: Done['shown'],
): Tree => (key === undefined ? tree : tree.withKey(key, { workspaces, shown }));

/** An item that a command is about, in the workspace that it names, or in any. */
function find(tree: Tree, id: string, workspace: string | undefined): Item | undefined {
  const item = tree.items.get(id);
  if (!item || item.object === 'workspace') return undefined;
  const own = tree.workspaceOf(id);
  const isThere = !tree.gone.has(own) && (workspace === undefined || workspace === own);
  return isThere ? item : undefined;
}

/** Only a collection holds others. */
const isSensible = ({ object, children }: NewItem): boolean =>
  children === undefined || (object === 'collection' && children.every(isSensible));

/** A parent is a collection of that workspace, or its top level. */
function parentRefusals(tree: Tree, parent: string, workspace: string): number[] {
  if (parent === workspace) return [];
  const item = find(tree, parent, workspace);
  if (!item) return [404];
  return item.object === 'item' ? [422] : [];
}

const moveRefusals = (tree: Tree, id: string, parent: string, workspace: string): number[] => [
  ...parentRefusals(tree, parent, workspace),
  ...(tree.isAtOrAbove(id, parent) ? [422] : []),
];

/** An item's ETag covers the item and its children, in their order. */
const tagOf = (tree: Tree, id: string): Tag => {
  const item = tree.items.get(id) as Item;
  return [countsOf(tree, id), ...item.children.map((child) => countsOf(tree, child))];
};

/** The ETag of a whole tree changes with every change of it. */
const listTag = (tree: Tree, workspace: string): Tag => [countsOf(tree, workspace)];

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

/** If-Match: 409 where the ETag is not the current one; of an item alone, its children may be others. */
function conditionOf(
  tree: Tree,
  ifMatch: string | undefined,
  current: Tag | undefined,
  compared: 'alone' | 'all' = 'all',
) {
  if (ifMatch === undefined || !current) return { must: [], may: [] };
  const given = tree.tags.get(ifMatch);
  const parts = compared === 'alone' ? 1 : Number.POSITIVE_INFINITY;
  const same = given ? isSame(given.slice(0, parts), current.slice(0, parts)) : null;
  return { must: same === false ? [409] : [], may: same === null ? [409] : [] };
}

/** If-None-Match: 304 where the ETag is the current one. */
function unmodified(tree: Tree, ifNoneMatch: string | undefined, current: Tag): Effect {
  if (ifNoneMatch === undefined) return refusal(tree);
  const given = tree.tags.get(ifNoneMatch);
  const same = given ? isSame(given, current) : null;
  return refusal(tree, same === true ? [304] : [], same === null ? [304] : []);
}

const shownName = (tree: Tree, id: string): Shown => {
  const { name, object } = tree.items.get(id) as Item;
  return { id, name, object, workspace: tree.workspaceOf(id) };
};

const shownAlone = (tree: Tree, id: string): Shown => {
  const { parent, content } = tree.items.get(id) as Item;
  const isTop = parent === tree.workspaceOf(id);
  return { ...shownName(tree, id), parent: isTop ? null : parent, content };
};

/** With the children, if it is a collection. */
const shownWhole = (tree: Tree, id: string): Shown => {
  const { object, children } = tree.items.get(id) as Item;
  const shown = children.map((child) => shownName(tree, child));
  return { ...shownAlone(tree, id), ...(object === 'collection' && { children: shown }) };
};

const ancestorsOf = (tree: Tree, id: string): Shown[] => {
  const parent = tree.items.get(id)?.parent as string;
  if (parent === tree.workspaceOf(id)) return [];
  return [...ancestorsOf(tree, parent), shownName(tree, parent)];
};

const shownNew = (
  { name, id = name, object, children = [] }: NewItem,
  workspace: string,
): Shown => ({
  ...{ id, name, object, workspace },
  ...(object === 'collection' && { children: children.map((one) => shownNew(one, workspace)) }),
});
