import fc from 'fast-check';
import {
  type ApplyPlan,
  decideApply,
  isNothing,
  type Manifest,
  type ManifestItem,
  type NamedRow,
  type Present,
  type Prunable,
} from '../../src/collections/apply/apply-rules.js';
import { positionsBetween } from '../../src/collections/writer/sibling-order.js';
import type { Row, Slice } from '../../src/collections/writer/tree-slice.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { runs } from '../support/runs.js';
import { sliceOf } from './slice.js';

const RUNS = runs(300, 20_000);

/** An item of the naive model. */
interface Node {
  id: string;
  key: string | null;
  name: string;
  title: string;
  object: 'collection' | 'item';
  content: string | null;
  children: Node[];
}
type Entry = Pick<Node, 'object' | 'name'> & {
  title: string | null | undefined;
  key: number;
  content: number;
  children: Entry[];
};

/** Keys are few, so that a manifest meets what is there; a negative one is none. */
const entry: fc.Memo<Entry> = fc.memo((depth) =>
  fc.record({
    key: fc.integer({ min: -8, max: 14 }),
    name: fc.constantFrom('N', 'M'),
    title: fc.constantFrom(undefined, undefined, null, 'N', 'Long'),
    object: fc.constantFrom('collection', 'collection', 'item'),
    content: fc.nat(2),
    children: depth > 1 ? fc.array(entry(depth - 1), { maxLength: 4 }) : fc.constant([]),
  }),
);
const forest = fc.array(entry(4), { minLength: 1, maxLength: 5 });

/** A key means one kind, mostly, so that most manifests are valid. */
const kindOf = ({ key, object }: Entry): Entry['object'] =>
  key < 0 || key === 0 ? object : key % 3 === 0 ? 'item' : 'collection';

const COLLECTION: Entry = {
  ...{ key: 1, name: 'N', title: null, object: 'collection', content: 0, children: [] },
};

let made = 0;
function nodesOf(entries: readonly Entry[], seen = new Set<number>()): Node[] {
  return entries.flatMap((given) => {
    if (given.key >= 0 && seen.size === seen.add(given.key).size) return [];
    const object = kindOf(given);
    return {
      id: `n${made++}`,
      key: given.key < 0 ? null : `k${given.key}`,
      ...{ name: given.name, title: given.title ?? given.name, object },
      content: object === 'item' ? `{"c":${given.content}}` : null,
      children: object === 'item' ? [] : nodesOf(given.children, seen),
    };
  });
}

function itemsOf(
  entries: readonly Entry[],
  field: string,
  seen = new Set<number>(),
): ManifestItem[] {
  return entries.flatMap((given, n) => {
    const key = Math.abs(given.key);
    if (seen.size === seen.add(key).size) return [];
    const object = kindOf({ ...given, key });
    const place = `${field}[${n}].`;
    // Now and then, content and children are left out.
    const content = object === 'item' && given.content > 0 ? `{"c":${given.content}}` : null;
    const isLeftOut = object === 'item' || (given.name === 'M' && given.children.length === 0);
    return {
      ...{ key: `k${key}`, object, place, content, digest: content },
      naming: { name: given.name, title: given.title },
      children: isLeftOut ? null : itemsOf(given.children, `${place}children`, seen),
    };
  });
}

function rowsOf(nodes: readonly Node[], parentId: string | null = null): Row[] {
  const positions = positionsBetween(null, null, nodes.length);
  return nodes.flatMap(({ children, ...node }, n) => [
    {
      ...{ ...node, parentId, teamId: 'team', workspaceId: 'workspace', slug: node.id },
      ...{ version: 1, createdAt: new Date(0), updatedAt: new Date(0) },
      ...{ createdBy: 'bob', updatedBy: 'bob', position: positions[n] as string },
    },
    ...rowsOf(children, node.id),
  ]);
}

const listOf = (rows: ReadonlyMap<string, Row>, parentId: string | null): Row[] =>
  [...rows.values()]
    .filter((row) => row.parentId === parentId)
    .sort((a, b) => (a.position < b.position ? -1 : 1));

const treeOf = (rows: ReadonlyMap<string, Row>, parentId: string | null = null): Node[] =>
  listOf(rows, parentId).map(({ id, key, name, title, object, content }) => ({
    ...{ id, key, name, title, object, content },
    children: treeOf(rows, id),
  }));

const everyNode = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => [node, ...everyNode(node.children)]);
const everyEntry = (items: readonly ManifestItem[]): ManifestItem[] =>
  items.flatMap((item) => [item, ...everyEntry(item.children ?? [])]);

