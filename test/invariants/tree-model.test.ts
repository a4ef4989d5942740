import fc from 'fast-check';
import type { Caller } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { scene } from '../support/scene.js';
import { everyItem, pagesOf, usageOf } from '../support/tree.js';
import {
  agree,
  type Command,
  type NewItem,
  type Sent,
  type Shown,
} from '../support/tree-model/command.js';
import {
  type Body,
  type Naming,
  requestOf,
  shownIn,
  shownItem,
  type TeamOfTrees,
} from '../support/tree-model/requests.js';
import { effectOf } from '../support/tree-model/rules.js';
import { type Item, Tree } from '../support/tree-model/tree.js';

const NIGHTLY = process.env.NIGHTLY === '1';
const RUNS = NIGHTLY ? 500 : 8;
/** On average: a run has up to twice as many. */
const LENGTH = NIGHTLY ? 50 : 25;
const TIME_LIMIT = NIGHTLY ? 3_600_000 : 90_000;
/** What a run begins with: lists that are worth a move, and pages below a collection. */
const SEEDLING: NewItem[] = [
  {
    name: 'Shelf',
    object: 'collection',
    children: [
      { name: 'One', object: 'item' },
      { name: 'Box', object: 'collection', children: [{ name: 'Two', object: 'item' }] },
      { name: 'Three', object: 'item' },
    ],
  },
  { name: 'Drawer', object: 'collection' },
  { name: 'Note', object: 'item' },
];
const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  verify: true,
});

test(
  `the tree is the model's after any commands`,
  async () => {
    process.stdout.write(`tree-model: FC_SEED=${SEED}, ${RUNS} runs of ${LENGTH} commands\n`);
    const { ada: caller } = at;
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: 2 * LENGTH, size: 'max' }),
        async (commands) => {
          // One for each run: what one that fails leaves does not count in those that look for a smaller one.
          const team = await aTeam(caller);
          const workspaces = [await aWorkspace(caller, team), await aWorkspace(caller, team)];
          const trees = new Trees(caller, {
            slug: team,
            workspaces: new Map(workspaces.map(({ slug, id }) => [slug, id])),
          });
          await trees.create({ parent: null, items: SEEDLING });
          await fc.asyncModelRun(() => ({ model: trees, real: null }), commands);
          await trees.areAsShown();
          const pages = [...trees.tree.items.values()].filter(({ object }) => object === 'item');
          expect((await usageOf(caller, team)).pages).toBe(pages.length);
          for (const { path } of workspaces) await ok(caller.delete(path));
          expect((await usageOf(caller, team)).pages).toBe(0);
        },
      ),
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: TIME_LIMIT },
    );
    await assertInvariants(at.databaseUrl);
  },
  TIME_LIMIT + 30_000,
);

/** The trees of two workspaces, in the service and in the model, and what the model does not have. */
class Trees implements Naming {
  tree: Tree;
  /** Where most happens, by its slug. */
  readonly home: string;
  /** The other workspace. */
  readonly away: string;
  /** By the ids of all items that were there. */
  private readonly slugs = new Map<string, string>();
  /** By deleted items: siblings on both sides of it that have not been moved since. */
  readonly places = new Map<string, { before: Set<string>; after: Set<string> }>();

  constructor(
    readonly caller: Caller,
    readonly team: TeamOfTrees,
  ) {
    this.tree = Tree.of([...team.workspaces.keys()]);
    [this.home, this.away] = this.tree.workspaces as [string, string];
  }

  keyOf = (id: string): string => id;
  parentKeyOf = (id: string): string => id;
  slugOf(workspace: string): string {
    const found = [...this.team.workspaces].find(([, id]) => id === workspace);
    return found?.[0] ?? workspace;
  }

  /** The ids of all items of a workspace, from the top down. */
  all(workspace = this.home): string[] {
    return this.tree.withAllBelow(workspace).slice(1);
  }

  /** Any item; the same number picks the same one in the same tree. */
  pick(number: number, ids: readonly string[] = this.all()): string {
    return ids[number % ids.length] as string;
  }

  shownAt(workspace: string): Promise<ItemBody[]> {
    return theTree(this.caller, `?team_slug=${this.team.slug}&workspace_slug=${workspace}`);
  }

