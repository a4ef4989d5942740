import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { aFolder, filesIn } from '../support/folders.js';
import {
  aSyncedPlace,
  aTarget,
  exported,
  importTo,
  outline,
  useMarkdown,
} from '../support/markdown.js';
import { runs } from '../support/runs.js';

const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

const at = useMarkdown();

const NASTY = [
  ...['What? A/B: 100%', 'end.', 'end ', ' begin', '.hidden', '..', '...', 'con', 'con.md', 'CON'],
  ...['01-x', '2026-01 news', '1.', 'node_modules', 'notes.md', 'a.mdx', '\u200b', '???', '~', '-'],
  ...[
    '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '🇨🇭',
    'é',
    'a\nb',
    'a\u2028b',
    'a\\b',
    'true',
    '"q"',
    "it's: #1",
    'x'.repeat(32),
  ],
  ...['😀'.repeat(32), '?'.repeat(32), 'Untitled', '_x', 'a  b', 'A', 'a', '\ufeffx', '- a', '{}'],
];

/** Titles that are longer than a name, most of them longer than a file's name can be. */
const LONG = [
  ...['How to do all of it: a guide? / 100%', 'x'.repeat(255), 'y'.repeat(247), 'y'.repeat(242)],
  ...[
    '😀'.repeat(255),
    `${'é'.repeat(254)}.`,
    `${'a '.repeat(127)} `,
    '👩‍👩‍👧'.repeat(51),
    '?'.repeat(255),
  ],
  ...[`con${' '.repeat(251)}x`, `${'z'.repeat(254)}a`, `${'z'.repeat(254)}b`, '\u0007'.repeat(255)],
  ...[`${'Ab'.repeat(120)}A`, `${'Ab'.repeat(120)}a`, '각'.repeat(255), `.${' .'.repeat(120)}x`],
  `q${'\u0307'.repeat(254)}`,
];

const titlesOf = (items: readonly ItemBody[]): string[] => items.map(({ meta }) => meta.title);

