import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { createClient } from 'teamspaces-client';
import { exportFolder } from 'teamspaces-markdown';
import { TargetFolder } from '../../clients/markdown/src/target-folder.js';
import { anItem, ok, theTree } from '../support/builders.js';
import { aFolder, type Files, filesIn, removeFolders } from '../support/folders.js';
import {
  aTarget,
  exported,
  exportTo,
  importTo,
  outline,
  useMarkdown,
} from '../support/markdown.js';
import { runs } from '../support/runs.js';

const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

const at = useMarkdown();

describe('exporting', () => {
  test('an imported folder gives the same folder', async () => {
    const files: Files = {
      '01-intro.md': '---\r\ntitle: Intro\r\n---\r\nHello\r\n',
      '02-guides/index.md': '\uFEFF---\n{}\n---\nno newline at the end',
      '02-guides/10-a file whose name is longer than a page name can be.md': 'x',
      '02-guides/11-a file whose name is longer than a page name may be.markdown': 'y',
      '03-日本語 😀/é.mdx': '',
      '03-日本語 😀/README.md': '---\n---\n',
      '03-日本語 😀/readme.md': '---\n- a list\n---\n',
      'a folder whose name is longer than a collection name/in/it.md': '---\n---',
      empty: null,
      'notes.md/inside.md': 'a folder that is called like a file',
      'other.md': null,
    };
    const { target } = await aTarget(at);
    await importTo(target(), await aFolder(files));
    expect(await exported(target())).toEqual(files);
  });

  test(`any folder of Markdown comes back as it was (seed ${SEED})`, async () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'A', '1-a', '01-b', '2. c', '10_d', 'intro', '-', '0', 'é'),
      fc.stringMatching(/^[a-z0-9][a-zA-Z0-9 _.()-]{0,40}[a-z0-9]$/),
      fc.stringMatching(/^[a-z0-9][a-zA-Z0-9 _.()-]{200,244}[a-z0-9]$/),
    );
    const line = fc.constantFrom(
      '---',
      'title: x',
      `title: ${'long '.repeat(20)}`,
      '- y',
      '# z',
      '',
      'a: [',
      '  b: 1',
      '\uFEFF',
      '😀',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, eol, ends]) => lines.join(eol) + (ends ? eol : ''));
    const path = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => `${names.join('/')}.md`);
    const folder = fc.dictionary(path, text, { minKeys: 1, maxKeys: 12, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(folder, async (files) => {
        const { target } = await aTarget(at);
        const root = await aFolder(files);
        const { outOfOrder } = await importTo(target(), root);
        expect(outOfOrder).toEqual([]);
        expect(await exported(target())).toEqual(files);
        await rm(root, { recursive: true });
      }),
      { numRuns: runs(10, 500), seed: SEED },
    );
  }, 600_000);

  test('numbers what stands in another order than its names, so that it can be imported again', async () => {
    const { query, target } = await aTarget(at);
    await importTo(target(), await aFolder({ 'a/x.md': 'x', '2-b.md': 'b', 'c.md': 'c' }));
    const [b] = await theTree(at.ada, query);
    await ok(at.ada.post(`/collections/reorder${query}`, { id: b?.id, index: 2 }));
    await anItem(at.ada, query, { name: 'c', object: 'item' });
    const files = { '01-a/x.md': 'x', '02-c.md': 'c', '03-b.md': 'b', '04-c.md': '' };
    expect(await exported(target())).toEqual(files);
    const again = await aTarget(at);
    await importTo(again.target(), await aFolder(files));
    expect(outline(await theTree(at.ada, again.query))).toEqual([['a', ['x']], 'c', 'b', 'c']);
  });

  test('numbers names that differ in letter case only: some disks take them for one', async () => {
    const { query, target } = await aTarget(at);
    for (const name of ['notes', 'Notes']) await anItem(at.ada, query, { name, object: 'item' });
    expect(Object.keys(await exported(target())).sort()).toEqual(['01-notes.md', '02-Notes.md']);
  });

  test('never leaves the folder, whatever the names', async () => {
    const { query, target } = await aTarget(at);
    const evil = ['../../evil', '..', '.hidden', 'a/b', 'CON', '/etc', 'a\\b', '\u202e\t.', '~'];
    for (const name of evil) {
      await anItem(at.ada, query, {
        name,
        object: 'item',
        content: { markdown: name, frontMatter: {}, source: { path: `../${name}` } },
      });
      const { id } = await anItem(at.ada, query, { name });
      await anItem(at.ada, query, { name: 'in', object: 'item', parent: id });
    }
    const files = Object.entries(await exported(target()));
    expect(files).toHaveLength(2 * evil.length);
    const texts = files.map(([, text]) => text?.replace(/^---\n.*\n---\n/, ''));
    expect(texts.filter((text) => text !== '')).toEqual(evil);
    for (const [path] of files) expect(path).toMatch(/^\d\d-[^/\\]+(\/in)?\.md$/);
  });

  test('writes front matter that was changed, and pages that are no Markdown', async () => {
    const { query, target } = await aTarget(at);
    await importTo(target(), await aFolder({ 'a.md': '---\nt: 1 # one\n---\na' }));
    const [a] = await theTree(at.ada, query);
    const { content } = await ok<{ content: object }>(at.ada.get(`/collections/${a?.id}`));
    await ok(
      at.ada.put(`/collections/${a?.id}`, { content: { ...content, frontMatter: { t: 2 } } }),
    );
    await anItem(at.ada, query, { name: 'b', object: 'item', content: { type: 'doc' } });
    expect(await exported(target())).toEqual({
      'a.md': '---\nt: 2\n---\na',
      'b.json': '{\n  "type": "doc"\n}\n',
    });
  });

  test('reads front matter of at most 16 KiB, and keeps the values of a longer one', async () => {
    const { query, target } = await aTarget(at);
    const keys = (count: number) =>
      Array.from({ length: count }, (_, n) => [`key${n}`, n] as const);
    const linesOf = (count: number) =>
      keys(count)
        .map(([key, n]) => `${key}: ${n}\n`)
        .join('');
    const frontMatter = Object.fromEntries(keys(30_000));
    const raw = `---\n${linesOf(30_000)}# a comment\n---\n`;
    const source = { path: 'long.md', frontMatter: raw };
    await anItem(at.ada, query, {
      ...{ name: 'long', object: 'item', content: { markdown: 'text', frontMatter, source } },
    });
    expect(await exported(target())).toEqual({ 'long.md': `---\n${linesOf(30_000)}---\ntext` });
  });

  test('keeps the numbers of pages that are no Markdown', async () => {
    const { query, target } = await aTarget(at);
    const numbers = '{"big":12345678901234567890,"pi":3.14159265358979323846,"zero":-0,"e":1e300}';
    const content = `{"n":${numbers},"text":"12345678901234567890\\",-0","__proto__":{"a":1}}`;
    const page = `{"name":"a","object":"item","content":${content}}`;
    await ok(at.ada.post(`/collections${query}`).type('json').send(page));
    const front = `{"markdown":"","frontMatter":${numbers},"source":{"path":"b.md"}}`;
    const markdownPage = `{"name":"b","object":"item","content":${front}}`;
    await ok(at.ada.post(`/collections${query}`).type('json').send(markdownPage));
    const { 'a.json': a, 'b.json': b, ...others } = await exported(target());
    expect(a?.replace(/\s+/g, '')).toBe(content);
    expect(b?.replace(/\s+/g, '')).toBe(front);
    expect(others).toEqual({});
    const number = '{"name":"c","object":"item","content":{"markdown":12345678901234567890}}';
    await ok(at.ada.post(`/collections${query}`).type('json').send(number));
    const { 'c.json': c } = await exported(target());
    expect(c).toBe('{\n  "markdown": 12345678901234567890\n}\n');
  });

  test('writes what no Markdown file could hold as it is', async () => {
    const { query, target } = await aTarget(at);
    const content = { markdown: 'x', frontMatter: {}, source: { path: 'a.md', url: 'https://…' } };
    await anItem(at.ada, query, { name: 'a', object: 'item', content });
    const files = await exported(target());
    expect(JSON.parse(files['a.json'] as string)).toEqual(content);
  });

  test('numbers collections that an import would leave out', async () => {
    const { query, target } = await aTarget(at);
    const { id } = await anItem(at.ada, query, { name: 'node_modules' });
    await anItem(at.ada, query, { name: 'a', object: 'item', parent: id });
    expect(await exported(target())).toEqual({ '01-node_modules/a.md': '' });
  });

  test('makes folders that everybody may read, and fills an empty one in its place', async () => {
    const { query, target } = await aTarget(at);
    await anItem(at.ada, query, { name: 'a', object: 'item' });
    const folder = await aFolder();
    const before = await stat(folder);
    await exportTo(target(), folder);
    expect((await stat(folder)).ino).toBe(before.ino);
    await exportTo(target(), join(folder, 'deeper', 'new'));
    const { mode } = await stat(join(folder, 'deeper', 'new'));
    expect(mode & 0o777).toBe(0o777 & ~process.umask());
    expect(await filesIn(folder)).toEqual({ 'a.md': '', 'deeper/new/a.md': '' });
  });

  test('leaves nothing behind where it fails', async () => {
    const { target } = await aTarget(at);
    const nowhere = { ...target(), workspace: 'nowhere' };
    const folder = await aFolder();
    await symlink(join(folder, 'gone'), join(folder, 'link'));
    const refused = exportTo(nowhere, join(folder, 'x', 'y', 'z'));
    await expect(refused).rejects.toMatchObject({
      ...{ name: 'WorkspaceNotFoundError', message: expect.stringMatching(/^workspace not found/) },
      ...{ team: at.team, workspace: 'nowhere' },
    });
    await expect(exportTo(nowhere, join(folder, 'link'))).rejects.toThrow(/link to nothing/);
    expect(await readdir(folder)).toEqual(['link']);
  });

  test('needs force for a folder that holds something, and leaves the rest of it alone', async () => {
    const { query, target } = await aTarget(at);
    await anItem(at.ada, query, { name: 'a', object: 'item', content: { markdown: 'new' } });
    const folder = await aFolder({ 'a.md': 'old', 'other.txt': 'mine' });
    await expect(exportTo(target(), folder)).rejects.toThrow(/is not empty.*--force/);
    expect(await filesIn(folder)).toEqual({ 'a.md': 'old', 'other.txt': 'mine' });
    await exportTo(target(), folder, true);
    expect(await filesIn(folder)).toEqual({ 'a.md': 'new', 'other.txt': 'mine' });
  });

  test('writes nothing where not all of it can be written', async () => {
    const { query, target } = await aTarget(at);
    await anItem(at.ada, query, { name: 'a', object: 'item' });
    await anItem(at.ada, query, { name: 'b', object: 'item' });
    const folder = await aFolder({ 'b.md/in/the/way.txt': 'mine' });
    const refused = exportTo(target(), folder, true);
    await expect(refused).rejects.toThrow(/^b\.md is to be a file/);
    expect(await filesIn(folder)).toEqual({ 'b.md/in/the/way.txt': 'mine' });
  });

  test('loses nothing where the disk takes two names for one', async () => {
    const root = await aFolder();
    const target = await TargetFolder.open(join(root, 'out'));
    const [one = '', two = ''] = ['one', 'two'].map((name) => join(target.aside, name));
    for (const file of [one, two]) await writeFile(file, '');
    await target.move(one, join(target.tree, 'a.md'));
    const refused = target.move(two, join(target.tree, 'a.md'));
    await expect(refused).rejects.toThrow(/^a\.md has the name of another/);
    await target.close();
    expect(await filesIn(root)).toEqual({});
  });
});