  /**
   * Sends a command: the response must be the model's.
   * @param tell what the model is told instead, which needs the response: ids, and places
   */
  async send(sent: Sent, tell: (body: Body) => Command | Promise<Command> = () => sent) {
    const { method, path, body } = requestOf(sent, this.team);
    const response = await this.caller[method.toLowerCase() as 'post'](path, body);
    const before = this.tree;
    const isDone = response.status === 200;
    const command = isDone ? await tell(response.body) : sent;
    const { must, next, shown } = effectOf(before, command);
    expect(response.status).toBe(must[0] ?? 200);
    if (!isDone) return;
    this.compare(shownIn(response.body, sent, this), shown);
    this.tree = next;
    for (const { before, after } of this.places.values()) {
      for (const moved of movedBy(sent, next)) {
        before.delete(moved);
        after.delete(moved);
      }
    }
    const isNew = (id: string, workspace: string) =>
      !before.items.has(id) || before.workspaceOf(id) !== workspace;
    if (next.workspaces.some((one) => this.all(one).some((id) => isNew(id, one)))) {
      await this.areAsShown(before);
    }
  }

  create(given: Pick<Command & { kind: 'create' }, 'parent' | 'index' | 'items'>): Promise<void> {
    const sent = { kind: 'create', workspace: this.home, ...given } as const;
    return this.send(sent, (body) => ({ ...sent, items: withIds(given.items, [body].flat()) }));
  }

  /** Both trees are the model's. @param before the model's before the last command */
  async areAsShown(before = this.tree): Promise<void> {
    for (const workspace of this.tree.workspaces) {
      const list = { kind: 'list', workspace, withContent: false } as const;
      const items = await this.shownAt(workspace);
      this.compare(shownIn(items, list, this), effectOf(this.tree, list).shown);
      const present = new Set(before.withAllBelow(workspace));
      const taken = new Set([...present].map((id) => this.slugs.get(id)));
      for (const { id, meta } of everyItem(items)) {
        const had = this.slugs.get(id);
        const isTaken = !present.has(id) && taken.has(had);
        // A slug that is taken where the item goes gets a suffix, and no other.
        if (had) expect({ id, isOther: meta.slug !== had }).toEqual({ id, isOther: isTaken });
        if (!present.has(id)) expect(taken).not.toContain(meta.slug);
        taken.add(meta.slug);
        this.slugs.set(id, meta.slug);
      }
    }
  }

  compare(shown: Shown[] | undefined, expected: Shown[] | undefined): void {
    if (!agree(shown, expected)) expect(shown).toEqual(expected);
  }
}

/** The items that a command moves among their siblings, or to others. */
function movedBy(command: Sent, tree: Tree): readonly string[] {
  switch (command.kind) {
    case 'order':
      return tree.children(command.parent ?? command.workspace);
    case 'update':
      return command.parent === undefined ? [] : [command.id];
    case 'move':
    case 'restore':
      return [command.id];
    case 'transfer':
      // It counts as a rebalancing: then the two siblings next to a place tell where it is, moved or not.
      return [command.id, ...tree.withAllBelow(command.target)];
    default:
      return [];
  }
}

type TreeCommand = fc.AsyncCommand<Trees, null>;

/** Where something goes: the top level (of several spellings) or an item, maybe none that fits. */
type Target = { top: null | '' } | { pick: number };

const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ top: fc.constantFrom(null, '' as const) }) },
  { weight: 3, arbitrary: fc.record({ pick: fc.nat() }) },
);
const parentOf = (trees: Trees, to: Target): string | null =>
  'pick' in to && trees.all().length > 0 ? trees.pick(to.pick) : null;
const spelled = (trees: Trees, to: Target): string | null =>
  'pick' in to ? trees.pick(to.pick) : to.top;

/** It is absent once in `freq` times. */
const maybe = <T>(given: fc.Arbitrary<T>, freq = 2) => fc.option(given, { nil: undefined, freq });
const name = fc.constantFrom('A', 'Guides', 'über 🌳', 'Ж', 'x'.repeat(32));
const object = fc.constantFrom('collection' as const, 'collection' as const, 'item' as const);
/** Among the first of a list, mostly of a short one, or past its end. */
const index = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 6 }), fc.constantFrom(1_000));

const isNotEmpty = (trees: Trees): boolean => trees.all().length > 0;
const isAnythingDeleted = ({ tree }: Trees): boolean => tree.trash.size > 0;

const command = <Given>(
  called: string,
  given: fc.Arbitrary<Given>,
  run: (trees: Trees, given: Given) => Promise<unknown>,
  check: (trees: Trees) => boolean = isNotEmpty,
): fc.Arbitrary<TreeCommand> =>
  given.map((one) => ({
    check,
    run: async (trees) => void (await run(trees, one)),
    toString: () => `${called}${JSON.stringify(one)}`,
  }));

