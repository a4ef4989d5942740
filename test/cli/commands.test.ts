import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { commandsPage } from '../../src/cli/commands-page.js';
import { run } from '../../src/cli/program.js';
import { somebody, tokenOf } from '../support/app.js';
import { API_CLI, CLI, type Ended, ended, runCommand } from '../support/command.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';
import { aTarget, importTo, useMarkdown } from '../support/markdown.js';
import { offenders } from '../support/offenders.js';
import { sql } from '../support/sql.js';

describe('arguments', () => {
  interface Ended {
    status: number;
    out: string;
    err: string;
  }

  /** Runs a command in this process: what is wrong with its arguments is found before it does anything. */
  async function told(...argv: string[]): Promise<Ended> {
    const ended = { status: -1, out: '', err: '' };
    ended.status = await run(argv, {
      out: (text) => {
        ended.out += text;
      },
      err: (text) => {
        ended.err += text;
      },
    });
    return ended;
  }

  beforeEach(() => {
    for (const name of ['TEAMSPACES_TOKEN', 'TEAMSPACES_URL', 'AUTH_ISSUER'])
      delete process.env[name];
  });

  test('docs/commands.md has the help of every command (npm run docs:commands)', async () => {
    expect(commandsPage()).toBe(await readFile('docs/commands.md', 'utf8'));
  });

  test('help and version are on standard output, with 0', async () => {
    const wrong = await offenders(
      [
        [['--help'], 'Usage: teamspaces <command> [options]'],
        [
          ['help', 'import'],
          'Usage: teamspaces import --team <slug> --workspace <slug> [options] <folder>',
        ],
        [['member', 'add', '-h'], 'Usage: teamspaces member add --team <slug>'],
        [['--version'], '0.1.0'],
      ],
      async ([argv, beginning]) => {
        const { status, out, err } = await told(...argv);
        expect(out.startsWith(beginning)).toBe(true);
        expect(err).toBe('');
        expect(status).toBe(0);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('every command has an example and says how to get help', () => {
    const page = commandsPage();
    const sections = page.split('\n## ').slice(2);
    expect(sections.length).toBe(27);
    for (const section of sections) {
      expect(section).toMatch(/Examples?:\n {2}\S/);
      expect(section).toMatch('-h, --help');
    }
  });

  test('what is wrong is refused with 2, a sentence, and where the help is', async () => {
    const wrong = await offenders(
      [
        [['imprt'], "unknown command 'imprt'\n(Did you mean import?)"],
        [['team', 'delet'], "unknown command 'delet'\n(Did you mean delete?)"],
        [['token', '--emial', 'a@b.c'], "unknown option '--emial'\n(Did you mean --email?)"],
        [['token'], '--sub <subject> and --email <address> must be given'],
        [['token', '--sub', 'a', '--email', 'b'], 'It must be an address with an @.'],
        [['erase', '--email', 'nope'], 'It must be an address with an @.'],
        [['token', '--sub', 'a', '--email', 'a@b', '--days', '0'], 'It must be a number above 0'],
        [['plan', '--team', 'acme', '--plan', 'gold'], 'Allowed choices are free, pro, business'],
        [['verify', 'all'], "too many arguments for 'verify'"],
        [['import', '--team', 'a', '--workspace', 'b'], "missing required argument 'folder'"],
        [['import', '--team', 'a', '--workspace', 'b', 'c'], 'set TEAMSPACES_TOKEN to a token'],
        [
          ['import', '--team', 'a', '--workspace', 'b', '--token', 'a\nsecret', 'c'],
          'TEAMSPACES_TOKEN (--token) must be one word',
        ],
        [
          ['import', '--team', 'a', '--workspace', 'b', '--token', 'x', '--url', 'nonsense', 'c'],
          'TEAMSPACES_URL (--url) must be the address of a service',
        ],
        [['import', '--force', 'c'], "unknown option '--force'"],
        [['member', 'add', '--team', 'a', '--subject', 'b'], '--issuer <iss> must be given'],
        [['demo', '--url', 'nonsense'], 'TEAMSPACES_URL (--url) must be the address of a service'],
      ],
      async ([argv, sentence]) => {
        const { status, out, err } = await told(...argv);
        expect(err.includes(sentence) || err).toBe(true);
        expect(err).toMatch(/\nRun "teamspaces.* --help" for its usage\.\n$/);
        expect(out).toBe('');
        expect(status).toBe(2);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('commands', () => {
  const PROJECT = resolve('.');

  const at = useMarkdown();

  /** Runs a command in `folder`; `started` may talk to it. */
  const run = (
    command: 'import' | 'export' | 'plan' | 'verify' | 'team',
    args: string[],
    { folder = PROJECT, env = {}, started = (_kill: () => void): unknown => undefined } = {},
  ): Promise<Ended> => {
    const { databaseUrl: DATABASE_URL } = at;
    const all = { ...process.env, NODE_OPTIONS: '', INIT_CWD: folder, DATABASE_URL, ...env };
    return ended('node', [CLI, command, ...args], { env: all }, started);
  };

  /** The same in this process: for commands that nothing interrupts. */
  const runHere: typeof run = (command, args, { folder = PROJECT, env = {} } = {}) =>
    runCommand([command, ...args], { INIT_CWD: folder, DATABASE_URL: at.databaseUrl, ...env });

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
    const missing = await runHere('import', [...options(url, 'nowhere'), join(root, 'none')]);
    expect(missing).toEqual({ status: 1, output: `${join(root, 'none')} is not a folder.\n` });
    const full = await runHere('export', [...options(url, 'nowhere'), root]);
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
      expect(await runHere(command, [...nobody, await aFolder()])).toEqual({
        status: 1,
        output: `There is no service at ${url}: start it, or set TEAMSPACES_URL.\n`,
      });
    },
  );

  test.each(['import', 'export'] as const)('%s names the slugs that there are', async (command) => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const root = await aFolder(command === 'import' ? { 'a.md': '' } : {});
    expect(await runHere(command, [...options(url, `${slug}s`), root])).toEqual({
      status: 1,
      output: expect.stringMatching(
        `^There is no workspace "${slug}s" in ${at.team} that this token may see: there is (.*[ ,])?${slug}[.,].*\n$`,
      ),
    });
    const strangers = ['--token', tokenOf(somebody()), '--url', url];
    const elsewhere = await runHere(command, [
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

  test('token and address come from the environment', async () => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const args = ['--team', at.team, '--workspace', slug, await aFolder({ 'a.md': '' })];
    const env = { TEAMSPACES_TOKEN: tokenOf(at.ada.person), TEAMSPACES_URL: url };
    const { status, output } = await run('import', args, { env });
    expect(output).toMatch('Imported 1 page');
    expect(status).toBe(0);
  });

  test('an interrupted import ends with 130 and says how to continue', async () => {
    const { url, reached, stop } = await stallingAt((method) => method === 'POST');
    const root = await aFolder({ 'a.md': '' });
    const started = (kill: () => void): void => void reached.then(kill);
    const { status, output } = await run('import', [...options(url, 'any'), root], { started });
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
    const { status } = await run('export', [...options(url, 'any'), join(root, 'out')], {
      started,
    });
    stop();
    expect(status).toBe(130);
    expect(await filesIn(root)).toEqual({});
  });

  test('verify ends with 0, and with 1 where something is broken', async () => {
    const clean = await runHere('verify', []);
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
    expect(await runHere('verify', [], { env })).toEqual({ status: 1, output });
  });

  test('plan sets the plan of a team', async () => {
    const args = ['--team', at.team, '--plan', 'business'];
    const { status, output } = await run('plan', args);
    expect(output).toMatch(`${at.team} has the plan business now: 1000000 pages`);
    expect(status).toBe(0);
    const { body } = await at.ada.get(`/teams/${at.team}`);
    expect(body.plan).toBe('business');
    expect(await runHere('plan', ['--team', 'nobody-has-this', '--plan', 'pro'])).toEqual({
      status: 1,
      output: 'There is no team with the slug "nobody-has-this".\n',
    });
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
