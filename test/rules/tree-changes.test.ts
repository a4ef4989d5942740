import type { Command, NewNode } from '../../src/collections/items/collection.js';
import { END, MAX_POSITION } from '../../src/collections/writer/sibling-order.js';
import { decide, OtherVersion } from '../../src/collections/writer/tree-rules.js';
import {
  type AuthoredUpdate,
  applyChange,
  type Change,
  foldChanges,
  NO_CHANGE,
  type Row,
  type Slice,
} from '../../src/collections/writer/tree-slice.js';
import { etagOf } from '../../src/http/etag.js';
import { childrenOf, sliceOf, treeOf } from './slice.js';
import { told } from './told.js';

const TREE = treeOf({ top: 'A B p', A: 'C q', C: 'r', B: 's t u' });

const node = (id: string, more: Partial<NewNode> = {}): NewNode => ({
  ...{ id, name: id, title: id, slugs: [id], place: '', children: null },
  ...{ object: /^[A-Z]/.test(id) ? 'collection' : 'item', content: null, key: null },
  ...more,
});
const create = (parentId: string | null, ...nodes: NewNode[]): Command => ({
  ...{ kind: 'create', parentId, nodes },
});
const move = (id: string, index: number, newParentId?: string | null): Command => ({
  ...{ kind: 'move', move: { id, index, newParentId } },
});
const update = (id: string, changes: object): Command => ({ kind: 'update', id, changes });

const row = (id: string): Row => TREE.get(id) as Row;

/** Carries out commands as those of one batch. */
function run(slice: Slice, ...commands: Command[]): Change[] {
  return commands.map((command) => {
    const { change } = decide(slice, command);
    applyChange(slice, change);
    return change;
  });
}

describe('the response', () => {
  test('to a create has every item, each behind its parent, with the first free slug', () => {
    const slice = sliceOf(TREE, true);
    const nodes = [
      node('N', { slugs: ['slug-A', 'n'], children: [node('O', { children: [] }), node('x')] }),
      node('y', { slugs: ['n', 'slug-y'], content: '{"a":1}' }),
    ];
    const { change, result } = decide(slice, { ...create('B', ...nodes), index: 1 } as Command);
    const made = { teamId: 'team', workspaceId: 'workspace', version: 1, key: null };
    const now = {
      ...{ createdAt: slice.now, updatedAt: slice.now, createdBy: 'ada', updatedBy: 'ada' },
      position: expect.any(String),
    };
    expect(result).toEqual({
      items: [
        ...[
          { ...made, id: 'N', parentId: 'B', object: 'collection', slug: 'n', content: null },
          { ...made, id: 'O', parentId: 'N', object: 'collection', slug: 'O', content: null },
          { ...made, id: 'x', parentId: 'N', object: 'item', slug: 'x', content: '{}' },
          { ...made, id: 'y', parentId: 'B', object: 'item', slug: 'slug-y', content: '{"a":1}' },
        ].map((each) => ({ ...each, name: each.id, title: each.id, ...now })),
      ],
      etag: null,
    });
    expect(change).toEqual({ ...NO_CHANGE, inserts: result.items });
    applyChange(slice, change);
    expect(childrenOf(slice.items, 'B')).toEqual(['s', 'N', 'y', 't', 'u']);
    expect(childrenOf(slice.items, 'N')).toEqual(['O', 'x']);
  });

  test('to an update has the item and its new ETag; nothing to change changes nothing', () => {
    const slice = sliceOf(TREE, true);
    const written = { version: 2, updatedAt: slice.now, updatedBy: 'ada' };
    const cases: [
      id: string,
      changes: object,
      expected: Partial<Row>,
      contentWrite: string | null,
    ][] = [
      ['A', { name: 'Other' }, { name: 'Other', title: 'Other', ...written }, null],
      ['q', { content: '{"new":1}' }, { content: '{"new":1}', ...written }, 'save'],
      ['p', { parentId: 'B' }, { parentId: 'B', position: 'a3', ...written }, null],
      ['C', { parentId: null }, { parentId: null, position: 'a3', ...written }, null],
      ['s', { parentId: 'B' }, { position: 'a3', ...written }, null],
    ];
    for (const [id, changes, expected, contentWrite] of cases) {
      const changed = { ...row(id), ...expected };
      expect(decide(slice, update(id, changes))).toEqual({
        change: { ...NO_CHANGE, updates: [{ row: changed, contentWrite }] },
        result: {
          items: [changed],
          etag: etagOf(changed, slice.childVersions.get(id) as string),
          children: changed.object === 'collection' ? 'unread' : [],
        },
      });
    }
    expect(decide(slice, update('A', {}))).toEqual({
      change: NO_CHANGE,
      result: { items: [row('A')], etag: etagOf(row('A'), ';C:1;q:1'), children: 'unread' },
    });
    slice.childVersions.set('A', null);
    expect(decide(slice, update('A', {}))).toEqual({
      change: NO_CHANGE,
      result: { items: [row('A')], etag: etagOf(row('A'), null), children: 'omitted' },
    });
  });

  test('to an order is empty, to a move the item; only rows that change are written', () => {
    const slice = sliceOf(TREE, true);
    const result = { items: [], etag: null };
    const written = { version: 2, updatedAt: slice.now, updatedBy: 'ada' };
    const moved = { ...row('p'), parentId: 'B', position: 'Zz', ...written };
    expect(decide(slice, move('p', 0, 'B'))).toEqual({
      change: { ...NO_CHANGE, updates: [{ row: moved, contentWrite: null }] },
      result: { items: [moved], etag: etagOf(moved, '') },
    });
    expect(decide(slice, { kind: 'order', parentId: 'B', children: ['q', 't', 'u', 's'] })).toEqual(
      {
        change: {
          ...NO_CHANGE,
          updates: [
            {
              row: { ...row('q'), parentId: 'B', position: 'a0', ...written },
              contentWrite: null,
            },
            { row: { ...row('s'), position: 'a3', ...written }, contentWrite: null },
          ],
        },
        result,
      },
    );
  });
});

