import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { tokenOf } from '../support/app.js';
import { API_CLI, CLI, type Ended, ended } from '../support/command.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';
import { aTarget, importTo, useMarkdown } from '../support/markdown.js';
import { sql } from '../support/sql.js';

describe('commands as processes of their own', () => {
  const at = useMarkdown();

  /** Runs a command; `started` may talk to it. */
  const run = (
    command: 'import' | 'export' | 'verify',
    args: string[],
    started = (_kill: () => void): unknown => undefined,
  ): Promise<Ended> => {
    const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: at.databaseUrl };
    return ended('node', [CLI, command, ...args], { env }, started);
  };

  const options = (url: string, workspace: string): string[] => [
    ...['--team', at.team, '--workspace', workspace],
    ...['--token', tokenOf(at.ada.person), '--url', url],
  ];

  /** A service that stops responding at a request; `reached` resolves then. */
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

  test('verify ends with 0, and with 1 where something is broken', async () => {
    const { databaseUrl } = at;
    expect((await run('verify', [])).status).toBe(0);
    await sql(databaseUrl, 'UPDATE team_usage SET pages = pages + 1');
    const broken = await run('verify', []);
    await sql(databaseUrl, 'UPDATE team_usage SET pages = pages - 1');
    expect(broken.output).toMatch(/^BROKEN {2}usage.pages equals the pages: 1$/m);
    expect(broken.status).toBe(1);
  });

  test('the package has the commands of the API without the service', async () => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const env = {
      ...{ PATH: process.env.PATH, INIT_CWD: await aFolder({ 'a.md': '' }) },
      ...{ TEAMSPACES_TOKEN: tokenOf(at.ada.person), TEAMSPACES_URL: url },
    };
    const place = ['--team', at.team, '--workspace', slug];
    const call = (...args: string[]) => ended('node', [API_CLI, ...args], { env });
    expect(await call('import', ...place, '.')).toEqual({
      status: 0,
      output: expect.stringMatching(/^Imported 1 page and 0 collections; 0 pages were there/m),
    });
    expect(await call('trash', 'list', ...place)).toEqual({
      status: 0,
      output: 'The trash is empty.\n',
    });
    expect(await call('verify')).toEqual({
      status: 2,
      output: expect.stringMatching("unknown command 'verify'"),
    });
  });

  test('an interrupted import ends with 130 and says how to continue', async () => {
    const { url, reached, stop } = await stallingAt((method) => method === 'POST');
    const root = await aFolder({ 'a.md': '' });
    const started = (kill: () => void): void => void reached.then(kill);
    const { status, output } = await run('import', [...options(url, 'any'), root], started);
    stop();
    expect(output).toMatch('run the same command again to continue');
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
      const { status, output } = await run('export', [...options(url, slug), out], started);
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
    const { status } = await run('export', [...options(url, 'any'), join(root, 'out')], started);
    stop();
    expect(status).toBe(130);
    expect(await filesIn(root)).toEqual({});
  });
});

describe('the build before a command', () => {
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
    await symlink(resolve('node_modules'), join(root, 'node_modules'));
    await cp(BIN, join(root, 'bin'), { recursive: true });
    return root;
  }

  const buildIn = (root: string) =>
    ended('node', ['bin/build.js'], {
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

  test('a generated file that is written again builds nothing', async () => {
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

  test('the lock of a build that was killed is taken over', async () => {
    const root = await aProject();
    const killed = spawnSync('true');
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'dist/.lock'), `${killed.pid}`);
    await buildIn(root);
    expect(await built(root)).toBe('built');
  }, 120_000);

  test('where there are no sources, as in an image, nothing is built', async () => {
    const root = await aFolder({ 'package.json': '{"type":"module"}' });
    await cp(BIN, join(root, 'bin'), { recursive: true });
    expect(await buildIn(root)).toEqual({ status: 0, output: '' });
  });
});
