import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Caller, startService, type TestService } from '../support/app.js';
import { ok, theTree } from '../support/builders.js';
import { ended, runCommand } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';
import { outline } from '../support/markdown.js';
import { install } from '../support/packages.js';

const README = readFileSync('examples/sync/README.md', 'utf8');
const WORKFLOW = 'examples/sync/.github/workflows/publish-docs.yml';
/** The settings that docs/identity.md names, and the subject that the README names. */
const SETTINGS = /^## GitHub Actions[\s\S]*?```ini\n([\s\S]*?)```/m;
const SUBJECT = /`(repo:acme\/site:[^`]+)`/;
const REQUEST_TOKEN = 'the token of the job';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let settings: Record<string, string>;
let keys: KeySetServer;
let github: Server;
let service: TestService;
let repository: string;
beforeAll(async () => {
  const [, ini = ''] = SETTINGS.exec(readFileSync('docs/identity.md', 'utf8')) ?? [];
  settings = Object.fromEntries(
    ini
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/)),
  );
  keys = await startKeySet([jwk(publicKey, { kid: 'github', alg: 'RS256' })]);
  settings.AUTH_JWKS_URL = keys.url;
  service = await startService({ ...settings, AUTH_JWT_SECRET: '' });
  github = createServer(({ url = '', headers }, response) => {
    const audience = new URL(url, 'http://github').searchParams.get('audience') ?? '';
    const isJob = headers.authorization === `Bearer ${REQUEST_TOKEN}`;
    response.writeHead(isJob ? 200 : 401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ count: 1, value: tokenFor(SUBJECT.exec(README)?.[1], audience) }),
    );
  });
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
  repository = await aFolder({
    'package.json': '{"private":true}',
    'docs/01-first.md': 'First\n',
    'docs/guides/a.md': '---\nkey: a\n---\nA\n',
    'docs/guides/b.md': 'B\n',
  });
  await install('teamspaces-client', 'clients/typescript', repository);
  await install('teamspaces-markdown', 'clients/markdown', repository);
  await install('teamspaces', 'clients/cli', repository);
}, 240_000);
afterAll(async () => {
  await removeFolders();
  await service.stop();
  await keys.stop();
  github.closeAllConnections();
  await new Promise((resolve) => github.close(resolve));
});

function tokenFor(sub: string | undefined, aud: string, more: object = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const payload = { iss: settings.AUTH_ISSUER, sub, aud, exp, ...more };
  return rs256({ alg: 'RS256', kid: 'github' }, payload, privateKey);
}

interface Step {
  uses?: string;
  run?: string;
}

/** Runs the last step of the workflow as the runner does: bash, which ends with the first command that fails. */
async function publish(change = (script: string) => script) {
  const { jobs } = parse(readFileSync(WORKFLOW, 'utf8'));
  const { steps, env } = jobs.publish as { steps: Step[]; env: Record<string, string> };
  expect(Object.keys(env)).toEqual(['TEAMSPACES_URL']);
  expect(steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
    ...['actions/checkout', 'actions/setup-node', undefined],
  ]);
  const { port } = github.address() as AddressInfo;
  const script = change(steps.at(-1)?.run ?? '');
  return ended('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      HOME: repository,
      // Without the package in the folder, npx would ask a registry.
      npm_config_offline: 'true',
      TEAMSPACES_URL: service.url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    },
  });
}

test('the workflow publishes the folder, and again with each push, as its page says', async () => {
  const person = { email: 'ada@example.com', name: 'Ada' };
  const ada: Caller = service.with(`Bearer ${tokenFor('ada', 'teamspaces', person)}`);
  await ok(ada.post('/teams', { name: 'Acme', slug: 'acme' }));
  await ok(ada.post('/teams/acme/workspaces', { name: 'Docs' }));
  const query = '?team_slug=acme&workspace_slug=docs';
  const inTree = async () => outline(await theTree(ada, query));

  const first = await publish();
  expect(first.status).toBe(1);
  expect(first.output).toMatch(/^you are not a member of this team/m);

  const [, subject = ''] = SUBJECT.exec(README) ?? [];
  const who = ['--issuer', `${settings.AUTH_ISSUER}`, '--subject', subject];
  const add = ['member', 'add', '--team', 'acme', ...who, '--role', 'member'];
  const { status, output } = await runCommand(add, { DATABASE_URL: service.databaseUrl });
  expect([status, output]).toEqual([0, expect.any(String)]);

  const published = await publish();
  expect(published.output).toMatch(/^::add-mask::eyJ/m);
  expect(published.output).toMatch(
    /^Synced: 4 created, 0 updated, 0 moved, 0 unchanged, 0 pruned\.$/m,
  );
  expect(published.status).toBe(0);
  expect(await inTree()).toEqual(['first', ['guides', ['a', 'b']]]);

  await writeFile(join(repository, 'docs/01-first.md'), 'First, again\n');
  await rename(join(repository, 'docs/guides/a.md'), join(repository, 'docs/a.md'));
  await rm(join(repository, 'docs/guides/b.md'));
  const dryRun = await publish((script) => script.replace('--sync', '--sync --dry-run'));
  const counts = '0 created, 2 updated, 1 moved, 1 unchanged, 1 pruned';
  expect(dryRun.output).toMatch(`A sync would make: ${counts}.`);
  expect(await inTree()).toEqual(['first', ['guides', ['a', 'b']]]);
  expect((await publish()).output).toMatch(`Synced: ${counts}.`);
  expect(await inTree()).toEqual(['first', 'a', ['guides', []]]);
  expect((await publish()).output).toMatch('0 created, 0 updated, 0 moved, 3 unchanged, 0 pruned.');
}, 240_000);
