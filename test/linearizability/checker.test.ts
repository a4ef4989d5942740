import type { Command, Shown } from '../support/tree-model/command.js';
import { Tree } from '../support/tree-model/tree.js';
import { search } from './checker.js';
import type { History, Operation, Response } from './history.js';
import { describeHistory, minimize } from './report.js';

const page = (id: string, name = id): Shown => ({ id, name, object: 'item' });
const shelf = (...children: Shown[]): Shown => ({
  id: 'shelf',
  name: 'shelf',
  object: 'collection',
  children,
});

const HOME = 'home';
const AWAY = 'away';

/** Before each history: a shelf with the pages a and b in one workspace; another one is empty. */
const initial = ['shelf', 'a', 'b'].reduce(
  (tree, name) =>
    name === 'shelf'
      ? tree.insert(name, { name, object: 'collection', parent: HOME, content: '{}' }, 0)
      : tree.insert(name, { name, object: 'item', parent: 'shelf', content: '{}' }, 9),
  Tree.of([HOME, AWAY]),
);

type Step = [start: number, end: number, command: Command, response: Response | null];
const UNKNOWN = null;
const LATER = Number.POSITIVE_INFINITY;

const historyOf = (steps: readonly Step[]): History => ({
  initial,
  operations: steps.map(
    ([start, end, command, response], n): Operation => ({
      ...{ client: n, instance: n % 2, command, start, end, response },
    }),
  ),
});
const verdictOf = (...steps: Step[]) => search(historyOf(steps)).verdict;

const list: Command & { kind: 'list' } = { kind: 'list', workspace: HOME, withContent: false };
const sees = (...children: Shown[]): Response => ({ status: 200, shown: [shelf(...children)] });
const read: Command = { kind: 'read', id: 'a' };
const readAs = (name: string, content = '{}', etag?: string): Response => ({
  status: 200,
  shown: [{ ...page('a', name), parent: 'shelf', content }],
  ...(etag && { etag }),
});
const rename = (name: string, ifMatch?: string): Command => ({
  ...{ kind: 'update', id: 'a', name, ...(ifMatch && { ifMatch }) },
});
const save: Command = { kind: 'update', id: 'a', content: '{"n":1}' };
const order = (children: string[], ifMatch?: string): Command => ({
  ...{ kind: 'order', workspace: HOME, parent: 'shelf', children, ...(ifMatch && { ifMatch }) },
});
const create = (...names: string[]): Command & { kind: 'create' } => ({
  kind: 'create',
  workspace: HOME,
  parent: 'shelf',
  items: names.map((name) => ({ name, object: 'item' })),
});
const created = (...names: string[]): Response => ({
  status: 200,
  shown: names.map((n) => page(n)),
});
const move = (id: string, index: number): Command & { kind: 'move' } => ({
  ...{ kind: 'move', workspace: HOME, id, index },
});
const remove = (id: string): Command => ({ kind: 'delete', id });
const restore = (id: string, index: number): Command => ({
  ...{ kind: 'restore', id, parent: 'shelf', index },
});
const GONE: Command = { kind: 'deleteWorkspace', workspace: HOME };
const BACK: Command = { kind: 'restoreWorkspace', workspace: HOME };
const DONE: Response = { status: 200 };
const there: Command = { ...list, workspace: AWAY };
const holds = (...shown: Shown[]): Response => ({ status: 200, shown });
const transfer = (id: string, given: Partial<Command & { kind: 'transfer' }> = {}): Command => ({
  ...{ kind: 'transfer', id, target: AWAY, ...given },
});
const copy = (
  id: string,
  name: string,
  given: Partial<Command & { kind: 'duplicate' }> = {},
): Command => ({ ...{ kind: 'duplicate', id, name, ...given } });
/** The copy `c` of the shelf. */
const shelfCopy = (...children: Shown[]): Shown => ({
  ...{ id: 'c', name: 'c', object: 'collection', children },
});
const shelfAs = (name: string): Response => ({
  status: 200,
  shown: [{ id: 'shelf', name, object: 'collection', parent: null }],
});
const withAncestors = ({ shown = [], ...response }: Response, ...ancestors: Shown[]): Response => ({
  ...response,
  shown: shown.map((item) => ({ ...item, ancestors })),
});
const status = (code: number): Response => ({ status: code });

