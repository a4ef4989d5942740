import fc from 'fast-check';
import { generateNKeysBetween } from 'fractional-indexing';
import {
  areShort,
  arrange,
  indexOf,
  MAX_POSITION,
  positionsBetween,
  rebalance,
} from '../../src/collections/writer/sibling-order.js';
import { runs } from '../support/runs.js';

const RUNS = runs(150, 10_000);

/** True where each comes behind the one before it; PostgreSQL compares bytes, as `<` does here. */
const isIncreasing = (positions: readonly string[]): boolean =>
  positions.every((position, n) => n === 0 || (positions[n - 1] as string) < position);

/** How long the longest increasing subsequence is, in the plainest way there is. */
function longestIncreasingSubsequence(values: readonly (string | null)[]): number {
  const runs: number[] = [];
  for (const [n, value] of values.entries()) {
    const before = runs.filter((_, k) => value !== null && (values[k] ?? '~') < value);
    runs[n] = value === null ? 0 : 1 + Math.max(0, ...before);
  }
  return Math.max(0, ...runs);
}

/** Positions as they come about: each put between two that are there. */
const grown = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((places) => {
  const positions: string[] = [];
  for (const place of places) {
    const at = place % (positions.length + 1);
    const [made = ''] = positionsBetween(positions[at - 1] ?? null, positions[at] ?? null, 1);
    positions.splice(at, 0, made);
  }
  return positions;
});

/** A list in its final order, of which some come from elsewhere. */
const wanted = grown.chain((positions) =>
  fc
    .tuple(
      fc.shuffledSubarray(positions, { minLength: positions.length }),
      fc.array(fc.nat(), { maxLength: 12 }),
    )
    .map(([shuffled, places]) => {
      const list: (string | null)[] = [...shuffled];
      for (const place of places) list.splice(place % (list.length + 1), 0, null);
      return list;
    }),
);

describe('arrange', () => {
  test('puts a list in order, and keeps as many positions as can be kept', () => {
    fc.assert(
      fc.property(wanted, (present) => {
        const { positions, isSpread } = arrange(present);
        expect(positions).toHaveLength(present.length);
        expect(isIncreasing(positions)).toBe(true);
        expect(areShort(positions)).toBe(true);
        expect(isSpread).toBe(false);
        const kept = present.filter((position, n) => position === positions[n]);
        expect(kept).toHaveLength(longestIncreasingSubsequence(present));
      }),
      { numRuns: RUNS },
    );
  });

  test('changes nothing in a list that is in order', () => {
    fc.assert(
      fc.property(grown, (positions) => {
        expect(arrange(positions)).toEqual({ positions, isSpread: false });
      }),
      { numRuns: RUNS },
    );
    expect(arrange([])).toEqual({ positions: [], isSpread: false });
  });

  test('spreads a list anew where a position would grow too long', () => {
    const low = generateNKeysBetween(null, null, 1)[0] as string;
    let high = generateNKeysBetween(low, null, 1)[0] as string;
    while (high.length < MAX_POSITION) high = positionsBetween(low, high, 1)[0] as string;
    const crowd = Array.from({ length: 100_000 }, () => null);
    const { positions, isSpread } = arrange([low, ...crowd, high]);
    expect(isSpread).toBe(true);
    expect(isIncreasing(positions)).toBe(true);
    expect(Math.max(...positions.map(({ length }) => length))).toBeLessThan(8);
  });
});

describe('rebalance', () => {
  test('spreads a stretch between its neighbours: in order, short, the rest untouched', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 200 }),
        (count, place, crowd) => {
          const positions = generateNKeysBetween(null, null, count);
          const at = place % count;
          // Always put into the same gap, so that positions grow there.
          for (let n = 0; n < crowd; n++) {
            const [made = ''] = positionsBetween(
              positions[at] ?? null,
              positions[at + 1] ?? null,
              1,
            );
            positions.splice(at + 1, 0, made);
          }
          const { from, positions: fresh } = rebalance(positions, at);
          const after = positions.toSpliced(from, fresh.length, ...fresh);
          expect(after).toHaveLength(positions.length);
          expect(isIncreasing(after)).toBe(true);
          expect(fresh.every(({ length }) => length <= MAX_POSITION / 2)).toBe(true);
          expect(from <= at && at < from + fresh.length).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('how long a position may be', () => {
  const of = (length: number) => 'x'.repeat(length);

  test('is the same for each of them', () => {
    expect(areShort([])).toBe(true);
    expect(areShort([of(MAX_POSITION), of(1)])).toBe(true);
    expect(areShort([of(1), of(MAX_POSITION + 1)])).toBe(false);
    expect(areShort([of(MAX_POSITION + 1), of(1)])).toBe(false);
  });

  test('decides how many neighbours get new ones: 32 on each side, 64, and so on', () => {
    const positions = generateNKeysBetween(null, null, 1000);
    const stretchAround = (centre: number, list = positions) => {
      const { from, positions: fresh } = rebalance(list, centre);
      return [from, fresh.length];
    };
    expect(stretchAround(500)).toEqual([468, 64]);
    expect(stretchAround(0)).toEqual([0, 32]);
    expect(stretchAround(10)).toEqual([0, 42]);
    expect(stretchAround(990)).toEqual([958, 42]);
    expect(stretchAround(10, positions.slice(0, 20))).toEqual([0, 20]);
    // The longer the neighbours, the longer what lies between them: up to 24 is short enough.
    const crowd = (length: number) => [
      ...generateNKeysBetween(`a0${'V'.repeat(length)}`, `a0${'V'.repeat(length - 1)}W`, 200),
      ...positions.slice(1),
    ];
    expect(stretchAround(100, crowd(20))).toEqual([68, 64]);
    expect(stretchAround(100, crowd(21))).toEqual([0, 228]);
    expect(stretchAround(100, crowd(46))).toEqual([0, 228]);
  });

  test('is given back: the stretch takes all the room between the ones beside it', () => {
    const positions = generateNKeysBetween(null, null, 1000);
    const between = (before: number, after: number, count: number) =>
      generateNKeysBetween(positions[before] ?? null, positions[after] ?? null, count);
    expect(rebalance(positions, 500).positions).toEqual(between(467, 532, 64));
    expect(rebalance(positions, 0).positions).toEqual(between(-1, 32, 32));
    expect(rebalance(positions, 999).positions).toEqual(between(966, 1000, 33));
  });
});

test('a place is found in a sorted list, whether it is taken or not', () => {
  fc.assert(
    fc.property(grown, fc.nat(), (positions, number) => {
      const index = number % positions.length;
      expect(indexOf(positions, positions[index] as string)).toBe(index);
      expect(indexOf(positions.toSpliced(index, 1), positions[index] as string)).toBe(index);
    }),
    { numRuns: RUNS },
  );
});
