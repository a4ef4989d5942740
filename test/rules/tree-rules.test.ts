import fc from 'fast-check';
import { type Command, type NewNode } from '../../src/collections/items/collection.js';
import { MAX_DEPTH } from '../../src/collections/limits.js';
import { IncompleteSlice } from '../../src/collections/writer/sibling-order.js';
import { decide, find } from '../../src/collections/writer/tree-rules.js';
import {
  applyChange,
  type Change,
  foldChanges,
  type Row,
} from '../../src/collections/writer/tree-slice.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { runs } from '../support/runs.js';
import type { Command as ModelCommand, NewItem } from '../support/tree-model/command.js';
import { effectOf } from '../support/tree-model/rules.js';
import { Tree } from '../support/tree-model/tree.js';
import { sliceOf } from './slice.js';

const RUNS = runs(100, 10_000);

/** The only workspace. */
const HOME = 'home';
const CODES: Record<number, string> = {
  ...{ 404: 'not_found', 409: 'conflict', 422: 'unprocessable_entity' },
};

/** What tree-rules decide, or a delete, which needs a database for its subtree. */
type Given = ModelCommand & { kind: 'create' | 'move' | 'update' | 'order' | 'delete' };

/** Items are chosen by a number, so that a command can be made before there are any. */
interface Step {
  kind: 'create' | 'page' | 'subtree' | 'move' | 'update' | 'delete' | 'order';
  item: number;
  target: number;
  index: number;
  shuffle: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'page', 'page', 'subtree', 'move', 'move', 'move', 'update'] as const),
    ...(['delete', 'order'] as const),
  ),
  item: fc.nat(40),
  target: fc.nat(40),
  index: fc.oneof(fc.nat(8), fc.constant(Number.MAX_SAFE_INTEGER)),
  shuffle: fc.nat(1000),
});

