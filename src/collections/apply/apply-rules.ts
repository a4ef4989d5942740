import { changedSettings } from '../../database/fields.js';
import { stale } from '../../errors/domain-error.js';
import { listEtagOf, matches } from '../../http/etag.js';
import * as errors from '../errors.js';
import { type ApplyReport, type NewItem, type NewNode } from '../items/collection.js';
import { ITEM_FIELDS } from '../items/item.fields.js';
import { type Naming, retitled, titledAs } from '../items/titles.js';
import { MAX_DEPTH, MAX_MOVED } from '../limits.js';
import type { Deletable } from '../subtrees/subtree-rules.js';
import {
  arrange,
  freeBetween,
  IncompleteSlice,
  longestIncreasingSubsequence,
} from '../writer/sibling-order.js';
import { assertSensible, assertValidParent } from '../writer/tree-rules.js';
import {
  type Changes,
  depthOf,
  freeOf,
  newRow,
  nextVersion,
  type Row,
  type Slice,
} from '../writer/tree-slice.js';

// The rules of a manifest: what is in a workspace and a manifest in, a plan or a domain error out. Pure, as
// tree-rules are.

/** An item that should be there. */
export interface ManifestItem extends Pick<NewItem, 'object' | 'content'> {
  key: string;
  /** At least one of the two. */
  naming: Naming;
  /** SHA-256 of the content; null: there is none to compare. */
  digest: string | null;
  /** How messages begin that are about it: `items[2].children[0].` */
  place: string;
  /** null: what lies below stays as it is. */
  children: ManifestItem[] | null;
}

/** What should lie below a collection. */
export interface Manifest {
  /** null: the top level. */
  parentId: string | null;
  items: ManifestItem[];
  /** Moves what has a key and is not in the manifest to the trash. */
  prune: boolean;
  ifMatch?: string | undefined;
}

/** An item whose key the manifest names. */
export interface NamedRow extends Row {
  /** The stored one; null: none. */
  contentDigest: string | null;
}

/** The children of one parent, as far as a manifest may change them. */
export interface KeyedSiblings {
  /** Those with a key, in order. */
  rows: Row[];
  /** Where those without a key begin; null: there is none. */
  firstUnkeyed: string | null;
}

/** An item that has a key which is not in the manifest, with all below it. The topmost ones. */
export interface Prunable extends Deletable {
  /** An item below it that has no key, or that the manifest names; null: none. */
  foreignId: string | null;
}

/** What a manifest is compared with, of one moment. */
export interface Present {
  /** Has the parent, and its ancestors. */
  slice: Slice;
  /** By key. */
  named: Map<string, NamedRow>;
  /** By parent: that of the manifest, and the collections that it names with children. */
  siblings: Map<string | null, KeyedSiblings>;
  /** Empty without `prune`. */
  prunable: Prunable[];
  /** Whether the content of a page is that of the manifest, by markOf(). */
  compared: Map<string, boolean>;
  /** Levels of what stays below collections, themselves included; null: they were not read. */
  heights: Map<string, number> | null;
  /** What is drawn for new items, by key. */
  drawn: Map<string, { id: string; slugs: string[] }>;
}

/** What is to be done, and the report for the caller. */
export interface ApplyPlan {
  inserts: Row[];
  /** Without the inserts. */
  changes: Changes;
  prunes: readonly Prunable[];
  report: ApplyReport;
}

/** The content of a page was not compared: not known is never equal. */
export class NotCompared extends Error {}

/** All items of a manifest, each before its children. */
export const everyItem = (items: readonly ManifestItem[]): ManifestItem[] =>
  items.flatMap((item) => [item, ...everyItem(item.children ?? [])]);

/** One version of a page: its content never changes. */
export const markOf = ({ id, version }: Pick<Row, 'id' | 'version'>): string => `${id}:${version}`;

/** What is stored of a content, with the version of the row that it is of. */
const digestAt = (version: number, digest: string): string => `${version}:${digest}`;

/** True, false: the content is, or is not, what the manifest says; null: it must be compared. */
export function isContentEqual(
  { compared }: Present,
  row: NamedRow,
  { digest }: ManifestItem,
): boolean | null {
  if (digest === null) return true;
  // Another digest may still be the same value, with its members in another order.
  if (row.contentDigest === digestAt(row.version, digest)) return true;
  return compared.get(markOf(row)) ?? null;
}

/** Items of the manifest whose contents must be compared before it is decided. */
export const uncompared = (present: Present, { items }: Manifest): [NamedRow, ManifestItem][] =>
  everyItem(items).flatMap((item): [NamedRow, ManifestItem][] => {
    const row = present.named.get(item.key);
    if (row?.object !== 'item' || isContentEqual(present, row, item) !== null) return [];
    return [[row, item]];
  });

