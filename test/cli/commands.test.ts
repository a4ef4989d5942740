import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { aFolder, filesIn } from '../support/folders.js';
import { aTarget, importFolder, useMarkdown } from '../support/markdown.js';
import { sql } from '../support/sql.js';

const PROJECT = resolve('.');

const markdown = useMarkdown();
beforeAll(build, 300_000);

interface Ended {
  status: number | null;
  output: string;
}

/** Runs a command as npm does, in `folder`; `started` may talk to it. */
function run(
  command: 'import' | 'export' | 'plan' | 'verify',
  args: string[],
  { folder = PROJECT, started = (_kill: () => void): unknown => undefined } = {},
): Promise<Ended> {
  const child = spawn('node', [`dist/cli/${command}.js`, ...args], {
    cwd: PROJECT,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      INIT_CWD: folder,
      DATABASE_URL: markdown.service.databaseUrl,
    },
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  started(() => child.kill('SIGINT'));
  return new Promise((end) => child.on('close', (status) => end({ status, output })));
}

const options = (url: string, workspace: string): string[] => [
  ...['--team', markdown.team, '--workspace', workspace],
  ...['--token', tokenOf(markdown.person), '--url', url],
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
  const { url } = markdown.service;
  const { slug } = await aTarget(markdown);
  const out = await aFolder();
  const imported = await run('import', [...options(url, slug), 'docs']);
  expect(imported.output).toMatch(/^Imported \d+ pages and 0 collections; 0 pages were there/m);
  const exported = await run('export', [...options(url, slug), 'again'], { folder: out });
  expect(exported.output).toMatch(/^Exported \d+ pages and 0 collections\.$/m);
  expect([imported.status, exported.status]).toEqual([0, 0]);
  const docs = await filesIn(join(PROJECT, 'docs'));
  const markdownFiles = Object.entries(docs).filter(([name]) => name.endsWith('.md'));
  expect(await filesIn(join(out, 'again'))).toEqual(Object.fromEntries(markdownFiles));
});

test.each(['import', 'export', 'plan'] as const)('%s tells how it is used', async (command) => {
  const { status, output } = await run(command, []);
  expect(output).toMatch(`Usage: npm run ${command} -- `);
  expect(status).toBe(1);
});

test('what cannot be done ends with 1 and a sentence', async () => {
  const { url } = markdown.service;
  const root = await aFolder({ 'a.md': '' });
  const nowhere = await run('import', [...options(url, 'nowhere'), root]);
  expect(nowhere).toEqual({ status: 1, output: 'workspace not found\n' });
  const missing = await run('import', [...options(url, 'nowhere'), join(root, 'none')]);
  expect(missing).toEqual({ status: 1, output: `${join(root, 'none')} is not a folder.\n` });
  const full = await run('export', [...options(url, 'nowhere'), root]);
  expect(full.status).toBe(1);
  expect(full.output).toMatch('is not empty');
  const token = await run('export', [...options(url, 'any'), '--token', 'a\nsecret', root]);
  expect(token.status).toBe(1);
  expect(token.output).toMatch(/^--token must be/);
  expect((await run('export', [...options('nonsense', 'any'), root])).output).toMatch(
    /^--url must/,
  );
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
  const { url } = markdown.service;
  const { slug, client } = await aTarget(markdown);
  const files = Array.from({ length: 300 }, (_, n) => [`${n}.md`, 'x'.repeat(20_000)]);
  await importFolder(await aFolder(Object.fromEntries(files)), client());
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
}, 60_000);

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
  const { databaseUrl } = markdown.service;
  await sql(databaseUrl, 'UPDATE team_usage SET pages = pages + 1');
  const broken = await run('verify', []);
  await sql(databaseUrl, 'UPDATE team_usage SET pages = pages - 1');
  expect(broken.output).toMatch(/^BROKEN {2}usage.pages equals the pages: 1$/m);
  expect(broken.status).toBe(1);
});

test('plan sets the plan of a team', async () => {
  const args = ['--team', markdown.team, '--plan', 'business'];
  const { status, output } = await run('plan', args);
  expect(output).toMatch(`${markdown.team} has the plan business now: 1000000 pages`);
  expect(status).toBe(0);
  const { body } = await markdown.ada.get(`/teams/${markdown.team}`);
  expect(body.plan).toBe('business');
  expect(await run('plan', ['--team', 'nobody-has-this', '--plan', 'pro'])).toEqual({
    status: 1,
    output: 'There is no team with the slug "nobody-has-this".\n',
  });
});
