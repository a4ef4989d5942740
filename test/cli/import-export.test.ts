import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { exportWorkspace } from '../../src/cli/markdown/exporter.js';
import { readFolder } from '../../src/cli/markdown/folder.js';
import { Importer } from '../../src/cli/markdown/importer.js';
import { TargetFolder } from '../../src/cli/markdown/target-folder.js';
import { NoAnswerError, WorkspaceClient } from '../../src/cli/markdown/workspace-client.js';
import {
  type Caller,
  type Person,
  somebody,
  startService,
  type TestService,
  tokenOf,
} from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { type Fate, startFlakyProxy } from '../support/flaky-proxy.js';
import { aFolder, type Files, filesIn, removeFolders } from '../support/folders.js';
import { assertInvariants } from '../support/invariants.js';
import { sql } from '../support/sql.js';
import { everyItem } from '../support/tree.js';

const NIGHTLY = process.env.NIGHTLY === '1';
const SEED = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));

let service: TestService;
let person: Person;
let ada: Caller;
let team: string;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MINUTE: '0', PLAN_LIMITS: '{"free":{"pages":9}}' });
  person = somebody();
  ada = service.as(person);
  team = await aTeam(ada);
  await sql(service.databaseUrl, `UPDATE teams SET plan = 'enterprise' WHERE slug = $1`, [team]);
});
afterEach(async () => {
  await removeFolders();
  await assertInvariants(service.databaseUrl);
});
afterAll(() => service.stop());

/** A new workspace, and a client of it that may go through a proxy. */
async function aTarget(teamSlug = team) {
  const workspace = await aWorkspace(ada, teamSlug);
  const client = (url = service.url) =>
    new WorkspaceClient(url, tokenOf(person), teamSlug, workspace.slug, 1);
  return { ...workspace, client };
}

/** Imports a folder; answers what was created, and the folders that are in another order. */
async function importFolder(root: string, client: WorkspaceClient) {
  const { entries, leftOut, problems } = await readFolder(root);
  const created: string[] = [];
  const importer = new Importer(
    client,
    root,
    entries,
    { created: (path) => created.push(path), waiting: () => undefined },
    1,
  );
  const plan = await importer.plan();
  return { plan, ...(await importer.run()), created, leftOut, problems };
}

/** Exports a workspace to a new folder; answers what is in it. */
async function exported(client: WorkspaceClient): Promise<Files> {
  const folder = join(await aFolder(), 'out');
  await exportWorkspace(client, folder);
  return filesIn(folder);
}

