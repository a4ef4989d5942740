import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import jwt from 'jsonwebtoken';
import { SECRET, tokenOf } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { API_CLI, CLI, type Ended, ended } from '../support/command.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';
import { aTarget, importTo, useMarkdown } from '../support/markdown.js';
import { testWith } from '../support/programs.js';
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

  describe('team delete', () => {
    const HAS = '1 member, 0 pending invites, 1 workspace, 0 collections and 1 page';
    const command = (slug: string) => [CLI, 'team', 'delete', slug];
    const environment = () => ({
      env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: at.databaseUrl },
    });
    const isThere = async (slug: string): Promise<boolean> =>
      (await at.ada.get(`/teams/${slug}`)).status === 200;

    async function aFullTeam(): Promise<string> {
      const slug = await aTeam(at.ada);
      const { query } = await aWorkspace(at.ada, slug);
      await anItem(at.ada, query, { object: 'item' });
      return slug;
    }

    test('without a terminal it requires --yes, and does nothing', async () => {
      const slug = await aFullTeam();
      const { status, output } = await ended('node', command(slug), environment());
      expect(output).toMatch('error: there is no terminal to ask at: use --yes to delete the team');
      expect(status).toBe(2);
      expect(await isThere(slug)).toBe(true);
    });

    // It runs a command on a terminal of its own.
    const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '';
    const onTerminal = testWith('script of util-linux', /util-linux/.exec(script)?.[0] ?? null);
    onTerminal('on a terminal it shows what it will delete, and asks for the slug', async () => {
      const slug = await aFullTeam();
      const typing = (response: string) =>
        ended(
          'sh',
          [
            '-c',
            'printf "%s\\n" "$0" | script -qefc "$1" /dev/null',
            response,
            `node ${command(slug).join(' ')}`,
          ],
          environment(),
        );
      const refused = await typing('no');
      expect(refused.output).toMatch(`Team (${slug}) has ${HAS}.`);
      expect(refused.output).toMatch(`Type ${slug} to confirm:`);
      expect(refused.output).toMatch('Nothing was deleted.');
      expect(refused.status).toBe(1);
      expect(await isThere(slug)).toBe(true);
      const agreed = await typing(slug);
      expect(agreed.output).toMatch(`Deleted the team ${slug}`);
      expect(agreed.status).toBe(0);
      expect(await isThere(slug)).toBe(false);
    });
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
    const { id, name } = await anItem(at.ada, `?team_slug=${at.team}&workspace_slug=${slug}`);
    await ok(at.ada.delete(`/collections/${id}`));
    expect(await call('trash', 'restore', id)).toEqual({
      ...{ status: 0, output: `Restored ${name}.\n` },
    });
    expect(await call('verify')).toEqual({
      status: 2,
      output: expect.stringMatching("unknown command 'verify'"),
    });
  });

  test('the package signs tokens with the secret of the service', async () => {
    const { url } = at;
    const token = (env: Record<string, string>) =>
      ended('node', [API_CLI, 'token', '--sub', 'bo', '--email', 'bo@example.com'], {
        env: { PATH: process.env.PATH, ...env },
      });
    expect(await token({})).toEqual({
      ...{ status: 1, output: expect.stringMatching(/^Set AUTH_JWT_SECRET to the secret/) },
    });
    const { status, output } = await token({ AUTH_JWT_SECRET: SECRET, AUTH_ISSUER: 'https://id' });
    expect([status, jwt.decode(output.trim())]).toMatchObject([
      0,
      { sub: 'bo', iss: 'https://id' },
    ]);
    const headers = { authorization: `Bearer ${output.trim()}` };
    expect((await fetch(`${url}/me`, { headers })).status).toBe(200);
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

  test('an export of thousands of responses warns of nothing', async () => {
    let served = 0;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ changes: [], cursor: `${++served}`, more: served < 2_500 }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const root = await aFolder();
    const { status, output } = await run('export', [...options(url, 'any'), join(root, 'out')]);
    server.close();
    expect(status).toBe(0);
    expect(output).not.toMatch(/warning/i);
    expect(output).toMatch(/^Exported 0 pages and 0 collections\.$/m);
  });

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
