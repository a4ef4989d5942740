import { type RecordOf, settingsIn } from '../../database/fields.js';
import type { Item, NewNode } from '../items/collection.js';
import { ITEM_FIELDS, type SAVE_FIELDS } from '../items/item.fields.js';
import {
  IncompleteSlice,
  insertInto,
  type Rebalanced,
  removeFrom,
  type Siblings,
} from './sibling-order.js';

/** An item with what is known of the content that was there before the batch. */
export interface Row extends Item, Partial<RecordOf<typeof SAVE_FIELDS>> {
  /** What is to be stored of the content, for applyCollections: see apply-rules; absent: what is there stays. */
  contentDigest?: string | null;
}

/** The part of a workspace's tree that some commands need; kept up to date as each of them is carried out. */
export interface Slice {
  teamId: string;
  workspaceId: string;
  /** The stamp of the tree as it was before the batch. */
  treeStamp: string;
  /** The time of the change, from the database's clock. */
  now: Date;
  /** Who sent the command that is decided; null: the operator. */
  authorId: string | null;
  /** Items by id; those that move, and those that others come into, with all their ancestors. */
  items: Map<string, Row>;
  /** Contents of versions of pages, by versionKey(). */
  versions: Map<string, string>;
  /** Sibling orders by parent id; null: the top level. */
  lists: Map<string | null, Siblings>;
  /** Slugs that were asked about and are taken. */
  takenSlugs: Set<string>;
  /** The ids of the items that have the keys that were asked about. */
  takenKeys: Map<string, string>;
  /** Levels of the subtrees of collections that are to move, their roots included. */
  heights: Map<string, number>;
  /**
   * Versions of direct children, by id of the parent: see etagOf(); null: more than ReadSet.mostChildren. Gone once
   * they change.
   */
  childVersions: Map<string, string | null>;
  /** Idempotency keys that were asked about and are in use, by idOf(). */
  usedKeys: Set<string>;
}

/** Pages and collections, of a subtree the item included. */
export interface ItemCounts {
  pages: number;
  collections: number;
}

/**
 * How a content was written: by a save (PUT or patch), from a version, or from a manifest. Only a save is continued by
 * the next one of its author; a restore continues nothing.
 */
export type ContentWrite = 'save' | 'restore' | 'apply';

/** A row that is there and changes. */
export interface Update {
  row: Row;
  /** null: its content stays. */
  contentWrite: ContentWrite | null;
}

/** The same with the author of its content, if that is written. */
export interface AuthoredUpdate extends Update {
  writtenBy: string | null;
}

/** What a command changes: final rows, an id at most once in each part. */
export interface Change {
  inserts: Row[];
  updates: Update[];
  /** A list that was rebalanced to make room. */
  rebalanced: Rebalanced | null;
}

export const NO_CHANGE: Change = {
  inserts: [],
  updates: [],
  rebalanced: null,
};

/** What the commands of a batch change, all together: one final row for each id. */
export interface Changes extends Omit<Change, 'rebalanced' | 'updates'> {
  updates: AuthoredUpdate[];
  /**
   * Contents that a later command of the batch overwrites without continuing them, and those that somebody's saves
   * begin with, in the order in which they are written: so they become versions as one by one. A page is at most once
   * in each step.
   */
  overwritten: AuthoredUpdate[][];
  /** New positions of rows that are otherwise left alone. */
  repositioned: Pick<Row, 'id' | 'parentId' | 'position'>[];
  isRebalanced: boolean;
}

/**
 * Folds changes, in their order, into one: an item that several of them touch ends in one row, but a content that
 * decides about a version is written by itself.
 */
export function foldChanges(slice: Slice, changes: readonly Change[]): Changes {
  const inserted = new Set<string>();
  const updated = new Map<string, AuthoredUpdate>();
  const overwritten: AuthoredUpdate[][] = [];
  const steps = new Map<string, number>();
  const begun = new Set<string>();
  const repositioned = new Map<string, Changes['repositioned'][number]>();
  for (const change of changes) {
    const { parentId, ids, positions, from, to } = change.rebalanced ?? NOTHING_REBALANCED;
    for (const [n, id] of ids.slice(from, to).entries()) {
      repositioned.set(id, { id, parentId, position: positions[from + n] as string });
    }
    for (const { id } of change.inserts) inserted.add(id);
    for (const { row, contentWrite } of change.updates) {
      const before = updated.get(row.id);
      if (contentWrite === null) {
        updated.set(row.id, before ?? { row, contentWrite, writtenBy: null });
        continue;
      }
      const update = { row, contentWrite, writtenBy: row.updatedBy };
      const isContinued = before?.contentWrite ? continues(update, before) : isOwn(update);
      // The first of somebody's saves is written by itself, too: the last one may be what was there before.
      if (before?.contentWrite && (!isContinued || begun.has(row.id))) {
        const step = steps.get(row.id) ?? 0;
        steps.set(row.id, step + 1);
        overwritten[step] ??= [];
        overwritten[step].push(before);
      }
      if (isContinued) begun.delete(row.id);
      else begun.add(row.id);
      updated.set(row.id, update);
    }
  }
  const final = (id: string) => slice.items.get(id) as Row;
  return {
    inserts: [...inserted].map(final),
    updates: [...updated]
      .filter(([id]) => !inserted.has(id))
      .map(([id, update]) => ({ ...update, row: final(id) })),
    overwritten,
    repositioned: [...repositioned.values()].filter(
      ({ id }) => !inserted.has(id) && !updated.has(id),
    ),
    isRebalanced: changes.some(({ rebalanced }) => rebalanced !== null),
  };
}