/** The names of a tree, nested as it is. */
const outline = (items: readonly ItemBody[]): unknown[] =>
  items.map(({ name, children }) => (children ? [name, outline(children)] : name));

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
    const { query, client } = await aTarget();
    const { plan, outOfOrder } = await importFolder(root, client());
    expect(plan).toEqual({ pages: 9, collections: 2, present: 0, different: [] });
    expect(outOfOrder).toEqual([]);
    expect(outline(await theTree(ada, query))).toEqual([
      'first',
      ['second', ['a2', 'a10', 'b', ['deeper', ['Third']]]],
      'last',
      '2026-01-31-news',
      'about',
      'v2.0',
    ]);
  });

  test('keeps the text and its front matter in content', async () => {
    const front = '---\ntitle: Hello # a comment\ntags: [a, b]\nsize: 12345678901234567890\n---\n';
    const root = await aFolder({ 'a/hello.md': `${front}# Hello\r\n`, 'plain.md': '---\nno: [' });
    const { query, client } = await aTarget();
    await importFolder(root, client());
    const [a, plain] = await ok<{ content: object; children: { content: object }[] }[]>(
      ada.get(`/collections${query}&include=content`),
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

  test('leaves out what is no Markdown, and says so', async () => {
    const root = await aFolder({
      'a.md': 'a',
      'images/logo.svg': '<svg/>',
      'data.json': '{}',
      '.hidden/b.md': 'b',
      'node_modules/c/readme.md': 'c',
    });
    const { query, client } = await aTarget();
    const { leftOut } = await importFolder(root, client());
    expect(leftOut).toEqual(['data.json', 'images/logo.svg']);
    expect(outline(await theTree(ada, query))).toEqual(['a']);
  });

  test('names the files that no page can hold, before anything is imported', async () => {
    const root = await aFolder({
      'nul.md': 'a\0b',
      'big.md': '"'.repeat(600_000),
      'ok.md': '\\u0000',
    });
    const latin1 = await aFolder();
    await writeFile(join(latin1, 'latin1.md'), Buffer.from([0xe9]));
    expect((await readFolder(root)).problems).toEqual([
      'big.md is too large: a page holds at most 1 MiB of JSON',
      'nul.md holds a NUL character, which no page can',
    ]);
    expect((await readFolder(latin1)).problems).toEqual(['latin1.md is not text in UTF-8']);
  });

  test('creates nothing where the plan has no room for all of it', async () => {
    const small = await aTeam(ada);
    const { query, client } = await aTarget(small);
    const root = await aFolder(
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.md`, ''])),
    );
    await expect(importFolder(root, client())).rejects.toThrow(
      "The team's plan has room for 9 more pages, and 10 are to be imported.",
    );
    expect(await theTree(ada, query)).toEqual([]);
  });

  test('says which file the service refuses', async () => {
    const { query, client } = await aTarget();
    const parts = Array.from({ length: 130 }, (_, n) => `d${n}`);
    const root = await aFolder({ [`${parts.join('/')}/deep.md`]: '' });
    await expect(importFolder(root, client())).rejects.toThrow(/^d0\/.*d128: .*128/);
    expect(everyItem(await theTree(ada, query))).toHaveLength(128);
  });
});

describe('importing again', () => {
  const FILES: Files = { 'a/1-one.md': '1', 'a/2-two.md': '2', 'b/c/three.md': '3', d: null };

  test('creates nothing', async () => {
    const root = await aFolder(FILES);
    const { query, client } = await aTarget();
    await importFolder(root, client());
    const before = await theTree(ada, query);
    const { plan, created } = await importFolder(root, client());
    expect(plan).toEqual({ pages: 0, collections: 0, present: 3, different: [] });
    expect(created).toEqual([]);
    expect(await theTree(ada, query)).toEqual(before);
  });

  test('puts new files where they belong', async () => {
    const root = await aFolder({ '1.md': '', '3.md': '', '5.md': '' });
    const { query, client } = await aTarget();
    await importFolder(root, client());
    await anItem(ada, query, { name: 'by hand', object: 'item' });
    const more = await aFolder({
      ...(await filesIn(root)),
      '0.md': '',
      '2.md': '',
      '4/x.md': '',
      '6.md': '',
    });
    const { created, outOfOrder } = await importFolder(more, client());
    expect(created.sort()).toEqual(['0.md', '2.md', '4', '4/x.md', '6.md']);
    expect(outOfOrder).toEqual([]);
    const names = ['0', '1', '2', '3', ['4', ['x']], '5', 'by hand', '6'];
    expect(outline(await theTree(ada, query))).toEqual(names);
  });

  test('finds pages that were renamed or moved, and leaves them there', async () => {
    const root = await aFolder(FILES);
    const { query, client } = await aTarget();
    await importFolder(root, client());
    const [a, b] = await theTree(ada, query);
    const [one, two] = a?.children ?? [];
    await ok(ada.put(`/collections/${one?.id}`, { name: 'renamed', parent: b?.id as string }));
    await ok(ada.put(`/collections/${two?.id}`, { parent: null }));
    await ok(ada.delete(`/collections/${a?.id}`));
    const { created } = await importFolder(root, client());
    expect(created).toEqual([]);
    const names = [['b', [['c', ['three']], 'renamed']], ['d', []], 'two'];
    expect(outline(await theTree(ada, query))).toEqual(names);
  });

  test('says where somebody has put things in another order', async () => {
    const root = await aFolder(FILES);
    const { query, client } = await aTarget();
    await importFolder(root, client());
    const [a] = await theTree(ada, query);
    const id = a?.children?.[1]?.id;
    await ok(ada.post(`/collections/reorder${query}`, { id, index: 0 }));
    expect((await importFolder(root, client())).outOfOrder).toEqual(['a']);
  });
});

test('an import over a bad line doubles and loses nothing', async () => {
  const files: Files = {};
  for (let n = 0; n < 60; n++) files[`${n % 7}-part/${n % 3}-chapter/${n}-page.md`] = `# ${n}`;
  const root = await aFolder(files);
  const { query, client } = await aTarget();
  const fates: Fate[] = ['lost', 'answer lost', 'answer lost', 'put off', 'well', 'well', 'well'];
  const fateOf = () => fates[Math.floor(Math.random() * fates.length)] as Fate;
  const proxy = await startFlakyProxy(service.url, fateOf);
  try {
    for (let isDone = false; !isDone; ) {
      isDone = await importFolder(root, client(proxy.url)).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(NoAnswerError);
          return false;
        },
      );
    }
  } finally {
    await proxy.stop();
  }
  const pages = everyItem(await theTree(ada, query)).filter(({ object }) => object === 'item');
  expect(pages).toHaveLength(60);
  expect(await exported(client())).toEqual(files);
});

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
    };
    const { client } = await aTarget();
    await importFolder(await aFolder(files), client());
    expect(await exported(client())).toEqual(files);
  });

  test(`any folder of Markdown comes back as it was (seed ${SEED})`, async () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'A', '1-a', '01-b', '2. c', '10_d', 'intro', '-', '0', 'é'),
      fc.stringMatching(/^[a-z0-9][a-zA-Z0-9 _.()-]{0,40}[a-z0-9]$/),
    );
    const line = fc.constantFrom(
      '---',
      'title: x',
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
        const { client } = await aTarget();
        const root = await aFolder(files);
        const { outOfOrder } = await importFolder(root, client());
        expect(outOfOrder).toEqual([]);
        expect(await exported(client())).toEqual(files);
        await rm(root, { recursive: true });
      }),
      { numRuns: NIGHTLY ? 500 : 20, seed: SEED },
    );
  }, 600_000);

  test('numbers what stands in another order than its names, so that it can be imported again', async () => {
    const { query, client } = await aTarget();
    await importFolder(await aFolder({ 'a/x.md': 'x', '2-b.md': 'b', 'c.md': 'c' }), client());
    const [b] = await theTree(ada, query);
    await ok(ada.post(`/collections/reorder${query}`, { id: b?.id, index: 2 }));
    await anItem(ada, query, { name: 'c', object: 'item' });
    const files = { '01-a/x.md': 'x', '02-c.md': 'c', '03-b.md': 'b', '04-c.md': '' };
    expect(await exported(client())).toEqual(files);
    const again = await aTarget();
    await importFolder(await aFolder(files), again.client());
    expect(outline(await theTree(ada, again.query))).toEqual([['a', ['x']], 'c', 'b', 'c']);
  });

  test('never leaves the folder, whatever the names', async () => {
    const { query, client } = await aTarget();
    const evil = ['../../evil', '..', '.hidden', 'a/b', 'CON', '/etc', 'a\\b', '\u202e\t.', '~'];
    for (const name of evil) {
      await anItem(ada, query, {
        name,
        object: 'item',
        content: { markdown: name, frontMatter: {}, source: { path: `../${name}` } },
      });
      const { id } = await anItem(ada, query, { name });
      await anItem(ada, query, { name: 'in', object: 'item', parent: id });
    }
    const files = Object.entries(await exported(client()));
    expect(files).toHaveLength(2 * evil.length);
    expect(files.map(([, text]) => text).filter((text) => text !== '')).toEqual(evil);
    for (const [path] of files) expect(path).toMatch(/^\d\d-[^/\\]+(\/in)?\.md$/);
  });

  test('writes front matter that was changed, and pages that are no Markdown', async () => {
    const { query, client } = await aTarget();
    await importFolder(await aFolder({ 'a.md': '---\nt: 1 # one\n---\na' }), client());
    const [a] = await theTree(ada, query);
    const { content } = await ok<{ content: object }>(ada.get(`/collections/${a?.id}`));
    await ok(ada.put(`/collections/${a?.id}`, { content: { ...content, frontMatter: { t: 2 } } }));
    await anItem(ada, query, { name: 'b', object: 'item', content: { type: 'doc' } });
    expect(await exported(client())).toEqual({
      'a.md': '---\nt: 2\n---\na',
      'b.json': '{\n  "type": "doc"\n}\n',
    });
  });

  test('needs force for a folder that holds something, and leaves the rest of it alone', async () => {
    const { query, client } = await aTarget();
    await anItem(ada, query, { name: 'a', object: 'item', content: { markdown: 'new' } });
    const folder = await aFolder({ 'a.md': 'old', 'other.txt': 'mine' });
    await expect(exportWorkspace(client(), folder)).rejects.toThrow(/is not empty.*--force/);
    expect(await filesIn(folder)).toEqual({ 'a.md': 'old', 'other.txt': 'mine' });
    await exportWorkspace(client(), folder, { force: true });
    expect(await filesIn(folder)).toEqual({ 'a.md': 'new', 'other.txt': 'mine' });
  });

  test('writes nothing where not all of it can be written', async () => {
    const { query, client } = await aTarget();
    await anItem(ada, query, { name: 'a', object: 'item' });
    await anItem(ada, query, { name: 'b', object: 'item' });
    const folder = await aFolder({ 'b.md/in/the/way.txt': 'mine' });
    const refused = exportWorkspace(client(), folder, { force: true });
    await expect(refused).rejects.toThrow(/^b\.md is to be a file/);
    expect(await filesIn(folder)).toEqual({ 'b.md/in/the/way.txt': 'mine' });
  });

  test('loses nothing where the disk takes two names for one', async () => {
    const root = await aFolder();
    const target = await TargetFolder.open(join(root, 'out'));
    await target.put('1', 'one');
    await target.put('2', 'two');
    const files = [
      { path: 'a.md', page: '1' },
      { path: 'a.md', page: '2' },
    ];
    await expect(target.finish(files)).rejects.toThrow(/^a\.md has the name of another/);
    await target.close();
    expect(await filesIn(root)).toEqual({});
  });
});
