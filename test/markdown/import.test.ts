import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type UnsuitableFilesError } from 'teamspaces-markdown';
import { batchesOf, type Draft, draftOf, withPath } from '../../clients/markdown/src/batches.js';
import type { Entry } from '../../clients/markdown/src/folder.js';
import { anItem, aTeam, ok, theTree } from '../support/builders.js';
import { aFolder, type Files, filesIn } from '../support/folders.js';
import { aTarget, exported, importTo, outline, useMarkdown } from '../support/markdown.js';
import { aMember } from '../support/members.js';

const at = useMarkdown();

describe('importing a folder', () => {
  test('makes folders collections and files pages, by number and name', async () => {
    const root = await aFolder({
      '10-last.md': '',
      '2-second/b.md': '',
      '2-second/a10.md': '',
      '2-second/a2.md': '',
      '2-second/deeper/03. Third.md': '',
      '01-first.md': '',
      'about.MD': '',
      '2026-01-31-news.md': '',
      'v2.0.md': '',
    });
    const { query, target } = await aTarget(at);
    expect(await importTo(target(), root)).toEqual({
      ...{ pages: 9, collections: 2, present: 0 },
      ...{ leftOut: [], different: [], outOfOrder: [], duplicates: [] },
    });
    expect(outline(await theTree(at.ada, query))).toEqual([
      'first',
      ['second', ['a2', 'a10', 'b', ['deeper', ['Third']]]],
      'last',
      '2026-01-31-news',
      'about',
      'v2.0',
    ]);
  });

  test('front matter that is longer than 16 KiB, or names a key twice, stays text', async () => {
    const at16KiB = (size: number) => `---\na: ${'x'.repeat(size - 12)}\n---\n`;
    const files = {
      'fits.md': at16KiB(16 * 1024),
      'long.md': at16KiB(16 * 1024 + 1),
      'twice.md': '---\na:\n  b: 1\n  b: 2\n---\n',
    };
    const { query, target } = await aTarget(at);
    await importTo(target(), await aFolder(files));
    const pages = await ok<{ content: object }[]>(
      at.ada.get(`/collections${query}&include=content`),
    );
    expect(pages.map(({ content }) => content)).toEqual([
      {
        markdown: '',
        frontMatter: { a: 'x'.repeat(16 * 1024 - 12) },
        source: { path: 'fits.md', frontMatter: files['fits.md'] },
      },
      { markdown: files['long.md'], frontMatter: {}, source: { path: 'long.md' } },
      { markdown: files['twice.md'], frontMatter: {}, source: { path: 'twice.md' } },
    ]);
  });

  test('keeps the text and its front matter in content', async () => {
    const front = '---\ntitle: Hello # a comment\ntags: [a, b]\nsize: 12345678901234567890\n---\n';
    const root = await aFolder({ 'a/hello.md': `${front}# Hello\r\n`, 'plain.md': '---\nno: [' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const [a, plain] = await ok<{ content: object; children: { content: object }[] }[]>(
      at.ada.get(`/collections${query}&include=content`),
    );
    expect(a?.children[0]?.content).toEqual({
      markdown: '# Hello\r\n',
      frontMatter: { title: 'Hello', tags: ['a', 'b'], size: '12345678901234567890' },
      source: { path: 'a/hello.md', frontMatter: front },
    });
    expect(plain?.content).toEqual({
      markdown: '---\nno: [',
      frontMatter: {},
      source: { path: 'plain.md' },
    });
  });

  test('a byte order mark is not in the text, and is exported again', async () => {
    const front = '\uFEFF---\na: 1\n---\n';
    const files = {
      'front.md': `${front}Text`,
      'list.md': '\uFEFF---\n- a\n---\n',
      'plain.md': '\uFEFFText',
    };
    const { query, target } = await aTarget(at);
    await importTo(target(), await aFolder(files));
    const pages = await ok<{ content: object }[]>(
      at.ada.get(`/collections${query}&include=content`),
    );
    expect(pages.map(({ content }) => content)).toEqual([
      { markdown: 'Text', frontMatter: { a: 1 }, source: { path: 'front.md', frontMatter: front } },
      {
        markdown: '---\n- a\n---\n',
        frontMatter: {},
        source: { path: 'list.md', frontMatter: '\uFEFF' },
      },
      { markdown: 'Text', frontMatter: {}, source: { path: 'plain.md', frontMatter: '\uFEFF' } },
    ]);
    expect(await exported(target())).toEqual(files);
  });

  test('a page that was stored with a byte order mark in its text equals its file', async () => {
    const { query, target } = await aTarget(at);
    const content = { markdown: '\uFEFFText', frontMatter: {}, source: { path: 'a.md' } };
    await anItem(at.ada, query, { name: 'a', object: 'item', content });
    const files = { 'a.md': '\uFEFFText' };
    expect(await exported(target())).toEqual(files);
    const plan = await importTo(target(), await aFolder(files));
    expect(plan).toMatchObject({ pages: 0, present: 1, different: [] });
  });

  test('skips files that are not Markdown, and says so', async () => {
    const root = await aFolder({
      'a.md': 'a',
      'images/logo.svg': '<svg/>',
      'data.json': '{}',
      '.hidden/b.md': 'b',
      'node_modules/c/readme.md': 'c',
    });
    const { query, target } = await aTarget(at);
    const { leftOut } = await importTo(target(), root);
    expect(leftOut).toEqual(['data.json', 'images/logo.svg']);
    expect(outline(await theTree(at.ada, query))).toEqual(['a']);
  });

  test('names the files that no page can hold, before anything is imported', async () => {
    const { query, target } = await aTarget(at);
    const problemsOf = (folder: string) =>
      importTo(target(), folder).catch((error: UnsuitableFilesError) => error.problems);
    const root = await aFolder({
      'nul.md': 'a\0b',
      'big.md': '"'.repeat(600_000),
      'ok.md': '\\u0000',
    });
    const latin1 = await aFolder();
    await writeFile(join(latin1, 'latin1.md'), Buffer.from([0xe9]));
    expect(await problemsOf(root)).toEqual([
      'big.md is too large: a page holds at most 1 MiB of JSON',
      'nul.md holds a NUL character, which no page can',
    ]);
    expect(await problemsOf(latin1)).toEqual(['latin1.md is not text in UTF-8']);
    expect(await theTree(at.ada, query)).toEqual([]);
  });

  test('creates nothing where the plan has no room for all of it', async () => {
    const small = await aTeam(at.ada);
    const { query, target } = await aTarget(at, small);
    const root = await aFolder(
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.md`, ''])),
    );
    await expect(importTo(target(), root)).rejects.toThrow(
      "The team's plan has room for 9 more pages, and 10 are to be imported.",
    );
    expect(await theTree(at.ada, query)).toEqual([]);
  });

  test('creates nothing where the token gives no right to', async () => {
    const { path, target } = await aTarget(at);
    const { person } = await aMember(at, at.team, 'guest');
    await ok(at.ada.post(`${path}/members`, [{ email: person.email, role: 'reader' }]));
    const root = await aFolder({ 'a.md': '' });
    await expect(importTo(target(undefined, person), root)).rejects.toThrow(/read-only access/);
  });

  test('says which file the service refuses', async () => {
    const { query, target } = await aTarget(at);
    const parts = Array.from({ length: 130 }, (_, n) => `d${n}`);
    const root = await aFolder({ [`${parts.join('/')}/deep.md`]: '' });
    await expect(importTo(target(), root)).rejects.toThrow(/^d0\/.*d128: is too deep: .*128/);
    expect(await theTree(at.ada, query)).toEqual([]);
  });
});

describe('importing again', () => {
  const FILES: Files = { 'a/1-one.md': '1', 'a/2-two.md': '2', 'b/c/three.md': '3', d: null };

  test('creates nothing', async () => {
    const root = await aFolder(FILES);
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const before = await theTree(at.ada, query);
    const plan = await importTo(target(), root);
    expect(plan).toMatchObject({ pages: 0, collections: 0, present: 3, different: [] });
    expect(await theTree(at.ada, query)).toEqual(before);
  });

  test('puts new files where they belong', async () => {
    const root = await aFolder({ '1.md': '', '3.md': '', '5.md': '' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    await anItem(at.ada, query, { name: 'by hand', object: 'item' });
    const more = await aFolder({
      ...(await filesIn(root)),
      '0.md': '',
      '2.md': '',
      '4/x.md': '',
      '6.md': '',
    });
    const plan = await importTo(target(), more);
    expect(plan).toMatchObject({ pages: 4, collections: 1, outOfOrder: [] });
    const names = ['0', '1', '2', '3', ['4', ['x']], '5', 'by hand', '6'];
    expect(outline(await theTree(at.ada, query))).toEqual(names);
  });

  test('puts new files last where somebody has moved others', async () => {
    const root = await aFolder({ '1.md': '', '3.md': '', '5.md': '', '7.md': '' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const [one] = await theTree(at.ada, query);
    await ok(at.ada.post(`/collections/reorder${query}`, { id: one?.id, index: 9 }));
    const more = await aFolder({ ...(await filesIn(root)), '2.md': '', '4.md': '', '8.md': '' });
    const plan = await importTo(target(), more);
    expect(plan).toMatchObject({ pages: 3, outOfOrder: ['.'] });
    const names = ['3', '5', '7', '1', '2', '4', '8'];
    expect(outline(await theTree(at.ada, query))).toEqual(names);
  });

  test('keeps folders of one name apart, whichever is new', async () => {
    const root = await aFolder({ '1-intro/one.md': '', '2-intro/two.md': '' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const more = await aFolder({ ...(await filesIn(root)), '0-intro/zero.md': '' });
    await importTo(target(), more);
    const intros = ['zero', 'one', 'two'].map((page) => ['intro', [page]]);
    expect(outline(await theTree(at.ada, query))).toEqual(intros);
    expect(await exported(target())).toEqual(await filesIn(more));
  });

  test('fills the collection that has the pages of a folder, whatever it is called now', async () => {
    const root = await aFolder({ 'guide/a.md': '', 'guide/b.md': '' });
    const { query, target } = await aTarget(at);
    const before = await anItem(at.ada, query, { name: 'Handbook' });
    await importTo(target(), root);
    const [, guide] = await theTree(at.ada, query);
    const [a] = guide?.children ?? [];
    await ok(at.ada.put(`/collections/${a?.id}`, { parent: before.id }));
    await ok(at.ada.put(`/collections/${guide?.id}`, { name: 'How-to' }));
    const more = await aFolder({ ...(await filesIn(root)), 'guide/c.md': '', 'guide/d.md': '' });
    await importTo(target(), more);
    // Both have one page of the folder: the first one gets what is new, and has most then.
    const names = [
      ['Handbook', ['a', 'c', 'd']],
      ['How-to', ['b']],
    ];
    expect(outline(await theTree(at.ada, query))).toEqual(names);
  });

  test('does not take a collection that somebody has moved a part of the folder into', async () => {
    const root = await aFolder({ 'guide/a.md': '', 'guide/deep/x.md': '', 'guide/deep/y.md': '' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const archive = await anItem(at.ada, query, { name: 'Archive' });
    const [guide] = await theTree(at.ada, query);
    const deep = guide?.children?.find(({ name }) => name === 'deep');
    await ok(at.ada.put(`/collections/${deep?.id}`, { parent: archive.id }));
    await importTo(target(), await aFolder({ ...(await filesIn(root)), 'guide/b.md': '' }));
    const names = [
      ['guide', ['a', 'b']],
      ['Archive', [['deep', ['x', 'y']]]],
    ];
    expect(outline(await theTree(at.ada, query))).toEqual(names);
  });

  test('leaves what it added last where it is, whatever is moved then', async () => {
    const root = await aFolder({ '1.md': '', '3.md': '', '4.md': '' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const [, , four] = await theTree(at.ada, query);
    const [, three] = await theTree(at.ada, query);
    await ok(at.ada.post(`/collections/reorder${query}`, { id: four?.id, index: 0 }));
    await ok(at.ada.post(`/collections/reorder${query}`, { id: three?.id, index: 1 }));
    const more = await aFolder({ ...(await filesIn(root)), '2.md': '' });
    await importTo(target(), more);
    await importTo(target(), more);
    const before = await theTree(at.ada, query);
    expect(outline(before)).toEqual(['4', '3', '1', '2']);
    await importTo(target(), more);
    expect(await theTree(at.ada, query)).toEqual(before);
    await ok(at.ada.post(`/collections/reorder${query}`, { id: four?.id, index: 1 }));
    await importTo(target(), more);
    expect(outline(await theTree(at.ada, query))).toEqual(['3', '4', '1', '2']);
  });

  test('changes no page, and names the files whose content differs', async () => {
    const root = await aFolder({ 'a.md': 'old', 'b.md': '---\nn: 0.1\nd: 2026-01-31\n---\nb' });
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const changed = await aFolder({ ...(await filesIn(root)), 'a.md': 'new' });
    const plan = await importTo(target(), changed);
    expect(plan).toMatchObject({ pages: 0, present: 2, different: ['a.md'] });
    expect((await exported(target()))['a.md']).toBe('old');
    expect(await theTree(at.ada, query)).toHaveLength(2);
  });

  test('says which files are more than one page', async () => {
    const { query, target } = await aTarget(at);
    const root = await aFolder({ 'a.md': '' });
    await importTo(target(), root);
    const content = { markdown: '', frontMatter: {}, source: { path: 'a.md' } };
    await anItem(at.ada, query, { name: 'copy', object: 'item', content });
    expect((await importTo(target(), root)).duplicates).toEqual(['a.md']);
  });

  test('finds each of many pages', async () => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`all/${n}.md`, '']));
    const root = await aFolder({ ...files, 'all/more/x.md': 'x' });
    const { target } = await aTarget(at);
    await importTo(target(), root);
    const plan = await importTo(target(), root);
    expect(plan).toMatchObject({ pages: 0, collections: 0, present: 121 });
    expect(await exported(target())).toEqual(await filesIn(root));
  });

  test('finds pages that were renamed or moved, and leaves them there', async () => {
    const root = await aFolder(FILES);
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const [a, b] = await theTree(at.ada, query);
    const [one, two] = a?.children ?? [];
    await ok(at.ada.put(`/collections/${one?.id}`, { name: 'renamed', parent: b?.id as string }));
    await ok(at.ada.put(`/collections/${two?.id}`, { parent: null }));
    await ok(at.ada.delete(`/collections/${a?.id}`));
    const plan = await importTo(target(), root);
    expect(plan).toMatchObject({ pages: 0, collections: 0 });
    const names = [['b', [['c', ['three']], 'renamed']], ['d', []], 'two'];
    expect(outline(await theTree(at.ada, query))).toEqual(names);
  });

  test('says where somebody has put things in another order', async () => {
    const root = await aFolder(FILES);
    const { query, target } = await aTarget(at);
    await importTo(target(), root);
    const [a] = await theTree(at.ada, query);
    const id = a?.children?.[1]?.id;
    await ok(at.ada.post(`/collections/reorder${query}`, { id, index: 0 }));
    expect((await importTo(target(), root)).outOfOrder).toEqual(['a']);
  });
});

const MIB = 1024 * 1024;

const page = (path: string, bytes = 100): Entry => ({ title: path, path, bytes });

const folder = (path: string, pages: number, bytes?: number): Entry => ({
  title: path,
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
