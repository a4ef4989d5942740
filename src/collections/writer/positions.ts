import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

// A position is a fractional index: text whose order (COLLATE "C") is the order of siblings, with
// room for another one between any two. Pure functions.

/** Stands for an index after all siblings. */
export const END = Number.MAX_SAFE_INTEGER;

/** Positions grow no longer than this; past it, some neighbours get new ones. */
export const MAX_POSITION = 48;

/** Neighbours on each side that get new positions at first; doubled until all are short. */
const REACH = 32;

/** `count` positions, in order, between `before` and `after`; null stands for an end. */
export const positionsBetween = (
  before: string | null,
  after: string | null,
  count: number,
): string[] =>
  count === 1 ? [generateKeyBetween(before, after)] : generateNKeysBetween(before, after, count);

/** True when none of these positions is longer than they may be. */
export const areShort = (positions: readonly string[]): boolean =>
  positions.every(({ length }) => length <= MAX_POSITION);

/** Where `position` stands in a sorted list, or would stand. */
export function indexOf(positions: readonly string[], position: string): number {
  let low = 0;
  for (let high = positions.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as string) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Spreads the positions around index `centre` evenly over the room between their neighbours, taking
 * in more of them until all are short.
 * @returns the new ones, which replace those from index `from` on
 */
export function rebalance(
  positions: readonly string[],
  centre: number,
): { from: number; positions: string[] } {
  for (let reach = REACH; ; reach *= 2) {
    const from = Math.max(0, centre - reach);
    const to = Math.min(positions.length, centre + reach);
    const isEverything = from === 0 && to === positions.length;
    const fresh = positionsBetween(positions[from - 1] ?? null, positions[to] ?? null, to - from);
    if (isEverything || fresh.every(({ length }) => length <= MAX_POSITION / 2)) {
      return { from, positions: fresh };
    }
  }
}

/**
 * Positions for a list in its final order, of which as few as possible are new: the longest run that
 * is in order already keeps its positions.
 * @param present the present position of each; null where there is none in this list
 * @param taken further positions that none may get, in order
 * @returns the final position of each, and whether all of them are new
 */
export function arrange(
  present: readonly (string | null)[],
  taken: readonly string[] = [],
): {
  positions: string[];
  isSpread: boolean;
} {
  const kept = longestIncreasingSubsequence(present);
  const arranged: string[] = [];
  let before: string | null = null;
  for (let at = 0; at <= present.length; ) {
    let next = at;
    while (next < present.length && !kept.has(next)) next++;
    const after = present[next] ?? null;
    if (next > at) arranged.push(...freeBetween(before, after, next - at, taken));
    if (after !== null) arranged.push(after);
    before = after;
    at = next + 1;
  }
  return areShort(arranged)
    ? { positions: arranged, isSpread: false }
    : { positions: freeBetween(null, null, present.length, taken), isSpread: true };
}

/** As positionsBetween(), without those that are taken. */
export function freeBetween(
  before: string | null,
  after: string | null,
  count: number,
  taken: readonly string[],
): string[] {
  const from = before === null ? 0 : indexOf(taken, before);
  const to = after === null ? taken.length : indexOf(taken, after);
  if (from === to) return positionsBetween(before, after, count);
  const others = new Set(taken.slice(from, to));
  return positionsBetween(before, after, count + others.size)
    .filter((position) => !others.has(position))
    .slice(0, count);
}

/** The index ahead of the first. */
const NONE = -1;

/** The indices of a longest increasing subsequence; nulls are in none. */
export function longestIncreasingSubsequence(values: readonly (string | null)[]): Set<number> {
  // Of the runs of each length, the one that ends lowest: where it ends, and with which value.
  const tails: number[] = [];
  const ends: string[] = [];
  const previous = new Int32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    const length = indexOf(ends, value);
    previous[index] = tails[length - 1] ?? NONE;
    tails[length] = index;
    ends[length] = value;
  }
  const run = new Set<number>();
  for (let index = tails.at(-1) ?? NONE; index !== NONE; index = previous[index] as number) {
    run.add(index);
  }
  return run;
}
