import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NoResponseError, RateLimitError } from 'teamspaces-client';
import { importFolder } from 'teamspaces-markdown';
import { theTree } from '../support/builders.js';
import { type Fate, startFlakyProxy } from '../support/flaky-proxy.js';
import { aFolder, type Files } from '../support/folders.js';
import {
  aSyncedPlace,
  aTarget,
  exported,
  importTo,
  keyed,
  outline,
  useMarkdown,
} from '../support/markdown.js';
import { everyItem } from '../support/tree.js';

// Folders of Markdown that one request does not hold, and connections that break.
const at = useMarkdown();

describe('importing a folder', () => {
  test('takes more pages, and larger ones, than one request holds', async () => {
    const files: Files = { 'z/last.md': 'z' };
    for (let n = 0; n < 1100; n++) files[`many/${String(n).padStart(4, '0')}.md`] = `${n}`;
    for (let n = 0; n < 5; n++) files[`large/${n}.md`] = `${n}`.repeat(900_000);
    const { query, target } = await aTarget(at);
    const told: number[][] = [];
    const { client, ...place } = target();
    await importFolder(client, {
      ...{ ...place, folder: await aFolder(files) },
      onProgress: (...numbers) => told.push(numbers),
    });
    expect(told).toEqual(told.map(([done]) => [done, 1109]));
    expect(told.at(-1)).toEqual([1109, 1109]);
    expect(told.length).toBeLessThan(8);
    expect((await theTree(at.ada, query)).map(({ name }) => name)).toEqual(['large', 'many', 'z']);
    expect(await exported(target())).toEqual(files);
  });
});

describe('syncing a folder', () => {
  test('a tree that no manifest holds, and one with more than 2 MiB: moves between the parts are moves', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1300 }, (_, n) => [`f${n % 13}/p${n}.md`, `Page ${n}\n`]),
    );
    for (let n = 0; n < 5; n++) files[`large/${n}.md`] = `${n}`.repeat(600_000);
    // In the last of the manifests that the folder `large` is spread over.
    Object.assign(files, { 'large/z/a.md': 'A', 'large/z/b.md': 'B' });
    files['f0/keyed.md'] = keyed('keyed');
    const root = await aFolder(files);
    const { query, sync, changed } = await aSyncedPlace(at);
    expect(await sync(root)).toEqual([1308 + 15, 0, 0, 0, 0]);
    await changed();
    await changed();
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 1323, 0]);
    expect(await changed()).toEqual([]);
    await rename(join(root, 'f0/keyed.md'), join(root, 'f12/keyed.md'));
    await rm(join(root, 'f5'), { recursive: true });
    await rm(join(root, 'large/z/a.md'));
    const [, updated, moved, , pruned] = await sync(root, { prune: true });
    expect([updated, moved, pruned]).toEqual([1, 1, 102]);
    const tree = await theTree(at.ada, query);
    expect(tree.map(({ name }) => name)).not.toContain('f5');
  });
});

test('an import over a bad line doubles and loses nothing', async () => {
  const files: Files = {};
  for (let n = 0; n < 60; n++) files[`${n % 7}-part/${n % 3}-chapter/${n}-page.md`] = `# ${n}`;
  const root = await aFolder(files);
  const { query, target } = await aTarget(at);
  const fates: Fate[] = [
    'lost',
    'response lost',
    'response lost',
    'put off',
    'well',
    'well',
    'well',
  ];
  const fateOf = () => fates[Math.floor(Math.random() * fates.length)] as Fate;
  const proxy = await startFlakyProxy(at.url, fateOf);
  try {
    for (let isDone = false; !isDone; ) {
      isDone = await importTo(target(proxy.url), root).then(
        () => true,
        (error: unknown) => {
          expect([NoResponseError, RateLimitError]).toContain((error as Error).constructor);
          return false;
        },
      );
    }
  } finally {
    await proxy.stop();
  }
  const pages = everyItem(await theTree(at.ada, query)).filter(({ object }) => object === 'item');
  expect(pages).toHaveLength(60);
  expect(await exported(target())).toEqual(files);
});

test('a lost response is requested again, and nothing is created twice', async () => {
  const root = await aFolder({ 'a/1.md': '1', 'a/2.md': '2', 'b/c/3.md': '3', d: null });
  const { query, target } = await aTarget(at);
  let requests = 0;
  const proxy = await startFlakyProxy(at.url, () =>
    ++requests % 2 === 1 ? 'response lost' : 'well',
  );
  try {
    const plan = await importTo(target(proxy.url), root);
    expect(plan).toMatchObject({ pages: 3, collections: 4 });
  } finally {
    await proxy.stop();
  }
  const names = [
    ['a', ['1', '2']],
    ['b', [['c', ['3']]]],
    ['d', []],
  ];
  expect(outline(await theTree(at.ada, query))).toEqual(names);
});