/** What is pruned, by the words of the contract: below the lists of the manifest, the topmost ones. */
function prunableOf(tree: readonly Node[], parent: Node | null, manifest: Manifest): Prunable[] {
  const entries = new Map(everyEntry(manifest.items).map((item) => [item.key, item]));
  const pruned: Prunable[] = [];
  const isNamed = ({ key }: Node) => key !== null && entries.has(key);
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (isNamed(node)) continue;
      if (node.key === null) visit(node.children);
      else {
        const all = everyNode([node]);
        const pages = all.filter(({ object }) => object === 'item').length;
        const { id, object, title } = node;
        pruned.push({
          ...{ id, object, title, ids: `{${all.map((one) => one.id).join(',')}}`, height: 1 },
          ...{ pages, collections: all.length - pages },
          foreignId: all.find((one) => one.key === null || isNamed(one))?.id ?? null,
        });
      }
    }
  };
  visit(parent ? parent.children : tree);
  for (const node of everyNode(tree)) {
    if (isNamed(node) && entries.get(node.key as string)?.children) visit(node.children);
  }
  return pruned;
}

function presentOf(rows: ReadonlyMap<string, Row>, manifest: Manifest): Present {
  const slice: Slice = sliceOf(rows, true);
  slice.takenSlugs = new Set();
  const tree = treeOf(rows);
  const entries = everyEntry(manifest.items);
  const named = new Map<string, NamedRow>();
  const compared = new Map<string, boolean>();
  for (const item of entries) {
    const row = [...rows.values()].find(({ key }) => key === item.key);
    if (!row) continue;
    named.set(item.key, { ...row, contentDigest: row.contentDigest ?? null, content: null });
    if (item.content !== null) {
      compared.set(`${row.id}:${row.version}`, row.content === item.content);
    }
  }
  const lists = [
    manifest.parentId,
    ...entries.flatMap(({ key, children }) => (children && named.get(key)?.id) || []),
  ];
  const siblings = new Map(
    lists.map((id) => {
      const list = listOf(rows, id);
      const firstUnkeyed = list.find(({ key }) => key === null)?.position ?? null;
      return [id, { rows: list.filter(({ key }) => key !== null), firstUnkeyed }] as const;
    }),
  );
  const parent = everyNode(tree).find(({ id }) => id === manifest.parentId) ?? null;
  return {
    ...{ slice, named, siblings, compared, heights: null },
    prunable: manifest.prune ? prunableOf(tree, parent, manifest) : [],
    drawn: new Map(entries.map(({ key }) => [key, { id: `new ${key}`, slugs: [`new ${key}`] }])),
  };
}

/** The ids of an item, and of all below it. */
const idsIn = ({ ids }: Prunable): string[] => ids.slice(1, -1).split(',');

/** Carries a plan out in the order of its statements; each checks the key of siblings when it ends. */
function write(before: ReadonlyMap<string, Row>, plan: ApplyPlan): Map<string, Row> {
  const rows = new Map(before);
  const assertUnique = () => {
    const places = [...rows.values()].map(({ parentId, position }) => `${parentId} ${position}`);
    expect(new Set(places).size).toBe(places.length);
  };
  for (const prune of plan.prunes) for (const id of idsIn(prune)) rows.delete(id);
  for (const row of plan.inserts) rows.set(row.id, row);
  assertUnique();
  for (const { row, contentWrite } of plan.changes.updates) {
    const old = rows.get(row.id) as Row;
    rows.set(row.id, { ...row, content: contentWrite ? row.content : old.content });
  }
  for (const { id, position } of plan.changes.repositioned) {
    rows.set(id, { ...(rows.get(id) as Row), position });
  }
  assertUnique();
  return rows;
}

/** What the contract says that a manifest makes of a tree. */
function expectedOf(tree: readonly Node[], manifest: Manifest, pruned: ReadonlySet<string>) {
  const copy = structuredClone(tree) as Node[];
  const known = new Map(everyNode(copy).map((node) => [node.id, node] as const));
  const byKey = new Map(everyNode(copy).map((node) => [node.key, node] as const));
  const entries = everyEntry(manifest.items);
  const top: Node = { ...(copy[0] as Node), children: copy };
  const leaving = new Set(entries.flatMap(({ key }) => byKey.get(key)?.id ?? []));
  const stays = ({ id }: Node) => !leaving.has(id) && !pruned.has(id);
  for (const node of [top, ...known.values()]) node.children = node.children.filter(stays);
  const fill = (parent: Node, items: readonly ManifestItem[]): void => {
    const named = items.map(({ key, naming, object, content, children }) => {
      const { name = '', title } = naming;
      const node: Node = byKey.get(key) ?? {
        ...{ id: `new ${key}`, key, object, children: [], name: '', title: '' },
        content: object === 'item' ? (content ?? '{}') : null,
      };
      if (title !== undefined || name !== node.name) node.title = title ?? name;
      node.name = name;
      if (content !== null) node.content = content;
      if (children) fill(node, children);
      return node;
    });
    const [keyed, others] = [true, false].map((isKeyed) =>
      parent.children.filter(({ key }) => (key !== null) === isKeyed),
    ) as [Node[], Node[]];
    parent.children = [...named, ...keyed, ...others];
  };
  fill(manifest.parentId === null ? top : (known.get(manifest.parentId) as Node), manifest.items);
  return top.children;
}

