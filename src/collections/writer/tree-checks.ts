import {
  type IdField,
  type Missing,
  notFound,
  pageAsParent,
  stale,
} from '../../errors/domain-error.js';
import * as errors from '../errors.js';
import { type Item, MAX_DEPTH } from '../items/collection.js';
import { etagOf, matches } from '../items/etag.js';
import { IncompleteSlice } from './sibling-order.js';
import type { Row, Slice } from './tree-slice.js';

// What several rules of the tree ask of a slice.

export function find(slice: Slice, id: string, what: Missing = 'collection or page'): Row {
  const row = slice.items.get(id);
  if (!row) throw notFound(what);
  return row;
}

/** A page cannot be a parent. @returns null for the top level */
export function assertValidParent(
  slice: Slice,
  parentId: string | null,
  field: IdField,
): Row | null {
  if (parentId === null) return null;
  const parent = find(slice, parentId, field);
  assertCollection(parent, field);
  return parent;
}

/** Also for reads: a page has nothing below it. */
export function assertCollection({ object }: Pick<Item, 'object'>, field: string): void {
  if (object !== 'collection') throw pageAsParent(field);
}

/** An item cannot go into its own subtree, nor so deep that its own subtree grows too deep. */
export function assertMayMove(slice: Slice, row: Row, parent: Row | null, field: IdField): void {
  for (let up = parent; up; up = parentOf(slice, up)) {
    if (up.id === row.id) throw errors.ownSubtree(field);
  }
  const depth = parent ? depthOf(slice, parent) : 0;
  if (depth + heightOf(slice, row, parent) > MAX_DEPTH) throw errors.tooDeep(field);
}

/** Levels of an item's subtree, itself included. */
export function heightOf({ heights }: Slice, row: Row, parent: Row | null): number {
  const height = row.object === 'item' ? 1 : heights.get(row.id);
  if (height === undefined) throw new IncompleteSlice(parent?.id ?? null, 'heights');
  return height;
}

/** Levels from the top down to an item, itself included. */
export function depthOf(slice: Slice, row: Row): number {
  let depth = 0;
  for (let up: Row | null = row; up; up = parentOf(slice, up)) depth++;
  return depth;
}

const parentOf = (slice: Slice, row: Row): Row | null =>
  row.parentId === null ? null : (slice.items.get(row.parentId) ?? null);

/** If-Match: the item, and its direct children, must be as the caller has seen them. */
export function assertMatches(slice: Slice, row: Row, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (!matches(ifMatch, etagOf(row, childVersionsOf(slice, row)))) throw stale();
}

export function childVersionsOf({ childVersions }: Slice, { id, object }: Row): string {
  if (object === 'item') return '';
  const versions = childVersions.get(id);
  if (versions === undefined) throw new IncompleteSlice(id, 'versions');
  return versions;
}

/** The first of these slugs that is free. @param given those of the same command */
export function freeOf(
  { takenSlugs }: Slice,
  slugs: readonly string[],
  given: ReadonlySet<string> = new Set(),
): string {
  const free = slugs.find((slug) => !takenSlugs.has(slug) && !given.has(slug));
  if (free === undefined) throw new Error('every slug that was drawn is taken');
  return free;
}
