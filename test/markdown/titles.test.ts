import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { batchesOf, type Draft, draftOf } from '../../clients/markdown/src/batches.js';
import type { Entry } from '../../clients/markdown/src/folder.js';
import {
  type ManifestItem,
  namingOf,
  type Part,
  plansOf,
} from '../../clients/markdown/src/manifests.js';
import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { aFolder, type Files, filesIn } from '../support/folders.js';
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

// Titles are whole, however long the name of a file is.
const at = useMarkdown();

const namings = (items: readonly ItemBody[]): [string, string][] =>
  everyItem(items).map(({ name, meta }) => [name, meta.title]);

/** A name of as many bytes as a disk takes, with its end. */
const longest = (text: string, end: string): string => {
  const room = 255 - Buffer.byteLength(end);
  return text.repeat(Math.floor(room / Buffer.byteLength(text))) + end;
};

/** Some hundreds of files as people name them, and as disks just take them. */
function manyFiles(): Files {
  const files: Files = {
    'How to file an expense report, step by step, with screenshots.md': '# Steps\n',
    [longest('x', '.md')]: 'x',
    [longest('y', '.markdown')]: 'y',
    [longest('😀', '.md')]: 'emoji',
    [longest('👩‍👩‍👧', '.mdx')]: 'families',
    [longest('각', '.md')]: 'Hangul',
    [`q${longest('\u0307', '.md').slice(1)}`]: 'combining marks',
    'Why? "Because": <all> of it | 100% *.md': 'forbidden on Windows',
    'The end of a very long title of a page ends with dots....md': 'dots',
    'The end of a very long title of a page ends with spaces   .md': 'spaces',
    [`07. ${longest('seven ', '.md').slice(4)}`]: 'numbered',
    'con.md': 'reserved',
    'front.md': `---\ntitle: ${'😀'.repeat(255)}\n---\nText\n`,
    'other.md':
      '---\r\ntitle: "A title: of its own, which no file of this name would have"\r\n---\r\n',
  };
  for (let n = 0; n < 300; n++) {
    const folder = `Part ${n % 7}: all that a reader has to know about it, in ${n % 7} chapters`;
    const page = `${n}. Chapter ${n}, in which something happens — and nobody expects it (${n})`;
    files[`${folder}/${n % 3}_${longest('section ', `${n % 3}`)}/${page}.md`] = `# ${n}\n`;
  }
  return files;
}

const titleOf = (path: string): string =>
  (path.split('/').at(-1) as string).replace(/\.(md|mdx|markdown)$/, '').replace(/^\d+[._] */, '');

test('hundreds of files come back byte for byte from an import and a sync, with their whole titles', async () => {
  const files = manyFiles();
  const root = await aFolder(files);
  const { query, target } = await aTarget(at);
  await importTo(target(), root);
  expect(await exported(target())).toEqual(files);
  const imported = await theTree(at.ada, query);
  const pages = everyItem(imported).filter(({ object }) => object === 'item');
  const expected = Object.keys(files).map((path) => {
    if (path === 'front.md') return '😀'.repeat(255);
    return path === 'other.md'
      ? 'A title: of its own, which no file of this name would have'
      : titleOf(path);
  });
  expect(pages.map(({ meta }) => meta.title).sort()).toEqual(expected.sort());
  const folders = everyItem(imported).filter(({ object }) => object === 'collection');
  expect(new Set(folders.map(({ meta }) => meta.title)).size).toBe(10);
  for (const { name, meta } of everyItem(imported)) {
    expect(meta.title.startsWith(name)).toBe(true);
    expect([...name].length).toBeLessThanOrEqual(32);
  }

  const synced = await aSyncedPlace(at);
  const count = everyItem(imported).length;
  expect(await synced.sync(root)).toEqual([count, 0, 0, 0, 0]);
  expect(await filesIn(await synced.exportAs('docs'))).toEqual(files);
  expect(namings(await theTree(at.ada, synced.query))).toEqual(namings(imported));
  await synced.changed();
  for (const dryRun of [true, false]) {
    expect(await synced.sync(root, { prune: true, dryRun })).toEqual([0, 0, 0, count, 0]);
  }
  expect(await synced.changed()).toEqual([]);
});