/** The refusal that the contract names; null: none. */
function refusalOf(tree: readonly Node[], manifest: Manifest, present: Present): string | null {
  if (present.prunable.some(({ foreignId }) => foreignId !== null)) return 'conflict';
  const above = new Set<string>();
  const path = (nodes: readonly Node[]): boolean =>
    nodes.some(({ id, children }) => {
      const isOn = id === manifest.parentId || path(children);
      if (isOn) above.add(id);
      return isOn;
    });
  path(tree);
  const isRefused = everyEntry(manifest.items).some(({ key, object }) => {
    const row = present.named.get(key);
    return row !== undefined && (row.object !== object || above.has(row.id));
  });
  return isRefused ? 'unprocessable_entity' : null;
}

/** Manifests that were carried out, and refused: a test that refuses them all shows nothing. */
const outcomes = { done: 0, conflict: 0, unprocessable_entity: 0 };

test('a manifest makes what it says, once; what is equal is left alone, and nothing is lost', () => {
  fc.assert(
    fc.property(forest, forest, fc.nat(30), fc.boolean(), (there, wanted, target, prune) => {
      const rows = new Map(rowsOf(nodesOf(there)).map((row) => [row.id, row]));
      const tree = treeOf(rows);
      const collections = [...rows.values()].filter(({ object }) => object === 'collection');
      const parentId = target % 2 === 0 ? null : (collections[target]?.id ?? null);
      const manifest: Manifest = { parentId, items: itemsOf(wanted, 'items'), prune };
      const present = presentOf(rows, manifest);
      const refusal = refusalOf(tree, manifest, present);
      if (refusal !== null) {
        expect(() => decideApply(present, manifest)).toThrow(DomainError);
        outcomes[refusal as 'conflict']++;
        return;
      }
      const plan = decideApply(present, manifest);
      const after = write(rows, plan);
      const pruned = new Set(plan.prunes.flatMap(idsIn));
      expect(treeOf(after)).toEqual(expectedOf(tree, manifest, pruned));
      assertReport(rows, after, manifest, plan);
      const again = decideApply(presentOf(after, manifest), manifest);
      expect(isNothing(again)).toBe(true);
      expect(again.report).toMatchObject({ created: 0, updated: 0, moved: 0, pruned: 0 });
      outcomes.done++;
    }),
    { numRuns: RUNS },
  );
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(RUNS / 50);
});

/** The counts are those of the rows, and no row is written that does not differ. */
function assertReport(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
  { items }: Manifest,
  { report, changes, inserts, prunes }: ApplyPlan,
): void {
  const pruned = prunes.reduce((sum, { pages, collections }) => sum + pages + collections, 0);
  expect(after.size).toBe(before.size + report.created - report.pruned);
  expect([report.created, report.pruned]).toEqual([inserts.length, pruned]);
  const differing = changes.updates.map(({ row: { id }, contentWrite }) => {
    const [old, now] = [before.get(id) as Row, after.get(id) as Row];
    expect(old.key).not.toBeNull();
    expect([now.version, now.key, now.slug]).toEqual([old.version + 1, old.key, old.slug]);
    const isMoved = old.parentId !== now.parentId || old.position !== now.position;
    const isRenamed = old.name !== now.name || old.title !== now.title;
    const isUpdated = isRenamed || old.content !== now.content;
    expect([isMoved || isUpdated, contentWrite]).toEqual([
      true,
      old.content === now.content ? null : 'apply',
    ]);
    return { isMoved, isUpdated, isNamed: old.key !== null && report.ids.has(old.key) };
  });
  expect(report.moved).toBe(differing.filter((one) => one.isNamed && one.isMoved).length);
  expect(report.updated).toBe(differing.filter(({ isUpdated }) => isUpdated).length);
  const touched = new Set(changes.updates.map(({ row: { id } }) => id));
  const unchanged = everyEntry(items).filter(({ key }) => {
    const id = report.ids.get(key) as string;
    return before.has(id) && !touched.has(id);
  });
  expect(report.unchanged).toBe(unchanged.length);
  expect(changes.repositioned).toEqual([]);
}

test('of all deletions of a manifest together, 20,000 items are pruned at most', () => {
  const [folder] = rowsOf(nodesOf([COLLECTION]));
  const rows = new Map([[(folder as Row).id, folder as Row]]);
  const manifest: Manifest = { parentId: null, items: itemsOf([COLLECTION], 'items'), prune: true };
  const pruning = (...sizes: number[]) => {
    const prunable = sizes.map((pages, n) => ({
      ...{ id: `p${n}`, object: 'collection' as const, title: 'P', ids: '{}', height: 2 },
      ...{ pages, collections: 1, foreignId: null },
    }));
    return () => decideApply({ ...presentOf(rows, manifest), prunable }, manifest);
  };
  expect(pruning(9_999, 9_999)().report.pruned).toBe(20_000);
  expect(pruning(9_999, 10_000)).toThrow('prune would delete more than 20000 items');
});