/**
 * Collections of the manifest that are there, if one of them goes to another parent: what stays below them may
 * become too deep.
 */
export function movedCollections({ named }: Present, manifest: Manifest): string[] {
  const ids: string[] = [];
  let isMove = false;
  const visit = (items: readonly ManifestItem[], parentId: string | null | undefined): void => {
    for (const { key, object, children } of items) {
      const row = named.get(key);
      if (row && object === 'collection') {
        ids.push(row.id);
        if (row.parentId !== parentId) isMove = true;
      }
      visit(children ?? [], row?.id);
    }
  };
  visit(manifest.items, manifest.parentId);
  return isMove ? ids : [];
}

/**
 * Decides what makes the tree equal to a manifest. What is equal is left alone.
 * @throws DomainError conflict, not_found, unprocessable_entity
 * @throws IncompleteSlice: a list must be read whole
 * @throws NotCompared: a content is not known to be equal or not
 */
export function decideApply(present: Present, manifest: Manifest): ApplyPlan {
  const { slice, named } = present;
  const { parentId, items, ifMatch } = manifest;
  const parent = assertValidParent(slice, parentId, 'parent');
  if (ifMatch !== undefined && !matches(ifMatch, listEtagOf(slice.treeStamp))) throw stale('list');
  const above = new Set<string>();
  for (let up = parent; up; up = slice.items.get(up.parentId ?? '') ?? null) above.add(up.id);
  const prunes = assertMayPrune(present);
  const leaving = new Set([
    ...[...named.values()].map(({ id }) => id),
    ...prunes.map(({ id }) => id),
  ]);
  const ids = new Map<string, string>();
  const inserts: Row[] = [];
  const updates: Changes['updates'] = [];
  const repositioned: Changes['repositioned'] = [];
  const slugs = new Set<string>();
  const counts = { updated: 0, moved: 0, unchanged: 0 };
  let isRebalanced = false;

  const place = (
    item: ManifestItem,
    listId: string | null,
    { position, isKept }: Place,
    depth: number,
  ) => {
    const { key, children } = item;
    if (depth > MAX_DEPTH) throw errors.tooDeep(item.place.slice(0, -1));
    assertSensible(item);
    const row = named.get(key);
    const id = row ? row.id : create(item, listId, position);
    ids.set(key, id);
    if (row) update(row, item, listId, { position, isKept }, depth);
    if (children !== null) order(children, id, depth + 1);
  };

  const create = (item: ManifestItem, listId: string | null, position: string): string => {
    const drawn = present.drawn.get(item.key);
    if (!drawn) throw new Error('nothing was drawn for a new item');
    const slug = freeOf(slice, drawn.slugs, slugs);
    slugs.add(slug);
    const node: NewNode = { ...item, ...titledAs(item.naming), ...drawn, children: null };
    const contentDigest = item.object === 'item' && item.digest ? digestAt(1, item.digest) : null;
    inserts.push({ ...newRow(slice, node, listId, slug, position), contentDigest });
    return drawn.id;
  };

  const update = (
    row: NamedRow,
    item: ManifestItem,
    listId: string | null,
    { position, isKept }: Place,
    depth: number,
  ) => {
    if (row.object !== item.object) throw errors.otherKind(row.object, item.place);
    if (above.has(row.id)) throw errors.ownSubtree(item.place.slice(0, -1));
    const height = present.heights?.get(row.id) ?? 1;
    if (depth + height - 1 > MAX_DEPTH) throw errors.tooDeep(item.place.slice(0, -1));
    const isEqual = isContentEqual(present, row, item);
    if (isEqual === null) throw new NotCompared();
    const savesContent = !isEqual;
    const settings = { key: item.key, ...retitled(row, item.naming) };
    const isUpdated = savesContent || changedSettings(ITEM_FIELDS, row, settings).length > 0;
    counts.moved += Number(!isKept);
    counts.updated += Number(isUpdated);
    counts.unchanged += Number(isKept && !isUpdated);
    if (isKept && !isUpdated) return reposition(row, position);
    const next = nextVersion(slice, row, listId, position);
    const contentDigest = item.digest === null ? null : digestAt(next.version, item.digest);
    const content = savesContent ? item.content : null;
    change({ ...next, ...settings, content, contentDigest }, savesContent);
  };

  const change = (row: Row, savesContent: boolean) =>
    updates.push({
      ...{ row, contentWrite: savesContent ? 'apply' : null },
      writtenBy: savesContent ? slice.authorId : null,
    });

  const reposition = ({ id, parentId, position: before }: Row, position: string) => {
    if (position !== before) repositioned.push({ id, parentId, position });
  };

  /** Those of the manifest, then the others with a key, then those without one. */
  const order = (wanted: readonly ManifestItem[], listId: string | null, depth: number) => {
    const list = present.siblings.get(listId) ?? { rows: [], firstUnkeyed: null };
    const others = list.rows.filter(({ id }) => !leaving.has(id));
    const here = wanted.map(({ key }) => {
      const row = named.get(key);
      return row?.parentId === listId ? row.position : null;
    });
    const behind = others.map(({ position }) => position);
    const { positions, kept, spread } = placeKeyed(slice, listId, here, behind, list, leaving);
    isRebalanced ||= spread !== null;
    for (const { id, position } of spread ?? []) {
      repositioned.push({ id, parentId: listId, position });
    }
    for (const [n, item] of wanted.entries()) {
      const isKept = kept[n] !== null;
      place(item, listId, { position: positions[n] as string, isKept }, depth);
    }
    for (const [n, row] of others.entries()) {
      const position = positions[wanted.length + n] as string;
      if (kept[wanted.length + n] !== null) reposition(row, position);
      else change(nextVersion(slice, row, listId, position), false);
    }
  };

  order(items, parentId, parent ? depthOf(slice, parent) + 1 : 1);
  const pruned = prunes.reduce((sum, { pages, collections }) => sum + pages + collections, 0);
  return {
    inserts,
    changes: { inserts: [], updates, overwritten: [], repositioned, isRebalanced },
    prunes,
    report: { created: inserts.length, ...counts, pruned, ids },
  };
}

