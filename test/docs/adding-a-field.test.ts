import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshClone } from './clone.js';
import type { Block } from './markdown.js';
import { changesOf, commandsOf, filesWith, outcomeOf, problemsIn, run } from './recipe.js';

const PAGE = 'docs/adding-a-field.md';

/** What the last command of the page runs; by day, of the tests those that know the record. */
const CHECKS = [
  'npm run check:types',
  'npm run check:lint',
  'npm run check:schema',
  process.env.NIGHTLY === '1'
    ? 'npm test'
    : 'npm test -- test/contract/fields test/contract/document test/api/workspaces/workspaces',
];

/** What notices that the compiler does not: the generic test of fields, or the check of the schema. */
const noticed = (block: Block): string =>
  block.text.includes('schema.prisma')
    ? 'node packages/local-postgres/dist/check-schema.js'
    : 'npm test -- test/contract/fields';

const blocks = changesOf(PAGE);
const places = blocks.filter(({ text }) => !/^\/\/ test\//.test(text));

let folder: string;
beforeAll(() => {
  folder = freshClone();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

function write(files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

test('who follows the page ends with tests that pass', async () => {
  expect(places.length).toBe(8);
  const files = filesWith(blocks);
  expect(problemsIn(files)).toEqual([]);
  write(files);
  const lines = commandsOf(PAGE);
  expect(lines.at(-1)).toBe('npm run check');
  for (const line of [...lines.slice(0, -1), ...CHECKS]) await run(line, folder);
}, 1_800_000);

test('whoever leaves out a place of the field is told', async () => {
  const unnoticed: string[] = [];
  for (const place of places) {
    const files = filesWith(blocks.filter((block) => block !== place));
    if (problemsIn(files).length > 0) continue;
    const { file = '' } = /^\S+ (?<file>[^\s,]+)/.exec(place.text)?.groups ?? {};
    const without = files.get(file);
    if (without === undefined) rmSync(join(folder, file));
    else write(new Map([[file, without]]));
    const { status } = await outcomeOf(noticed(place), folder);
    if (status === 0) unnoticed.push(`${place.file}:${place.line}`);
    write(filesWith(blocks));
  }
  expect(unnoticed).toEqual([]);
}, 1_800_000);
