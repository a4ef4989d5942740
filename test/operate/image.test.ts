import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, ended } from '../support/command.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { findProgram, testWith } from '../support/programs.js';
import { SECRET } from '../support/secret.js';
import { skipped } from '../support/skipped.js';
import { carryOut, programPath, type Stage } from './dockerfile.js';
import { endProcesses, startProcess } from './process.js';

/** Megabytes of /app at most. */
const LARGEST = 120;
/** nobody, who owns no file of the image. */
const USER = 65534;

const isRoot = process.getuid?.() === 0;
const setpriv = isRoot ? findProgram('setpriv') : null;
/** As Compose and Kubernetes start it: not the owner of its files, without capabilities and new rights. */
const confined =
  setpriv === null
    ? []
    : [setpriv, `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--no-new-privs', '--'];
const testAsAnother = isRoot ? testWith('setpriv') : skipped(test, 'only root can be another user');

let folder: string;
let image: Stage;
let app: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'teamspaces-image-'));
  image = await carryOut(folder, { npm_config_prefer_offline: 'true' });
  app = join(image.root, image.workdir);
  // Nobody writes to it: mkdtemp lets nobody in, either.
  await ended('chmod', ['-R', 'a-w', image.root]);
  await ended('chmod', ['a+rx', folder]);
  database = await createEmptyDatabase();
}, 600_000);
afterAll(async () => {
  await endProcesses();
  await database?.drop();
  await ended('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true });
});

const settings = () => ({
  ...{ PATH: programPath(), ...image.env },
  // Kubernetes gives it no folder for temporary files.
  TMPDIR: '/nowhere',
  DATABASE_URL: database.url,
  AUTH_JWT_SECRET: SECRET,
});

/** Runs a command in the container, as its user. */
function inside(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const [program = '', ...args] = [...confined, ...command];
  return ended(program, args, { cwd: app, env: { ...settings(), ...env } });
}
const cli = (...args: string[]): Promise<Ended> => inside(['node', 'dist/cli.js', ...args]);

test(`takes at most ${LARGEST} MB`, async () => {
  const { output } = await ended('du', ['-sm', app]);
  const size = Number.parseInt(output, 10);
  expect(size).toBeGreaterThan(20);
  expect(size).toBeLessThanOrEqual(LARGEST);
});

test('starts in production, as a user who is not root', () => {
  expect(image).toMatchObject({ env: { NODE_ENV: 'production' }, user: 'node' });
  expect(image.command).toEqual(['node', 'dist/main.js']);
});

testAsAnother('its user can read every file, and write none', async () => {
  const found = await inside(['find', '.', '!', '-readable', '-o', '-writable', '!', '-type', 'l']);
  expect(found).toEqual({ status: 0, output: '' });
});

test('migrates an empty database, and finds nothing wrong with it', async () => {
  const migrated = await cli('migrate');
  expect(migrated).toEqual({ status: 0, output: expect.stringMatching(/^Applied /m) });
  expect(await cli('verify')).toEqual({ status: 0, output: expect.stringMatching(/^ok /m) });
  const doctor = await inside(['node', 'dist/cli.js', 'doctor'], {
    PUBLIC_URL: 'https://a.example',
  });
  expect(doctor).toEqual({ status: 0, output: expect.stringMatching(/^ok +migrations /m) });
});

test('starts, is ready, serves its pages, and ends on SIGTERM', async () => {
  const service = await startProcess(settings(), 'ready', app, [...confined, ...image.command]);
  const port = { PORT: String(service.port) };
  expect(await inside(image.healthcheck, port)).toEqual({ status: 0, output: '' });

  for (const page of ['/docs', '/reference', '/manual']) {
    const response = await fetch(service.url + page);
    const text = await response.text();
    const files = [...text.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)];
    expect([page, response.status, files.length > 0]).toEqual([page, 200, true]);
    for (const [, file] of files) {
      const address = new URL(`${file}`, response.url);
      const { status } = await fetch(address);
      expect([page, file, status]).toEqual([page, file, 200]);
      const version = address.searchParams.get('v');
      if (version === null) continue;
      // Compressed by the build, not at the first request.
      for (const encoding of ['br', 'gzip']) {
        const packed = join(app, 'packages/manual-site/dist/packed', `${version}.${encoding}`);
        expect([file, encoding, existsSync(packed)]).toEqual([file, encoding, true]);
      }
    }
  }
  const openapi = await fetch(`${service.url}/openapi.json`);
  expect(await openapi.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });

  const token = await cli('token', '--sub', 'ada', '--email', 'ada@example.com');
  const created = await fetch(`${service.url}/teams`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.output.trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Analytical Engines', slug: 'engines' }),
  });
  expect(created.status).toBe(200);
  const listed = await cli('team', 'list');
  expect(listed).toEqual({ status: 0, output: expect.stringMatching(/^engines /m) });

  const { status } = await service.end('SIGTERM');
  expect([status, service.output()]).toEqual([0, expect.not.stringContaining('"level":"error"')]);
  expect(await inside(image.healthcheck, port)).toEqual({ status: 1, output: '' });
});
