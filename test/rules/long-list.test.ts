import fc from 'fast-check';
import {
  END,
  insertInto,
  type LongList,
  longListOf,
  neighboursIn,
  placeIn,
  positionsBetween,
  removeFrom,
  type Siblings,
  windowsFor,
} from '../../src/collections/writer/sibling-order.js';
import { runs } from '../support/runs.js';

const RUNS = runs(600, 20_000);

/** A list as the database answers it: runs that leave room for `slack` changes before them. */
function longList(positions: string[], indexes: number[], slack: number): LongList {
  const wanted = windowsFor(indexes, slack);
  const runs = wanted.starts.map((start) => positions.slice(start, start + wanted.length));
  return longListOf(wanted, runs, positions.slice(-wanted.tail).reverse());
}

const index = fc.oneof(fc.nat(70), fc.constantFrom(0, 1, 59, 60, 61, 1_000, END));
const command = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), index }),
  fc.record({ kind: fc.constant('move' as const), item: fc.nat(), index }),
  fc.record({ kind: fc.constant('leave' as const), item: fc.nat(), index }),
);

test('windows of a long list give every item the place that the whole list gives it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 12, max: 60 }),
      fc.array(command, { minLength: 1, maxLength: 10 }),
      (length, commands) => {
        const all = positionsBetween(null, null, length);
        const unread: Siblings = { positions: null, ids: null, last: undefined, long: null };
        const whole: Siblings = { ...unread, positions: [...all], last: all.at(-1) ?? null };
        const indexes = commands.flatMap((each) => (each.kind === 'leave' ? [] : [each.index]));
        const parts: Siblings = { ...unread, long: longList(all, indexes, commands.length) };
        for (const each of commands) {
          const present = whole.positions as string[];
          const own =
            each.kind === 'create' ? null : (present[each.item % present.length] as string);
          const place = (list: Siblings) =>
            each.kind === 'leave'
              ? null
              : (placeIn(list, null, each.index, 1, own).positions[0] as string);
          const [expected, found] = [place(whole), place(parts)];
          expect(found).toBe(expected);
          for (const list of [whole, parts]) {
            if (own !== null) removeFrom(list, own);
            if (expected !== null) insertInto(list, 'id', expected);
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test.each([0, 1, 5, 5_000, END])(
  'a list that is empty by now has no neighbours: index %d',
  (index) => {
    const long = longList([], [index], 1);
    expect(neighboursIn(long, index, null)).toEqual([null, null]);
    expect(neighboursIn(long, index, 'a1')).toEqual([null, null]);
  },
);
