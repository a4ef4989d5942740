import fc from 'fast-check';
import { type ItemBody, ok, theTree } from '../support/builders.js';
import { everyItem } from '../support/tree.js';
import type { Command, Deleted, Model, Node, Real, Target } from './model.js';

const ifAnythingIsDeleted = ({ trash }: Model): boolean => trash.length > 0;
const pick = ({ trash }: Model, number: number) => trash[number % trash.length] as Deleted;
const take = ({ trash }: Model, deleted: Deleted) => trash.splice(trash.indexOf(deleted), 1);
const show = (name: string, given: object): string => `${name}${JSON.stringify(given)}`;

interface Wanted {
  deletion: number;
  parent: Target | undefined;
  index: number | undefined;
}

async function restore(model: Model, { caller, query }: Real, given: Wanted): Promise<void> {
  const deleted = pick(model, given.deletion);
  const { node } = deleted;
  const all = model.all();
  const parent = targetOf(model, given.parent, node.parent);
  const body = {
    ...(given.parent && { parent: parent?.id ?? null }),
    ...(given.index !== undefined && { index: given.index }),
  };
  const answer = await caller.post(`/collections/trash/${node.id}/restore`, body);
  expect(answer.status).toBe(parent?.object === 'item' ? 422 : 200);
  if (answer.status !== 200) return;
  take(model, deleted);
  model.forgetPlaceOf(node);
  const isParentGone = !given.parent && node.parent !== null && !all.includes(node.parent);
  const target = isParentGone ? null : parent;
  const tree = await theTree(caller, query);
  const shown = new Map(everyItem(tree).map((item) => [item.id, item]));
  const siblings = target ? shown.get(target.id)?.children : tree;
  const index = siblings?.findIndex(({ id }) => id === node.id) ?? -1;
  const present = model.siblings(target);
  if (isParentGone) expect(index).toBe(present.length);
  else if (given.index !== undefined) expect(index).toBe(Math.min(given.index, present.length));
  else if (target === node.parent) {
    const at = (one: Node) => siblings?.findIndex(({ id }) => id === one.id) ?? -1;
    const left = (side: Set<Node>) => [...side].filter((one) => present.includes(one));
    for (const one of left(deleted.before)) expect(at(one)).toBeLessThan(index);
    for (const one of left(deleted.after)) expect(at(one)).toBeGreaterThan(index);
  } else expect(index).toBe(present.length);
  node.parent = target;
  present.splice(index, 0, node);
  const taken = new Set(all.map(({ slug }) => slug));
  for (const one of model.all([node])) checkSlug(one, shown.get(one.id), taken);
}

/** The parent that is named, or the one that the item had if it is still there. */
function targetOf(model: Model, given: Target | undefined, had: Node | null): Node | null {
  if (given) return 'pick' in given && model.top.length > 0 ? model.pick(given.pick) : null;
  return had && model.all().includes(had) ? had : null;
}

/** A slug that was taken meanwhile has a suffix, and no other. */
function checkSlug(node: Node, shown: ItemBody | undefined, taken: Set<string>): void {
  const slug = shown?.meta.slug ?? '';
  expect(taken.has(slug)).toBe(false);
  expect(slug !== node.slug).toBe(taken.has(node.slug));
  node.slug = slug;
}

/** What callers do with the trash. */
export function trashCommands(target: fc.Arbitrary<Target>): fc.Arbitrary<Command>[] {
  const optional = <T>(given: fc.Arbitrary<T>) => fc.option(given, { nil: undefined, freq: 1 });
  const restored = fc
    .record({
      deletion: fc.nat(),
      parent: optional(target),
      index: optional(fc.nat({ max: 6 })),
    })
    .map(
      (given): Command => ({
        check: ifAnythingIsDeleted,
        run: (model, real) => restore(model, real, given),
        toString: () => show('restore', given),
      }),
    );
  const purged = fc.record({ deletion: fc.nat() }).map(
    (given): Command => ({
      check: ifAnythingIsDeleted,
      run: async (model, { caller }) => {
        const deleted = pick(model, given.deletion);
        const path = `/collections/trash/${deleted.node.id}`;
        await ok(caller.delete(path));
        take(model, deleted);
        expect((await caller.post(`${path}/restore`, {})).status).toBe(404);
      },
      toString: () => show('purge', given),
    }),
  );
  const listed = fc.constant<Command>({
    check: () => true,
    run: async (model, { caller, query }) => {
      const shown = await ok<object[]>(caller.get(`/collections/trash${query}`));
      const expected = model.trash.map(({ node }) => {
        const all = model.all([node]);
        const pages = all.filter(({ object }) => object === 'item').length;
        const { id, name, object } = node;
        return { id, name, object, pages, collections: all.length - pages };
      });
      expect(shown).toMatchObject(expected);
      expect(shown).toHaveLength(expected.length);
    },
    toString: () => 'getTrash',
  });
  return [restored, restored, restored, purged, listed];
}
