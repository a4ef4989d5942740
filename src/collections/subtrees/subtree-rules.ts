import * as errors from '../errors.js';
import { MAX_COPIED, MAX_DEPTH, MAX_MOVED } from '../limits.js';
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

// The rules for whole subtrees: which may be deleted, and where one goes that comes from the trash, as a copy, or from
// another workspace. Pure, as tree-rules are.
//
// A *deletion* is a subtree in the trash. A request names a *target*, a parent and an index, and what is inserted gets
// a *place*, a parent and a position. The *former place* of a deletion is the one that it had.

/** Where a request wants a subtree. */
export interface Target {
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

/** An item that may be deleted, with all below it. */
export interface Deletable extends SubtreeSize, Pick<Row, 'id' | 'object' | 'title'> {
  /** Of all its items: the text of an array. */
  ids: string;
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

/** The place that a deletion had, in the list as it is now. */
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

/** Where a subtree goes, once the positions of `rebalanced` have made room. */
export interface Place {
  parentId: string | null;
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
export function placeDeletion(
  slice: Slice,
  deletion: Deletion,
  { parentId: given, index }: Target,
  formerPlace: FormerPlace | null,
): Place {
  const hadParent = deletion.parentId;
  const isParentGone = given === undefined && hadParent !== null && !slice.items.has(hadParent);
  const parentId = isParentGone ? null : given === undefined ? hadParent : given;
  assertRoomBelow(slice, parentId, deletion.height);
  const isBack = !isParentGone && parentId === hadParent && index === undefined;
  return isBack
    ? placeBack(slice, deletion, formerPlace as FormerPlace)
    : placeAt(slice, parentId, isParentGone ? END : (index ?? END));
}

/** @throws DomainError unprocessable_entity: it is too large */
export function assertMayRestore(deletion: Deletion): void {
  if (itemsIn(deletion) > MAX_MOVED) throw errors.tooLargeToRestore();
}

/**
 * Where a copied or transferred subtree goes.
 * @throws DomainError, IncompleteSlice as decide()
 */
export function placeSubtree(
  slice: Slice,
  subtree: Subtree,
  { from, parentId: given, index, ifMatch }: SubtreeSource & Target,
  isCopy: boolean,
): Place {
  if (!isCopy && from === null) throw errors.ownWorkspace();
  const { root, tree, height, next } = subtree;
  assertMatches(tree, root, ifMatch);
  if (!isCopy && itemsIn(subtree) > MAX_MOVED) throw errors.tooLargeToTransfer();
  if (isCopy && itemsIn(subtree) > MAX_COPIED) throw errors.tooLargeToCopy();
  const isBeside = from === null && given === undefined;
  const parentId = isBeside ? root.parentId : (given ?? null);
  assertRoomBelow(slice, parentId, height);
  return isBeside && index === undefined
    ? placeBetween(slice, parentId, root.position, next)
    : placeAt(slice, parentId, index ?? END);
}

const itemsIn = ({ pages, collections }: ItemCounts): number => pages + collections;

/** A parent must be a collection, and not so deep that a subtree grows too deep. */
function assertRoomBelow(slice: Slice, parentId: string | null, height: number): void {
  const parent = assertValidParent(slice, parentId, 'parent');
  const depth = parent ? depthOf(slice, parent) : 0;
  if (depth + height > MAX_DEPTH) throw errors.tooDeep('parent');
}

/** The former place of a deletion: its very position, if nobody has it now. */
function placeBack(
  slice: Slice,
  { parentId, position }: Deletion,
  { before, after, isPositionValid }: FormerPlace,
): Place {
  if (isPositionValid && after !== position) return { parentId, position, rebalanced: null };
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
  if (areShort(between)) return { parentId, position: between[0] as string, rebalanced: null };
  const positions = slice.lists.get(parentId)?.positions;
  if (!positions) throw new IncompleteSlice(parentId, 'ids');
  return placeAt(slice, parentId, after === null ? END : indexOf(positions, after));
}

function placeAt(slice: Slice, parentId: string | null, index: number): Place {
  const list = slice.lists.get(parentId) as Siblings;
  const { positions, rebalanced } = placeIn(list, parentId, index, 1, null);
  return { parentId, position: positions[0] as string, rebalanced };
}
