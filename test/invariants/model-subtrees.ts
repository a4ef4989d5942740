import fc from 'fast-check';
import { type ItemBody, ok, theTree } from '../support/builders.js';
import { everyItem } from '../support/tree.js';
import {
  type Command,
  expected,
  type Model,
  type Node,
  type Real,
  seen,
  type Target,
} from './model.js';

const show = (name: string, given: object): string => `${name}${JSON.stringify(given)}`;
const pickFrom = (model: Model, nodes: readonly Node[], number: number): Node => {
  const all = model.all(nodes);
  return all[number % all.length] as Node;
};
const parentOf = (model: Model, to: Target | undefined): Node | null =>
  to && 'pick' in to && model.top.length > 0 ? model.pick(to.pick) : null;

/** Where something goes: `parent` and `index` of the request. */
const placeOf = (parent: Node | null, to: Target | undefined, index: number | undefined) => ({
  ...(to && { parent: parent?.id ?? null }),
  ...(index !== undefined && { index }),
});

interface Copied {
  item: number;
  parent: Target | undefined;
  index: number | undefined;
  name: string | undefined;
}

async function duplicate(model: Model, real: Real, given: Copied): Promise<void> {
  const { caller, query } = real;
  const original = model.pick(given.item);
  const parent = given.parent ? parentOf(model, given.parent) : original.parent;
  const body = {
    ...placeOf(parent, given.parent, given.index),
    ...(given.name && { name: given.name }),
  };
  const path = `/collections/${original.id}/duplicate?include=ids`;
  const response = await caller.post(path, body);
  expect(response.status).toBe(parent?.object === 'item' ? 422 : 200);
  if (response.status !== 200) return;
  const { id, ids } = response.body as { id: string; ids: Record<string, string> };
  const shown = new Map(everyItem(await theTree(caller, query)).map((item) => [item.id, item]));
  const slugs = new Set(model.all().map(({ slug }) => slug));
  const copyOf = (node: Node, above: Node | null): Node => {
    const copyId = ids[node.id] as string;
    const slug = shown.get(copyId)?.meta.slug as string;
    expect(slugs.has(slug)).toBe(false);
    slugs.add(slug);
    const copy: Node = { ...node, id: copyId, slug, parent: above, children: [] };
    copy.children = node.children.map((child) => copyOf(child, copy));
    return copy;
  };
  const copy = copyOf(original, parent);
  copy.name = given.name ?? copy.name;
  expect(Object.keys(ids)).toHaveLength(model.all([original]).length);
  expect(copy.id).toBe(id);
  const siblings = model.siblings(parent);
  const behind = given.parent ? siblings.length : siblings.indexOf(original) + 1;
  siblings.splice(given.index ?? behind, 0, copy);
}

/** A slug that is taken where the item goes has a suffix, and no other. */
function takeSlugs(model: Model, node: Node, shown: readonly ItemBody[], present: readonly Node[]) {
  const taken = new Set(model.all(present).map(({ slug }) => slug));
  const slugs = new Map(everyItem(shown).map(({ id, meta }) => [id, meta.slug]));
  for (const one of model.all([node])) {
    const slug = slugs.get(one.id) as string;
    expect(slug !== one.slug).toBe(taken.has(one.slug));
    one.slug = slug;
  }
}

async function transfer(
  model: Model,
  { caller, other }: Real,
  given: { item: number; index: number | undefined },
): Promise<void> {
  const node = model.pick(given.item);
  const body = { workspace_slug: other.slug, ...placeOf(null, undefined, given.index) };
  await ok(caller.post(`/collections/${node.id}/transfer`, body));
  model.remove(node);
  model.forgetPlaceOf(node);
  node.parent = null;
  takeSlugs(model, node, await theTree(caller, other.query), model.other);
  model.other.splice(given.index ?? model.other.length, 0, node);
}

async function transferBack(
  model: Model,
  { caller, query, slug }: Real,
  given: { item: number; parent: Target | undefined; index: number | undefined },
): Promise<void> {
  const node = pickFrom(model, model.other, given.item);
  const parent = parentOf(model, given.parent);
  const body = { workspace_slug: slug, ...placeOf(parent, given.parent, given.index) };
  const response = await caller.post(`/collections/${node.id}/transfer`, body);
  expect(response.status).toBe(parent?.object === 'item' ? 422 : 200);
  if (response.status !== 200) return;
  const before = node.parent ? node.parent.children : model.other;
  before.splice(before.indexOf(node), 1);
  takeSlugs(model, node, await theTree(caller, query), model.top);
  node.parent = parent;
  const siblings = model.siblings(parent);
  siblings.splice(given.index ?? siblings.length, 0, node);
  const [shown] = seen([response.body as ItemBody]);
  expect(shown).toEqual(expected([node], 2)[0]);
}

/** What callers do with whole subtrees. */
export function subtreeCommands(target: fc.Arbitrary<Target>): fc.Arbitrary<Command>[] {
  const optional = <T>(given: fc.Arbitrary<T>) => fc.option(given, { nil: undefined, freq: 1 });
  const index = optional(fc.oneof(fc.nat({ max: 6 }), fc.constant(1_000)));
  const duplicated = fc
    .record({
      item: fc.nat(),
      parent: optional(target),
      index,
      name: optional(fc.constant('Copy')),
    })
    .map(
      (given): Command => ({
        // Copies of copies would grow without end.
        check: (model) => model.top.length > 0 && model.all().length < 60,
        run: (model, real) => duplicate(model, real, given),
        toString: () => show('duplicate', given),
      }),
    );
  const transferred = fc.record({ item: fc.nat(), index }).map(
    (given): Command => ({
      check: (model) => model.top.length > 0,
      run: (model, real) => transfer(model, real, given),
      toString: () => show('transfer', given),
    }),
  );
  const returned = fc.record({ item: fc.nat(), parent: optional(target), index }).map(
    (given): Command => ({
      check: (model) => model.other.length > 0,
      run: (model, real) => transferBack(model, real, given),
      toString: () => show('transferBack', given),
    }),
  );
  return [duplicated, transferred, returned, returned];
}
