import { batchesOf, type Draft, draftOf, withPath } from '../../clients/markdown/src/batches.js';
import type { Entry } from '../../clients/markdown/src/folder.js';

const MIB = 1024 * 1024;

const page = (path: string, bytes = 100): Entry => ({ name: path, path, bytes });

const folder = (path: string, pages: number, bytes?: number): Entry => ({
  name: path,
  path,
  entries: Array.from({ length: pages }, (_, n) => page(`${path}/${n}`, bytes)),
});

const drafts = (entries: Entry[]): Draft[] =>
  entries.map((one) => draftOf(one, drafts(one.entries ?? [])));

/** The paths at the top of each batch, and how many items it has in all. */
const shapeOf = (batches: Draft[][]) =>
  batches.map((batch) => [
    batch.map(({ entry }) => entry.path),
    batch.reduce((sum, { items }) => sum + items, 0),
  ]);

describe('what goes into one batch', () => {
  test('is at most 1,000 items, folders with all that is in them', () => {
    const entries = [folder('a', 600), folder('b', 399), folder('c', 398), page('d')];
    const shape = [
      [['a'], 601],
      [['b', 'c', 'd'], 800],
    ];
    expect(shapeOf(batchesOf(drafts(entries)))).toEqual(shape);
    expect(shapeOf(batchesOf(drafts([folder('a', 999)])))).toEqual([[['a'], 1000]]);
  });

  test('is less than 2 MiB', () => {
    const entries = [page('a', MIB), page('b', MIB), page('c', MIB / 2), page('d', 1000)];
    const shape = [
      [['a'], 1],
      [['b', 'c', 'd'], 3],
    ];
    expect(shapeOf(batchesOf(drafts(entries)))).toEqual(shape);
  });

  test('is a folder alone where the folder is too large, and what is in it later', () => {
    const [batch] = batchesOf(
      drafts([page('a'), folder('b', 1000), folder('c', 3, MIB), page('d')]),
    );
    expect(shapeOf([batch as Draft[]])).toEqual([[['a', 'b', 'c', 'd'], 4]]);
    expect(batch?.map(({ later }) => later.length)).toEqual([0, 1000, 3, 0]);
  });
});

test('a message names the file instead of a place in the body', () => {
  const batch = drafts([page('a'), folder('b', 2)]);
  const message = 'items[1].children[0].name must be 1 to 32 characters';
  expect(withPath(message, batch)).toBe('b/0: name must be 1 to 32 characters');
  expect(withPath('items[0] is too deep', batch)).toBe('a: is too deep');
  expect(withPath('parent not found', batch)).toBe('parent not found');
});
