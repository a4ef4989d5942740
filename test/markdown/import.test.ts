import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importFolder, type UnsuitableFilesError } from 'teamspaces-markdown';
import { aTeam, ok, theTree } from '../support/builders.js';
import { aFolder, type Files } from '../support/folders.js';
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
  }, 120_000);

  test('leaves out what is no Markdown, and says so', async () => {
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