test('names of a Mac, with accents apart, and of another letter case come back', async () => {
  const title = `${'Ré'.repeat(30)}sumé: ${'é'.repeat(20)}`;
  const files = {
    [`${title}.md`]: 'A\n',
    [`${title}s/${title.toUpperCase()}.md`]: 'B\n',
    [`${title}s/${title}.md`]: 'C\n',
  };
  const apart = Object.entries(files).map(([path, text]) => [path.normalize('NFD'), text] as const);
  const { query, sync, exportAs } = await aSyncedPlace(at);
  const mac = await aFolder(Object.fromEntries(apart));
  expect(await sync(mac)).toEqual([4, 0, 0, 0, 0]);
  expect(await sync(await aFolder(files), { prune: true })).toEqual([0, 0, 0, 4, 0]);
  expect(await filesIn(await exportAs('docs'))).toEqual(files);
  const titles = everyItem(await theTree(at.ada, query)).map(({ meta }) => meta.title);
  expect(titles.sort()).toEqual([title.toUpperCase(), title, title, `${title}s`].sort());
});

test('a title that is longer than the name of a file stands in the front matter, beside a number, too', async () => {
  const { query, target } = await aTarget(at);
  const long = `${'日本'.repeat(127)}語`;
  const twin = `${'日本'.repeat(127)}!`;
  const content = { markdown: 'Text\n', frontMatter: { tags: [] } };
  for (const title of [long, twin, long]) {
    await anItem(at.ada, query, { title, object: 'item', content });
  }
  const files = await exported(target());
  const stem = `${'日本'.repeat(41)}日`;
  expect(files).toEqual({
    [`01-${stem}.md`]: `---\ntitle: ${long}\ntags: []\n---\nText\n`,
    [`02-${stem}.md`]: `---\ntitle: ${twin}\ntags: []\n---\nText\n`,
    [`03-${stem}.md`]: `---\ntitle: ${long}\ntags: []\n---\nText\n`,
  });
  const again = await aTarget(at);
  await importTo(again.target(), await aFolder(files));
  expect(outline(await theTree(at.ada, again.query))).toEqual([long, twin, long]);
  expect(await exported(again.target())).toEqual(files);
});

test('a file whose name is as long as can be gets a number, and keeps its title', async () => {
  const { query, sync, exportAs } = await aSyncedPlace(at);
  const first = longest('a', '.md');
  const folder = longest('b', '');
  await sync(await aFolder({ [first]: 'A\n', [`${folder}/c.md`]: 'C\n' }));
  const before = await theTree(at.ada, query);
  await ok(at.ada.post(`/collections/reorder${query}`, { id: before[0]?.id, index: 1 }));
  const root = await exportAs('docs');
  const files = await filesIn(root);
  expect(Object.keys(files).sort()).toEqual([
    `01-${'b'.repeat(252)}/c.md`,
    `02-${'a'.repeat(249)}.md`,
  ]);
  expect(files[`02-${'a'.repeat(249)}.md`]).toContain(`title: ${'a'.repeat(252)}\n`);
  const [created, , , , pruned] = await sync(root, { prune: true });
  expect([created, pruned]).toEqual([0, 0]);
  expect(outline(await theTree(at.ada, query))).toEqual([[folder, ['c']], 'a'.repeat(252)]);
  expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 3, 0]);
});

test('of an item whose name is not the beginning of its title, the title is exported; a sync leaves the name', async () => {
  const { query, sync, exportAs } = await aSyncedPlace(at);
  const item = { name: 'X', title: 'Something else, which is what people see' };
  await anItem(at.ada, query, { ...item, key: 'docs:x', object: 'collection' });
  const page = { ...item, key: 'docs:y', object: 'item', content: { markdown: '' } } as const;
  await anItem(at.ada, query, page);
  const root = await exportAs('docs');
  expect(await filesIn(root)).toEqual({
    [item.title]: null,
    [`${item.title}.md`]: '---\nkey: docs:y\n---\n',
  });
  await sync(root, { prune: true });
  expect(namings(await theTree(at.ada, query))).toEqual(Array(2).fill(Object.values(item)));
  const { query: other, target } = await aTarget(at);
  await importTo(target(), root);
  const derived = [item.title.slice(0, 32).trimEnd(), item.title];
  expect(namings(await theTree(at.ada, other))).toEqual([derived, derived]);
  await rename(join(root, `${item.title}.md`), join(root, 'The other.md'));
  await sync(root, { prune: true });
  expect(namings(await theTree(at.ada, query))[1]).toEqual(['The other', 'The other']);
});

