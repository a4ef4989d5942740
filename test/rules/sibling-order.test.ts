import {
  END,
  insertInto,
  type LongList,
  longListOf,
  MAX_POSITION,
  neighboursIn,
  placeIn,
  positionsBetween,
  removeFrom,
  type Siblings,
  windowsFor,
  without,
} from '../../src/collections/writer/sibling-order.js';
import { told, wrongRefusals } from './told.js';

const UNREAD: Siblings = { positions: null, ids: null, last: undefined, long: null };

describe('a place in a list of which the end only was read', () => {
  test('is behind the last one; any other place must be read first', () => {
    const ended = { ...UNREAD, last: 'a5' };
    expect(placeIn(ended, 'A', END, 2, null)).toEqual({
      positions: ['a6', 'a7'],
      rebalanced: null,
    });
    expect(placeIn({ ...UNREAD, last: null }, 'A', END, 1, null).positions).toEqual(['a0']);
    const full = `a0${'V'.repeat(MAX_POSITION)}`;
    const place = (list: Siblings, index: number) => () => placeIn(list, 'A', index, 1, null);
    expect(
      wrongRefusals({
        'the end': [place(ended, END), 'allowed'],
        'ahead of the end': [place(ended, 5), 'read the neighbours of A'],
        'the end, unread': [place(UNREAD, END), 'read the neighbours of A'],
        'far off in a long list': [
          place({ ...UNREAD, long: { windows: [], tail: [], removed: [], added: [] } }, 5),
          'read the neighbours of A',
        ],
        'the start': [place(ended, 0), 'read the neighbours of A'],
        'where positions grow too long': [
          place({ ...UNREAD, positions: [full, `${full}V`], last: full }, 1),
          'read the ids of A',
        ],
        'where positions grow too long, in a list that was not read': [
          place({ ...UNREAD, ids: [], last: 'z'.repeat(27 + MAX_POSITION) }, END),
          'read the ids of A',
        ],
      }),
    ).toEqual([]);
  });

  test('is kept up by what comes and goes', () => {
    const list = { ...UNREAD, last: null as string | null };
    for (const position of ['a5', 'a3', 'a7']) insertInto(list, 'id', position);
    expect(list).toEqual({ ...UNREAD, last: 'a7' });
    removeFrom(list, 'a7');
    expect(list).toEqual({ ...UNREAD, last: 'a7' });
    const unread = { ...UNREAD };
    insertInto(unread, 'id', 'a7');
    expect(unread).toEqual(UNREAD);
  });
});

test('a list that was not read at all is left alone', () => {
  expect(told(() => insertInto(undefined, 'x', 'a0'))).toBe('allowed');
  expect(told(() => removeFrom(undefined, 'a0'))).toBe('allowed');
});

test('a list that was read whole is kept up, its ids beside it', () => {
  const list: Siblings = { ...UNREAD, positions: ['a0', 'a2', 'a3'], ids: ['w', 'x', 'y'] };
  list.last = 'a3';
  insertInto(list, 'z', 'a1');
  const positions = ['a0', 'a1', 'a2', 'a3'];
  expect(list).toEqual({ ...UNREAD, positions, ids: ['w', 'z', 'x', 'y'], last: 'a3' });
  removeFrom(list, 'a0');
  expect(list).toEqual({
    ...{ ...UNREAD, positions: ['a1', 'a2', 'a3'], ids: ['z', 'x', 'y'], last: 'a3' },
  });
  for (const position of ['a1', 'a2', 'a3']) removeFrom(list, position);
  expect(list).toEqual({ ...UNREAD, positions: [], ids: [], last: null });
});

test('of a list without room, the neighbours of the place get new positions, and no others', () => {
  const positions = positionsBetween(null, null, 200);
  positions[101] = `${positions[100]}${'0'.repeat(MAX_POSITION)}1`;
  const ids = positions.map((_, n) => `id${n}`);
  const { positions: given, rebalanced } = placeIn(
    { ...UNREAD, positions, ids, last: positions.at(-1) },
    ...(['A', 101, 1, null] as const),
  );
  expect(rebalanced).toMatchObject({ parentId: 'A', ids, from: 68, to: 132 });
  const fresh = rebalanced?.positions as string[];
  expect(fresh).toHaveLength(200);
  expect(fresh.toSpliced(68, 64)).toEqual(positions.toSpliced(68, 64));
  expect(fresh.toSpliced(101, 0, ...given)).toEqual([...fresh, ...given].sort());
});

