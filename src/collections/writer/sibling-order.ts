import { type LongList, neighboursIn, without } from './long-list.js';
import { areShort, END, indexOf, positionsBetween, rebalance } from './positions.js';

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