describe('a workspace that 0.2.0 has made', () => {
  const PAGE = 'A page whose name is longer than 32 characters';
  const FOLDER = 'A folder whose name is longer than 32 characters';
  const cut = (name: string) => `${name.slice(0, 31)}…`;
  const own = '---\ntitle: Getting started with all of it, also with a long title\n---\nText\n';
  const same = `---\ntitle: ${PAGE}s\n---\nText\n`;
  const files = {
    [`${FOLDER}/1. ${PAGE}.md`]: 'Text\n',
    [`${FOLDER}/2. ${PAGE}s.md`]: same,
    [`${FOLDER}/intro.md`]: own,
    [`${FOLDER}s/in/it.md`]: 'It\n',
  };

  /** Creates what 0.2.0 would have made of the files. */
  async function aTree(query: string, withKeys: boolean) {
    const keyOf = (path: string) => withKeys && { key: `docs:${path}` };
    const create = (body: object) => anItem(at.ada, query, body);
    const pageOf = (path: string, markdown: string, frontMatter: object = {}, raw = '') => ({
      ...keyOf(path),
      object: 'item',
      content: { markdown, frontMatter, source: { path, ...(raw && { frontMatter: raw }) } },
    });
    const titled = (path: string, text: string) => {
      const raw = text.slice(0, -'Text\n'.length);
      return pageOf(path, 'Text\n', { title: raw.slice(11, -5) }, raw);
    };
    const folder = await create({ name: cut(FOLDER), ...keyOf(FOLDER) });
    const parent = folder.id;
    const [first = '', second = '', third = ''] = Object.keys(files);
    await create({ name: cut(PAGE), parent, ...pageOf(first, 'Text\n') });
    await create({ name: cut(`${PAGE}s`), parent, ...titled(second, same) });
    await create({ name: 'intro', parent, ...titled(third, own) });
    const outer = await create({ name: cut(`${FOLDER}s`), ...keyOf(`${FOLDER}s`) });
    const inner = await create({ name: 'in', parent: outer.id, ...keyOf(`${FOLDER}s/in`) });
    const path = `${FOLDER}s/in/it.md`;
    await create({ name: 'it', parent: inner.id, ...pageOf(path, 'It\n') });
  }

  const TITLES = [
    [FOLDER, [PAGE, `${PAGE}s`, 'Getting started with all of it, also with a long title']],
    [`${FOLDER}s`, [['in', ['it']]]],
  ];

  test('is exported as the folder was', async () => {
    const { query, target } = await aTarget(at);
    await aTree(query, false);
    expect(await exported(target())).toEqual(files);
    const again = await aTarget(at);
    await importTo(again.target(), await aFolder(files));
    expect(outline(await theTree(at.ada, again.query))).toEqual(TITLES);
  });

  test('gets its titles by the first sync, and is unchanged by the next', async () => {
    const { query, sync } = await aSyncedPlace(at);
    await aTree(query, true);
    const root = await aFolder(files);
    const ids = everyItem(await theTree(at.ada, query)).map(({ id }) => id);
    for (const dryRun of [true, false]) {
      expect(await sync(root, { prune: true, dryRun })).toEqual([0, 5, 0, 2, 0]);
    }
    const tree = await theTree(at.ada, query);
    expect(outline(tree)).toEqual(TITLES);
    expect(everyItem(tree).map(({ id }) => id)).toEqual(ids);
    expect(tree[0]?.name).toBe(FOLDER.slice(0, 32).trimEnd());
    for (const dryRun of [true, false]) {
      expect(await sync(root, { prune: true, dryRun })).toEqual([0, 0, 0, 7, 0]);
    }
  });

  test('gets new files in the collections of their folders, also where these have no pages', async () => {
    const { query, target } = await aTarget(at);
    await anItem(at.ada, query, { name: cut(FOLDER) });
    await anItem(at.ada, query, { name: cut(`${PAGE} and more`) });
    const root = await aFolder({ [`${FOLDER}/new.md`]: '', [`${PAGE} and more`]: null });
    const plan = await importTo(target(), root);
    expect(plan).toMatchObject({ pages: 1, collections: 0 });
  });

  test('whose folder was exported by 0.2.0 is imported as its files are called', async () => {
    const { query, target } = await aTarget(at);
    const old = { [`${cut(FOLDER)}/${cut(PAGE)}.md`]: '' };
    await importTo(target(), await aFolder(old));
    expect(outline(await theTree(at.ada, query))).toEqual([[cut(FOLDER), [cut(PAGE)]]]);
    expect(await exported(target())).toEqual(old);
  });
});