/** Whether a content that was there before the batch is its author's own save. */
const isOwn = ({ row, writtenBy }: AuthoredUpdate): boolean =>
  writtenBy !== null && row.savedBy === writtenBy;

/** Whether a write of a content continues the one before it in the same batch, which then needs no version. */
const continues = (update: AuthoredUpdate, before: AuthoredUpdate): boolean =>
  before.contentWrite === 'save' &&
  update.contentWrite !== 'restore' &&
  before.writtenBy !== null &&
  before.writtenBy === update.writtenBy;

export const versionKey = ({ id, version }: { id: string; version: number }): string =>
  `${id} ${version}`;

const NOTHING_REBALANCED = { parentId: null, ids: [], positions: [], from: 0, to: 0 };

/**
 * Applies a change to a slice, for the next command of the same batch.
 * @param isLast no command follows: only the rows are updated
 */
export function applyChange(slice: Slice, change: Change, isLast = false): void {
  const { rebalanced } = change;
  if (rebalanced) {
    const list = slice.lists.get(rebalanced.parentId) as Siblings;
    list.ids = [...rebalanced.ids];
    list.positions = [...rebalanced.positions];
    list.last = rebalanced.positions.at(-1) ?? null;
    for (const [n, id] of rebalanced.ids.entries()) {
      const row = slice.items.get(id);
      if (row) slice.items.set(id, { ...row, position: rebalanced.positions[n] as string });
    }
  }
  for (const row of change.inserts) {
    slice.items.set(row.id, row);
    if (isLast) continue;
    slice.takenSlugs.add(row.slug);
    if (row.key !== null) slice.takenKeys.set(row.key, row.id);
    insertInto(slice.lists.get(row.parentId), row.id, row.position);
    deepen(slice, row, 1);
    forgetVersions(slice, row);
  }
  for (const { row } of change.updates) {
    const before = slice.items.get(row.id) as Row;
    slice.items.set(row.id, row);
    if (isLast) continue;
    forgetVersions(slice, before);
    forgetVersions(slice, row);
    if (before.key !== null) slice.takenKeys.delete(before.key);
    if (row.key !== null) slice.takenKeys.set(row.key, row.id);
    if (before.parentId === row.parentId && before.position === row.position) continue;
    removeFrom(slice.lists.get(before.parentId), before.position);
    insertInto(slice.lists.get(row.parentId), row.id, row.position);
    deepen(slice, row, slice.heights.get(row.id) ?? 1);
  }
}

function forgetVersions({ childVersions }: Slice, { parentId }: Row): void {
  if (parentId !== null) childVersions.delete(parentId);
}

/** A subtree of `height` levels came below its ancestors: those that are to move grow with it. */
function deepen(slice: Slice, row: Row, height: number): void {
  let level = height;
  for (let id = row.parentId; id !== null; id = slice.items.get(id)?.parentId ?? null) {
    level++;
    const known = slice.heights.get(id);
    if (known !== undefined && known < level) slice.heights.set(id, level);
  }
}

// The rows that rules make.

export const nextVersion = (
  slice: Slice,
  row: Row,
  parentId: string | null = row.parentId,
  position: string = row.position,
): Row => ({
  ...row,
  version: row.version + 1,
  updatedAt: slice.now,
  updatedBy: slice.authorId,
  parentId,
  position,
});

export function newRow(
  { teamId, workspaceId, now, authorId }: Slice,
  node: NewNode,
  parentId: string | null,
  slug: string,
  position: string,
): Row {
  const { id, object, content } = node;
  return {
    id,
    teamId,
    workspaceId,
    parentId,
    object,
    slug,
    ...settingsIn(ITEM_FIELDS, node),
    version: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: authorId,
    updatedBy: authorId,
    content: object === 'item' ? (content ?? '{}') : null,
    position,
  };
}

// What rules ask of a slice.

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

/** null: it is at the top level. */
export const parentOf = (slice: Slice, row: Row): Row | null =>
  row.parentId === null ? null : (slice.items.get(row.parentId) ?? null);

/** Versions of an item's direct children: see etagOf(); null: there are too many. */
export function childVersionsOf({ childVersions }: Slice, { id, object }: Row): string | null {
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
