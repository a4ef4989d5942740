import { MAX_COPIED, MAX_DEPTH, MAX_MOVED } from '../../src/collections/limits.js';
import {
  assertMayDelete,
  assertMayRestore,
  type Deletion,
  placeDeletion,
  placeSubtree,
  type Subtree,
} from '../../src/collections/subtrees/subtree-rules.js';
import type { Row } from '../../src/collections/writer/tree-slice.js';
import { etagOf } from '../../src/http/etag.js';
import { sliceOf, treeOf } from './slice.js';
import { told, wrongRefusals } from './told.js';

// A with the page a, the page b, and D: what comes into it has other ids.
const TREE = treeOf({ top: 'A b D', A: 'a' });
const slice = () => sliceOf(TREE, true);
const positionOf = (id: string) => (TREE.get(id) as Row).position;

/** A collection with pages, so many items in all. */
const ofSize = (items: number) => ({ pages: items - 1, collections: 1, height: 2 });

/** It was between A and b. */
const aDeletion = (more: Partial<Deletion> = {}): Deletion => ({
  ...{ ...ofSize(2), id: 'X', deletedAt: new Date(), parentId: null },
  ...{ position: `${positionOf('A')}V`, rebalances: 0, beforeId: 'A', afterId: 'b', ...more },
});
const FORMER_PLACE = { before: positionOf('A'), after: positionOf('b'), isPositionValid: true };

/** The subtree of A. */
const aSubtree = (more: Partial<Subtree> = {}): Subtree => ({
  ...{ ...ofSize(2), root: TREE.get('A') as Row, tree: slice() },
  ...{ next: positionOf('b'), ...more },
});

/** The ids of a list with X, which came there. */
function listWith({ parentId, position }: { parentId: string | null; position: string }): string {
  const siblings = [...TREE.values()].filter((row) => row.parentId === parentId);
  return [...siblings, { id: 'X', position }]
    .sort((one, other) => (one.position < other.position ? -1 : 1))
    .map(({ id }) => id)
    .join(' ');
}

test('so many items are moved by one transaction, the item itself counted, and not one more', () => {
  const to = { id: 'A', from: 'other' };
  const transferred = (items: number, isCopy: boolean) => () =>
    placeSubtree(slice(), aSubtree(ofSize(items)), to, isCopy);
  const deleted = (items: number) => () => assertMayDelete(ofSize(items));
  const restored = (items: number) => () => assertMayRestore(aDeletion(ofSize(items)));
  const refusals = [
    deleted(MAX_MOVED),
    deleted(MAX_MOVED + 1),
    restored(MAX_MOVED),
    restored(MAX_MOVED + 1),
    transferred(MAX_MOVED, false),
    transferred(MAX_MOVED + 1, false),
    transferred(MAX_COPIED, true),
    transferred(MAX_COPIED + 1, true),
  ].map(told);
  const tooLarge =
    'unprocessable_entity: the item and everything below it are more than 20000 items: ';
  expect(refusals).toEqual([
    'allowed',
    expect.stringContaining(`${tooLarge}delete parts of it first`),
    'allowed',
    expect.stringContaining(`${tooLarge}ask the operator`),
    'allowed',
    expect.stringContaining(`${tooLarge}transfer parts of it first`),
    'allowed',
    'unprocessable_entity: the item holds more than 10000 items: copy parts of it',
  ]);
});

test('a subtree comes down to the last level, and not one deeper', () => {
  const restored = (height: number, parentId: string | null) => () =>
    placeDeletion(slice(), aDeletion({ height }), { parentId, index: 0 }, null);
  const moved = (height: number, parentId: string | null, isCopy: boolean) => () =>
    placeSubtree(slice(), aSubtree({ height }), { id: 'A', from: 'other', parentId }, isCopy);
  const tooDeep = 'unprocessable_entity: parent is too deep: nesting goes at most 128 levels deep';
  expect(
    wrongRefusals({
      'restored at the top': [restored(MAX_DEPTH, null), 'allowed'],
      'restored below D': [restored(MAX_DEPTH - 1, 'D'), 'allowed'],
      'restored too deep': [restored(MAX_DEPTH, 'D'), tooDeep],
      'copied to the top': [moved(MAX_DEPTH, null, true), 'allowed'],
      'copied below D': [moved(MAX_DEPTH - 1, 'D', true), 'allowed'],
      'copied too deep': [moved(MAX_DEPTH, 'D', true), tooDeep],
      'transferred below D': [moved(MAX_DEPTH - 1, 'D', false), 'allowed'],
      'transferred too deep': [moved(MAX_DEPTH, 'D', false), tooDeep],
    }),
  ).toEqual([]);
});

