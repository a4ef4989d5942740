import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { aFolder, filesIn } from '../support/folders.js';
import {
  aSyncedPlace,
  aTarget,
  exported,
  importTo,
  keyed,
  useMarkdown,
} from '../support/markdown.js';
import { everyItem } from '../support/tree.js';

// Pages that have no key, and the front matter of a page that has one.
const at = useMarkdown();

const copyOf = (id: string | undefined, body: object = {}) =>
  ok<ItemBody>(at.ada.post(`/collections/${id}/duplicate`, body));

const idsIn = async (query: string) => everyItem(await theTree(at.ada, query)).map(({ id }) => id);

describe('exporting a copied page', () => {
  test('leaves the key to the original, and the rest of the front matter as it is', async () => {
    const text = '---\r\n# of a page\r\nkey: "first" # day\r\ntags: [a,  b]\r\n---\r\nText\r\n';
    const { query, sync, exportAs } = await aSyncedPlace(at);
    await sync(await aFolder({ 'guides/a.md': text, 'guides/b.md': 'B\n' }));
    const [guides] = await theTree(at.ada, query);
    const { id } = await copyOf(guides?.id);
    await ok(at.ada.put(`/collections/${id}`, { name: 'guides (copy)' }));
    const root = await exportAs('docs');
    const withoutLine = text.replace('key: "first" # day\r\n', '');
    expect(await filesIn(root)).toEqual({
      'guides/a.md': text,
      'guides/b.md': 'B\n',
      'guides (copy)/a.md': withoutLine,
      'guides (copy)/b.md': 'B\n',
    });
    const before = await idsIn(query);
    expect(await sync(root, { prune: true })).toEqual([3, 0, 0, 3, 0]);
    expect(await idsIn(query)).toEqual(expect.arrayContaining(before));
    await rm(join(root, 'guides (copy)'), { recursive: true });
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 3, 3]);
  });

  test('with numbers for all siblings keeps the collections, and their keys', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const files = { 'alpha/a.md': 'A\n', 'beta/sub/b.md': 'B\n', empty: null, 'intro.md': 'I\n' };
    await sync(await aFolder(files));
    const before = await idsIn(query);
    const tree = await theTree(at.ada, query);
    const [alpha, beta, , intro] = tree;
    await copyOf(intro?.id);
    const note = { name: 'A note', object: 'item', parent: alpha?.id };
    await anItem(at.ada, query, note);
    await ok(at.ada.put(`/collections/${beta?.children?.[0]?.id}`, { name: 'What? A/B' }));
    const root = await exportAs('docs');
    expect(Object.keys(await filesIn(root)).sort()).toEqual([
      '01-alpha/A note.md',
      '01-alpha/a.md',
      '02-beta/What- A-B/b.md',
      '03-empty',
      '04-intro.md',
      '05-intro.md',
    ]);
    await rm(join(root, '05-intro.md'));
    await rm(join(root, '01-alpha/A note.md'));
    for (const dryRun of [true, false]) {
      const [created, , moved, , pruned] = await sync(root, { prune: true, dryRun });
      expect({ created, moved, pruned }).toEqual({ created: 0, moved: 0, pruned: 0 });
    }
    expect(await idsIn(query)).toEqual(expect.arrayContaining(before));
    const [, { children = [] } = {}] = await theTree(at.ada, query);
    expect(children.map(({ name }) => name)).toEqual(['What? A/B']);
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, before.length, 0]);
  });

  test('leaves the key to the first of two copies, where the original is deleted', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    await sync(await aFolder({ 'a.md': keyed('first'), 'z.md': 'Z\n' }));
    const [original] = await theTree(at.ada, query);
    for (const name of ['copy 1', 'copy 2']) {
      const { id } = await copyOf(original?.id);
      await ok(at.ada.put(`/collections/${id}`, { name }));
      await ok(at.ada.post(`/collections/reorder${query}`, { id, index: 9 }));
    }
    await ok(at.ada.delete(`/collections/${original?.id}`));
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({
      '01-z.md': '---\nkey: docs:z.md\n---\nZ\n',
      '02-copy 1.md': keyed('first'),
      '03-copy 2.md': '---\n---\nText\n',
    });
    expect(await sync(root, { prune: true })).toEqual([2, 1, 0, 0, 0]);
  });

  test('gives a copy in the place of its original, which was moved, a key of its own', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    await sync(
      await aFolder({ 'archive/x.md': 'X\n', 'guides/a.md': 'A\n', 'guides/b.md': 'B\n' }),
    );
    const [archive, guides] = await theTree(at.ada, query);
    const [a] = guides?.children ?? [];
    const copy = await copyOf(a?.id);
    await ok(at.ada.put(`/collections/${a?.id}`, { parent: archive?.id as string }));
    await ok(at.ada.put(`/collections/${copy.id}`, { name: 'a' }));
    await ok(at.ada.post(`/collections/reorder${query}`, { id: copy.id, index: 0 }));
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({
      'archive/01-x.md': expect.stringContaining('key: docs:archive/x.md\n'),
      'archive/02-a.md': '---\nkey: docs:guides/a.md\n---\nA\n',
      'guides/a.md': expect.stringMatching(/^---\nkey: docs:[\da-f]{16}\n---\nA\n$/),
      'guides/b.md': 'B\n',
    });
    expect(await filesIn(await exportAs('docs'))).toEqual(await filesIn(root));
    const before = await idsIn(query);
    const [created, , , , pruned] = await sync(root, { prune: true });
    expect([created, pruned]).toEqual([1, 0]);
    expect(await idsIn(query)).toEqual(expect.arrayContaining(before));
  });

  test('keeps no key that an item or a folder of the export has', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const pages = { a: 'crm:1', b: 'docs:x', c: 'crm:2', d: 'docs:plain.md', e: 'free' };
    await anItem(at.ada, query, { name: 'x', key: 'crm:1' });
    const json = { object: 'item', content: { type: 'doc' } } as const;
    await anItem(at.ada, query, { name: 'y', key: 'crm:2', ...json });
    for (const [name, key] of Object.entries(pages)) {
      const content = { markdown: '', frontMatter: { key } };
      await anItem(at.ada, query, { name, object: 'item', content });
    }
    await anItem(at.ada, query, { name: 'plain', object: 'item', content: { markdown: 'P' } });
    const root = await exportAs('docs');
    const { '08-plain.md': plain, ...files } = await filesIn(root);
    expect(files).toMatchObject({
      '03-a.md': '---\n---\n',
      '04-b.md': '---\nkey: docs:x\n---\n',
      '05-c.md': '---\n---\n',
      '06-d.md': '---\nkey: docs:plain.md\n---\n',
      '07-e.md': '---\nkey: free\n---\n',
    });
    expect(plain).toBe('P');
    await sync(root);
  });

  test('keeps no key that a sync gives to a folder', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const content = { markdown: 'A\n', frontMatter: { key: 'docs:x' } };
    await anItem(at.ada, query, { name: 'a', object: 'item', content });
    await anItem(at.ada, query, { name: 'x' });
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({ 'a.md': '---\n---\nA\n', x: null });
    await sync(root);
  });
});

describe('exporting a page with a key', () => {
  test('names the key where its text begins with front matter that names another', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const content = { markdown: keyed('other'), frontMatter: {} };
    await anItem(at.ada, query, { name: 'a', object: 'item', key: 'docs:a.md', content });
    const second = { ...content, source: { frontMatter: '' } };
    await anItem(at.ada, query, { name: 'b', object: 'item', key: 'docs:b.md', content: second });
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({ 'a.md': keyed('docs:a.md'), 'b.md': keyed('docs:b.md') });
    expect(await sync(root, { prune: true })).toEqual([0, 2, 0, 0, 0]);
  });
});

describe('importing and exporting pages that name keys', () => {
  test('gives the same files, if they name different keys', async () => {
    const files = {
      // Moved in turn, and each of them is still known by its key.
      'a.md': keyed('docs:b.md'),
      'b.md': keyed('docs:a.md'),
      'c.md': keyed('docs:c.md'),
      'd/e.md': keyed('7'),
      'd/f.md': keyed('""'),
      'd/g.md': keyed('../../../a.md'),
    };
    const { target } = await aTarget(at);
    await importTo(target(), await aFolder(files));
    expect(await exported(target())).toEqual(files);
  });
});