describe('titles that no file name can have', () => {
  test(`survive an export and an import, and an export and a sync (seed ${SEED})`, async () => {
    const name = fc
      .oneof(
        fc.constantFrom(...NASTY, ...LONG),
        fc.string({ unit: 'grapheme', minLength: 33, maxLength: 255 }),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom(...'.-_ 01ab/:?\u00e9'), minLength: 1, maxLength: 6 }),
      )
      .filter(
        (text) =>
          !/\0|^[\p{White_Space}\uFEFF]*$/u.test(text) &&
          text === text.normalize() &&
          [...text].length <= 255,
      );
    const lists = fc.array(name, { minLength: 1, maxLength: 12 });
    const check = async (titles: string[]) => {
      const { query, target } = await aTarget(at);
      for (const title of titles) {
        const { id } = await anItem(at.ada, query, { title });
        await anItem(at.ada, query, { title, object: 'item', parent: id });
        await anItem(at.ada, query, { title, object: 'item' });
      }
      const tree = await theTree(at.ada, query);
      const files = await exported(target());
      for (const name of Object.keys(files).flatMap((path) => path.split('/')))
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      const folder = await aFolder(files);
      const isPage = ({ object }: ItemBody) => object === 'item';
      const again = await aTarget(at);
      await importTo(again.target(), folder);
      const imported = await theTree(at.ada, again.query);
      expect(titlesOf(imported.filter(isPage))).toEqual(titles);
      expect(imported.flatMap(({ children = [] }) => titlesOf(children))).toEqual(titles);

      const synced = await aSyncedPlace(at);
      await synced.sync(folder);
      const copies = await theTree(at.ada, synced.query);
      // A folder's name does not carry all of it: somebody repairs it in the workspace.
      for (const [n, { id }] of copies.entries()) {
        await ok(at.ada.put(`/collections/${id}`, { title: tree[n]?.meta.title }));
      }
      const before = await theTree(at.ada, synced.query);
      expect(outline(before)).toEqual(outline(tree));
      const count = 3 * titles.length;
      const [created, , moved, , pruned] = await synced.sync(await synced.exportAs('docs'));
      expect([created, moved, pruned]).toEqual([0, 0, 0]);
      expect(outline(await theTree(at.ada, synced.query))).toEqual(outline(tree));
      for (const dryRun of [true, false]) {
        const root = await synced.exportAs('docs');
        expect(await synced.sync(root, { prune: true, dryRun })).toEqual([0, 0, 0, count, 0]);
      }
    };
    await check([...NASTY, ...LONG]);
    await fc.assert(fc.asyncProperty(lists, check), { numRuns: runs(5, 200), seed: SEED });
  }, 600_000);

  test('stand in the front matter, whatever the file is called; an edit of the title there is one of the page', async () => {
    const { query, target } = await aTarget(at);
    await anItem(at.ada, query, { name: 'What? A/B: 100%', object: 'item' });
    const content = { markdown: 'Text\n', frontMatter: { tags: [] } };
    await anItem(at.ada, query, { name: 'a/b', object: 'item', content });
    await anItem(at.ada, query, { name: 'plain', object: 'item', content });
    const files = await exported(target());
    expect(files).toEqual({
      '01-What- A-B- 100%.md': '---\ntitle: "What? A/B: 100%"\n---\n',
      '02-a-b.md': '---\ntitle: a/b\ntags: []\n---\nText\n',
      '03-plain.md': '---\ntags: []\n---\nText\n',
    });
    const { query: other, sync } = await aSyncedPlace(at);
    const root = await aFolder(files);
    await sync(root);
    await writeFile(join(root, '02-a-b.md'), '---\ntitle: a:b\n---\nText\n');
    await rename(join(root, '01-What- A-B- 100%.md'), join(root, '01-Why.md'));
    await sync(root, { prune: true });
    const titles = ['What? A/B: 100%', 'a:b', 'plain'];
    expect(outline(await theTree(at.ada, other))).toEqual(titles);
    await writeFile(join(root, '01-Why.md'), '');
    await rename(join(root, '03-plain.md'), join(root, '03-simple.md'));
    await sync(root, { prune: true });
    expect(outline(await theTree(at.ada, other))).toEqual(['Why', 'a:b', 'simple']);
  });

  test('the title of the front matter is that of the page, and follows it; what is no title stays', async () => {
    const own = '---\ntitle: Getting started # for all\n---\nText\n';
    const long = `---\ntitle: ${'x'.repeat(256)}\n---\n`;
    const files = { 'intro.md': own, 'long.md': long, 'number.md': '---\ntitle: 7\n---\n' };
    const { query, sync, exportAs } = await aSyncedPlace(at);
    await sync(await aFolder(files));
    const [intro, , number] = await theTree(at.ada, query);
    expect(outline(await theTree(at.ada, query))).toEqual(['Getting started', 'long', 'number']);
    expect(await filesIn(await exportAs('docs'))).toEqual(files);
    await ok(at.ada.put(`/collections/${intro?.id}`, { name: 'A/B' }));
    await ok(at.ada.put(`/collections/${number?.id}`, { name: 'C/D' }));
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({
      '01-intro.md': '---\nkey: docs:intro.md\ntitle: A/B\n---\nText\n',
      '02-long.md': `---\nkey: docs:long.md\n${long.slice(4)}`,
      '03-C-D.md': '---\nkey: docs:number.md\ntitle: 7\n---\n',
    });
    expect(await sync(root, { prune: true })).toEqual([0, 3, 0, 0, 0]);
    expect(await sync(await exportAs('docs'))).toEqual([0, 0, 0, 3, 0]);
    expect(outline(await theTree(at.ada, query))).toEqual(['A/B', 'long', 'C/D']);
  });

  test('a title that has carried the name follows it', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const titled = (title: string) => `---\ntitle: ${title} # kept?\ntags: [a]\n---\nText\n`;
    await sync(await aFolder({ 'A-B.md': titled('A/B'), 'C-D.md': titled('C/D') }));
    const [one, two] = await theTree(at.ada, query);
    await ok(at.ada.put(`/collections/${one?.id}`, { name: 'A-B' }));
    await ok(at.ada.put(`/collections/${two?.id}`, { name: 'E: F' }));
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({
      'A-B.md': '---\ntitle: A-B\ntags: [a]\n---\nText\n',
      'E- F.md': '---\nkey: docs:C-D.md\ntitle: "E: F"\ntags: [a]\n---\nText\n',
    });
    await sync(root, { prune: true });
    expect(outline(await theTree(at.ada, query))).toEqual(['A-B', 'E: F']);
  });

  test('an import finds the collection of a folder that an export has written', async () => {
    const { query, target } = await aTarget(at);
    for (const name of ['A/B', 'A:C']) await anItem(at.ada, query, { name });
    const files = await exported(target());
    expect(files).toEqual({ 'A-B': null, 'A-C': null });
    const plan = await importTo(target(), await aFolder({ ...files, 'A-C/d/e.md': 'E\n' }));
    expect(plan).toMatchObject({ pages: 1, collections: 1 });
    expect(outline(await theTree(at.ada, query))).toEqual([
      ['A/B', []],
      ['A:C', [['d', ['e']]]],
    ]);
  });

  test('a page whose front matter has no room for a title is exported as it is', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const long = `---\na: ${'x'.repeat(16 * 1024 - 12)}\n---\n`;
    await sync(await aFolder({ 'A-B.md': long }));
    const [page] = await theTree(at.ada, query);
    await ok(at.ada.put(`/collections/${page?.id}`, { name: 'A/B' }));
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({ 'A-B.md': long });
    expect(await sync(root)).toEqual([0, 0, 0, 1, 0]);
  });
});