test('a deletion goes back to its place; to an index; or to the end, if its parent is gone', () => {
  const restored = (
    to: Parameters<typeof placeDeletion>[2],
    deletion: Partial<Deletion> = {},
    place: Partial<typeof FORMER_PLACE> = {},
  ) => listWith(placeDeletion(slice(), aDeletion(deletion), to, { ...FORMER_PLACE, ...place }));
  expect([
    restored({}),
    restored({ parentId: null }),
    restored({ index: 0 }),
    restored({ index: 9 }),
    restored({ parentId: 'A' }),
    restored({}, { parentId: 'gone' }),
    restored({ index: 0 }, { parentId: 'gone' }),
    // Somebody has its position, or its position means nothing any more.
    restored({}, { position: positionOf('b') }),
    restored({}, { position: 'Zz' }, { isPositionValid: false }),
  ]).toEqual([
    'A X b D',
    'A X b D',
    'X A b D',
    'A b D X',
    'a X',
    'A b D X',
    'A b D X',
    'A X b D',
    'A X b D',
  ]);
  expect(told(() => restored({ parentId: 'gone' }, { parentId: 'gone' }))).toBe(
    'not_found: parent not found: check the id',
  );
  expect(told(() => restored({ parentId: 'b' }))).toBe(
    'unprocessable_entity: parent must be a collection, not a page',
  );
});

test('a copy comes after its original; to an index; elsewhere to the end', () => {
  const copied = (to: object, from: string | null = null) =>
    listWith(placeSubtree(slice(), aSubtree(), { id: 'A', from, ...to }, true));
  expect([
    copied({}),
    copied({ index: 0 }),
    copied({ index: 2 }),
    copied({ parentId: null }),
    copied({ parentId: 'D' }),
    copied({}, 'other'),
    copied({ index: 1 }, 'other'),
    copied({ parentId: 'A', index: 0 }, 'other'),
  ]).toEqual(['A X b D', 'X A b D', 'A b X D', 'A b D X', 'X', 'A b D X', 'A X b D', 'X a']);
});

test('what was seen of the item is compared with its children, and comes before its size', () => {
  const moved =
    (ifMatch: string, isCopy: boolean, more: Partial<Subtree> = {}) =>
    () =>
      placeSubtree(slice(), aSubtree(more), { id: 'A', from: 'other', ifMatch }, isCopy);
  const withMany = { ...slice(), childVersions: new Map([['A', null]]) };
  const etag = (children: string | null) => etagOf({ id: 'A', version: 1 }, children);
  const stale = 'conflict: If-Match is not the current ETag: the item has changed, read it again';
  expect(
    wrongRefusals({
      'a copy of what was seen': [moved(etag(';a:1'), true), 'allowed'],
      'a transfer of what was seen': [moved(etag(';a:1'), false), 'allowed'],
      'a copy, a child has changed': [moved(etag(';a:0'), true), stale],
      'a transfer, a child has changed': [moved(etag(';a:0'), false), stale],
      'a copy of the item itself, a child has changed': [moved(etag(null), true), 'allowed'],
      'too many children to compare': [
        moved(etag(';a:0'), false, { ...ofSize(MAX_MOVED + 1), tree: withMany }),
        'unprocessable_entity: the item and everything below it are more than 20000 items: transfer parts of it first',
      ],
      'too large, and changed': [moved(etag(''), false, ofSize(MAX_MOVED + 1)), stale],
      'a transfer within its workspace': [
        () => placeSubtree(slice(), aSubtree(), { id: 'A', from: null }, false),
        'unprocessable_entity: workspace_slug must name another workspace: reorderItem moves items within one',
      ],
    }),
  ).toEqual([]);
});