test('a patch that was applied to another version of the page is applied again', () => {
  const slice = sliceOf(TREE, true);
  const patched = (version: number): Command => ({
    ...{ kind: 'patch', id: 'q', operations: [] },
    patched: { version, content: '{"new":1}', isChange: true },
  });
  expect(() => decide(slice, patched(2))).toThrow(OtherVersion);
  expect(decide(slice, patched(1)).result.items).toMatchObject([{ content: '{"new":1}' }]);
  const stale = { ...patched(1), ifMatch: '"x"' } as Command;
  expect(told(() => decide(slice, stale))).toMatch(/^conflict: If-Match/);
});

test('an order writes an item from another list, even if its position stays the same', () => {
  const slice = sliceOf(treeOf({ top: 'A B', A: 'w x', B: 'y' }), true);
  const { change } = decide(slice, { kind: 'order', parentId: 'B', children: ['y', 'x'] });
  expect(
    change.updates.map(({ row: { id, parentId, position } }) => [id, parentId, position]),
  ).toEqual([['x', 'B', slice.items.get('x')?.position]]);
});

test('a move within its list goes to the index that the item then has', () => {
  const cases: [id: string, index: number, order: string][] = [
    ['s', 0, 's t u v'],
    ['s', 1, 't s u v'],
    ['s', 2, 't u s v'],
    ['s', 3, 't u v s'],
    ['s', END, 't u v s'],
    ['u', 0, 'u s t v'],
    ['u', 1, 's u t v'],
    ['v', 2, 's t v u'],
  ];
  const found = cases.map(([id, index]) => {
    const slice = sliceOf(treeOf({ top: 's t u v' }), false);
    run(slice, move(id, index));
    return [id, index, childrenOf(slice.items, null).join(' ')];
  });
  expect(found).toEqual(cases);
});

