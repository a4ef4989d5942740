import * as errors from '../errors.js';
import { MAX_COPIED, MAX_DEPTH, MAX_MOVED } from '../items/collection.js';
import {
  areShort,
  END,
  IncompleteSlice,
  indexOf,
  placeIn,
  positionsBetween,
  type Rebalanced,
  type Siblings,
} from '../writer/sibling-order.js';
import { assertMatches, assertValidParent } from '../writer/tree-rules.js';
import type { ItemCounts, Row, Slice } from '../writer/tree-slice.js';
import { depthOf } from '../writer/tree-slice.js';

// The rules for whole subtrees: which may be deleted, and where one is inserted that comes from the trash, as a
// copy, or from another workspace. Pure, as tree-rules are.

/** Where a subtree is to go. */
export interface Destination {
  /** null: top level; absent: the place that it has, or had; of another workspace the top level. */
  parentId?: string | null | undefined;
  /** Zero-based position among the siblings, past the end means the end; absent: see parentId, or the end. */
  index?: number | undefined;
}

/** An item with all below it. */
export interface SubtreeSize extends ItemCounts {
  /** Levels, the item included. */
  height: number;
}

/** An item in the trash, with all that was below it, which never changes there: what tells its place in a tree. */
export interface Deletion extends SubtreeSize {
  /** The deleted item's. */
  id: string;
  deletedAt: Date;
  /** null: top level. */
  parentId: string | null;
  /** Valid while the workspace has the same count of rebalances. */
  position: string;
  rebalances: number;
  /** The siblings on both sides of it; null: none. */
  beforeId: string | null;
  afterId: string | null;
}

/** The place that a deleted item had, in the list as it is now. */
export interface FormerPlace {
  /** The positions on both sides of it, or of what is left of its neighbours; null: none. */
  before: string | null;
  after: string | null;
  /** True if its own position still has its meaning. */
  isPositionValid: boolean;
}

/** A subtree that is to be copied or transferred, as it is in its own workspace, which is locked, too. */
export interface Subtree extends SubtreeSize {
  root: Row;
  /** What was read of its tree. */
  tree: Slice;
  /** The position of the root's next sibling; null: it is the last. */
  next: string | null;
}

/** A copy or transfer of an item. */
export interface SubtreeSource {
  id: string;
  /** The other workspace of the team that it is in; null: the one that it goes to. */
  from: string | null;
  ifMatch?: string | undefined;
}

/** Where a subtree is inserted, once the positions of `rebalanced` have made room. */
export interface SubtreeInsertion extends Placement {
  parentId: string | null;
}

interface Placement {
  position: string;
  rebalanced: Rebalanced | null;
}

/** @throws DomainError unprocessable_entity: it is too large */
export function assertMayDelete(subtree: ItemCounts): void {
  if (itemsIn(subtree) > MAX_MOVED) throw errors.tooLargeToDelete();
}

/**
 * Where a deletion goes back.
 * @param formerPlace where it is known: see FORMER_PLACE
 * @throws DomainError, IncompleteSlice as decide()
 */
export function insertDeletion(
  slice: Slice,
  deletion: Deletion,
  { parentId, index }: Destination,
  formerPlace: FormerPlace | null,
): SubtreeInsertion {
  const hadParent = deletion.parentId;
  const isParentGone = parentId === undefined && hadParent !== null && !slice.items.has(hadParent);
  const target = isParentGone ? null : parentId === undefined ? hadParent : parentId;
  assertRoomBelow(slice, target, deletion.height);
  const isBack = !isParentGone && target === hadParent && index === undefined;
  const place = isBack
    ? placeOfDeletion(slice, deletion, formerPlace as FormerPlace)
    : placeAt(slice, target, isParentGone ? END : (index ?? END));
  return { parentId: target, ...place };
}

/** @throws DomainError unprocessable_entity: it is too large */
export function assertMayRestore(deletion: Deletion): void {
  if (itemsIn(deletion) > MAX_MOVED) throw errors.tooLargeToRestore();
}

/**
 * Where a copied or transferred subtree goes.
 * @throws DomainError, IncompleteSlice as decide()
 */
export function insertSubtree(
  slice: Slice,
  subtree: Subtree,
  { from, parentId, index, ifMatch }: SubtreeSource & Destination,
  isCopy: boolean,
): SubtreeInsertion {
  if (!isCopy && from === null) throw errors.ownWorkspace();
  const { root, tree, height, next } = subtree;
  assertMatches(tree, root, ifMatch);
  if (!isCopy && itemsIn(subtree) > MAX_MOVED) throw errors.tooLargeToTransfer();
  if (isCopy && itemsIn(subtree) > MAX_COPIED) throw errors.tooLargeToCopy();
  const isBeside = from === null && parentId === undefined;
  const target = isBeside ? root.parentId : (parentId ?? null);
  assertRoomBelow(slice, target, height);
  const place =
    isBeside && index === undefined
      ? placeBetween(slice, target, root.position, next)
      : placeAt(slice, target, index ?? END);
  return { parentId: target, ...place };
}

const itemsIn = ({ pages, collections }: ItemCounts): number => pages + collections;

/** A parent must be a collection, and not so deep that a subtree grows too deep. */
function assertRoomBelow(slice: Slice, parentId: string | null, height: number): void {
  const parent = assertValidParent(slice, parentId, 'parent');
  const depth = parent ? depthOf(slice, parent) : 0;
  if (depth + height > MAX_DEPTH) throw errors.tooDeep('parent');
}

/** The place that an item had: its very position, if nobody has it now. */
function placeOfDeletion(
  slice: Slice,
  { parentId, position }: Deletion,
  { before, after, isPositionValid }: FormerPlace,
): Placement {
  if (isPositionValid && after !== position) return { position, rebalanced: null };
  return placeBetween(slice, parentId, before, after);
}

/** A place between two siblings that have none between them; null: no sibling on that side. */
function placeBetween(
  slice: Slice,
  parentId: string | null,
  before: string | null,
  after: string | null,
): Placement {
  const between = positionsBetween(before, after, 1);
  if (areShort(between)) return { position: between[0] as string, rebalanced: null };
  const positions = slice.lists.get(parentId)?.positions;
  if (!positions) throw new IncompleteSlice(parentId, 'ids');
  return placeAt(slice, parentId, after === null ? END : indexOf(positions, after));
}

function placeAt(slice: Slice, parentId: string | null, index: number): Placement {
  const list = slice.lists.get(parentId) as Siblings;
  const { positions, rebalanced } = placeIn(list, parentId, index, 1, null);
  return { position: positions[0] as string, rebalanced };
}