describe('what to read of a long list', () => {
  test('is as much around each index as may change before it is looked for, and the end', () => {
    expect(windowsFor([500, 10, 9, 0, 1, 500, END], 3)).toEqual({
      ...{ starts: [0, 5, 6, 496], length: 8, tail: 4 },
    });
    expect(windowsFor([4_000_000_000], 1).starts).toEqual([2_000_000_000]);
    expect(windowsFor([END], 1)).toEqual({ starts: [], length: 4, tail: 2 });
  });

  test('ends with the list if it is shorter than was asked for', () => {
    const wanted = { starts: [0, 10, 20], length: 2, tail: 2 };
    expect(longListOf(wanted, [['a', 'b'], ['c']], ['d', 'c'])).toEqual({
      windows: [
        { start: 0, positions: ['a', 'b'], isLast: false },
        { start: 10, positions: ['c'], isLast: true },
        { start: 20, positions: [], isLast: true },
      ],
      ...{ tail: ['c', 'd'], removed: [], added: [] },
    });
  });
});

describe('a long list', () => {
  const list: LongList = {
    windows: [
      { start: 0, positions: ['a', 'b', 'c'], isLast: false },
      { start: 10, positions: ['k', 'l', 'm', 'n'], isLast: false },
      { start: 20, positions: ['u', 'v'], isLast: true },
    ],
    ...{ tail: ['u', 'v'], removed: [], added: [] },
  };
  const at = (index: number, more: Partial<LongList> = {}, own: string | null = null) =>
    neighboursIn({ ...list, ...more }, index, own);

  test('has both neighbours of a place within what was read, and of no other', () => {
    const cases: [found: unknown, expected: unknown][] = [
      [at(0), [null, 'a']],
      [at(2), ['b', 'c']],
      [at(3), null],
      [at(9), null],
      [at(10), null],
      [at(11), ['k', 'l']],
      [at(13), ['m', 'n']],
      [at(14), null],
      [at(20), null],
      [at(21), ['u', 'v']],
      [at(22), ['v', null]],
      [at(900), ['v', null]],
      [at(END), ['v', null]],
    ];
    expect(cases.filter(([found, expected]) => `${found}` !== `${expected}`)).toEqual([]);
  });

  test('counts what has come and gone ahead of a place', () => {
    const cases: [found: unknown, expected: unknown][] = [
      [at(12, { added: ['d'] }), ['k', 'l']],
      [at(11, { added: ['d'] }), null],
      [at(10, { removed: ['d'] }), ['k', 'l']],
      [at(11, { removed: ['d'], added: ['e'] }), ['k', 'l']],
      [at(11, { added: ['x'] }), ['k', 'l']],
      [at(11, { removed: ['x'] }), ['k', 'l']],
      [at(12, { added: ['kk'] }), ['kk', 'l']],
      [at(11, { removed: ['l'] }), ['k', 'm']],
      [at(11, {}, 'l'), ['k', 'm']],
      [at(11, { added: ['kk'] }, 'kk'), ['k', 'l']],
      [at(11, { removed: ['k'], added: ['k'] }), ['k', 'l']],
      [at(14, { added: ['o'] }), null],
      [at(14, { added: ['mm'] }), ['mm', 'n']],
      [at(0, { added: ['A'] }), [null, 'A']],
      [at(1, { added: ['A'] }), ['A', 'a']],
      [at(END, { added: ['w'] }), ['w', null]],
      [at(END, { removed: ['v'] }), ['u', null]],
      [at(END, { windows: [], tail: [], added: ['A'] }), ['A', null]],
      [at(END, { added: ['d'], removed: ['u', 'v'] }), [null, null]],
    ];
    expect(cases.filter(([found, expected]) => `${found}` !== `${expected}`)).toEqual([]);
  });

  test('that is asked beyond its end has the last one as neighbour', () => {
    const ended = { windows: [{ start: 50, positions: [], isLast: true }], tail: ['u', 'v'] };
    expect(at(51, ended)).toEqual(['v', null]);
    expect(at(50, ended)).toBeNull();
    expect(at(END, { windows: [] })).toEqual(['v', null]);
    expect(at(END - 1, { windows: [] })).toBeNull();
    expect(at(END, { windows: [{ start: 0, positions: ['a', 'b'], isLast: false }] })).toEqual([
      'v',
      null,
    ]);
  });

  test('is another one without a position, whether it was read or has come since', () => {
    const changed = { ...list, added: ['x', 'y'], removed: ['a'] };
    expect(without(changed, 'x')).toEqual({ ...changed, added: ['y'] });
    expect(without(changed, 'b')).toEqual({ ...changed, removed: ['a', 'b'] });
    expect(changed.added).toEqual(['x', 'y']);
  });
});
