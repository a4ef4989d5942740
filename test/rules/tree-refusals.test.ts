import { type Command, type NewNode } from '../../src/collections/items/collection.js';
import { MAX_DEPTH } from '../../src/collections/limits.js';
import { assertMatches, decide, find } from '../../src/collections/writer/tree-rules.js';
import type { Slice } from '../../src/collections/writer/tree-slice.js';
import { etagOf, listEtagOf } from '../../src/http/etag.js';
import { sliceOf, treeOf } from './slice.js';
import { wrongRefusals } from './told.js';

const TREE = treeOf({ top: 'A B p', A: 'C q', C: 'r' });
const ETAG_OF_A = etagOf({ id: 'A', version: 1 }, ';C:1;q:1');
const ABSENT = 'not_found: collection or page not found: check its id or slug';
const STALE = 'conflict: If-Match is not the current ETag: the item has changed, read it again';
const STALE_LIST = STALE.replace('item', 'list');

/** Decides on the tree above, of which `change` may take something away. */
const on = (command: Command, change?: (slice: Slice) => unknown) => () => {
  const slice = sliceOf(TREE, true);
  change?.(slice);
  return decide(slice, command);
};

const node = (more: Partial<NewNode> = {}): NewNode => ({
  ...{ id: 'new', name: 'New', title: 'New', object: 'item', content: null, children: null },
  ...{ slugs: ['new'], key: null, place: 'items[0].' },
  ...more,
});
const create = (parentId: string | null, ...nodes: NewNode[]): Command => ({
  kind: 'create',
  parentId,
  nodes,
});
const move = (id: string, more: object = {}): Command => ({
  kind: 'move',
  move: { id, index: 0, ...more },
});
const update = (id: string, changes: object): Command => ({ kind: 'update', id, changes });
const order = (parentId: string | null, children: string, ifMatch?: string): Command => ({
  kind: 'order',
  parentId,
  children: children.split(' '),
  ifMatch,
});

test('a create says what is wrong, and where', () => {
  const collection = { object: 'collection' } as const;
  const page = node({ id: 'n2', slugs: ['n2'], place: 'items[0].children[0].', children: [] });
  expect(
    wrongRefusals({
      'a page': [on(create('C', node())), 'allowed'],
      'a collection': [on(create(null, node({ ...collection, children: [] }))), 'allowed'],
      'under nothing': [on(create('x', node())), 'not_found: parent not found: check the id'],
      'under a page': [
        on(create('p', node())),
        'unprocessable_entity: parent must be a collection, not a page',
      ],
      'a page with children': [
        on(create(null, node({ children: [] }))),
        'unprocessable_entity: items[0].children can only be given for a collection, not a page',
      ],
      'a page with children, further down': [
        on(create(null, node({ ...collection, children: [page] }))),
        'unprocessable_entity: items[0].children[0].children can only be given for a collection, not a page',
      ],
      'a collection with content': [
        on(create(null, node({ ...collection, content: '{}' }))),
        'unprocessable_entity: items[0].content can only be given for a page (object item)',
      ],
    }),
  ).toEqual([]);
});

test('a create without a free slug is a fault of ours', () => {
  expect(on(create(null, node({ slugs: ['slug-A', 'slug-p'] })))).toThrow(
    /^every slug that was drawn is taken$/,
  );
  expect(on(create(null, node(), node({ id: 'n2' })))).toThrow(/^every slug/);
});

test('a move says what does not fit', () => {
  const ownSubtree = 'newParent must not be the item itself or lie in its own subtree';
  expect(
    wrongRefusals({
      'within its list': [on(move('q')), 'allowed'],
      'to the top level': [on(move('q', { newParentId: null })), 'allowed'],
      'a page to where nothing else is read': [
        on(move('q', { newParentId: 'B' }), ({ heights }) => heights.clear()),
        'allowed',
      ],
      'of unknown height, within its list': [
        on(move('C', { index: 1 }), ({ heights }) => heights.clear()),
        'allowed',
      ],
      'of nothing': [on(move('x')), ABSENT],
      'from its parent': [on(move('q', { expectedParentId: 'A' })), 'allowed'],
      'from the top level': [on(move('p', { expectedParentId: null })), 'allowed'],
      'from another parent': [
        on(move('q', { expectedParentId: 'B' })),
        'conflict: parent is not the current parent of the item: read it again',
      ],
      'of a page': [on(move('q', { expectedObject: 'item' })), 'allowed'],
      'of a page that is a collection': [
        on(move('C', { expectedObject: 'item' })),
        'unprocessable_entity: object must be collection, which the item is',
      ],
      'under nothing': [
        on(move('q', { newParentId: 'x' })),
        'not_found: newParent not found: check the id',
      ],
      'under a page': [
        on(move('q', { newParentId: 'p' })),
        'unprocessable_entity: newParent must be a collection, not a page',
      ],
      'under itself': [on(move('A', { newParentId: 'A' })), `unprocessable_entity: ${ownSubtree}`],
      'into its subtree': [
        on(move('A', { newParentId: 'C' })),
        `unprocessable_entity: ${ownSubtree}`,
      ],
      'with its ETag': [on(move('A', { ifMatch: ETAG_OF_A })), 'allowed'],
      'with another ETag': [on(move('A', { ifMatch: '"x"' })), STALE],
      'of unknown height': [
        on(move('C', { newParentId: 'B' }), ({ heights }) => heights.clear()),
        'read the heights of B',
      ],
      'of unknown height, to the top level': [
        on(move('C', { newParentId: null }), ({ heights }) => heights.clear()),
        'read the heights of null',
      ],
      'with an ETag, of unknown versions': [
        on(move('A', { ifMatch: ETAG_OF_A }), ({ childVersions }) => childVersions.clear()),
        'read the versions of A',
      ],
    }),
  ).toEqual([]);
});

