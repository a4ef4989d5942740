import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/**
 * The order of the children of one parent, as far as the commands at hand need it: all positions,
 * or the end only, or the places that they are about in a list that is too long to be read whole.
 */
export interface Siblings {
  /** All positions, in order; null where they were not read. */
  positions: string[] | null;
  /** The ids beside the positions, where they were asked for. */
  ids: string[] | null;
  /** The last position, null in an empty list; undefined where it was not read. */
  last: string | null | undefined;
  /** Where the list is too long: the places that the commands at hand are about. */
  long: LongList | null;
}

/** A list that was rebalanced: every id with its position. */
export interface Rebalanced {
  parentId: string | null;
  ids: string[];
  positions: string[];
  /** The positions from index `from` on, and before `to`, are new. */
  from: number;
  to: number;
}

/**
 * More must be read of the children of a parent: the neighbours of a place, all positions with their
 * ids, their versions as they are after the commands before this one, or the heights of the subtrees
 * that are to move there.
 */
export class IncompleteSlice extends Error {
  constructor(
    readonly parentId: string | null,
    readonly lacks: 'neighbours' | 'ids' | 'versions' | 'heights',
  ) {
    super('more must be read of a list of siblings');
  }
}

/**
 * Positions for `count` items from `index` on, past the end means the end; where they would grow too
 * long, after a rebalancing of those around them.
 * @param own the position of the item that moves within this list, which does not count; else null
 * @throws IncompleteSlice
 */
export function placeIn(
  list: Siblings,
  parentId: string | null,
  index: number,
  count: number,
  own: string | null,
): { positions: string[]; rebalanced: Rebalanced | null } {
  const at = own !== null && list.positions ? indexOf(list.positions, own) : -1;
  const found = list.positions ? neighboursAt(list.positions, index, at) : unread(list, index, own);
  if (!found) throw new IncompleteSlice(parentId, 'neighbours');
  const [before, after] = found;
  const positions = positionsBetween(before, after, count);
  if (areShort(positions)) return { positions, rebalanced: null };
  if (!list.positions || !list.ids) throw new IncompleteSlice(parentId, 'ids');
  const spread = rebalance(list.positions, indexOf(list.positions, before ?? after ?? ''));
  const { from } = spread;
  const to = from + spread.positions.length;
  const fresh = list.positions.toSpliced(from, to - from, ...spread.positions);
  return {
    positions: positionsBetween(...neighboursAt(fresh, index, at), count),
    rebalanced: { parentId, ids: [...list.ids], positions: fresh, from, to },
  };
}

type Neighbours = [before: string | null, after: string | null];

/** The positions on both sides of an index, without the item at index `own` (-1: none). */
function neighboursAt(positions: readonly string[], index: number, own: number): Neighbours {
  const length = positions.length - (own < 0 ? 0 : 1);
  const other = (n: number) => positions[own >= 0 && n >= own ? n + 1 : n] ?? null;
  const place = Math.min(index, length);
  return [place > 0 ? other(place - 1) : null, other(place)];
}

/** The same for a list that was not read whole; null: that was not read. */
function unread({ long, last }: Siblings, index: number, own: string | null): Neighbours | null {
  if (long) return neighboursIn(long, index, own);
  return last !== undefined && index === END ? [last, null] : null;
}

/** Puts an item into a list that was read; does nothing to one that was not. */
export function insertInto(list: Siblings | undefined, id: string, position: string): void {
  if (!list) return;
  list.long?.added.push(position);
  if (list.last !== undefined && (list.last === null || position > list.last)) list.last = position;
  if (!list.positions) return;
  const index = indexOf(list.positions, position);
  list.positions.splice(index, 0, position);
  list.ids?.splice(index, 0, id);
}

/** Takes an item out of a list that was read; does nothing to one that was not. */
export function removeFrom(list: Siblings | undefined, position: string): void {
  if (list?.long) list.long = without(list.long, position);
  if (!list?.positions) return;
  const index = indexOf(list.positions, position);
  list.positions.splice(index, 1);
  list.ids?.splice(index, 1);
  list.last = list.positions.at(-1) ?? null;
}

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
