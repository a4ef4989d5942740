import { type Rows, toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { type PreparedCall, scan } from '@teamspaces/pg-lanes/statements';
import type { Database } from '../../database/database.js';
import type { RowOf } from '../../database/fields.js';
import { newId, slugsFor } from '../../database/identifiers.js';
import { DomainError } from '../../errors/domain-error.js';
import { EventLoopTurn, yieldToEventLoop } from '../../event-loop.js';
import * as errors from '../errors.js';
import type { WorkspaceIds } from '../items/collection.js';
import { titledAs } from '../items/titles.js';
import { MAX_COMPARED } from '../limits.js';
import { deletionStatements } from '../subtrees/subtrees.repository.js';
import { bytesOfItems, type JsonRow, readSetWith, sliceRead } from '../writer/read-set.js';
import { decideReading, loadSlice, type RunReads, toRow } from '../writer/slice.repository.js';
import { TAKEN_SLUGS } from '../writer/slice-statements.js';
import type { LockedTree, SubtreeCommand, SubtreeWrite } from '../writer/tree-commits.js';
import { countsOf } from '../writer/tree-rows.repository.js';
import type { Slice } from '../writer/tree-slice.js';
import {
  type ApplyPlan,
  decideApply,
  everyItem,
  isNothing,
  type Manifest,
  type ManifestItem,
  markOf,
  movedCollections,
  NotCompared,
  type Present,
  type Prunable,
  uncompared,
} from './apply-rules.js';
import * as sql from './apply-statements.js';

/** A manifest, and what it was compared with when it was read without the lock. */
interface Prepared {
  present: Present;
  /** null: not all that it takes was of one moment. */
  plan: ApplyPlan | null;
}

/** How often what changes while it is compared is read and compared without the lock. */
const COMPARISONS = 3;

/**
 * Decides a manifest on what was there at one moment, without the lock. A version of a page never changes: what is
 * compared after the tree was read is of the same moment as long as it is of the version that was read. Others are
 * read and compared again, and after a few times while holding the lock.
 * @throws DomainError as decideApply()
 */
export async function prepareManifest(
  database: Database,
  callerId: string,
  ids: WorkspaceIds,
  manifest: Manifest,
): Promise<Prepared> {
  const by = { callerId, teamId: ids.teamId };
  // What it looks up is as long as the manifest.
  const run: RunReads = (statements) =>
    Promise.all(
      statements.map(async ([{ name, text }, values]) => [
        ...(await database.query<Rows[number]>(scan({ name, text }), values, by)),
      ]),
    );
  let present = await readPresent(run, ids, manifest);
  for (let comparison = 1; ; comparison++) {
    try {
      return { present, plan: await decideOn(run, present, manifest) };
    } catch (error) {
      // Heights are of a later moment: nothing may have been too deep at any.
      if (error instanceof DomainError && present.heights !== null) return { present, plan: null };
      if (!(error instanceof NotCompared)) throw error;
      if (comparison === COMPARISONS) return { present, plan: null };
      present = await readPresent(run, ids, manifest, present);
    }
  }
}

/**
 * Makes the tree equal to a manifest. Where it has not changed since the manifest was prepared, nothing is read
 * while holding the lock; otherwise all is read again, but for contents that were compared and have not changed.
 * @param trashedBy who deletes what is pruned; null: it is deleted for good
 */
export const applyManifest = (
  manifest: Manifest,
  prepared: Prepared,
  trashedBy: string | null,
): SubtreeCommand => ({
  kind: 'subtree',
  bytes: bytesOfItems(everyItem(manifest.items)),
  write: async (tree) => {
    const { run, author } = tree;
    const slice = await tree.load(readSetWith({}));
    const { treeStamp, now } = slice;
    const isSame = treeStamp === prepared.present.slice.treeStamp;
    const present = isSame
      ? prepared.present
      : await readPresent(run, tree, manifest, prepared.present);
    Object.assign(present.slice, { treeStamp, now, authorId: author.id });
    const plan = await decideOn(run, present, manifest);
    const result = { items: [], etag: null, applied: plan.report };
    if (isNothing(plan)) return { result, statements: [], isUnchanged: true };
    return { result, ...writesOf(tree, present.slice, plan, trashedBy) };
  },
});

/**
 * Reads what a manifest is compared with: all of one moment, but for contents.
 * @param before what was read before: comparisons of contents and what was drawn are taken from it
 */
async function readPresent(
  run: RunReads,
  ids: WorkspaceIds,
  manifest: Manifest,
  before?: Present,
): Promise<Present> {
  const { parentId, items, prune } = manifest;
  const present: Omit<Present, 'slice'> = {
    named: new Map(),
    siblings: new Map(),
    prunable: [],
    compared: before?.compared ?? new Map(),
    heights: null,
    drawn: before?.drawn ?? new Map(),
  };
  const all = everyItem(items);
  const keys = all.map(({ key }) => key);
  const ordered = all.flatMap(({ key, children }) => (children === null ? [] : [key]));
  const rows = {
    named: [] as JsonRow<RowOf<typeof sql.NAMED>>[],
    keyed: [] as JsonRow<RowOf<typeof sql.KEYED>>[],
    ...{ unkeyed: [] as Rows, prunable: [] as Rows },
  };
  const list = parentId ?? null;
  const more = [
    sliceRead(sql.NAMED, [keys], (named) => Object.assign(rows, { named })),
    sliceRead(sql.KEYED, [list, ordered, MAX_COMPARED + 1], (keyed) =>
      Object.assign(rows, { keyed }),
    ),
    sliceRead(sql.FIRST_UNKEYED, [list, ordered], (unkeyed) => Object.assign(rows, { unkeyed })),
  ];
  if (prune) {
    const values = [list, ordered, membersOf(keys), MAX_COMPARED + 1];
    more.push(sliceRead(sql.PRUNABLE, values, (prunable) => Object.assign(rows, { prunable })));
  }
  const parents = new Set(parentId === null ? [] : [parentId]);
  const slice = await loadSlice(run, ids, readSetWith({ items: parents, more }), null, []);
  const looked = rows.prunable.reduce((sum, { count }) => sum + count, 0);
  if (Math.max(rows.keyed.length, looked) > MAX_COMPARED) {
    throw errors.tooManyToCompare(MAX_COMPARED);
  }
  for (const row of rows.named) present.named.set(row.key as string, toRow(slice, row));
  for (const { listId, position } of rows.unkeyed) {
    present.siblings.set(listId, { rows: [], firstUnkeyed: position });
  }
  for (const row of rows.keyed) {
    present.siblings.get(row.parentId)?.rows.push(toRow(slice, row));
  }
  present.prunable.push(...(rows.prunable.filter(({ id }) => id !== null) as Prunable[]));
  return { slice, ...present };
}

/** Keys as the members of an object: PostgreSQL finds one among many in it. */
const membersOf = (keys: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])));