test('an update says what does not fit', () => {
  expect(
    wrongRefusals({
      'of a page': [on(update('p', { content: '{}', parentId: 'B' })), 'allowed'],
      'of nothing': [on(update('x', { name: 'X' })), ABSENT],
      'content of a collection': [
        on(update('A', { content: '{}' })),
        'unprocessable_entity: content can only be given for a page (object item)',
      ],
      'under nothing': [
        on(update('p', { parentId: 'x' })),
        'not_found: parent not found: check the id',
      ],
      'into its subtree': [
        on(update('A', { parentId: 'C' })),
        'unprocessable_entity: parent must not be the item itself or lie in its own subtree',
      ],
      'with its ETag': [on(update('A', { name: 'X', ifMatch: ETAG_OF_A })), 'allowed'],
      'with another ETag': [on(update('A', { name: 'X', ifMatch: '"x"' })), STALE],
    }),
  ).toEqual([]);
});

test('an order says what does not fit', () => {
  expect(
    wrongRefusals({
      'of the top level': [on(order(null, 'p B A')), 'allowed'],
      'of unknown heights': [on(order(null, 'p B A'), ({ heights }) => heights.clear()), 'allowed'],
      'with the ETag of the list': [on(order(null, 'p B A', listEtagOf('stamp'))), 'allowed'],
      'with another ETag of the list': [on(order(null, 'p B A', '"x"')), STALE_LIST],
      'with the ETag of the parent': [on(order('A', 'q C', ETAG_OF_A)), 'allowed'],
      'with another ETag of the parent': [on(order('A', 'q C', listEtagOf('stamp'))), STALE],
      'under nothing': [on(order('x', 'q')), 'not_found: parent not found: check the id'],
      'under a page': [
        on(order('p', 'q')),
        'unprocessable_entity: parent must be a collection, not a page',
      ],
      'that lacks one': [
        on(order('A', 'q')),
        'conflict: children lacks C, which is in the list now: read the list again',
      ],
      'that names nothing': [
        on(order('A', 'q x C')),
        'not_found: children[1] not found: check the id',
      ],
      'that names its parent': [
        on(order('A', 'q C A')),
        'unprocessable_entity: children[2] must not be the item itself or lie in its own subtree',
      ],
      'that was not read': [
        on(order('A', 'q C'), ({ lists }) =>
          Object.assign(lists.get('A') as object, { ids: null }),
        ),
        'read the ids of A',
      ],
      'whose positions were not read': [
        on(order(null, 'p B A'), ({ lists }) =>
          Object.assign(lists.get(null) as object, { positions: null }),
        ),
        'read the ids of null',
      ],
    }),
  ).toEqual([]);
});

test('a delete says what does not fit', () => {
  const slice = sliceOf(TREE, true);
  const deleting = (id: string, ifMatch?: string) => () =>
    assertMatches(slice, find(slice, id), ifMatch);
  expect(
    wrongRefusals({
      'of a page': [deleting('p'), 'allowed'],
      'of nothing': [deleting('x'), ABSENT],
      'with its ETag': [deleting('A', ETAG_OF_A), 'allowed'],
      'with another ETag': [deleting('A', '"x"'), STALE],
    }),
  ).toEqual([]);
});

test('nesting ends at the last level, and the message names what lies below it', () => {
  // C1 > C2 > … > C128, and beside them X > Y, and a page.
  const chain = Object.fromEntries(
    Array.from({ length: MAX_DEPTH - 1 }, (_, n) => [`C${n + 1}`, `C${n + 2}`]),
  );
  const slice = sliceOf(treeOf({ top: 'C1 X p', ...chain, X: 'Y' }), true);
  const run = (command: Command) => () => decide(slice, command);
  const tooDeep = (field: string) =>
    `unprocessable_entity: ${field} is too deep: nesting goes at most 128 levels deep`;
  const page = node({ id: 'n2', slugs: ['n2'], place: 'items[0].children[0].' });
  const collection = node({ object: 'collection', children: [page] });
  expect(
    wrongRefusals({
      'a page on the last level': [run(create('C127', node())), 'allowed'],
      'a page below it': [run(create('C128', node())), tooDeep('items[0]')],
      'an unnamed page below it': [run(create('C128', node({ place: '' }))), tooDeep('parent')],
      'a subtree to the last level': [run(create('C126', collection)), 'allowed'],
      'a subtree below it': [run(create('C127', collection)), tooDeep('items[0].children[0]')],
      'a page moves to the last level': [run(move('p', { newParentId: 'C127' })), 'allowed'],
      'a page moves below it': [run(move('p', { newParentId: 'C128' })), tooDeep('newParent')],
      'a subtree moves to the last level': [run(move('X', { newParentId: 'C126' })), 'allowed'],
      'a subtree moves below it': [run(move('X', { newParentId: 'C127' })), tooDeep('newParent')],
      'an update moves it': [run(update('X', { parentId: 'C127' })), tooDeep('parent')],
      'an order takes it in': [run(order('C127', 'X C128')), tooDeep('children[0]')],
      'the deepest stays where it is': [run(order('C127', 'C128')), 'allowed'],
      'the highest moves within its list': [run(move('C1', { index: 2 })), 'allowed'],
    }),
  ).toEqual([]);
});