/** New items with the ids that they got. */
const withIds = (items: readonly NewItem[], made: readonly ItemBody[] = []): NewItem[] =>
  items.map(({ children, ...item }, n) => ({
    ...item,
    id: made[n]?.id as string,
    ...(children && { children: withIds(children, made[n]?.children) }),
  }));

const { part } = fc.letrec<{ part: NewItem }>((tie) => ({
  // `children` may be below a page, which is refused.
  part: fc.record(
    { name, object, children: fc.array(tie('part'), { maxLength: 3, depthIdentifier: 'part' }) },
    { requiredKeys: ['name', 'object'] },
  ),
}));
const create = command(
  'create',
  fc.record({
    items: fc.oneof<fc.Arbitrary<NewItem[]>[]>(
      fc.tuple(fc.record({ name, object })),
      fc.array(part, { minLength: 1, maxLength: 4 }),
    ),
    index: maybe(index, 5),
    parent: target,
  }),
  (trees, given) => {
    const { items, index } = given;
    const parent = parentOf(trees, given.parent);
    return trees.create({ parent, items, ...(index !== undefined && { index }) });
  },
  () => true,
);

const order = command(
  'order',
  fc.record({
    parent: target,
    /** Decides on the order, number by number. */
    keys: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
    movedIn: fc.array(fc.nat(), { maxLength: 2 }),
    isOneLeftOut: fc.constantFrom(false, false, false, true),
  }),
  (trees, given) => {
    const parent = parentOf(trees, given.parent);
    const present = trees.tree.children(parent ?? trees.home);
    const all = new Set([...present, ...given.movedIn.map((n) => trees.pick(n))]);
    const keyed = [...all].map((id, n) => ({ id, key: given.keys[n % 8] ?? 0 }));
    const children = keyed.sort((a, b) => a.key - b.key).map(({ id }) => id);
    if (given.isOneLeftOut) children.pop();
    return trees.send({ kind: 'order', workspace: trees.home, parent, children });
  },
);

const move = command(
  'move',
  fc.record({
    item: fc.nat(),
    index: fc.oneof(index, fc.constantFrom(Number.MAX_SAFE_INTEGER)),
    to: maybe(target, 5),
    expecting: maybe(target),
  }),
  (trees, { item, index, to, expecting }) =>
    trees.send({
      ...{ kind: 'move', workspace: trees.home, id: trees.pick(item), index },
      ...(to && { newParent: spelled(trees, to) }),
      ...(expecting && { parent: spelled(trees, expecting) }),
    }),
);

const update = command(
  'update',
  fc.record({ item: fc.nat(), name: maybe(name, 5), parent: maybe(target, 5) }),
  (trees, { item, name, parent }) => {
    const id = trees.pick(item);
    const sent: Sent = {
      ...{ kind: 'update', id },
      ...(name && { name }),
      ...(parent && { parent: spelled(trees, parent) }),
    };
    return trees.send(sent, (body) => {
      const { next } = effectOf(trees.tree, sent);
      const shown = shownItem(body, trees, { single: true });
      trees.compare([shown], effectOf(next, { kind: 'read', id }).shown);
      return sent;
    });
  },
);

const remove = command(
  'delete',
  fc.record({ item: fc.nat(), isPermanent: fc.constantFrom(true, false, false, false) }),
  async (trees, { item, isPermanent }) => {
    const id = trees.pick(item);
    const siblings = trees.tree.children(trees.tree.items.get(id)?.parent as string);
    const at = siblings.indexOf(id);
    const place = {
      before: new Set(siblings.slice(0, at)),
      after: new Set(siblings.slice(at + 1)),
    };
    trees.places.set(id, place);
    await trees.send({ kind: 'delete', id, isPermanent });
    await trees.send({ kind: 'read', id });
  },
);

const read = command('read', fc.record({ item: fc.nat() }), (trees, { item }) =>
  trees.send({ kind: 'read', id: trees.pick(item) }),
);

const list = command(
  'list',
  fc.record({
    parent: maybe(fc.nat(), 5),
    depth: maybe(fc.integer({ min: 1, max: 4 }), 5),
    limit: maybe(fc.integer({ min: 1, max: 4 }), 5),
  }),
  async (trees, { parent, depth, limit }) => {
    const sent: Sent = {
      ...{ kind: 'list', workspace: trees.home, withContent: false },
      ...(parent !== undefined && { parent: trees.pick(parent) }),
      ...(depth && { depth }),
    };
    const { must, shown } = effectOf(trees.tree, sent);
    if (must.length > 0 || !limit) return trees.send(sent);
    const pages: ItemBody[][] = [];
    const path = `${requestOf(sent, trees.team).path}&limit=${limit}`;
    for await (const page of pagesOf(trees.caller, path)) pages.push(page);
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
    trees.compare(shownIn(pages.flat(), sent, trees), shown);
  },
);

