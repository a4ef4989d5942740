import fc from 'fast-check';
import { type ItemBody, ok } from '../support/builders.js';
import { pagesOf } from '../support/tree.js';
import {
  type Command,
  expected,
  type Model,
  type Node,
  seen,
  type Target,
  withChildren,
} from './model.js';
import { subtreeCommands } from './model-subtrees.js';
import { trashCommands } from './model-trash.js';

const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ top: fc.constantFrom(null, '' as const) }) },
  { weight: 3, arbitrary: fc.record({ pick: fc.nat() }) },
);
const resolve = (model: Model, to: Target): Node | null =>
  'pick' in to ? model.pick(to.pick) : null;
const spelled = (model: Model, to: Target): string | null =>
  'pick' in to ? model.pick(to.pick).id : to.top;

const show = (name: string, given: object): string => `${name}${JSON.stringify(given)}`;
const ifNotEmpty = (model: Model): boolean => model.top.length > 0;
const name = fc.constantFrom('A', 'Guides', 'über 🌳', 'Ж', 'x'.repeat(32));

/** Where a place in a list is asked for at all: among its first, or past its end. */
const index = fc.option(fc.oneof(fc.nat({ max: 6 }), fc.constantFrom(1_000)), { nil: undefined });
const parentOf = (model: Model, to: Target): Node | null =>
  ifNotEmpty(model) && 'pick' in to ? resolve(model, to) : null;

const create = fc
  .record({
    ...{ name, index, parent: target },
    object: fc.constantFrom('collection' as const, 'collection' as const, 'item' as const),
  })
  .map(
    (given): Command => ({
      check: () => true,
      run: async (model, { caller, query }) => {
        const parent = parentOf(model, given.parent);
        const { name, object, index = Number.POSITIVE_INFINITY } = given;
        const body = { name, object, index: given.index, parent: parent?.id ?? null };
        const answer = await caller.post(`/collections${query}`, body);
        expect(answer.status).toBe(parent?.object === 'item' ? 422 : 200);
        if (answer.status !== 200) return;
        const made = answer.body as ItemBody;
        expect(model.all().map(({ slug }) => slug)).not.toContain(made.meta.slug);
        model.insert(parent, index, [made]);
      },
      toString: () => show('create', given),
    }),
  );

/** A part of a batch; `children` may stand below a page, which is refused. */
interface Part {
  name: string;
  object: ItemBody['object'];
  children?: Part[];
}
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.record(
    {
      name,
      object: fc.constantFrom('collection' as const, 'collection' as const, 'item' as const),
      children: fc.array(tie('part'), { maxLength: 3, depthIdentifier: 'part' }),
    },
    { requiredKeys: ['name', 'object'] },
  ),
}));
const isSensible = ({ object, children }: Part): boolean =>
  children === undefined || (object === 'collection' && children.every(isSensible));

const batch = fc
  .record({ items: fc.array(part, { minLength: 1, maxLength: 4 }), index, parent: target })
  .map(
    (given): Command => ({
      check: () => true,
      run: async (model, { caller, query }) => {
        const { items, index } = given;
        const parent = parentOf(model, given.parent);
        const body = { items, index, parent: parent?.id ?? null };
        const answer = await caller.post(`/collections/batch${query}`, body);
        const isRefused = parent?.object === 'item' || !items.every(isSensible);
        expect(answer.status).toBe(isRefused ? 422 : 200);
        if (!isRefused) model.insert(parent, index ?? Number.POSITIVE_INFINITY, answer.body);
      },
      toString: () => show('batch', given),
    }),
  );

const order = fc
  .record({
    parent: target,
    /** Decides on the order, number by number. */
    keys: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    movedIn: fc.array(fc.nat(), { maxLength: 2 }),
    isOneLeftOut: fc.constantFrom(false, false, false, true),
  })
  .map(
    (given): Command => ({
      check: ifNotEmpty,
      run: async (model, { caller, query }) => {
        const parent = parentOf(model, given.parent);
        const all = [...model.siblings(parent), ...given.movedIn.map((n) => model.pick(n))];
        const keyed = [...new Set(all)].map((node, n) => ({ node, key: given.keys[n % 8] ?? 0 }));
        const children = keyed.sort((a, b) => a.key - b.key).map(({ node }) => node);
        if (given.isOneLeftOut) children.pop();
        const body = { parent: parent?.id ?? null, children: children.map(({ id }) => id) };
        const answer = await caller.put(`/collections/order${query}`, body);
        expect(answer.status).toBe(model.order(parent, children));
      },
      toString: () => show('order', given),
    }),
  );

