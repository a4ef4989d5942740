import { END } from './positions.js';

// A list of siblings that is too long to be read whole for a few moves. Pure functions.
//
// An example. A list has the positions a0, a1, … a9, b0, … (5,000 of them). Two commands of a batch want
// the indexes 3 and 2,000, and so the slack is 2: each index may shift by up to two before it is used.
// windowsFor([3, 2000], 2) asks for 6 positions from index 0 and from index 1,997 on, and for the last 3:
//
//     index     0  1  2  3  4  5            1997 1998 1999 2000 2001 2002             tail
//     windows     [a0 a1 a2 a3 a4 a5]    …    [p7   p8   p9   q0   q1   q2]    …    [x7 x8 x9]
//
// The first command inserts at 3: its neighbours are a2 and a3, it gets a2V, which goes to `added`.
// The second one inserts at 2,000. One position came before its run (a2V < p7), so the window now begins at
// index 1,998: the neighbours are p8 and p9, as they would be in the whole list.

/** What was read of such a list, and what the commands of a batch have changed since. */
export interface LongList {
  /** Windows of positions around the places that the commands want. */
  windows: Window[];
  /** The last positions, in order. */
  tail: string[];
  /** Positions that commands have freed: of what was read, or would have been. */
  removed: string[];
  /** Positions that commands have given out, and not freed again. */
  added: string[];
}

export interface Window {
  /** The index of its first position in the list as it was read. */
  start: number;
  /** In order; none where the list ends before. */
  positions: string[];
  /** True where the list ends with it. */
  isLast: boolean;
}

/** A larger index would not fit the database's integer. */
const FARTHEST = 2_000_000_000;

/**
 * The slack for a single command. It meets no change but that its own item goes, which is 1; with 8 the
 * window from the beginning of a list of up to 17 siblings is the whole list.
 */
export const SINGLE_COMMAND_SLACK = 8;

/**
 * How to read a list for commands that want these indexes: windows of `length` positions from each of
 * `starts` on, which ascend, and the last `tail` ones.
 * @param slack how many items come and go before a place is looked for, and do no harm
 */
export function windowsFor(indexes: readonly number[], slack: number) {
  const starts = indexes
    .filter((index) => index !== END)
    .map((index) => Math.min(Math.max(index - slack - 1, 0), FARTHEST));
  const ascending = [...new Set(starts)].sort((a, b) => a - b);
  return { starts: ascending, length: 2 * slack + 2, tail: slack + 1 };
}

/** @param windows what was read from each start on @param backwards the last positions, the last first */
export const longListOf = (
  { starts, length }: ReturnType<typeof windowsFor>,
  windows: readonly string[][],
  backwards: readonly string[],
): LongList => ({
  windows: starts.map((start, n) => {
    const positions = windows[n] ?? [];
    return { start, positions, isLast: positions.length < length };
  }),
  tail: backwards.toReversed(),
  removed: [],
  added: [],
});

/**
 * The positions on both sides of an index, null for an end of the list.
 * @param own the position of the item that moves within this list, which does not count; else null
 * @returns null where that was not read
 */
export function neighboursIn(
  list: LongList,
  index: number,
  own: string | null,
): [string | null, string | null] | null {
  const { windows, tail, removed, added } = own === null ? list : without(list, own);
  for (const { start, positions, isLast } of windows) {
    // What was put ahead of the first run is part of it.
    const from = start === 0 ? '' : positions[0];
    if (from === undefined) continue;
    const isAhead = (position: string) => position < from;
    const shift = added.filter(isAhead).length - removed.filter(isAhead).length;
    const at = index - start - shift;
    // Far off: there may be a hundred windows, and each takes as long as all else.
    if (at < 0 || (!isLast && at >= positions.length + added.length)) continue;
    const isWithin = (position: string) =>
      position >= from && (isLast || position < (positions.at(-1) as string));
    const present = [
      ...positions.filter((each) => !removed.includes(each)),
      ...added.filter(isWithin),
    ].sort();
    if (isLast && at >= present.length) return [lastOf(tail, removed, added), null];
    const isKnown = at < present.length && (at > 0 || (start === 0 && at === 0));
    if (isKnown) return [present[at - 1] ?? null, present[at] ?? null];
  }
  const ended = windows.find(({ positions }) => positions.length === 0)?.start ?? END - 1;
  return index > ended ? [lastOf(tail, removed, added), null] : null;
}

/** The tail is empty where the list was: without a lock, all may have gone before it was read. */
function lastOf(tail: string[], removed: string[], added: string[]): string | null {
  const [first = ''] = tail;
  const present = tail.filter((each) => !removed.includes(each));
  return [...present, ...added.filter((each) => each > first)].sort().at(-1) ?? null;
}

/** The list without a position: its item left it. */
export const without = (list: LongList, position: string): LongList =>
  list.added.includes(position)
    ? { ...list, added: list.added.filter((each) => each !== position) }
    : { ...list, removed: [...list.removed, position] };