describe('strange responses', () => {
  // Responses that a proxy in front of the service, or another server, may send.

  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await removeFolders();
  });

  /** The folder above that of the last export. */
  let exportRoot = '';

  /** Exports from a server with these responses; resolves to what is in the folder above then. */
  async function exportFrom(response: RequestListener) {
    const server = createServer(response);
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    stops.push(() => new Promise((closed) => server.close(closed)));
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'token' });
    exportRoot = await aFolder();
    const folder = join(exportRoot, 'in', 'here', 'out');
    await exportFolder(client, { team: 'acme', workspace: 'docs', folder });
    return filesIn(exportRoot);
  }

  const json = (body: unknown): RequestListener => {
    return (_, reply) => {
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    };
  };

  test('an export writes nothing outside its folder, whatever ids a response has', async () => {
    const page = (id: string, name: string, position: string) => ({
      ...{ id, deleted: false },
      item: { id, meta: { title: name }, position, object: 'item', content: { a: 1 } },
    });
    const ids = ['../../../evil', '../tree/x', 'no/folder'];
    const changes = ids.map((id, n) => page(id, 'abc'.charAt(n), `a${n}`));
    const text = '{\n  "a": 1\n}\n';
    expect(await exportFrom(json({ changes, cursor: 'c', more: false }))).toEqual({
      'in/here/out/a.json': text,
      'in/here/out/b.json': text,
      'in/here/out/c.json': text,
    });
  });

  const feed = (...pages: object[][]): RequestListener => {
    let served = 0;
    return (request, reply) => {
      const changes = pages[served++] ?? [];
      const body = { changes, cursor: String(served), more: served < pages.length };
      return json(body)(request, reply as Parameters<RequestListener>[1]);
    };
  };
  const put = (
    id: string,
    { name, ...item }: { name: string; position?: string; parent?: string },
  ) => ({
    ...{ id, deleted: false },
    item: {
      ...{ id, meta: { title: name }, position: 'a', object: 'item', content: { markdown: id } },
      ...item,
    },
  });
  const folder = (id: string, name: string, position = 'a') => ({
    ...{ id, deleted: false },
    item: { id, meta: { title: name }, position, object: 'collection' },
  });
  const gone = (id: string) => ({ id, deleted: true });

  test('an export is the tree of the moment at which the feed ends', async () => {
    const first = [
      ...[folder('A', 'a'), folder('B', 'b', 'b'), folder('C', 'c', 'c')],
      ...[put('1', { name: 'one', parent: 'A' }), put('2', { name: 'two', parent: 'A' })],
      ...[put('3', { name: 'three', parent: 'C' }), put('4', { name: 'four', position: 'd' })],
      put('5', { name: 'five', position: 'e' }),
    ];
    const second = [
      // Moved, and renamed; in a collection that is deleted; deleted, and restored elsewhere.
      ...[put('1', { name: 'uno', parent: 'B' }), gone('3'), gone('C'), gone('4')],
      put('4', { name: 'four', parent: 'A', position: 'Z' }),
    ];
    const third = [
      put('1', { name: 'eins', parent: 'B' }),
      gone('5'),
      put('6', { name: 'z', position: 'f' }),
    ];
    expect(await exportFrom(feed(first, second, third))).toEqual({
      'in/here/out/a/four.md': '4',
      'in/here/out/a/two.md': '2',
      'in/here/out/b/eins.md': '1',
      'in/here/out/z.md': '6',
    });
  });

  test('a long list is sorted, in parts, and its numbers are those of the whole list', async () => {
    const count = 25_000;
    const positions = Array.from({ length: count }, (_, n) =>
      String((n * 7919) % count).padStart(5, '0'),
    );
    const pages = positions.map((position) => put(position, { name: 'Page', position }));
    const files = Object.entries(await exportFrom(feed(pages.slice(0, 9_000), pages.slice(9_000))));
    const expected = Array.from({ length: count }, (_, n) => [
      `in/here/out/${String(n + 1).padStart(5, '0')}-Page.md`,
      String(n).padStart(5, '0'),
    ]);
    expect(files.sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(expected);
  });

  test('a key stands where a sync finds it, also beside front matter that is too long to be read', async () => {
    const keyed = (id: string, frontMatter: object, source: object = {}) => {
      const { deleted, item } = put(id, { name: id, position: id });
      return {
        id,
        deleted,
        item: { ...item, key: 'k', content: { markdown: id, frontMatter, source } },
      };
    };
    const title = 'x'.repeat(16_365);
    const raw = `---\ntitle: ${title}\n---\n`;
    const long = 'y'.repeat(16_384);
    const items = [
      keyed('1', { title }, { frontMatter: raw }),
      keyed('2', { key: 'k', title: long }),
      keyed('3', { key: 'k' }),
      keyed('4', { title }, { frontMatter: `\uFEFF${raw}` }),
    ];
    expect(raw.length).toBe(16_384 - 3);
    expect(await exportFrom(feed(items))).toEqual({
      'in/here/out/1.md': `---\nkey: k\n---\n${raw}1`,
      'in/here/out/2.md': `---\nkey: k\n---\n---\nkey: k\ntitle: ${long}\n---\n2`,
      'in/here/out/3.md': '---\nkey: k\n---\n3',
      'in/here/out/4.md': `\uFEFF---\nkey: k\n---\n${raw}4`,
    });
  });

  test('a path that is too long for the disk fails the export, which leaves nothing behind', async () => {
    const names = Array.from({ length: 128 }, () => 'x'.repeat(32));
    const parent = (n: number) => (n === 0 ? {} : { parent: String(n - 1) });
    const items = names.map((name, n) => {
      const { id, deleted, item } = folder(String(n), name);
      return { id, deleted, item: { ...item, ...parent(n) } };
    });
    await expect(exportFrom(feed(items))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    expect(await filesIn(exportRoot)).toEqual({});
  });

  test('a page to log in is no workspace', async () => {
    const login: RequestListener = (_, reply) => {
      reply.setHeader('content-type', 'text/html').end('<h1>Log in</h1>');
    };
    await expect(exportFrom(login)).rejects.toThrow(
      "the response has status 200 and is not one of the service's",
    );
  });
});
