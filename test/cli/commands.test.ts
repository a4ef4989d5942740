import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { type Ended, ended } from '../support/command.js';
import { aFolder, filesIn } from '../support/folders.js';
import { aTarget, importTo, useMarkdown } from '../support/markdown.js';
import { sql } from '../support/sql.js';

const PROJECT = resolve('.');

const at = useMarkdown();
beforeAll(build, 300_000);

/** Runs a command in `folder`; `started` may talk to it. */
const run = (
  command: 'import' | 'export' | 'plan' | 'verify' | 'team',
  args: string[],
  { folder = PROJECT, env = {}, started = (_kill: () => void): unknown => undefined } = {},
): Promise<Ended> => {
  const { databaseUrl: DATABASE_URL } = at;
  const all = { ...process.env, NODE_OPTIONS: '', INIT_CWD: folder, DATABASE_URL, ...env };
  return ended('node', ['dist/cli.js', command, ...args], { env: all }, started);
};

const options = (url: string, workspace: string): string[] => [
  ...['--team', at.team, '--workspace', workspace],
  ...['--token', tokenOf(at.ada.person), '--url', url],
];

/** A service that stops answering at a request; `reached` resolves then. */
async function stallingAt(isLast: (method: string, url: string) => boolean) {
  let reach = (): void => undefined;
  const reached = new Promise<void>((done) => {
    reach = done;
  });
  const server: Server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    if (isLast(method, url)) return reach();
    const item = { id: 'a', name: 'a', object: 'item', createdAt: '', updatedAt: '' };
    const tree = url.includes('include=content') ? [{ ...item, content: {} }] : [item];
    const other = { access: 'full', usage: { pages: 0 }, limit: { pages: 0 } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url.includes('/collections') ? tree : other));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, reached, stop };
}

test('the documentation of this project comes back as it went in', async () => {
  const { url } = at;
  const { slug } = await aTarget(at);
  const out = await aFolder();
  const imported = await run('import', [...options(url, slug), 'docs']);
  expect(imported.output).toMatch(/^Imported \d+ pages and 1 collection; 0 pages were there/m);
  const exported = await run('export', [...options(url, slug), 'again'], { folder: out });
  expect(exported.output).toMatch(/^Exported \d+ pages and 1 collection\.$/m);
  expect([imported.status, exported.status]).toEqual([0, 0]);
  const docs = await filesIn(join(PROJECT, 'docs'));
  const markdownFiles = Object.entries(docs).filter(([name]) => name.endsWith('.md'));
  expect(await filesIn(join(out, 'again'))).toEqual(Object.fromEntries(markdownFiles));
});

test('what cannot be done ends with 1 and a sentence', async () => {
  const { url } = at;
  const root = await aFolder({ 'a.md': '' });
  const missing = await run('import', [...options(url, 'nowhere'), join(root, 'none')]);
  expect(missing).toEqual({ status: 1, output: `${join(root, 'none')} is not a folder.\n` });
  const full = await run('export', [...options(url, 'nowhere'), root]);
  expect(full.status).toBe(1);
  expect(full.output).toMatch('is not empty');
});

test.each(['import', 'export'] as const)(
  '%s tells at once that nobody is there',
  async (command) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((closed) => server.close(closed));
    const nobody = options(url, 'docs');
    expect(await run(command, [...nobody, await aFolder()])).toEqual({
      status: 1,
      output: `There is no service at ${url}: start it, or set TEAMSPACES_URL.\n`,
    });
  },
);

test.each(['import', 'export'] as const)('%s names the nearest slugs', async (command) => {
  const { url } = at;
  const { slug } = await aTarget(at);
  const root = await aFolder(command === 'import' ? { 'a.md': '' } : {});
  expect(await run(command, [...options(url, `${slug}s`), root])).toEqual({
    status: 1,
    output: expect.stringMatching(
      `^There is no workspace "${slug}s" in ${at.team} that this token may see. Did you mean .*${slug}.*\\?\n$`,
    ),
  });
  const strangers = ['--token', tokenOf(somebody()), '--url', url];
  const elsewhere = await run(command, [
    '--team',
    'elsewhere',
    '--workspace',
    slug,
    ...strangers,
    root,
  ]);
  expect(elsewhere).toEqual({
    status: 1,
    output: 'There is no team "elsewhere" that this token may see: there is none.\n',
  });
});