/** True where there is nothing to do. */
export const isNothing = ({ inserts, changes, prunes }: ApplyPlan): boolean =>
  inserts.length + changes.updates.length + changes.repositioned.length + prunes.length === 0;

function assertMayPrune({ prunable }: Present): readonly Prunable[] {
  const pruned = prunable.reduce((sum, { pages, collections }) => sum + pages + collections, 0);
  if (pruned > MAX_MOVED) throw errors.tooLargeToPrune();
  for (const { foreignId } of prunable) {
    if (foreignId !== null) throw errors.wouldGoAlong(foreignId);
  }
  return prunable;
}

/** Where an item goes in a list. */
interface Place {
  position: string;
  /** It was there before, and its position is new only if all are. */
  isKept: boolean;
}

/**
 * Places of the items with a key of a list, before those without one. As few as possible of those that the manifest
 * names are new; the others go out of their way. None is the present one of another item: rows are inserted before
 * others leave their places.
 * @param named the present position of each that the manifest names; null: it is not in the list
 * @param behind those of the others, which come after them
 * @param leaving items that may leave the list
 * @returns kept: the present position of each that stays where it is, null of the others; spread: new positions of
 *   those without a key, if all had to be rebalanced; null: they had not
 */
function placeKeyed(
  slice: Slice,
  listId: string | null,
  named: readonly (string | null)[],
  behind: readonly string[],
  { rows, firstUnkeyed }: KeyedSiblings,
  leaving: ReadonlySet<string>,
): {
  positions: string[];
  kept: (string | null)[];
  spread: { id: string; position: string }[] | null;
} {
  const taken = rows.map(({ position }) => position);
  const end = firstUnkeyed === null ? [] : [firstUnkeyed];
  const ahead = named.map((position) =>
    position !== null && (firstUnkeyed === null || position < firstUnkeyed) ? position : null,
  );
  const run = longestIncreasingSubsequence(ahead);
  const first = ahead.map((position, n) => (run.has(n) ? position : null));
  const last = first.findLast((position) => position !== null) ?? '';
  const after = behind.map((position) =>
    position > last && (firstUnkeyed === null || position < firstUnkeyed) ? position : null,
  );
  const kept = [...first, ...after];
  const count = kept.length;
  const { positions, isSpread } = arrange([...kept, ...end], taken);
  if (!isSpread) return { positions, kept, spread: null };
  const all = slice.lists.get(listId);
  if (!all?.ids || !all.positions) throw new IncompleteSlice(listId, 'ids');
  const keyed = new Set(rows.map(({ id }) => id));
  const ids = all.ids.filter((id) => !keyed.has(id) && !leaving.has(id));
  const fresh = freeBetween(null, null, count + ids.length, all.positions);
  return {
    positions: fresh,
    kept,
    spread: ids.map((id, n) => ({ id, position: fresh[count + n] as string })),
  };
}