/**
 * Decides a manifest, and reads and draws what it takes first.
 * @throws NotCompared: a page has changed meanwhile; DomainError as decideApply()
 */
async function decideOn(run: RunReads, present: Present, manifest: Manifest): Promise<ApplyPlan> {
  const { slice, compared, drawn } = present;
  const ids = [slice.teamId, slice.workspaceId];
  const all = everyItem(manifest.items);
  const created = all.filter(({ key }) => !present.named.has(key));
  await draw(drawn, created);
  const statements: [PreparedCall, (rows: Rows) => void][] = [];
  if (created.length > 0) {
    const slugs = created.flatMap(({ key }) => drawn.get(key)?.slugs ?? []);
    statements.push([
      [TAKEN_SLUGS, [...ids, slugs]],
      (rows) => {
        for (const { slug } of rows) slice.takenSlugs.add(slug);
      },
    ]);
  }
  const unknown = uncompared(present, manifest);
  if (unknown.length > 0) {
    const asked = unknown.map(([{ id }, { content }]) => ({ id, content }));
    statements.push([
      [sql.COMPARE, [...ids, ...toArrays(asked, ['id', 'content'])]],
      (rows) => {
        for (const { id, version, isEqual } of rows) compared.set(markOf({ id, version }), isEqual);
      },
    ]);
  }
  const moved = present.heights === null ? movedCollections(present, manifest) : [];
  if (moved.length > 0) {
    const heights = new Map<string, number>();
    present.heights = heights;
    const keys = membersOf(all.map(({ key }) => key));
    statements.push([
      [sql.HEIGHTS, [...ids, moved, keys]],
      (rows) => {
        for (const { root, height } of rows) heights.set(root, height);
      },
    ]);
  }
  if (statements.length > 0) {
    const answers = await run(statements.map(([statement]) => statement));
    for (const [n, [, take]] of statements.entries()) take(answers[n] as Rows);
  }
  await yieldToEventLoop();
  const plan = await decideReading(run, slice, () => decideApply(present, manifest));
  await yieldToEventLoop();
  return plan;
}

/** Draws ids and slugs for new items, in portions: see ItemsService. */
async function draw(drawn: Present['drawn'], items: readonly ManifestItem[]) {
  const turn = new EventLoopTurn();
  for (const { key, naming } of items) {
    if (drawn.has(key)) continue;
    if (turn.isOver) await turn.next();
    const { wanted, fallback } = slugsFor(titledAs(naming).title);
    drawn.set(key, { id: newId(), slugs: [wanted, fallback] });
  }
}

/** What writes a plan. What is pruned goes first, and new items come before others move into them. */
function writesOf(
  tree: LockedTree,
  slice: Slice,
  { inserts, changes, prunes }: ApplyPlan,
  trashedBy: string | null,
): Omit<SubtreeWrite, 'result'> {
  const created = countsOf(inserts);
  const pruned = { pages: 0, collections: 0 };
  for (const { pages, collections } of prunes) {
    pruned.pages += pages;
    pruned.collections += collections;
  }
  if (prunes.length > 0) tree.charge(pruned);
  const none = { inserts: [], updates: [], overwritten: [], repositioned: [], isRebalanced: false };
  return {
    statements: [
      ...deletionStatements(tree, slice, prunes, trashedBy),
      ...tree.rows(slice, { ...none, inserts }),
      ...tree.rows(slice, changes),
    ],
    counts: {
      pages: created.pages - pruned.pages,
      collections: created.collections - pruned.collections,
    },
  };
}