describe('a history that some order explains', () => {
  const GOOD: [string, Step[]][] = [
    ['nothing at all', []],
    [
      'one operation after another',
      [
        [1, 2, create('c'), created('c')],
        [3, 4, move('c', 0), DONE],
        [5, 6, list, sees(page('c'), page('a'), page('b'))],
        [7, 8, rename('A'), readAs('A')],
        [9, 10, remove('b'), DONE],
        [11, 12, move('b', 0), status(404)],
        [13, 14, list, sees(page('c'), page('a', 'A'))],
      ],
    ],
    [
      'a read that overlaps a write sees it, or does not',
      [
        [1, 10, rename('A'), readAs('A')],
        [2, 3, read, readAs('a')],
        [4, 5, read, readAs('A')],
      ],
    ],
    [
      'overlapping writes in the order opposite to their starts',
      [
        [1, 9, rename('second'), readAs('second')],
        [2, 8, rename('first'), readAs('first')],
        [10, 11, read, readAs('second')],
      ],
    ],
    [
      'the second of two writes with one ETag is refused',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 8, rename('one', 'v1'), readAs('one')],
        [4, 7, rename('two', 'v1'), status(409)],
      ],
    ],
    [
      'an order that changes nothing at its start, and something at its end',
      [
        [1, 10, order(['a', 'b']), DONE],
        [2, 8, order(['b', 'a']), DONE],
        [11, 12, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'a write that may have been there, and was not',
      [
        [1, LATER, rename('A'), UNKNOWN],
        [2, 3, read, readAs('a')],
      ],
    ],
    [
      'a write of unknown outcome that comes late',
      [
        [1, LATER, rename('A'), UNKNOWN],
        [2, 3, read, readAs('a')],
        [4, 5, read, readAs('A')],
      ],
    ],
    [
      'an unknown create that was repeated under its key',
      [
        [1, LATER, { ...create('c'), idempotencyKey: 'k' }, UNKNOWN],
        [2, 3, { ...create('c'), idempotencyKey: 'k' }, created('c')],
        [4, 5, list, sees(page('a'), page('b'), page('c'))],
      ],
    ],
    [
      'a deletion that is restored, whole and with the place that it is given',
      [
        [1, 2, remove('b'), DONE],
        [3, 4, list, sees(page('a'))],
        [5, 6, restore('b', 0), DONE],
        [7, 8, restore('b', 0), status(404)],
        [9, 10, list, sees(page('b'), page('a'))],
      ],
    ],
    [
      'a workspace that is deleted and restored while others write',
      [
        [1, 9, GONE, DONE],
        [2, 8, rename('A'), readAs('A')],
        [3, 7, create('c'), status(404)],
        [10, 11, read, status(404)],
        [12, 13, GONE, status(404)],
        [14, 15, BACK, DONE],
        [16, 17, BACK, status(404)],
        [18, 19, list, sees(page('a', 'A'), page('b'))],
      ],
    ],
    [
      'an ETag after a complete order, which may have written either page',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 4, order(['b', 'a']), DONE],
        [5, 6, rename('A', 'v1'), readAs('A')],
      ],
    ],
    [
      'transfers there and back, whole and with their ETags anew',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 4, transfer('shelf'), DONE],
        [5, 6, list, holds()],
        [7, 8, there, sees(page('a'), page('b'))],
        [9, 10, rename('A', 'v1'), status(409)],
        [11, 12, rename('A'), readAs('A')],
        [13, 14, transfer('b', { target: HOME, index: 0 }), DONE],
        [15, 16, list, holds(page('b'))],
        [17, 18, there, sees(page('a', 'A'))],
        [19, 20, transfer('b', { target: HOME }), status(422)],
        [21, 22, transfer('b', { parent: 'missing' }), status(404)],
        [23, 24, transfer('b', { parent: 'a' }), status(422)],
      ],
    ],
    [
      'two transfers in opposite directions at one moment',
      [
        [1, 2, transfer('a'), DONE],
        [3, 8, transfer('b'), DONE],
        [4, 7, transfer('a', { target: HOME, parent: 'shelf' }), DONE],
        [9, 10, list, sees(page('a'))],
        [11, 12, there, holds(page('b'))],
      ],
    ],
    [
      'an item that was transferred is found by its id, but not in the workspace that it had',
      [
        [1, 2, transfer('a'), DONE],
        [3, 4, { ...save, workspace: HOME } as Command, status(404)],
        [5, 6, save, DONE],
        [7, 8, { ...save, workspace: AWAY } as Command, DONE],
        [9, 10, move('a', 0), status(404)],
      ],
    ],
    [
      'copies behind the original, and in the other workspace',
      [
        [1, 2, copy('shelf', 'c'), DONE],
        [3, 4, save, DONE],
        [5, 6, copy('a', 'd', { target: AWAY }), DONE],
        [7, 8, copy('a', 'e'), DONE],
        [
          9,
          10,
          list,
          holds(
            shelf(page('a'), page('e'), page('b')),
            shelfCopy(page('c/a', 'a'), page('c/b', 'b')),
          ),
        ],
        [
          11,
          12,
          { ...there, withContent: true } as Command,
          holds({ ...page('d'), content: '{"n":1}' }),
        ],
      ],
    ],
    [
      'a copy of unknown outcome that was repeated under its key',
      [
        [1, LATER, copy('a', 'c', { idempotencyKey: 'k' }), UNKNOWN],
        [2, 3, copy('a', 'c', { idempotencyKey: 'k' }), holds(page('c'))],
        [4, 5, list, sees(page('a'), page('c'), page('b'))],
      ],
    ],
    [
      'a replay needs both workspaces',
      [
        [1, 2, transfer('a', { idempotencyKey: 'k' }), DONE],
        [3, 4, GONE, DONE],
        [5, 6, transfer('a', { idempotencyKey: 'k' }), status(404)],
        [7, 8, BACK, DONE],
        [9, 10, transfer('a', { idempotencyKey: 'k' }), DONE],
      ],
    ],
  ];
  test.each(GOOD)('%s', (_, steps) => {
    expect(verdictOf(...steps)).toBe('linearizable');
  });
});