const move = fc
  .record({
    item: fc.nat(),
    index: fc.oneof(fc.nat({ max: 6 }), fc.constantFrom(1_000, Number.MAX_SAFE_INTEGER)),
    to: fc.option(target, { nil: undefined }),
    expecting: fc.option(target, { nil: undefined, freq: 1 }),
  })
  .map(
    (given): Command => ({
      check: ifNotEmpty,
      run: async (model, { caller, query }) => {
        const { to, expecting, index } = given;
        const node = model.pick(given.item);
        const body = {
          id: node.id,
          index,
          ...(to && { newParent: spelled(model, to) }),
          ...(expecting && { parent: spelled(model, expecting) }),
        };
        const stale = expecting && resolve(model, expecting) !== node.parent;
        const parent = to ? resolve(model, to) : node.parent;
        const status = stale ? 409 : model.move(node, parent, index);
        expect((await caller.post(`/collections/reorder${query}`, body)).status).toBe(status);
      },
      toString: () => show('move', given),
    }),
  );

const update = fc
  .record({
    item: fc.nat(),
    name: fc.option(name, { nil: undefined }),
    parent: fc.option(target, { nil: undefined }),
  })
  .map(
    (given): Command => ({
      check: ifNotEmpty,
      run: async (model, { caller }) => {
        const node = model.pick(given.item);
        const body = {
          ...(given.name && { name: given.name }),
          ...(given.parent && { parent: spelled(model, given.parent) }),
        };
        const status = given.parent
          ? model.move(node, resolve(model, given.parent), Number.POSITIVE_INFINITY)
          : 200;
        if (status === 200) node.name = given.name ?? node.name;
        const answer = await caller.put(`/collections/${node.id}`, body);
        expect(answer.status).toBe(status);
        if (status === 200) expect(seen([answer.body])).toEqual(withChildren(node));
      },
      toString: () => show('update', given),
    }),
  );

const remove = fc.record({ item: fc.nat(), isPermanent: fc.nat({ max: 3 }) }).map(
  (given): Command => ({
    check: ifNotEmpty,
    run: async (model, { caller }) => {
      const node = model.pick(given.item);
      const isPermanent = given.isPermanent === 0;
      await ok(caller.delete(`/collections/${node.id}${isPermanent ? '?permanent=true' : ''}`));
      if (isPermanent) model.remove(node);
      else model.moveToTrash(node);
      expect((await caller.get(`/collections/${node.id}`)).status).toBe(404);
    },
    toString: () => show('delete', given),
  }),
);

const get = fc.record({ item: fc.nat() }).map(
  (given): Command => ({
    check: ifNotEmpty,
    run: async (model, { caller }) => {
      const node = model.pick(given.item);
      const body = await ok<ItemBody>(caller.get(`/collections/${node.id}`));
      expect(seen([body])).toEqual(withChildren(node));
    },
    toString: () => show('get', given),
  }),
);

const list = fc
  .record({
    parent: fc.option(fc.nat(), { nil: undefined }),
    depth: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  })
  .map(
    (given): Command => ({
      check: ifNotEmpty,
      run: async (model, { caller, query }) => {
        const { depth, limit } = given;
        const parent = given.parent === undefined ? null : model.pick(given.parent);
        const options = Object.entries({ parent: parent?.id, depth, limit })
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => `&${key}=${value}`)
          .join('');
        const path = `/collections${query}${options}`;
        if (parent?.object === 'item') {
          expect((await caller.get(path)).status).toBe(422);
          return;
        }
        const pages: ItemBody[][] = [];
        for await (const page of pagesOf(caller, path)) pages.push(page);
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit ?? -1);
        expect(seen(pages.flat())).toEqual(expected(model.siblings(parent), depth));
      },
      toString: () => show('list', given),
    }),
  );

/** Reads and moves come more often than the others. */
export const COMMANDS = [
  ...[create, create, create, batch, move, move, move, order, order],
  ...[update, remove, remove, get, list, list],
  ...trashCommands(target),
  ...subtreeCommands(target),
];