describe('positions that would grow too long', () => {
  /** A list whose first two positions leave no short one between them. */
  function crowded(): Slice {
    const rows = treeOf({ top: 'p q r' });
    const long = `a0${'0'.repeat(MAX_POSITION - 3)}1`;
    rows.set('q', { ...(rows.get('q') as Row), position: long });
    return sliceOf(rows, true);
  }

  test('are spread anew for a create, a move, an update and an order', () => {
    const cases: [command: Command, order: string[]][] = [
      [{ ...create(null, node('n')), index: 1 } as Command, ['p', 'n', 'q', 'r']],
      [move('r', 1), ['p', 'r', 'q']],
      [{ kind: 'order', parentId: null, children: ['p', 'r', 'q'] }, ['p', 'r', 'q']],
    ];
    for (const [command, order] of cases) {
      const slice = crowded();
      const before = new Map(slice.items);
      const { change } = decide(slice, command);
      expect(change.rebalanced).toMatchObject({ parentId: null, from: 0 });
      expect(change.rebalanced?.ids.toSorted()).toEqual(['p', 'q', 'r']);
      applyChange(slice, change, true);
      expect(childrenOf(slice.items, null)).toEqual(order);
      const folded = foldChanges(slice, [change]);
      expect(folded.isRebalanced).toBe(true);
      for (const { row: each } of folded.updates) before.set(each.id, each);
      for (const each of folded.inserts) before.set(each.id, each);
      for (const { id, position } of folded.repositioned) {
        before.set(id, { ...(before.get(id) as Row), position });
      }
      expect(childrenOf(before, null)).toEqual(order);
    }
  });

  test('want the ids of the list to be read', () => {
    const slice = crowded();
    const list = slice.lists.get(null);
    Object.assign(list as object, { ids: null });
    expect(told(() => decide(slice, move('r', 1)))).toBe('read the ids of null');
  });

  test('bring up the list, and the rows that were read', () => {
    const slice = crowded();
    slice.items.delete('q');
    run(slice, move('r', 1));
    expect(slice.lists.get(null)?.last).toBe(slice.lists.get(null)?.positions?.[2]);
    expect([...slice.items.keys()]).toEqual(['p', 'r']);
  });

  test('leave the last one of the list the last', () => {
    const slice = crowded();
    run(slice, { ...create(null, node('n')), index: 1 } as Command);
    expect(slice.lists.get(null)?.last).toBe(slice.items.get('r')?.position);
  });

  test('are known to the next command of the batch', () => {
    const slice = crowded();
    run(slice, move('r', 1), move('q', 0), create(null, node('n')));
    expect(childrenOf(slice.items, null)).toEqual(['q', 'p', 'r', 'n']);
    expect(slice.lists.get(null)).toMatchObject({
      ids: ['q', 'p', 'r', 'n'],
      positions: ['q', 'p', 'r', 'n'].map((id) => slice.items.get(id)?.position),
      last: slice.items.get('n')?.position,
    });
  });
});