describe('a history that no order explains', () => {
  const BAD: [string, Step[]][] = [
    [
      'a lost update: both of two writes with one ETag win',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 8, rename('one', 'v1'), readAs('one')],
        [4, 7, rename('two', 'v1'), readAs('two')],
      ],
    ],
    [
      'a lost update: a rename is gone under a save',
      [
        [1, 8, rename('A'), readAs('A')],
        [2, 7, save, readAs('a', '{"n":1}')],
        [9, 10, read, readAs('a', '{"n":1}')],
      ],
    ],
    [
      'both of two orders with one ETag of the list win',
      [
        [1, 2, list, { ...sees(page('a'), page('b')), etag: 'v1' }],
        [
          3,
          8,
          { kind: 'order', workspace: HOME, parent: null, children: ['shelf', 'a'], ifMatch: 'v1' },
          DONE,
        ],
        [
          4,
          7,
          { kind: 'order', workspace: HOME, parent: null, children: ['b', 'shelf'], ifMatch: 'v1' },
          DONE,
        ],
      ],
    ],
    [
      'a stale read',
      [
        [1, 2, rename('A'), readAs('A')],
        [3, 4, read, readAs('a')],
      ],
    ],
    [
      'a read that goes back in time',
      [
        [1, 10, rename('A'), readAs('A')],
        [2, 3, read, readAs('A')],
        [4, 5, read, readAs('a')],
      ],
    ],
    [
      'an item and its ancestors of two moments',
      [
        [1, 2, rename('A'), readAs('A')],
        [3, 4, { kind: 'update', id: 'shelf', name: 'S' }, shelfAs('S')],
        [
          5,
          6,
          { ...read, withAncestors: true },
          withAncestors(readAs('A'), { id: 'shelf', name: 'shelf', object: 'collection' }),
        ],
      ],
    ],
    [
      'a part of a tree whose parent is gone',
      [
        [1, 2, { kind: 'delete', id: 'shelf' }, DONE],
        [3, 4, { ...list, parent: 'shelf' }, { status: 200, shown: [] }],
      ],
    ],
    [
      'a 304 for a tree that has changed',
      [
        [1, 2, list, { ...sees(page('a'), page('b')), etag: 'v1' }],
        [3, 4, remove('b'), DONE],
        [5, 6, { ...list, ifNoneMatch: 'v1' }, status(304)],
      ],
    ],
    [
      'one ETag for two states',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 4, rename('A'), readAs('A', '{}', 'v1')],
      ],
    ],
    [
      'an ETag that is refused although nothing has changed',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 4, rename('A', 'v1'), status(409)],
      ],
    ],
    [
      'a duplicate effect: an item twice in one list',
      [
        [1, 2, create('c'), created('c')],
        [3, 4, list, sees(page('a'), page('b'), page('c'), page('c'))],
      ],
    ],
    [
      'a duplicate effect: a repeated create made another item',
      [
        [1, LATER, { ...create('c'), idempotencyKey: 'k' }, UNKNOWN],
        [2, 3, { ...create('c'), idempotencyKey: 'k' }, created('c')],
        [4, 5, list, sees(page('a'), page('b'), page('c'), page('c-x1y2'))],
      ],
    ],
    [
      'a duplicate effect: a repeated move was carried out twice',
      [
        [1, 2, { ...move('a', 1), idempotencyKey: 'k' }, DONE],
        [3, 4, move('a', 0), DONE],
        [5, 6, { ...move('a', 1), idempotencyKey: 'k' }, DONE],
        [7, 8, list, sees(page('b'), page('a'))],
      ],
    ],
    [
      'an item that was lost',
      [
        [1, 2, create('c'), created('c')],
        [3, 4, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'an item that is still there after its deletion',
      [
        [1, 2, remove('b'), DONE],
        [3, 4, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'tied positions: two lists with nothing in between differ in their order',
      [
        [1, 2, create('c'), created('c')],
        [3, 4, list, sees(page('a'), page('b'), page('c'))],
        [5, 6, list, sees(page('a'), page('c'), page('b'))],
      ],
    ],
    [
      'an order in which nobody has put them',
      [
        [1, 5, move('a', 1), DONE],
        [2, 6, create('c'), created('c')],
        [7, 8, list, sees(page('c'), page('a'), page('b'))],
      ],
    ],
    [
      'half a batch',
      [
        [1, 10, create('c', 'd'), created('c', 'd')],
        [2, 3, list, sees(page('a'), page('b'), page('c'))],
      ],
    ],
    [
      'half a batch of unknown outcome',
      [
        [1, LATER, create('c', 'd'), UNKNOWN],
        [2, 3, list, sees(page('a'), page('b'), page('c'))],
      ],
    ],
    [
      'a write of unknown outcome that is seen before its start',
      [
        [1, 2, read, readAs('A')],
        [3, LATER, rename('A'), UNKNOWN],
      ],
    ],
    [
      'a write of unknown outcome that was seen, and is gone again',
      [
        [1, LATER, rename('A'), UNKNOWN],
        [2, 3, read, readAs('A')],
        [4, 5, read, readAs('a')],
      ],
    ],
    [
      'a write that was refused, and happened',
      [
        [1, 2, rename('A'), status(409)],
        [3, 4, read, readAs('A')],
      ],
    ],
    ['a 404 for what is there', [[1, 2, read, status(404)]]],
    [
      'a deletion that is restored twice',
      [
        [1, 2, remove('b'), DONE],
        [3, 4, restore('b', 0), DONE],
        [5, 6, restore('b', 0), DONE],
      ],
    ],
    [
      'a write in a workspace that is in the trash',
      [
        [1, 2, GONE, DONE],
        [3, 4, rename('A'), readAs('A')],
        [5, 6, BACK, DONE],
      ],
    ],
    [
      'a write that was lost while its workspace was in the trash',
      [
        [1, 8, rename('A'), readAs('A')],
        [2, 7, GONE, DONE],
        [9, 10, BACK, DONE],
        [11, 12, read, readAs('a')],
      ],
    ],
    [
      'a workspace that is deleted twice',
      [
        [1, 8, GONE, DONE],
        [2, 7, GONE, DONE],
      ],
    ],
    [
      'a cycle',
      [
        [1, 2, { kind: 'update', id: 'shelf', parent: 'shelf' }, DONE],
        [3, 4, list, { status: 200, shown: [] }],
      ],
    ],
    [
      'an item in both workspaces behind its transfer',
      [
        [1, 2, transfer('a'), DONE],
        [3, 4, there, holds(page('a'))],
        [5, 6, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'an item that is there before it leaves',
      [
        [1, 10, transfer('a'), DONE],
        [2, 3, there, holds(page('a'))],
        [4, 5, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'an item in neither workspace during its transfer',
      [
        [1, 10, transfer('a'), DONE],
        [2, 3, list, sees(page('b'))],
        [4, 5, there, holds()],
      ],
    ],
    [
      'a transfer that was lost',
      [
        [1, 2, transfer('a'), DONE],
        [3, 4, list, sees(page('a'), page('b'))],
      ],
    ],
    [
      'half a transfer of unknown outcome',
      [
        [1, LATER, transfer('shelf'), UNKNOWN],
        [2, 3, there, sees(page('a'))],
      ],
    ],
    [
      'a page that came into a collection during its transfer, and was left behind',
      [
        [1, 9, transfer('shelf'), DONE],
        [2, 8, create('c'), created('c')],
        [10, 11, there, sees(page('a'), page('b'))],
      ],
    ],
    [
      'a repeated transfer was carried out twice',
      [
        [1, 2, transfer('a', { idempotencyKey: 'k' }), DONE],
        [3, 4, transfer('a', { target: HOME }), DONE],
        [5, 6, transfer('a', { idempotencyKey: 'k' }), DONE],
        [7, 8, there, holds(page('a'))],
      ],
    ],
    [
      'two transfers with one ETag win',
      [
        [1, 2, read, readAs('a', '{}', 'v1')],
        [3, 4, transfer('a', { ifMatch: 'v1' }), DONE],
        [5, 6, transfer('a', { target: HOME, ifMatch: 'v1' }), DONE],
      ],
    ],
    [
      'an update in the workspace that an item had before its transfer',
      [
        [1, 2, transfer('a'), DONE],
        [3, 4, { ...save, workspace: HOME } as Command, DONE],
      ],
    ],
    [
      'a 404 for an item that was transferred, where no workspace was named',
      [
        [1, 9, transfer('a'), DONE],
        [2, 8, save, status(404)],
      ],
    ],
    [
      'an update that was lost in a transfer',
      [
        [1, 9, transfer('a'), DONE],
        [2, 8, save, readAs('a', '{"n":1}')],
        [10, 11, read, readAs('a')],
      ],
    ],
    [
      'a 304 for the tree that an item has left',
      [
        [1, 2, list, { ...sees(page('a'), page('b')), etag: 'v1' }],
        [3, 4, transfer('a'), DONE],
        [5, 6, { ...list, ifNoneMatch: 'v1' }, status(304)],
      ],
    ],
    [
      'a transfer to a workspace that is in the trash',
      [
        [1, 2, { ...GONE, workspace: AWAY } as Command, DONE],
        [3, 4, transfer('a'), DONE],
      ],
    ],
    [
      'a copy that is there twice under one key',
      [
        [1, LATER, copy('a', 'c', { idempotencyKey: 'k' }), UNKNOWN],
        [2, 3, copy('a', 'c', { idempotencyKey: 'k' }), holds(page('c'))],
        [4, 5, list, sees(page('a'), page('c'), page('c-x1y2'), page('b'))],
      ],
    ],
    [
      'a copy of two moments: a later change without an earlier one',
      [
        [1, 20, copy('shelf', 'c'), DONE],
        [2, 3, rename('A'), readAs('A')],
        [4, 5, { kind: 'update', id: 'b', name: 'B' }, DONE],
        [
          21,
          22,
          list,
          holds(
            shelf(page('a', 'A'), page('b', 'B')),
            shelfCopy(page('c/a', 'a'), page('c/b', 'B')),
          ),
        ],
      ],
    ],
    [
      'a copy as the original was before',
      [
        [1, 2, save, DONE],
        [3, 4, copy('a', 'c'), holds({ ...page('c'), content: '{}' })],
      ],
    ],
    [
      'a copy in the other workspace than its response says',
      [[1, 2, copy('a', 'c', { target: AWAY }), holds({ ...page('c'), workspace: HOME })]],
    ],
  ];
  test.each(BAD)('%s', (_, steps) => {
    expect(verdictOf(...steps)).toBe('violation');
  });
});

test('a search that has used up its steps decides nothing', () => {
  const renames = Array.from(
    { length: 12 },
    (_, n): Step => [n, 50, rename(`name ${n}`), readAs(`name ${n}`)],
  );
  const history = historyOf([...renames, [51, 52, read, readAs('a')]]);
  expect(search(history, 1_000)).toMatchObject({ verdict: 'undecided', steps: 1_000 });
});

test('a report keeps what the violation needs, and is read by a person', () => {
  const history = historyOf([
    [1, 2, create('c'), created('c')],
    [3, 4, list, sees(page('a'), page('b'), page('c'))],
    [5, 6, rename('A'), readAs('A')],
    [7, 8, { kind: 'read', id: 'c' }, { status: 200, shown: [{ ...page('c'), parent: 'shelf' }] }],
    [9, 20, rename('B'), readAs('B')],
    [10, 12, read, readAs('a')],
    [13, 14, list, sees(page('a', 'B'), page('b'), page('c'))],
  ]);
  const smallest = minimize(history);
  expect(search(smallest).verdict).toBe('violation');
  expect(describeHistory(smallest)).toBe(
    [
      'before, in home: shelf(a, b)',
      'before, in away: –',
      'start    end  who            order  what (– is not part of the longest order that is explained)',
      '    1      2  client 0 at 0   #1  create {"workspace":"home","parent":"shelf","items":[{"name":"c","object":"item"}]} → 200 c',
      '    5      6  client 2 at 0   #2  update {"id":"a","name":"A"} → 200 a=A@shelf',
      '    9      ?  client 4 at 0   #3  update {"id":"a","name":"B"} → unknown',
      '   10     12  client 5 at 1   –   read {"id":"a"} → 200 a@shelf',
    ].join('\n'),
  );
});
