import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SECRET, startService, type TestService } from '../support/app.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';
import { install } from '../support/packages.js';
import { blocksOf } from './markdown.js';

const run = promisify(execFile);
const README = 'clients/cli/README.md';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = await aFolder({ 'package.json': '{"private":true}' });
  await install('teamspaces-client', 'clients/typescript', folder);
  await install('teamspaces-markdown', 'clients/markdown', folder);
  await install('teamspaces', 'clients/cli', folder);
}, 240_000);
afterAll(async () => {
  await removeFolders();
  await service.stop();
});

/** Runs lines of bash in the folder, as somebody who has installed the package. */
async function bash(lines: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    // Without the package in the folder, npx would ask a registry.
    npm_config_offline: 'true',
  };
  const script = `set -euo pipefail\n${lines}`;
  return (await run('bash', ['-c', script], { cwd: folder, env })).stdout;
}

test('the packed package has a help and a version outside of the repository', async () => {
  const help = await bash('npx teamspaces --help');
  expect(help).toMatch(/^Usage: teamspaces <command> \[options\]/);
  for (const command of ['list', 'show', 'find', 'import', 'export', 'trash', 'token'])
    expect(help).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  expect(help).not.toMatch(/^ {2}(migrate|demo) /m);
  expect(await bash('npx teamspaces --version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  const imported =
    "import('teamspaces/token').then(({ signToken }) => console.log(typeof signToken))";
  expect(await bash(`node -e "${imported}"`)).toBe('function\n');
}, 240_000);

test('the commands of the README run against the packed package', async () => {
  const texts = blocksOf(README)
    .filter(
      ({ language, text }) => language === 'sh' && !/npm (install|pack)|HTTPS_PROXY/.test(text),
    )
    .map(({ text }) =>
      text
        .replace('http://localhost:3000', service.url)
        .replace('the secret of the service', SECRET),
    );
  expect(texts).toHaveLength(4);
  const printed = await bash(texts.join('\n'));
  expect(printed).toMatch(/^You are not a member of a team\.\n/);
  expect(printed).toMatch(/^Imported 2 pages and 1 collection; 0 pages were there already\.$/m);
  expect(printed).toMatch(
    /^\S{36} {2}item +first-day\n\S{36} {2}collection +guides\n\S{36} {2}item +holidays$/m,
  );
  expect(printed).toMatch(/^\S{36} {2}holidays {2}notes +guides$/m);
  expect(printed).toMatch(
    /^\S{36} {2}holidays {2}notes +guides\n {4}holidays Ask \*\*early\*\*\.$/m,
  );
  expect(await filesIn(join(folder, 'notes-again'))).toEqual({
    'first-day.md': 'Welcome!\n',
    'guides/holidays.md': 'Ask early.\n',
  });
  expect(printed.match(/(?:Synced|A sync would make): .*$/gm)).toEqual([
    'Synced: 3 created, 0 updated, 0 moved, 0 unchanged, 0 pruned.',
    'A sync would make: 0 created, 1 updated, 0 moved, 1 unchanged, 1 pruned.',
    'Synced: 0 created, 1 updated, 0 moved, 1 unchanged, 1 pruned.',
  ]);
}, 240_000);