test('a rename by a client that knows no titles is undone by a sync, and exported as the title', async () => {
  const title = 'A title that is longer than a name, and stays so';
  const { query, sync, exportAs } = await aSyncedPlace(at);
  const root = await aFolder({ [`${title}.md`]: keyed('a') });
  await sync(root);
  const [page] = await theTree(at.ada, query);
  await ok(at.ada.put(`/collections/${page?.id}`, { name: 'Short' }));
  expect(await filesIn(await exportAs('docs'))).toEqual({ 'Short.md': keyed('a') });
  expect(await sync(root, { dryRun: true })).toEqual([0, 1, 0, 0, 0]);
  expect(await sync(root)).toEqual([0, 1, 0, 0, 0]);
  expect(await sync(root)).toEqual([0, 0, 0, 1, 0]);
  expect(outline(await theTree(at.ada, query))).toEqual([title]);
});

test('a path that is too long for a key has one still', async () => {
  const folders = Array.from({ length: 3 }, (_, n) => `${n}${'x'.repeat(199)}`).join('/');
  const files = { [`${folders}/a.md`]: 'A\n', [`${folders}/b.md`]: 'B\n' };
  const { query, sync, exportAs } = await aSyncedPlace(at);
  const root = await aFolder(files);
  expect(await sync(root)).toEqual([5, 0, 0, 0, 0]);
  await writeFile(join(root, folders, 'b.md'), 'C\n');
  expect(await sync(root, { prune: true })).toEqual([0, 1, 0, 4, 0]);
  expect(await filesIn(await exportAs('docs'))).toEqual(await filesIn(root));
  const [page] = everyItem(await theTree(at.ada, query)).filter(({ object }) => object === 'item');
  expect(page?.key).toMatch(/^docs:[0-9a-f]{64}$/);
});

describe('requests with long titles', () => {
  const MAX = 2 * 1024 * 1024;
  /** Each character takes six bytes in JSON. */
  const title = '\u0001'.repeat(255);
  const name = '\u0002'.repeat(32);

  const files = (count: number, content: object, more: Partial<Entry> = {}): Entry[] =>
    Array.from({ length: count }, (_, n) => ({
      ...{ title, path: `${n}`, bytes: Buffer.byteLength(JSON.stringify(content)), ...more },
    }));

  const bytesOf = (body: object) => Buffer.byteLength(JSON.stringify(body));

  test('a batch has at most 2 MiB', () => {
    const content = { markdown: 'x'.repeat(600) };
    const batches = batchesOf(files(2000, content).map((entry) => draftOf(entry)));
    const sizes = batches.map((batch: readonly Draft[]) => {
      const items = batch.map(({ entry }) => ({ title: entry.title, object: 'item', content }));
      return bytesOf({ parent: 'x'.repeat(36), index: 1e6, items });
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX);
    expect(sizes[0]).toBeGreaterThan(0.95 * MAX);
  });

  test('a manifest has at most 2 MiB, while pages have their old titles, too', () => {
    const content = { markdown: 'x'.repeat(4000) };
    const keyOf = (path: string) => `${path}${'\u00e9'.repeat(100)}`;
    const old = { name, title };
    for (const more of [{ present: old }, { present: old, title: 'new' }, { title }]) {
      const entries = files(900, content, more);
      const keys = new Map(entries.map(({ path }) => [path, keyOf(path)]));
      const [plan] = plansOf(entries, keys);
      const itemOf = ({ entry, hasContent }: Part): ManifestItem => ({
        ...{ key: keyOf(entry.path), object: 'item' },
        ...(hasContent ? { ...namingOf(entry), content } : (entry.present ?? namingOf(entry))),
      });
      for (const parts of plan?.manifests ?? []) {
        const body = { parent: 'x'.repeat(36), items: parts.map(itemOf), prune: true };
        expect(bytesOf(body)).toBeLessThanOrEqual(MAX);
      }
    }
  });
});
