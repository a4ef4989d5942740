import fc from 'fast-check';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { pagesOf, usageOf } from '../support/tree.js';

const NIGHTLY = process.env.NIGHTLY === '1';
const RUNS = NIGHTLY ? 500 : 15;
/** On average: a run has up to twice as many. */
const COMMANDS = NIGHTLY ? 50 : 25;
const TIME_LIMIT = NIGHTLY ? 3_600_000 : 90_000;
const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** An item as the model has it. */
interface Node {
  id: string;
  name: string;
  slug: string;
  object: ItemBody['object'];
  parent: Node | null;
  children: Node[];
}

/** What the tree must be, held in the plainest way there is. */
class Model {
  readonly top: Node[] = [];

  all(nodes: readonly Node[] = this.top): Node[] {
    return nodes.flatMap((node) => [node, ...this.all(node.children)]);
  }

  /** Any item; the same number picks the same one in the same tree. */
  pick(number: number): Node {
    const nodes = this.all();
    return nodes[number % nodes.length] as Node;
  }

  siblings(parent: Node | null): Node[] {
    return parent ? parent.children : this.top;
  }

  /** The status of a move there; 200: it was made. */
  move(node: Node, parent: Node | null, index: number): number {
    for (let above = parent; above; above = above.parent) if (above === node) return 422;
    if (parent?.object === 'item') return 422;
    this.remove(node);
    node.parent = parent;
    this.siblings(parent).splice(index, 0, node);
    return 200;
  }

  remove(node: Node): void {
    const siblings = this.siblings(node.parent);
    siblings.splice(siblings.indexOf(node), 1);
  }
}

/** The service, and the workspace of one run. */
interface Real {
  caller: Caller;
  query: string;
}

type Command = fc.AsyncCommand<Model, Real>;

/** An item as a test compares it: of the model, or of an answer. */
interface Seen {
  id: string;
  name: string;
  slug: string;
  object: string;
  parent: string | undefined;
  children: Seen[] | undefined;
}

const expected = (nodes: readonly Node[], depth = Number.POSITIVE_INFINITY): Seen[] =>
  nodes.map(({ id, name, slug, object, parent, children }) => ({
    id,
    name,
    slug,
    object,
    parent: parent?.id,
    children: object === 'collection' && depth > 1 ? expected(children, depth - 1) : undefined,
  }));

const seen = (items: readonly ItemBody[]): Seen[] =>
  items.map(({ id, name, object, parent, children, meta }) => ({
    id,
    name,
    slug: meta.slug,
    object,
    parent,
    children: children && seen(children),
  }));

/** Where something goes: the top level (of several spellings) or an item, maybe none that fits. */
type Target = { top: null | '' } | { pick: number };
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

const create = fc
  .record({ name, object: fc.constantFrom('collection', 'collection', 'item'), parent: target })
  .map((given): Command => {
    const parentOf = (model: Model) =>
      ifNotEmpty(model) && 'pick' in given.parent ? resolve(model, given.parent) : null;
    return {
      check: () => true,
      run: async (model, { caller, query }) => {
        const parent = parentOf(model);
        const body = { name: given.name, object: given.object, parent: parent?.id ?? null };
        const answer = await caller.post(`/collections${query}`, body);
        expect(answer.status).toBe(parent?.object === 'item' ? 422 : 200);
        if (answer.status !== 200) return;
        const { id, object, meta } = answer.body as ItemBody;
        const slugs = model.all().map(({ slug }) => slug);
        expect(slugs).not.toContain(meta.slug);
        const made = { id, object, name: given.name, slug: meta.slug, parent, children: [] };
        model.siblings(parent).push(made);
      },
      toString: () => show('create', given),
    };
  });

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

const remove = fc.record({ item: fc.nat() }).map(
  (given): Command => ({
    check: ifNotEmpty,
    run: async (model, { caller }) => {
      const node = model.pick(given.item);
      await ok(caller.delete(`/collections/${node.id}`));
      model.remove(node);
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

/** A single read: the item with its direct children, which show none of their own. */
const withChildren = (node: Node): Seen[] => expected([node], 2);

let service: TestService;
beforeAll(async () => {
  service = await startService({
    PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}',
    RATE_LIMIT_PER_MINUTE: '0',
  });
});
afterAll(() => service.stop());

test(
  `the tree is the model's after any commands`,
  async () => {
    process.stdout.write(`tree-model: FC_SEED=${SEED}, ${RUNS} runs of ${COMMANDS} commands\n`);
    const caller = service.as(somebody());
    const team = await aTeam(caller);
    const arbitraries = [create, create, create, move, move, move, update, remove, get, list, list];
    await fc.assert(
      fc.asyncProperty(
        fc.commands(arbitraries, { maxCommands: 2 * COMMANDS, size: 'max' }),
        async (commands) => {
          const { query, path } = await aWorkspace(caller, team);
          const model = new Model();
          await fc.asyncModelRun(() => ({ model, real: { caller, query } }), commands);
          const tree = await ok<ItemBody[]>(caller.get(`/collections${query}`));
          expect(seen(tree)).toEqual(expected(model.top));
          const pages = model.all().filter(({ object }) => object === 'item').length;
          expect((await usageOf(caller, team)).pages).toBe(pages);
          await ok(caller.delete(path));
        },
      ),
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: TIME_LIMIT },
    );
    expect((await usageOf(caller, team)).pages).toBe(0);
    await assertInvariants(service.databaseUrl);
  },
  TIME_LIMIT + 30_000,
);
