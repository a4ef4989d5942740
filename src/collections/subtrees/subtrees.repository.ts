import { randomUUID } from 'node:crypto';
import { type Rows, type Statement, toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { onItem, recordStatement } from '../../audit/audit-entries.repository.js';
import type { RowOf } from '../../database/fields.js';
import { newId, slugsFor } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import { etagOf } from '../../http/etag.js';
import { ITEM, notInTrash } from '../errors.js';
import { type Item } from '../items/collection.js';
import { type Naming, retitled } from '../items/titles.js';
import { MAX_CHILDREN_WRITTEN, MAX_COPIED, MAX_MOVED } from '../limits.js';
import { forgetWords } from '../search/page-index.repository.js';
import { type ReadSet, readSetWith, type SliceRead } from '../writer/read-set.js';
import { END, SINGLE_COMMAND_SLACK } from '../writer/sibling-order.js';
import {
  decideReading,
  hasLongLists,
  loadSlice,
  loadWindows,
  lockToChange,
  lockToRead,
  type RunStatements,
} from '../writer/slice.repository.js';
import type { LockedTree, SubtreeCommand } from '../writer/tree-commits.js';
import { COUNT_REBALANCE } from '../writer/tree-row-statements.js';
import { changeStatements, log } from '../writer/tree-rows.repository.js';
import { assertMatches, type CommandResult, find } from '../writer/tree-rules.js';
import { foldChanges, freeOf, NO_CHANGE, type Slice } from '../writer/tree-slice.js';
import {
  assertMayDelete,
  assertMayRestore,
  type Deletable,
  type Deletion,
  type FormerPlace,
  type Place,
  placeDeletion,
  placeSubtree,
  type Subtree,
  type SubtreeSize,
  type SubtreeSource,
  type Target,
} from './subtree-rules.js';
import * as sql from './subtree-statements.js';

// The commands on whole subtrees, for TreeWriter. Each of them reads what its rule needs, decides, and writes
// rows that never leave the database.

/**
 * Deletes an item with all below it.
 * @param trashedBy moves it to the trash; null: it is deleted for good
 */
export const deleteSubtree = ({
  id,
  trashedBy,
  ifMatch,
}: {
  id: string;
  trashedBy: string | null;
  ifMatch?: string | undefined;
}): SubtreeCommand => ({
  kind: 'subtree',
  write: async (tree) => {
    const { teamId, workspaceId, run } = tree;
    const slice = await tree.load(readSetWith(readsOfRoot(id, ifMatch, MAX_MOVED)));
    const item = find(slice, id);
    assertMatches(slice, item, ifMatch);
    const read: Statement = [sql.SUBTREE, [teamId, workspaceId, id, MAX_MOVED + 1]];
    const [[subtree]] = (await run([read])) as [[SubtreeRow]];
    tree.charge(subtree);
    assertMayDelete(subtree);
    const { object, title } = item;
    return {
      result: { items: [], etag: null },
      statements: deletionStatements(tree, slice, [{ id, object, title, ...subtree }], trashedBy),
      counts: { pages: -subtree.pages, collections: -subtree.collections },
    };
  },
});

/**
 * What deletes subtrees that were read while holding the lock, and records it.
 * @param trashedBy moves them to the trash; null: they are deleted for good
 */
export function deletionStatements(
  { teamId, workspaceId, author }: LockedTree,
  slice: Slice,
  subtrees: readonly Deletable[],
  trashedBy: string | null,
): Statement[] {
  if (subtrees.length === 0) return [];
  const place = [teamId, workspaceId];
  const items = `{${subtrees.map(({ ids }) => ids.slice(1, -1)).join(',')}}`;
  const sizes = toArrays(subtrees, ['id', 'height', 'pages', 'collections']);
  const kept: Statement[] = [
    [sql.INSERT_DELETIONS, [...place, slice.now, trashedBy, ...sizes]],
    [sql.COPY_TO_TRASH, [...place, ...toArrays(subtrees, ['id', 'ids'])]],
  ];
  const forgotten: Statement[] = [[sql.DELETE_VERSIONS, [...place, items]]];
  const isPermanent = trashedBy === null;
  const entries = subtrees.map(({ pages, collections, ...item }) => ({
    action: 'item.deleted' as const,
    ...onItem(workspaceId, item),
    details: { pages, collections, permanent: isPermanent },
  }));
  return [
    log(slice, items),
    ...(isPermanent ? forgotten : kept),
    ...forgetWords({ teamId, id: workspaceId }, items),
    [sql.DELETE, [...place, items]],
    recordStatement(teamId, author, entries),
  ];
}

/**
 * Moves the rows of a deletion back into the tree; every one has a new version.
 * @param isUnbounded true: more than MAX_MOVED items, too, since it is not a request and may take its time
 * @throws DomainError not_found: it was restored or purged meanwhile
 */
export const restoreSubtree = ({
  deletion,
  isUnbounded = false,
  ...target
}: Target & { deletion: Deletion; isUnbounded?: boolean }): SubtreeCommand => ({
  kind: 'subtree',
  write: async (tree) => {
    const { teamId, workspaceId, author, run } = tree;
    const { parentId: given, index } = target;
    const parentId = given === undefined ? deletion.parentId : given;
    const isBack = parentId === deletion.parentId && index === undefined;
    let formerPlace: FormerPlace | null = null;
    const { position, rebalances, beforeId, afterId } = deletion;
    const readFormerPlace: SliceRead = {
      read: [sql.FORMER_PLACE, [parentId ?? workspaceId, position, rebalances, beforeId, afterId]],
      take: ([row]) => {
        formerPlace = (row as FormerPlace | undefined) ?? null;
      },
    };
    const key = [teamId, workspaceId, deletion.id];
    let isThere = false;
    // With the parent: both are of one moment, whatever is refused.
    const findDeletion: SliceRead = {
      read: [sql.FIND_DELETION, [deletion.id, deletion.deletedAt]],
      take: ({ length }) => {
        isThere = length > 0;
      },
    };
    const lists: ReadSet['lists'] = new Map();
    // If the parent that it had is gone.
    if (given === undefined) lists.set(null, 'end');
    if (!isBack) lists.set(parentId, index === undefined ? 'end' : 'order');
    const slice = await tree.load(
      readSetWith({
        items: new Set(parentId === null ? [] : [parentId]),
        lists,
        more: isBack ? [findDeletion, readFormerPlace] : [findDeletion],
      }),
    );
    if (!isThere) throw notInTrash();
    if (!isUnbounded) assertMayRestore(deletion);
    const place = await decidePlace(run, slice, parentId, index, () =>
      placeDeletion(slice, deletion, target, formerPlace),
    );
    tree.charge(deletion);
    const answers = await run([
      [sql.LOCK_DELETION, [...key, deletion.deletedAt]],
      ...makeRoom(slice, place),
      [sql.COPY_FROM_TRASH, [...key, ...valuesOf(slice, place), deletion.deletedAt, author.id]],
      [sql.LOG_RESTORED, [...key, slice.treeStamp]],
      [sql.DELETE_FROM_TRASH, key],
      [sql.ITEM_WITH_CHILDREN, key],
    ]);
    if (answers[0]?.length === 0) throw notInTrash();
    const result = toResult(answers.at(-1));
    const { pages, collections } = deletion;
    const about = onItem(workspaceId, result.items[0] as Item);
    const entry = { action: 'item.restored' as const, ...about, details: { pages, collections } };
    return { result, statements: [recordStatement(teamId, author, [entry])], counts: deletion };
  },
});

/**
 * Copies an item with all below it.
 * @param naming of the copy; it has a slug of its own if that has a name or a title
 */
export const copySubtree = ({
  naming,
  ...given
}: SubtreeSource & Target & { naming: Naming }): SubtreeCommand => ({
  kind: 'subtree',
  source: { workspaceId: given.from, isChanged: false },
  write: async (tree) => {
    const { teamId, workspaceId, author, run } = tree;
    const called = naming.title ?? naming.name;
    const slugs = called === undefined ? [] : Object.values(slugsFor(called));
    const { slice, subtree, place } = await readAndPlace<CopiedRow>(
      ...([tree, given, COPIED, new Set(slugs)] as const),
    );
    const { root, ids, parentIds, pages, collections } = subtree;
    const slug = slugs.length > 0 ? freeOf(slice, slugs) : null;
    const { name, title } = retitled(root, naming);
    const copies = new Map(ids.map((id) => [id, newId()]));
    const newIds = [...copies.values()];
    const newParentIds = parentIds.map((id) => copies.get(id ?? '') ?? null);
    const rows = [ids, newIds, newParentIds, name, slug, author.id, title];
    const answers = await run([
      ...makeRoom(slice, place),
      [sql.COPY, [teamId, workspaceId, root.id, ...valuesOf(slice, place), ...rows]],
      log(slice, newIds),
      [sql.ITEM_WITH_CHILDREN, [teamId, workspaceId, copies.get(root.id)]],
    ]);
    const result = { ...toResult(answers.at(-1)), copies };
    return { result, statements: [], counts: { pages, collections } };
  },
});

/** Moves an item with all below it to another workspace of its team, and logs it in both. */
export const transferSubtree = (given: SubtreeSource & Target): SubtreeCommand => ({
  kind: 'subtree',
  source: { workspaceId: given.from, isChanged: true },
  write: async (tree) => {
    const { teamId, workspaceId, author, run } = tree;
    const { slice, subtree, place } = await readAndPlace<SubtreeRow>(tree, given, TRANSFERRED);
    const { root, ids, pages, collections } = subtree;
    const { treeStamp } = subtree.tree;
    const key = [teamId, workspaceId, root.id];
    const answers = await run([
      ...makeRoom(slice, place),
      // Positions below it may have been rebalanced since it was here before.
      [COUNT_REBALANCE, [teamId, workspaceId]],
      [sql.TRANSFER, [...key, ...valuesOf(slice, place), ids, author.id]],
      ...forgetWords({ teamId, id: root.workspaceId }, ids),
      log({ teamId, workspaceId: root.workspaceId, treeStamp }, ids),
      log(slice, ids),
      [sql.ITEM_WITH_CHILDREN, key],
    ]);
    const entry = (direction: 'out' | 'in', id: string) => ({
      action: 'item.transferred' as const,
      ...onItem(id, root),
      details: { pages, collections, direction },
    });
    const entries = [entry('out', root.workspaceId), entry('in', workspaceId)];
    const statements = [recordStatement(teamId, author, entries)];
    return { result: toResult(answers.at(-1)), statements };
  },
});

/** The row of SUBTREE. */
interface SubtreeRow extends SubtreeSize {
  /** The text of an array. */
  ids: string;
}

/** The row of SUBTREE_WITH_PARENTS. */
interface CopiedRow extends SubtreeSize {
  ids: string[];
  /** The parent of each. */
  parentIds: (string | null)[];
}

/** @param most items of a subtree that may be written: of more children, the ETag need not be known */
const readsOfRoot = (id: string, ifMatch: string | undefined, most: number): Partial<ReadSet> => ({
  items: new Set([id]),
  withEtag: new Map(ifMatch === undefined ? [] : [[id, false]]),
  mostChildren: most,
});

/** How the subtree of a copy or transfer is locked and read: of too large a one, one item more than is allowed. */
const COPIED = {
  isCopy: true,
  lock: lockToRead,
  read: sql.SUBTREE_WITH_PARENTS,
  most: MAX_COPIED,
} as const;
const TRANSFERRED = {
  isCopy: false,
  lock: lockToChange,
  read: sql.SUBTREE,
  most: MAX_MOVED,
} as const;

/**
 * Locks the workspace that a subtree goes to, and the one that it comes from, reads both, and decides where it goes.
 * Two workspaces are locked in the order of their ids, so that transfers in opposite directions do not deadlock.
 * @returns the slice of the workspace that it goes to, too
 * @throws DomainError not_found: one of the workspaces is gone; or as placeSubtree()
 */
async function readAndPlace<Row extends SubtreeSize>(
  tree: LockedTree,
  given: SubtreeSource & Target,
  { isCopy, lock, read, most }: typeof COPIED | typeof TRANSFERRED,
  slugs: Set<string> = new Set(),
): Promise<{ slice: Slice; subtree: Subtree & Row; place: Place }> {
  const { teamId, workspaceId, run } = tree;
  const { id, from, index, ifMatch } = given;
  const isBeside = from === null && given.parentId === undefined;
  const part = index === undefined ? 'end' : 'order';
  const readSet = readSetWith({
    ...(from === null && readsOfRoot(id, ifMatch, most)),
    slugs,
    lists: new Map(isBeside ? [] : [[given.parentId ?? null, part]]),
    siblingsOf: new Map(isBeside && index !== undefined ? [[id, null]] : []),
  });
  const loadSource = (sourceId: string) => {
    const ids = { teamId, workspaceId: sourceId };
    return loadSlice(run, ids, readSetWith(readsOfRoot(id, ifMatch, most)), lock(ids), []);
  };
  const first = from !== null && from < workspaceId ? await loadSource(from) : null;
  const slice = await tree.load(readSet);
  const source = from === null ? slice : (first ?? (await loadSource(from)));
  const root = source.items.get(id);
  if (!root) throw notFound(ITEM);
  const key = [teamId, source.workspaceId, id];
  const [[row], [beside]] = (await run([
    [read, [...key, most + 1]],
    [sql.NEXT, key],
  ])) as [[Row], [{ next: string | null }]];
  tree.charge(row);
  const subtree = { ...row, root, tree: source, next: beside.next };
  const parentId = isBeside ? root.parentId : (given.parentId ?? null);
  const place = await decidePlace(run, slice, parentId, index, () =>
    placeSubtree(slice, subtree, given, isCopy),
  );
  return { slice, subtree, place };
}

/** Applies a rule that places a subtree, and reads what it needs of a list that is too long for the slice. */
async function decidePlace(
  run: RunStatements,
  slice: Slice,
  parentId: string | null,
  index: number | undefined,
  rule: () => Place,
): Promise<Place> {
  if (hasLongLists(slice)) {
    await loadWindows(run, slice, new Map([[parentId, [index ?? END]]]), SINGLE_COMMAND_SLACK);
  }
  return decideReading(run, slice, rule);
}

/** The values $4 to $7 of what inserts a subtree: its place, the time, and what makes its slugs unpredictable. */
const valuesOf = ({ now }: Slice, { parentId, position }: Place): unknown[] => [
  ...[parentId, position, now, randomUUID()],
];

/** Writes the positions that were rebalanced for a place. */
const makeRoom = (slice: Slice, { rebalanced }: Place): Statement[] =>
  rebalanced ? changeStatements(slice, foldChanges(slice, [{ ...NO_CHANGE, rebalanced }])) : [];

/** What ITEM_WITH_CHILDREN has returned, as a result. */
function toResult([row]: Rows = []): CommandResult {
  if (!row) throw new Error('the item that was written is not there');
  const { count, children, marks, ...item } = row as RowOf<typeof sql.ITEM_WITH_CHILDREN>;
  if (count > MAX_CHILDREN_WRITTEN) {
    return { items: [item], etag: etagOf(item, null), children: 'omitted' };
  }
  const shown = children === null ? [] : [{ json: children }];
  return {
    items: [item],
    etag: etagOf(item, marks ?? ''),
    children: count > sql.MAX_CHILDREN_READ ? 'unread' : shown,
  };
}
