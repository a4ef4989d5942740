import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LargeFolderError } from 'teamspaces-markdown';
import type { Entry } from '../../clients/markdown/src/folder.js';
import { plansOf } from '../../clients/markdown/src/manifests.js';
import { anItem, ok, theTree } from '../support/builders.js';
import { aFolder, filesIn } from '../support/folders.js';
import { aSyncedPlace, keyed, outline, useMarkdown } from '../support/markdown.js';
import { everyItem } from '../support/tree.js';

const at = useMarkdown();

const aPlace = () => aSyncedPlace(at);

const write = async (root: string, path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

describe('syncing a folder', () => {
  test('makes the workspace equal to it; the second time nothing changes', async () => {
    const root = await aFolder({
      '01-first.md': 'First\n',
      'guides/a.md': 'A\n',
      'guides/b.md': keyed('b'),
      'guides/deep/c.md': 'C\n',
    });
    const { query, sync, changed } = await aPlace();
    await anItem(at.ada, query, { name: 'By hand' });
    expect(await sync(root)).toEqual([6, 0, 0, 0, 0]);
    const tree = await theTree(at.ada, query);
    expect(outline(tree)).toEqual([
      ...['first', ['guides', ['a', 'b', ['deep', ['c']]]]],
      ['By hand', []],
    ]);
    expect(tree[1]?.children?.map(({ key }) => key)).toEqual([
      ...['docs:guides/a.md', 'b', 'docs:guides/deep'],
    ]);
    await changed();
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 6, 0]);
    expect(await changed()).toEqual([]);
  });

  test('an edit is one change, a move with a key too; a move without one is a page that goes and one that comes', async () => {
    const root = await aFolder({
      'x/edit.md': 'Old\n',
      'x/keyed.md': keyed('kept'),
      'x/plain.md': 'Plain\n',
      'x/stays.md': 'Stays\n',
      'y/other.md': 'Other\n',
    });
    const { query, sync, changed } = await aPlace();
    await sync(root);
    await changed();
    await write(root, 'x/edit.md', 'New\n');
    await rename(join(root, 'x/keyed.md'), join(root, 'y/keyed.md'));
    await rename(join(root, 'x/plain.md'), join(root, 'y/plain.md'));
    expect(await sync(root, { prune: true, dryRun: true })).toEqual([1, 2, 1, 4, 1]);
    expect(await changed()).toEqual([]);
    expect(await sync(root, { prune: true })).toEqual([1, 2, 1, 4, 1]);
    const names = await changed();
    expect(names.filter((name) => !/-/.test(name))).toEqual(['edit', 'keyed', 'plain']);
    expect(names).toHaveLength(4);
    expect(outline(await theTree(at.ada, query))).toEqual([
      ['x', ['edit', 'stays']],
      ['y', ['keyed', 'other', 'plain']],
    ]);
    expect(await sync(root, { prune: true, dryRun: true })).toEqual([0, 0, 0, 7, 0]);
  });

  test('takes a byte order mark out of the text; a key stands after it in an export', async () => {
    const root = await aFolder({ 'a.md': '\uFEFFText\n' });
    const { query, sync, exportAs } = await aPlace();
    const stored = { markdown: '\uFEFFText\n', frontMatter: {}, source: { path: 'a.md' } };
    const page = { name: 'a', object: 'item', key: 'docs:a.md', content: stored } as const;
    const { id } = await anItem(at.ada, query, page);
    for (const dryRun of [true, false])
      expect(await sync(root, { dryRun })).toEqual([0, 1, 0, 0, 0]);
    const { content } = await ok<{ content: { markdown: string } }>(
      at.ada.get(`/collections/${id}`),
    );
    expect(content.markdown).toBe('Text\n');
    expect(await sync(root)).toEqual([0, 0, 0, 1, 0]);
    expect(await filesIn(await exportAs('7'))).toEqual({
      'a.md': '\uFEFF---\nkey: docs:a.md\n---\nText\n',
    });
  });

  test('a folder that is renamed keeps the pages that have keys', async () => {
    const root = await aFolder({ 'old/a.md': keyed('a'), 'old/b.md': 'B\n' });
    const { query, sync } = await aPlace();
    await sync(root);
    const [old] = await theTree(at.ada, query);
    await rename(join(root, 'old'), join(root, 'new'));
    for (const dryRun of [true, false]) {
      expect(await sync(root, { prune: true, dryRun })).toEqual([2, 1, 1, 0, 2]);
    }
    const [renamed, ...others] = await theTree(at.ada, query);
    expect(others).toEqual([]);
    expect(renamed?.children?.[0]?.id).toBe(old?.children?.[0]?.id);
  });

  test('what is not in the folder stays without prune, after what is', async () => {
    const root = await aFolder({ 'a.md': 'A\n', 'b.md': 'B\n' });
    const { query, sync } = await aPlace();
    await sync(root);
    await rm(join(root, 'a.md'));
    expect(await sync(root)).toEqual([0, 0, 0, 1, 0]);
    expect(outline(await theTree(at.ada, query))).toEqual(['b', 'a']);
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, 1, 1]);
  });

  test('of a folder that is sent in parts, each page is created and changed once', async () => {
    const large = (n: number, text: string) => keyed(`page-${n}`, text.repeat(600_000));
    const root = await aFolder(
      Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n + 1}.md`, large(n, `${n}`)])),
    );
    const { query, sync, changed } = await aPlace();
    expect(await sync(root)).toEqual([6, 0, 0, 0, 0]);
    const pages = await theTree(at.ada, query);
    const versions = await Promise.all(
      pages.map(({ id }) => ok<unknown[]>(at.ada.get(`/collections/${id}/versions`))),
    );
    expect(versions.flat()).toEqual([]);
    await changed();
    // Renamed; moved and changed; new; renamed by hand.
    await rename(join(root, '5.md'), join(root, '5-five.md'));
    await rm(join(root, '6.md'));
    await write(root, '4-6.md', large(5, 'x'));
    await write(root, '7.md', large(6, '6'));
    await ok(at.ada.put(`/collections/${pages[3]?.id}`, { name: 'By hand' }));
    expect(await sync(root)).toEqual([1, 3, 1, 3, 0]);
    expect(outline(await theTree(at.ada, query))).toEqual(['1', '2', '3', '4', '6', 'five', '7']);
    expect(await changed()).toEqual(['4', '6', '7', 'five']);
    const steps: [number, number][] = [];
    const onProgress = (...step: [number, number]) => steps.push(step);
    expect(await sync(root, { prune: true, onProgress })).toEqual([0, 0, 0, 7, 0]);
    expect(steps).toEqual([1, 2, 3, 4, 5, 6].map((done) => [done, 6]));
    expect(await changed()).toEqual([]);
  });

  test('refuses keys that are no keys, or of two files, and folders without Markdown', async () => {
    const { sync } = await aPlace();
    const root = await aFolder({
      'a.md': keyed('one'),
      'b.md': keyed('one'),
      'c.md': keyed('7'),
      'd.md': keyed('""'),
      'e.md': keyed('😀'.repeat(513)),
      'f.md': keyed('😀'.repeat(512)),
      'g.md': keyed(String.raw`"a\tb"`),
    });
    await expect(sync(root)).rejects.toMatchObject({
      problems: [
        'b.md has the key of a.md',
        'c.md has a key in its front matter that is not text',
        'd.md has a key of no characters',
        'e.md has a key of more than 512 characters',
        'g.md has a key with control characters',
      ],
    });
    await expect(sync(await aFolder({ 'a.txt': '' }))).rejects.toThrow('has no Markdown files');
  });

  test('names the file of a refusal', async () => {
    const { query, sync } = await aPlace();
    await anItem(at.ada, query, { key: 'docs:a/b.md' });
    const root = await aFolder({ 'a/b.md': 'B\n' });
    await expect(sync(root)).rejects.toThrow(
      'a/b.md: object must be collection, which the item is',
    );
  });
});

describe('exporting what was synced', () => {
  test('a sync of the export takes no page for another one, wherever somebody has put it', async () => {
    const plain = '---\r\ntitle: Plain # as it is\r\n---\r\nPlain\r\n';
    const files = {
      ...{ 'x/a.md': 'A\n', 'x/b.md': keyed('b # as it is'), 'x/c.md': plain, 'x/d.md': 'D\n' },
      ...{ 'x/f.md': '---\n{}\n---\nF\n', 'x/g.md': '---\n- a list\n---\n', 'y/e.md': 'E\n' },
    };
    const { query, sync, exportAs } = await aPlace();
    await sync(await aFolder(files));
    expect(await filesIn(await exportAs('docs'))).toEqual(files);
    // All keys by paths would be others.
    expect(await filesIn(await exportAs('7'))).toEqual({
      'x/a.md': '---\nkey: docs:x/a.md\n---\nA\n',
      'x/b.md': files['x/b.md'],
      'x/c.md': plain.replace('title', 'key: docs:x/c.md\r\ntitle'),
      'x/d.md': '---\nkey: docs:x/d.md\n---\nD\n',
      'x/f.md': '---\nkey: docs:x/f.md\n---\nF\n',
      'x/g.md': '---\nkey: docs:x/g.md\n---\n---\n- a list\n---\n',
      'y/e.md': '---\nkey: docs:y/e.md\n---\nE\n',
    });
    const [x, y] = await theTree(at.ada, query);
    const [a, b, c, d] = x?.children ?? [];
    for (const item of [b, c, d]) {
      const place = { id: item?.id, newParent: y?.id, index: 0 };
      await ok(at.ada.post(`/collections/reorder${query}`, place));
    }
    await ok(at.ada.put(`/collections/${a?.id}`, { name: 'Renamed' }));
    await ok(at.ada.put(`/collections/${b?.id}`, { key: '8' }));
    await ok(at.ada.put(`/collections/${d?.id}`, { content: {} }));
    const by = {
      key: 'crm:1',
      object: 'item',
      content: { markdown: '', frontMatter: {} },
    } as const;
    const other = await anItem(at.ada, query, { ...by, name: 'By a program', parent: y?.id });
    const root = await exportAs('docs');
    expect(await filesIn(root)).toEqual({
      'x/01-Renamed.md': '---\nkey: docs:x/a.md\n---\nA\n',
      'x/02-f.md': '---\nkey: docs:x/f.md\n---\nF\n',
      'x/03-g.md': '---\nkey: docs:x/g.md\n---\n---\n- a list\n---\n',
      'y/01-d.md': '---\nkey: docs:x/d.md\n---\n',
      'y/02-c.md': plain.replace('title', 'key: docs:x/c.md\r\ntitle'),
      'y/03-b.md': '---\nkey: "8"\n---\nText\n',
      'y/04-e.md': '---\nkey: docs:y/e.md\n---\nE\n',
      'y/05-By a program.md': '---\nkey: crm:1\n---\n',
    });
    const before = everyItem(await theTree(at.ada, query)).map(({ id }) => id);
    const [created, , , , pruned] = await sync(root, { prune: true });
    expect([created, pruned]).toEqual([0, 0]);
    expect(everyItem(await theTree(at.ada, query)).map(({ id }) => id)).toEqual(before);
    expect(before).toContain(other.id);
    expect(await sync(root, { prune: true })).toEqual([0, 0, 0, before.length, 0]);
  });
});

describe('manifests', () => {
  const fileOf = (path: string, bytes = 10): Entry => ({ title: path, path, bytes });
  const keysOf = (entries: readonly Entry[]): [string, string][] =>
    entries.flatMap(({ path, entries: inside = [] }) => [[path, path], ...keysOf(inside)]);

  test('each names all entries of its list; contents that are too large for one are spread', () => {
    const files = Array.from({ length: 7 }, (_, n) => fileOf(`${n}`, 600_000));
    const [plan, ...others] = plansOf(files, new Map(keysOf(files)));
    expect(others).toEqual([]);
    expect(plan?.manifests).toHaveLength(3);
    const sent = plan?.manifests.map((parts) =>
      parts.flatMap(({ entry, hasContent }) => (hasContent ? [entry.path] : [])),
    );
    expect(sent?.flat()).toEqual(files.map(({ path }) => path));
    for (const parts of plan?.manifests ?? []) expect(parts).toHaveLength(7);
  });

  test('a list of more than 1,000 is refused', () => {
    const files = Array.from({ length: 1001 }, (_, n) => fileOf(`${n}`));
    expect(() => plansOf(files, new Map(keysOf(files)))).toThrow(LargeFolderError);
  });
});
