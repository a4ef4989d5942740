import { cp, readFile, symlink, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ended } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';

afterAll(removeFolders);

const BIN = resolve('bin');

/** A project whose build takes a moment, and spoils `out` where another one runs at the same time. */
async function aProject(build = 'node build.cjs'): Promise<string> {
  const root = await aFolder({
    'package.json': JSON.stringify({ type: 'module', scripts: { 'build:service': build } }),
    'build.cjs': `
      const fs = require('node:fs');
      if (fs.existsSync('busy')) fs.appendFileSync('out', 'spoilt ');
      fs.writeFileSync('busy', '');
      setTimeout(() => {
        fs.appendFileSync('out', 'built ');
        fs.rmSync('busy');
      }, 300);`,
    'src/main.ts': '',
    'src/generated/prisma/client.ts': '',
  });
  await cp('src/development/process-lock.ts', join(root, 'src/development/process-lock.ts'), {
    recursive: true,
  });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  await cp(BIN, join(root, 'bin'), { recursive: true });
  return root;
}

const buildIn = (root: string, ...args: string[]) =>
  ended('node', ['bin/build.js', ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

const built = async (root: string): Promise<string> =>
  (await readFile(join(root, 'out'), 'utf8')).trim();

test('calls at once build once, and later ones not at all', async () => {
  const root = await aProject();
  const ends = await Promise.all([buildIn(root), buildIn(root), buildIn(root)]);
  expect(ends.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(await built(root)).toBe('built');
  await buildIn(root);
  expect(await built(root)).toBe('built');
}, 120_000);

test('a source that is newer builds again', async () => {
  const root = await aProject();
  await buildIn(root);
  const later = new Date(Date.now() + 5_000);
  await utimes(join(root, 'src/main.ts'), later, later);
  await buildIn(root);
  expect(await built(root)).toBe('built built');
}, 120_000);

test('what is generated, and written anew, builds nothing', async () => {
  const root = await aProject();
  await buildIn(root);
  const later = new Date(Date.now() + 5_000);
  await utimes(join(root, 'src/generated/prisma/client.ts'), later, later);
  await utimes(join(root, 'src/generated/prisma'), later, later);
  await buildIn(root);
  expect(await built(root)).toBe('built');
}, 120_000);

test('a build that fails says so, ends with 1, and is tried again', async () => {
  const root = await aProject('node build.cjs && exit 3');
  for (let n = 0; n < 2; n++) {
    const { status, output } = await buildIn(root);
    expect(output).toMatch('The build failed (npm run --silent build:service).');
    expect(status).toBe(1);
  }
  expect(await built(root)).toBe('built built');
}, 120_000);

test('where there are no sources, as in an image, nothing is built', async () => {
  const root = await aFolder({ 'package.json': '{"type":"module"}' });
  await cp(BIN, join(root, 'bin'), { recursive: true });
  expect(await buildIn(root)).toEqual({ status: 0, output: '' });
});
