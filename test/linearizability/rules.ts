import type { Command, NewItem } from './history.js';
import * as parts from './rule-parts.js';
import {
  conditionOf,
  done,
  type Effect,
  END,
  find,
  listTag,
  moveRefusals,
  parentRefusals,
  refusal,
  replay,
  shownAlone,
  shownName,
  shownWhole,
  tagOf,
  unmodified,
} from './rule-parts.js';
import type { Shown } from './shown.js';
import { duplicate, transfer } from './subtree-rules.js';
import type { Item, Tree } from './tree.js';

// The sequential model: what each command does to the trees when nothing else happens. A new command is
// a new kind in history.ts, a function here, and its request in requests.ts.

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
    if (must.length > 0) return refusal(tree, must);
    const add = (into: Tree, below: string, at: number, given: NewItem[]): Tree =>
      given.reduce((made, { name, object, content = '{}', children = [] }, n) => {
        const one = made.insert(name, { name, object, parent: below, content }, at + n);
        return add(one, name, 0, children);
      }, into);
    const shown = items.map((item) => parts.shownNew(item, workspace));
    const next = add(tree, parent, index, items).write(workspace);
    return { must, may: [], next: done(next, idempotencyKey, [workspace], shown), shown };
  },

  move(tree, { workspace, id, index, newParent, parent, ifMatch, idempotencyKey }) {
    const replayed = replay(tree, idempotencyKey);
    if (replayed) return replayed;
    const item = find(tree, id, workspace);
    const condition = conditionOf(tree, ifMatch, item && tagOf(tree, id));
    const must = item ? [] : [404];
    if (item && parent !== undefined && (parent ?? workspace) !== item.parent) must.push(409);
    const stays = newParent === undefined && item?.parent;
    const goal = stays || (newParent ?? workspace);
    must.push(...moveRefusals(tree, id, goal, workspace), ...condition.must);
    if (must.length > 0) return refusal(tree, must, condition.may);
    const next = tree.place(id, goal, index).write(id).write(workspace);
    return { must, may: condition.may, next: done(next, idempotencyKey, [workspace]) };
  },

  update(tree, { id, workspace, name, content, parent, ifMatch }) {
    const item = find(tree, id, workspace);
    if (!item) return refusal(tree, [404]);
    const own = tree.workspaceOf(id);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
    if (content !== undefined && item.object !== 'item') must.push(422);
    if (parent !== undefined) must.push(...moveRefusals(tree, id, parent ?? own, own));
    if (must.length > 0) return refusal(tree, must, may);
    const placed = parent === undefined ? tree : tree.place(id, parent ?? own, END);
    const changes = { name: name ?? item.name, content: content ?? item.content };
    const next = placed.write(id, changes).write(own);
    return { must, may, next, shown: [shownAlone(next, id)], tag: tagOf(next, id) };
  },

  patch(tree, { id, workspace, member, ifMatch }) {
    const item = find(tree, id, workspace);
    if (!item) return refusal(tree, [404]);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
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

  delete(tree, { id, workspace, ifMatch }) {
    if (!find(tree, id, workspace)) return refusal(tree, [404]);
    const { must, may } = conditionOf(tree, ifMatch, tagOf(tree, id));
    if (must.length > 0) return refusal(tree, must, may);
    return { must, may, next: tree.remove(id).write(tree.workspaceOf(id)) };
  },

  restore(tree, { id, workspace, parent: given, index, idempotencyKey }) {
    const replayed = replay(tree, idempotencyKey);
    if (replayed) return replayed;
    const own = tree.trash.get(id)?.workspace;
    if (own === undefined || tree.gone.has(own)) return refusal(tree, [404]);
    if (workspace !== undefined && workspace !== own) return refusal(tree, [404]);
    const parent = given ?? own;
    const must = parentRefusals(tree, parent, own);
    if (must.length > 0) return refusal(tree, must);
    const next = tree.restore(id, parent, index).write(own);
    const shown = [shownWhole(next, id)];
    return {
      must,
      may: [],
      next: done(next, idempotencyKey, [own], shown),
      shown,
      tag: tagOf(next, id),
    };
  },

  duplicate,
  transfer,

  deleteWorkspace: (tree, { workspace }) => ({
    ...refusal(tree),
    next: tree.inTrash(workspace, true),
  }),

  restoreWorkspace: (tree, { workspace }) =>
    tree.gone.has(workspace)
      ? { ...refusal(tree), next: tree.inTrash(workspace, false) }
      : refusal(tree, [404]),

  list(tree, { workspace, parent = workspace, withContent, ifNoneMatch }) {
    const must = parentRefusals(tree, parent, workspace);
    if (must.length > 0) return refusal(tree, must);
    const tag = listTag(tree, workspace);
    const show = (id: string): Shown => {
      const { object, content, children } = tree.items.get(id) as Item;
      return {
        ...shownName(tree, id),
        ...(withContent && { content }),
        ...(object === 'collection' && { children: children.map(show) }),
      };
    };
    const shown = tree.children(parent).map(show);
    return { ...unmodified(tree, ifNoneMatch, tag), shown, tag };
  },

  read(tree, { id, workspace, withAncestors, ifNoneMatch }) {
    if (!find(tree, id, workspace)) return refusal(tree, [404]);
    const ancestors = withAncestors ? parts.ancestorsOf(tree, id) : undefined;
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