describe('the next command of a batch', () => {
  test('does not get a slug, or an index, that the one before it has taken', () => {
    const slice = sliceOf(TREE, true);
    run(slice, create('B', node('n')), create('B', node('m', { slugs: ['n', 'm'] })));
    expect(slice.items.get('m')?.slug).toBe('m');
    expect(childrenOf(slice.items, 'B')).toEqual(['s', 't', 'u', 'n', 'm']);
  });

  test('gets a key that the one before it has taken away', () => {
    const slice = sliceOf(TREE, true);
    slice.items.set('s', { ...(slice.items.get('s') as Row), key: 'key' });
    slice.takenKeys.set('key', 's');
    run(slice, update('s', { key: null }), create('B', node('n', { key: 'key' })));
    expect(slice.items.get('n')?.key).toBe('key');
  });

  test('does not get a key that the one before it has taken', () => {
    for (const taking of [create('B', node('n', { key: 'key' })), update('s', { key: 'key' })]) {
      const slice = sliceOf(TREE, true);
      run(slice, taking);
      expect(() => run(slice, create('B', node('m', { key: 'key' })))).toThrow('key is taken');
    }
  });

  test('has to read again the versions of every parent whose children have changed', () => {
    const cases: [Command, string[]][] = [
      [create('B', node('n')), ['B']],
      [create(null, node('n')), []],
      [update('r', { name: 'R' }), ['C']],
      [update('A', { name: 'R' }), []],
      [move('q', 0), ['A']],
      [move('q', 0, 'B'), ['A', 'B']],
      [move('q', 0, null), ['A']],
      [move('p', 0, 'C'), ['C']],
    ];
    const found = cases.map(([command]) => {
      const slice = sliceOf(TREE, true);
      run(slice, command);
      return [command, [...TREE.keys()].filter((id) => !slice.childVersions.has(id)).sort()];
    });
    expect(found).toEqual(cases);
  });

  test('knows how high a subtree has grown by the one before it', () => {
    const slice = sliceOf(TREE, true);
    const heights = () => ['A', 'B', 'C'].map((id) => slice.heights.get(id));
    expect(heights()).toEqual([3, 2, 2]);
    run(slice, create('C', node('D', { children: [node('e')] })));
    expect(heights()).toEqual([4, 2, 3]);
    run(slice, move('A', 0, 'B'));
    expect(heights()).toEqual([4, 5, 3]);
    run(slice, move('p', 0, 'B'));
    expect(heights()).toEqual([4, 5, 3]);
  });

  test('knows heights only of what was asked about', () => {
    const slice = sliceOf(TREE, true);
    slice.heights.delete('A');
    slice.heights.delete('C');
    run(slice, create('C', node('D', { children: [node('e')] })));
    expect([...slice.heights.keys()].sort()).toEqual(['B', 'p', 'q', 'r', 's', 't', 'u'].sort());
  });

  test('finds an item in its new list, even if its position stays the same', () => {
    const slice = sliceOf(treeOf({ top: 'A B', A: 'w x', B: 'y' }), true);
    run(slice, move('x', END, 'B'), create('B', node('n')));
    expect(childrenOf(slice.items, 'B')).toEqual(['y', 'x', 'n']);
    expect(slice.lists.get('A')).toMatchObject({ ids: ['w'], positions: ['a0'] });
    expect(slice.lists.get('B')).toMatchObject({ ids: ['y', 'x', 'n'] });
  });

  test('finds lists that were not read as they were', () => {
    const slice = sliceOf(TREE, true);
    slice.lists.delete('A');
    slice.lists.delete('B');
    const [{ updates }] = run(slice, update('q', { parentId: null })) as [Change];
    expect(updates).toHaveLength(1);
    expect([...slice.lists.keys()]).toEqual([null, 'p', 'C', 'q', 'r', 's', 't', 'u']);
  });

  test('is none: then only the rows are brought up', () => {
    const slice = sliceOf(TREE, true);
    const as = structuredClone({ ...slice, items: null });
    for (const command of [create('B', node('n')), move('q', 0, 'B')]) {
      applyChange(slice, decide(slice, command).change, true);
    }
    expect({ ...slice, items: null }).toEqual(as);
    expect([slice.items.get('n')?.parentId, slice.items.get('q')?.parentId]).toEqual(['B', 'B']);
  });
});