describe('names with accents', () => {
  const NFC = 'Stra\u00dfe/\u00c9t\u00e9.md';
  const NFD = NFC.normalize('NFD');
  const both = { [NFC]: 'A\n', 'b.md': 'B\n' };
  const apart = { [NFD]: 'A\n', 'b.md': 'B\n' };

  const contentsIn = async (query: string) => {
    const tree = await ok<{ children?: { content: { source: { path: string } } }[] }[]>(
      at.ada.get(`/collections${query}&include=content`),
    );
    return tree.flatMap(({ children = [] }) => children.map(({ content }) => content.source.path));
  };

  test('are one, whether the folder comes from a Mac or from Linux', async () => {
    for (const [first, second] of [
      [both, apart],
      [apart, both],
    ] as const) {
      const { query, target } = await aTarget(at);
      await importTo(target(), await aFolder(first));
      expect(await contentsIn(query)).toEqual([NFC]);
      const plan = await importTo(target(), await aFolder(second));
      expect(plan).toMatchObject({ pages: 0, collections: 0, present: 2, different: [] });
      expect(await exported(target())).toEqual(both);

      const { query: other, sync } = await aSyncedPlace(at);
      await sync(await aFolder(first));
      for (const dryRun of [true, false]) {
        expect(await sync(await aFolder(second), { prune: true, dryRun })).toEqual([0, 0, 0, 3, 0]);
      }
      expect(outline(await theTree(at.ada, other))).toEqual(['b', ['Straße', ['Été']]]);
    }
  });

  test('a workspace that was synced or imported from a Mac before keeps its items and keys', async () => {
    const { query, sync, exportAs } = await aSyncedPlace(at);
    const folder = 'E\u0301te\u0301';
    const content = { markdown: 'A\n', frontMatter: {}, source: { path: `${folder}/u\u0308.md` } };
    const { id } = await anItem(at.ada, query, { name: folder, key: `docs:${folder}` });
    const key = `docs:${folder}/u\u0308.md`;
    const page = { name: 'u\u0308', object: 'item', key, parent: id, content } as const;
    const { id: pageId } = await anItem(at.ada, query, page);
    const empty = await anItem(at.ada, query, { name: 'a\u0308', key: 'docs:a\u0308' });
    const root = await aFolder({ '\u00e4': null, '\u00c9t\u00e9/\u00fc.md': 'A\n' });
    // The page's path is composed then.
    for (const dryRun of [true, false]) {
      expect(await sync(root, { prune: true, dryRun })).toEqual([0, 1, 1, 1, 0]);
    }
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 3, 0]);
    const tree = await theTree(at.ada, query);
    expect([tree[0]?.id, tree[1]?.id, tree[1]?.children?.[0]?.id]).toEqual([empty.id, id, pageId]);
    expect(tree[1]?.children?.[0]?.key).toBe(key);
    expect((await sync(await exportAs('docs'), { prune: true }))[4]).toBe(0);
    expect(await sync(await exportAs('docs'), { prune: true })).toEqual([0, 0, 0, 3, 0]);
    await ok(at.ada.put(`/collections/${pageId}`, { name: 'A/u\u0308' }));
    expect((await sync(await exportAs('docs'), { prune: true }))[4]).toBe(0);
    expect(await sync(await exportAs('docs'), { prune: true })).toEqual([0, 0, 0, 3, 0]);
    const { name } = await ok<{ name: string }>(at.ada.get(`/collections/${pageId}`));
    expect(name).toBe('A/u\u0308');
  });

  test('an import finds what was imported from a Mac before', async () => {
    const { query, target } = await aTarget(at);
    const long = `${'e\u0301'.repeat(40)}.md`;
    const name = `${[...long].slice(0, 31).join('')}…`;
    const content = { markdown: 'A\n', frontMatter: {}, source: { path: long } };
    await anItem(at.ada, query, { name, object: 'item', content });
    await anItem(at.ada, query, { name: 'a\u0308' });
    const files = { [long.normalize()]: 'A\n', '\u00e4': null };
    const plan = await importTo(target(), await aFolder(files));
    expect(plan).toMatchObject({ pages: 0, collections: 0, present: 1, different: [] });
    expect(Object.keys(await exported(target())).sort()).toEqual([
      `01-${long.normalize()}`,
      '02-\u00e4',
    ]);
  });

  test('of two files or folders whose names differ in nothing else, both are named and nothing is imported', async () => {
    const { query, target } = await aTarget(at);
    const { sync } = await aSyncedPlace(at);
    const files = { 'x/e\u0301.md': '', 'x/\u00e9.md': '', 'o\u0308/a.md': '', '\u00f6/b.md': '' };
    const root = await aFolder(files);
    const problems = [
      expect.stringMatching(
        /^(o\u0308|\u00f6) has the name of (o\u0308|\u00f6) in another Unicode/,
      ),
      expect.stringMatching(/^x\/.*\.md has the name of x\/.*\.md in another Unicode/),
    ];
    await expect(importTo(target(), root)).rejects.toMatchObject({ problems });
    await expect(sync(root)).rejects.toMatchObject({ problems });
    expect(await theTree(at.ada, query)).toEqual([]);
  });

  test('a key that the front matter names with accents apart is that of no other file', async () => {
    const { query, sync } = await aSyncedPlace(at);
    const files = { 'a.md': '---\nkey: docs:u\u0308.md\n---\n', '\u00fc.md': 'U\n' };
    await sync(await aFolder({ 'a.md': files['a.md'] }));
    expect(await sync(await aFolder(files), { prune: true })).toEqual([1, 0, 0, 1, 0]);
    expect(outline(await theTree(at.ada, query))).toEqual(['a', 'ü']);
  });
});
