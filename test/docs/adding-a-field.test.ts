import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshClone } from './clone.js';
import type { Block } from './markdown.js';
import { changesOf, commandsOf, filesWith, outcomeOf, problemsIn, run } from './recipe.js';

const PAGE = 'docs/adding-a-field.md';

/** Without the build that its script begins with: the schema has no part in it. */
const CHECK_SCHEMA = 'node packages/local-postgres/dist/check-schema.js';
const FIELDS = 'npm test -- test/contract/fields';

/** What the last command of the page runs; by day, of the tests those that know the record. */
const CHECKS =
  process.env.NIGHTLY === '1'
    ? ['npm run check:types', 'npm run check:lint', CHECK_SCHEMA, 'npm test']
    : ['npm run check:lint', CHECK_SCHEMA, `${FIELDS} test/api/workspaces/workspaces`];

/** What of FIELDS notices that a place was left out; each test looks at one place. */
const NOTICED: Record<string, string> = {
  '-- prisma/migrations/20261201000000_workspace_icon/migration.sql': 'have columns of their type',
  '// src/workspaces/workspace.wire.ts, in CreateWorkspaceRequest':
    'that are settings are in the request to create it',
  '// src/workspaces/workspace.wire.ts, in UpdateWorkspaceRequest':
    'that are settings are in the request to update it',
  '// src/workspaces/workspace.wire.ts, in WorkspaceResponse': 'that are shown are in its response',
  '// src/openapi/examples.ts': 'that are always shown are in its example',
};

const SCHEMA = '// prisma/schema.prisma';
const fileOf = (place: string): string => `${/\S+\.\w+/.exec(place)}`;

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

const placeOf = ({ text }: Block): string => `${text.split('\n')[0]}`;

/** The files of the page's blocks without these; a file that has no other block is as it was. */
function filesWithout(left: readonly string[]): Map<string, string> {
  const files = filesWith(blocks.filter((block) => !left.includes(placeOf(block))));
  for (const file of left.map(fileOf)) {
    if (!files.has(file) && existsSync(file)) files.set(file, readFileSync(file, 'utf8'));
  }
  return files;
}

test('whoever leaves out one place is told, by the compiler, the check of the schema or a test', async () => {
  const compiled = places
    .map(placeOf)
    .filter((place) => problemsIn(filesWithout([place])).length === 0);
  expect(compiled.sort()).toEqual([SCHEMA, ...Object.keys(NOTICED)].sort());
  write(filesWith(blocks));
  expect((await outcomeOf(CHECK_SCHEMA, folder)).status).toBe(0);
  write(filesWithout([SCHEMA]));
  expect((await outcomeOf(CHECK_SCHEMA, folder)).status).toBe(1);
  const noticing = Object.keys(NOTICED);
  // By day all of them at once, since each test looks at one place.
  const rounds = process.env.NIGHTLY === '1' ? noticing.map((one) => [one]) : [noticing];
  for (const left of rounds) {
    const files = filesWithout(left);
    write(files);
    // A migration is a folder.
    for (const file of left.map(fileOf)) {
      if (!files.has(file)) rmSync(dirname(join(folder, file)), { recursive: true });
    }
    const { output } = await outcomeOf(FIELDS, folder);
    for (const one of left) expect(output).toContain(`✕ ${NOTICED[one]}`);
  }
}, 1_800_000);