const restore = command(
  'restore',
  fc.record({ deletion: fc.nat(), parent: maybe(target), index: maybe(fc.nat({ max: 6 })) }),
  (trees, given) => {
    const id = trees.pick(given.deletion, [...trees.tree.trash.keys()]);
    const sent: Sent = {
      ...{ kind: 'restore', id },
      ...(given.parent && { parent: parentOf(trees, given.parent) }),
      ...(given.index !== undefined && { index: given.index }),
    };
    return trees.send(sent, async () => {
      const { next } = effectOf(trees.tree, sent);
      const parent = next.items.get(id)?.parent as string;
      const had = trees.tree.trash.get(id)?.items.get(id)?.parent;
      if (given.index !== undefined || parent !== had) return sent;
      // It is where it was: between its siblings that have not been moved.
      const items = await trees.shownAt(trees.home);
      const holder = everyItem(items).find(({ id }) => id === parent);
      const siblings = (holder?.children ?? items).map(({ id }) => id);
      const at = siblings.indexOf(id);
      const present = trees.tree.children(parent);
      const { before, after } = trees.places.get(id) as { before: Set<string>; after: Set<string> };
      const left = present.filter((one) => before.has(one) || after.has(one));
      expect(left.filter((one) => siblings.indexOf(one) < at)).toEqual(
        left.filter((one) => before.has(one)),
      );
      return { ...sent, index: at };
    });
  },
  isAnythingDeleted,
);

const purge = command(
  'purge',
  fc.record({ deletion: fc.nat() }),
  async (trees, { deletion }) => {
    const id = trees.pick(deletion, [...trees.tree.trash.keys()]);
    await trees.send({ kind: 'purge', id });
    await trees.send({ kind: 'restore', id });
  },
  isAnythingDeleted,
);

const getTrash = command(
  'getTrash',
  fc.constant({}),
  async ({ caller, team, home, tree }) => {
    const path = `/collections/trash?team_slug=${team.slug}&workspace_slug=${home}`;
    const shown = await ok<object[]>(caller.get(path));
    const expected = [...tree.trash].reverse().map(([id, { items }]) => {
      const pages = [...items.values()].filter(({ object }) => object === 'item').length;
      const { name, object } = items.get(id) as Item;
      return { id, name, object, pages, collections: items.size - pages };
    });
    expect(shown).toMatchObject(expected);
    expect(shown).toHaveLength(expected.length);
  },
  () => true,
);

const duplicate = command(
  'duplicate',
  fc.record({
    item: fc.nat(),
    parent: maybe(target),
    index: maybe(index),
    name: maybe(fc.constant('Copy')),
  }),
  (trees, { item, parent, index, name }) => {
    const id = trees.pick(item);
    const sent: Sent = {
      ...{ kind: 'duplicate', id },
      ...(parent && { parent: parentOf(trees, parent) }),
      ...(index !== undefined && { index }),
      ...(name && { name }),
    };
    return trees.send(sent, ({ ids = {} }) => {
      expect(Object.keys(ids).sort()).toEqual(trees.tree.withAllBelow(id).sort());
      return { ...sent, ids };
    });
  },
  // Copies of copies would grow without end.
  (trees) => isNotEmpty(trees) && trees.all().length < 60,
);

const transfer = command(
  'transfer',
  fc.record({ item: fc.nat(), index: maybe(index) }),
  (trees, { item, index }) =>
    trees.send({
      ...{ kind: 'transfer', id: trees.pick(item), target: trees.away },
      ...(index !== undefined && { index }),
    }),
);

const transferBack = command(
  'transferBack',
  fc.record({ item: fc.nat(), parent: maybe(target), index: maybe(index) }),
  (trees, { item, parent, index }) =>
    trees.send({
      ...{ kind: 'transfer', id: trees.pick(item, trees.all(trees.away)), target: trees.home },
      ...(parent && { parent: parentOf(trees, parent) }),
      ...(index !== undefined && { index }),
    }),
  (trees) => trees.all(trees.away).length > 0,
);

/** Creates, moves and restores come more often than the others. */
const COMMANDS = [
  ...[create, create, create, create, move, move, move, order, order, update, remove, remove],
  ...[read, list, list, restore, restore, restore, purge, getTrash],
  ...[duplicate, transfer, transferBack, transferBack],
];
