import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshClone } from './clone.js';
import { changesOf, commandsOf, filesWith, problemsIn, run } from './recipe.js';

const PAGE = 'docs/adding-an-endpoint.md';

/** What the last command of the page runs; by day, of the tests those that hold every endpoint. */
const CHECKS = [
  'npm run check:types',
  'npm run check:lint',
  'npm run check:boundaries',
  process.env.NIGHTLY === '1' ? 'npm test' : 'npm test -- test/contract test/client test/api/teams',
];

test('the TypeScript of the page compiles in the files that it names', () => {
  const files = filesWith(changesOf(PAGE));
  expect(files.size).toBeGreaterThan(12);
  // The types of the client are generated in the last step.
  const ofService = [...files].filter(([file]) => !file.startsWith('clients/'));
  expect(problemsIn(new Map(ofService))).toEqual([]);
}, 120_000);

test('who follows the page ends with tests that pass', async () => {
  const folder = freshClone();
  try {
    for (const [file, text] of filesWith(changesOf(PAGE))) writeFileSync(join(folder, file), text);
    const lines = commandsOf(PAGE);
    expect(lines.at(-1)).toBe('npm run check');
    for (const line of [...lines.slice(0, -1), ...CHECKS]) await run(line, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}, 1_800_000);