test('token and address come from the environment', async () => {
  const { url } = at;
  const { slug } = await aTarget(at);
  const args = ['--team', at.team, '--workspace', slug, await aFolder({ 'a.md': '' })];
  const env = { TEAMSPACES_TOKEN: tokenOf(at.ada.person), TEAMSPACES_URL: url };
  const { status, output } = await run('import', args, { env });
  expect(output).toMatch('Imported 1 page');
  expect(status).toBe(0);
});

test('an interrupted import ends with 130 and says how to go on', async () => {
  const { url, reached, stop } = await stallingAt((method) => method === 'POST');
  const root = await aFolder({ 'a.md': '' });
  const started = (kill: () => void): void => void reached.then(kill);
  const { status, output } = await run('import', [...options(url, 'any'), root], { started });
  stop();
  expect(output).toMatch('the same command goes on from here');
  expect(status).toBe(130);
});

test('an export interrupted while it writes ends with 130 and leaves nothing behind', async () => {
  const { url } = at;
  const { slug, target } = await aTarget(at);
  const files = Array.from({ length: 300 }, (_, n) => [`${n}.md`, 'x'.repeat(20_000)]);
  await importTo(target(), await aFolder(Object.fromEntries(files)));
  const root = await aFolder();
  let interrupted = 0;
  for (let wait = 0; wait < 60 || interrupted === 0; wait += 10) {
    const out = join(root, `out${wait}`);
    const started = async (kill: () => void): Promise<void> => {
      // The folder with what is put aside: the writing begins.
      while ((await readdir(root)).length === 0) await new Promise((wake) => setTimeout(wake, 1));
      setTimeout(kill, wait);
    };
    const { status, output } = await run('export', [...options(url, slug), out], { started });
    if (status === 130) interrupted++;
    expect(output).not.toMatch('Error');
    expect(await readdir(root)).toEqual(status === 130 ? [] : [`out${wait}`]);
    await rm(out, { recursive: true, force: true });
  }
}, 300_000);

test('an interrupted export ends with 130 and leaves nothing behind', async () => {
  const { url, reached, stop } = await stallingAt((_, path) => path.includes('include=content'));
  const root = await aFolder();
  const started = (kill: () => void): void => void reached.then(kill);
  const { status } = await run('export', [...options(url, 'any'), join(root, 'out')], { started });
  stop();
  expect(status).toBe(130);
  expect(await filesIn(root)).toEqual({});
});

test('verify ends with 0, and with 1 where something is broken', async () => {
  const clean = await run('verify', []);
  expect(clean.output.trimEnd().split('\n')).toEqual(
    expect.arrayContaining(['ok      usage.pages equals the pages: 0']),
  );
  expect(clean.status).toBe(0);
  const { databaseUrl } = at;
  await sql(databaseUrl, 'UPDATE team_usage SET pages = pages + 1');
  const broken = await run('verify', []);
  await sql(databaseUrl, 'UPDATE team_usage SET pages = pages - 1');
  expect(broken.output).toMatch(/^BROKEN {2}usage.pages equals the pages: 1$/m);
  expect(broken.status).toBe(1);
});

test('a database that refuses is told as the service tells it, without the password', async () => {
  const env = { DATABASE_URL: 'postgresql://ada:s3cr3t@127.0.0.1:1/spaces' };
  const output =
    'DATABASE_URL: there is no connection to the database "spaces" at 127.0.0.1:1: nothing listens there (ECONNREFUSED).\n';
  expect(await run('verify', [], { env })).toEqual({ status: 1, output });
});

test('plan sets the plan of a team', async () => {
  const args = ['--team', at.team, '--plan', 'business'];
  const { status, output } = await run('plan', args);
  expect(output).toMatch(`${at.team} has the plan business now: 1000000 pages`);
  expect(status).toBe(0);
  const { body } = await at.ada.get(`/teams/${at.team}`);
  expect(body.plan).toBe('business');
  expect(await run('plan', ['--team', 'nobody-has-this', '--plan', 'pro'])).toEqual({
    status: 1,
    output: 'There is no team with the slug "nobody-has-this".\n',
  });
});

test("whoever forgets npm's -- is told, and nothing is tried", async () => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const args = ['run', '--silent', 'token', '--sub', 'ada', '--email', 'ada@example.com'];
  const { status, output } = await ended('npm', args, { env });
  expect(output).toMatch('npm took --sub, --email for itself: put -- in front of the options');
  expect(status).toBe(2);
});
