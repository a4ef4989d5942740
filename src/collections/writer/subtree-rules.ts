import { notFound, stale } from '../../errors/domain-error.js';
import * as errors from '../errors.js';
import {
  type Arrival,
  type Copy,
  MAX_COPIED,
  MAX_DEPTH,
  MAX_MOVED,
  type Restoration,
} from '../items/collection.js';
import { etagOf, matches } from '../items/etag.js';
import { areShort, END, indexOf, positionsBetween } from './positions.js';
import { IncompleteSlice, placeIn, type Siblings } from './sibling-order.js';
import { assertValidParent, depthOf, freeOf } from './tree-checks.js';
import { type Change, type FormerPlace, NO_CHANGE, type Row, type Slice } from './tree-slice.js';

// The rules for whole subtrees that come into a tree: from the trash, as a copy, from another workspace.

/** Pages and collections, of a subtree the item included. */
export interface ItemCounts {
  pages: number;
  collections: number;
}

type Place = { position: string; rebalanced: Change['rebalanced'] };

/** A deletion comes back. What it holds never changes while it is in the trash. */
export function restore(slice: Slice, restoration: Restoration): Change {
  const { deletion, parentId, index, isUnbounded } = restoration;
  if (!isUnbounded && sizeOf(deletion) > MAX_MOVED) throw errors.tooLargeToRestore();
  const hadParent = deletion.parentId;
  const isParentGone = parentId === undefined && hadParent !== null && !slice.items.has(hadParent);
  const target = isParentGone ? null : parentId === undefined ? hadParent : parentId;
  assertRoomBelow(slice, target, deletion.height);
  const isBack = !isParentGone && target === hadParent && index === undefined;
  const { position, rebalanced } = isBack
    ? formerPlace(slice, deletion)
    : newPlace(slice, target, isParentGone ? END : (index ?? END));
  return { ...NO_CHANGE, restored: { deletion, parentId: target, position }, rebalanced };
}

/**
 * The slice's subtree comes in.
 * @param copy null: it is transferred
 */
export function insertSubtree(slice: Slice, command: Arrival, copy: Copy | null): Change {
  const { from, parentId, index, ifMatch } = command;
  const { subtree } = slice;
  if (!subtree) throw notFound('collection or page');
  if (copy === null && from === null) throw errors.ownWorkspace();
  const { root, childVersions, height, next } = subtree;
  if (ifMatch !== undefined && !matches(ifMatch, etagOf(root, childVersions))) throw stale();
  if (copy === null && sizeOf(subtree) > MAX_MOVED) throw errors.tooLargeToTransfer();
  if (copy !== null && sizeOf(subtree) > MAX_COPIED) throw errors.tooLargeToCopy();
  const isBeside = from === null && parentId === undefined;
  const target = isBeside ? root.parentId : (parentId ?? null);
  assertRoomBelow(slice, target, height);
  const { position, rebalanced } =
    isBeside && index === undefined
      ? placeBetween(slice, target, root.position, next)
      : newPlace(slice, target, index ?? END);
  const named = copy?.named
    ? { name: copy.named.name, slug: freeOf(slice, copy.named.slugs) }
    : null;
  const arrived = { isCopy: copy !== null, named, parentId: target, position };
  return { ...NO_CHANGE, arrived, rebalanced };
}

/** @throws DomainError unprocessable_entity: the subtree of an item that is to be deleted is too large */
export function assertMayDelete(subtree: ItemCounts): void {
  if (sizeOf(subtree) > MAX_MOVED) throw errors.tooLargeToDelete();
}

const sizeOf = ({ pages, collections }: ItemCounts): number => pages + collections;

/** A parent must be a collection, and not so deep that a subtree grows too deep. */
function assertRoomBelow(slice: Slice, parentId: string | null, height: number): void {
  const parent: Row | null = assertValidParent(slice, parentId, 'parent');
  const depth = parent ? depthOf(slice, parent) : 0;
  if (depth + height > MAX_DEPTH) throw errors.tooDeep('parent');
}

/** The place that an item had: its very position, if nobody has it now. */
function formerPlace(slice: Slice, { parentId, position }: Restoration['deletion']): Place {
  const { before, after, isPositionValid } = slice.formerPlace as FormerPlace;
  if (isPositionValid && after !== position) return { position, rebalanced: null };
  return placeBetween(slice, parentId, before, after);
}

/** A place between two siblings that have none between them; null: no sibling on that side. */
function placeBetween(
  slice: Slice,
  parentId: string | null,
  before: string | null,
  after: string | null,
): Place {
  const between = positionsBetween(before, after, 1);
  if (areShort(between)) return { position: between[0] as string, rebalanced: null };
  const positions = slice.lists.get(parentId)?.positions;
  if (!positions) throw new IncompleteSlice(parentId, 'ids');
  return newPlace(slice, parentId, after === null ? END : indexOf(positions, after));
}

function newPlace(slice: Slice, parentId: string | null, index: number): Place {
  const list = slice.lists.get(parentId) as Siblings;
  const { positions, rebalanced } = placeIn(list, parentId, index, 1, null);
  return { position: positions[0] as string, rebalanced };
}