test('the rules agree with the model, batch by batch: order, refusals, one row an id', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
      (batches) => {
        const rows = new Map<string, Row>();
        let tree = Tree.of([HOME]);
        let made = 0;
        const item = (object: NewItem['object'], children?: NewItem[]): NewItem => ({
          ...{ id: `n${made++}`, name: 'Name', object, ...(children && { children }) },
        });
        for (const batch of batches) {
          const alone = batch.find(({ kind }) => kind === 'delete' || kind === 'order');
          const commands = (alone ? [alone] : batch).map((given) => commandOf(given, tree, item));
          const refusals = runBatch(rows, commands);
          for (const [n, command] of commands.entries()) {
            const { must, next } = effectOf(tree, command);
            const refusal = must[0] ? CODES[must[0]] : null;
            expect({ command, refusal: refusals[n] }).toEqual({ command, refusal });
            tree = next;
          }
          const lists = [...tree.items].map(([id, { children }]) => [id, children] as const);
          expect(orderOf(rows)).toEqual(
            Object.fromEntries(lists.filter(([, children]) => children.length > 0)),
          );
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 300_000);

/**
 * Carries out commands as the writer does: together, and one by one where more must be read than a
 * batch can. @returns the code of each refusal, or null
 */
function runBatch(rows: Map<string, Row>, commands: readonly Given[]): (string | null)[] {
  const slice = sliceOf(rows, commands.length === 1);
  const changes: Change[] = [];
  try {
    const refusals = commands.map((command) => {
      try {
        if (command.kind === 'delete') {
          remove(rows, find(slice, command.id).id);
          return null;
        }
        const { change } = decide(slice, toDecide(command));
        applyChange(slice, change);
        changes.push(change);
        return null;
      } catch (error) {
        if (error instanceof DomainError) return error.code;
        throw error;
      }
    });
    write(rows, foldChanges(slice, changes));
    return refusals;
  } catch (error) {
    if (!(error instanceof IncompleteSlice) || commands.length === 1) throw error;
    return commands.flatMap((command) => runBatch(rows, [command]));
  }
}

/** Carries out what a batch changes as the database would: updates before inserts. */
function write(rows: Map<string, Row>, changes: ReturnType<typeof foldChanges>): void {
  const touched = [
    ...changes.updates.map(({ row }) => row.id),
    ...changes.repositioned.map(({ id }) => id),
    ...changes.inserts.map(({ id }) => id),
  ];
  expect(new Set(touched).size).toBe(touched.length);
  for (const { row } of changes.updates) rows.set(row.id, row);
  for (const { id, position } of changes.repositioned) {
    rows.set(id, { ...(rows.get(id) as Row), position });
  }
  for (const row of changes.inserts) rows.set(row.id, row);
  const places = [...rows.values()].map(({ parentId, position }) => `${parentId} ${position}`);
  expect(new Set(places).size).toBe(places.length);
}

/** Removes an item with all below it, as a delete does. */
function remove(rows: Map<string, Row>, id: string): void {
  for (const row of [...rows.values()]) if (row.parentId === id) remove(rows, row.id);
  rows.delete(id);
}

/** The ids of each list, in their order. */
function orderOf(rows: ReadonlyMap<string, Row>): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  const sorted = [...rows.values()].sort((a, b) => (a.position < b.position ? -1 : 1));
  for (const row of sorted) {
    const parent = row.parentId ?? HOME;
    lists[parent] ??= [];
    lists[parent].push(row.id);
  }
  return lists;
}

function commandOf(
  { kind, item, target, index, shuffle }: Step,
  tree: Tree,
  make: (object: NewItem['object'], children?: NewItem[]) => NewItem,
): Given {
  const ids = tree.withAllBelow(HOME).slice(1);
  const pick = (n: number) => ids[n % (ids.length + 2)] ?? 'absent';
  const parent = target % 5 === 0 ? null : pick(target);
  const workspace = HOME;
  switch (kind) {
    case 'create':
      return { kind: 'create', workspace, parent, index, items: [make('collection')] };
    case 'page':
      return { kind: 'create', workspace, parent, items: [make('item')] };
    case 'subtree': {
      const children =
        shuffle % 7 === 0 ? [make('item', [make('item')])] : [make('item'), make('item')];
      const items = [make('collection', children), make('item')];
      return { kind: 'create', workspace, parent, index, items };
    }
    case 'move':
      return {
        ...{ kind: 'move', workspace, id: pick(item), index },
        ...(shuffle % 2 === 0 && { newParent: parent }),
        ...(shuffle % 11 === 0 && { parent: pick(shuffle) }),
      };
    case 'update':
      return {
        ...{ kind: 'update', id: pick(item), name: 'Other' },
        ...(shuffle % 2 === 0 && { parent }),
      };
    case 'delete':
      return { kind: 'delete', id: pick(item) };
    case 'order': {
      const present = tree.children(parent ?? HOME);
      const more = shuffle % 3 === 0 ? [pick(item)].filter((id) => !present.includes(id)) : [];
      const less = shuffle % 13 === 0 ? present.slice(1) : present;
      const rotated = [...less.slice(shuffle % 5), ...less.slice(0, shuffle % 5), ...more];
      const children = shuffle % 2 ? rotated.reverse() : rotated;
      return { kind: 'order', workspace, parent, children };
    }
  }
}

/** A command of the model as the rules take it. */
function toDecide(command: Exclude<Given, { kind: 'delete' }>): Command {
  switch (command.kind) {
    case 'create': {
      const { parent, index, items } = command;
      return { kind: 'create', parentId: parent, index, nodes: items.map(toNode) };
    }
    case 'move': {
      const { id, index, newParent, parent } = command;
      return {
        kind: 'move',
        move: { id, index, newParentId: newParent, expectedParentId: parent },
      };
    }
    case 'update': {
      const { id, name, parent } = command;
      return { kind: 'update', id, changes: { name, parentId: parent } };
    }
    case 'order':
      return { kind: 'order', parentId: command.parent, children: command.children };
  }
}

const toNode = ({ name, id = name, object, children }: NewItem): NewNode => ({
  ...{ id, name, title: name, object, content: null, key: null, place: '', slugs: [`slug-${id}`] },
  children: children?.map(toNode) ?? null,
});

test('nesting ends at the last level, for creates, subtrees and moves', () => {
  const rows = new Map<string, Row>();
  const chain = (depth: number): NewNode[] =>
    depth === 0
      ? []
      : [
          {
            ...{
              id: `c${depth}`,
              name: 'Name',
              title: 'Name',
              object: 'collection',
              content: null,
              place: '',
            },
            ...{ slugs: [`c${depth}`], key: null, children: chain(depth - 1) },
          },
        ];
  const run = (command: Command) => {
    const slice = sliceOf(rows, true);
    const { change } = decide(slice, command);
    applyChange(slice, change);
    write(rows, foldChanges(slice, [change]));
  };
  run({ kind: 'create', parentId: null, nodes: chain(MAX_DEPTH) });
  const [extra] = chain(1) as [NewNode];
  const deeper: Command = { kind: 'create', parentId: 'c1', nodes: [{ ...extra, id: 'x' }] };
  expect(() => run(deeper)).toThrow(/^parent is too deep: nesting goes at most 128 levels deep$/);
  run({ kind: 'create', parentId: null, nodes: [{ ...extra, id: 'y', slugs: ['y'] }] });
  const below: Command = { kind: 'move', move: { id: 'c127', index: 0, newParentId: 'y' } };
  run(below);
  const top: Command = { kind: 'move', move: { id: 'y', index: 0, newParentId: 'c128' } };
  expect(() => run(top)).toThrow(/^newParent is too deep/);
});

test('many moves to the same place keep positions short', () => {
  const rows = new Map<string, Row>();
  const nodes = Array.from(
    { length: 100 },
    (_, n): NewNode => ({
      ...{
        id: `p${n}`,
        name: 'Name',
        title: 'Name',
        object: 'item',
        content: null,
        place: '',
        children: null,
      },
      slugs: [`p${n}`],
      key: null,
    }),
  );
  const run = (command: Command) => {
    const slice = sliceOf(rows, true);
    const { change } = decide(slice, command);
    applyChange(slice, change);
    write(rows, foldChanges(slice, [change]));
  };
  run({ kind: 'create', parentId: null, nodes });
  for (let step = 0; step < runs(1_200, 1_200); step++) {
    run({ kind: 'move', move: { id: `p${40 + (step % 2)}`, index: 50 } });
  }
  const longest = Math.max(...[...rows.values()].map(({ position }) => position.length));
  expect(longest).toBeLessThanOrEqual(48);
});