describe('a batch is written with one row an item', () => {
  const fold = (slice: Slice, ...commands: Command[]) =>
    foldChanges(slice, run(slice, ...commands));

  test('as the last command has left it', () => {
    const slice = sliceOf(TREE, true);
    const folded = fold(
      slice,
      ...[create('B', node('n')), move('n', 0), update('q', { content: '{}' })],
      ...[update('q', { name: 'Q' }), move('r', 0, 'B'), move('r', 0, null)],
    );
    expect(folded).toEqual({
      inserts: [expect.objectContaining({ id: 'n', version: 2 })],
      updates: [
        {
          row: expect.objectContaining({ id: 'q', name: 'Q', content: '{}', version: 3 }),
          ...{ contentWrite: 'save', writtenBy: 'ada' },
        },
        {
          row: expect.objectContaining({ id: 'r', parentId: null, version: 3 }),
          ...{ contentWrite: null, writtenBy: null },
        },
      ],
      overwritten: [],
      repositioned: [],
      isRebalanced: false,
    });
  });

  test('saves content if any of its commands does, the last one too', () => {
    const slice = sliceOf(TREE, true);
    const { updates } = fold(slice, update('q', { name: 'Q' }), update('q', { content: '{}' }));
    expect(updates.map(({ contentWrite }) => contentWrite)).toEqual(['save']);
  });

  test('but each content that the next one overwrites without continuing it', () => {
    const by = (authorId: string, command: Command) => ({ authorId, command });
    const save = (content: string, id = 'q') => update(id, { content });
    const rename = update('q', { name: 'Q' });
    const restore: Command = { kind: 'restore', id: 'q', version: 7, ttlSeconds: 1 };
    const show = ({ row, contentWrite, writtenBy }: AuthoredUpdate) =>
      [row.id, row.version, row.content, contentWrite, writtenBy].join(' ');
    const written = (...commands: ReturnType<typeof by>[]) => {
      const slice = sliceOf(TREE, true);
      slice.items.set('q', { ...row('q'), savedBy: 'ada' });
      slice.versions.set('q 7', 'old');
      const changes = commands.flatMap(({ authorId, command }) => {
        slice.authorId = authorId;
        return run(slice, command);
      });
      const { overwritten, updates } = foldChanges(slice, changes);
      return [...overwritten, updates].map((step) => step.map(show));
    };
    expect(written(by('ada', save('1')), by('ada', save('2')))).toEqual([['q 3 2 save ada']]);
    expect(written(by('bob', save('1')), by('ada', save('2')))).toEqual([
      ['q 2 1 save bob'],
      ['q 3 2 save ada'],
    ]);
    expect(written(by('ada', save('1')), by('bob', rename))).toEqual([['q 3 1 save ada']]);
    expect(written(by('bob', rename), by('ada', save('1')))).toEqual([['q 3 1 save ada']]);
    // What was restored is kept, and so is what a restore overwrites; a rename between them keeps nothing.
    expect(
      written(by('ada', save('1')), by('bob', rename), by('ada', restore), by('ada', save('2'))),
    ).toEqual([['q 2 1 save ada'], ['q 4 old restore ada'], ['q 5 2 save ada']]);
    // Of the saves that overwrite somebody else's, the first one: the last one may be what was there before.
    expect(
      written(
        by('bob', save('1')),
        by('bob', save('2')),
        by('bob', save('3')),
        by('bob', save('4')),
      ),
    ).toEqual([['q 2 1 save bob'], ['q 5 4 save bob']]);
    // Each step has a page once.
    expect(
      written(
        ...[by('ada', save('1')), by('ada', save('1', 'p'))],
        ...[by('bob', save('2')), by('bob', save('2', 'p')), by('ada', save('3', 'p'))],
      ),
    ).toEqual([
      ['q 2 1 save ada', 'p 2 1 save ada'],
      ['p 3 2 save bob'],
      ['q 3 2 save bob', 'p 4 3 save ada'],
    ]);
  });

  test('gives new positions only to those that nothing else writes, and only where they are new', () => {
    const slice = sliceOf(TREE, true);
    const rebalanced = {
      ...{ parentId: 'B', ids: ['s', 't', 'u', 'v', 'w'] },
      ...{ positions: ['1', '2', '3', '4', '5'], from: 1, to: 4 },
    };
    slice.items.set('u', { ...row('u'), version: 2 });
    slice.items.set('v', { ...row('u'), id: 'v' });
    const folded = foldChanges(slice, [
      { ...NO_CHANGE, rebalanced },
      { ...NO_CHANGE, updates: [{ row: row('u'), contentWrite: null }] },
      { ...NO_CHANGE, inserts: [{ ...row('u'), id: 'v' }] },
    ]);
    expect(folded).toMatchObject({
      repositioned: [{ id: 't', parentId: 'B', position: '2' }],
      inserts: [{ id: 'v' }],
      updates: [{ row: { id: 'u', version: 2 } }],
      isRebalanced: true,
    });
    expect(folded.repositioned).toHaveLength(1);
  });
});
