import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { commandsPage } from '../../cli/commands-page.js';
import { run } from '../../cli/program.js';
import { somebody, tokenOf } from '../support/app.js';
import { selfSigned } from '../support/certificate.js';
import { type Ended, runCommand } from '../support/command.js';
import { aFolder, filesIn } from '../support/folders.js';
import { aTarget, useMarkdown } from '../support/markdown.js';
import { offenders } from '../support/offenders.js';
import { testWith } from '../support/programs.js';
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
        [['--version'], '0.2.0'],
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
    expect(sections.length).toBe(34);
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
          'TEAMSPACES_URL (--url) must be an address that begins with http:// or https://',
        ],
        [['import', '--force', 'c'], "unknown option '--force'"],
        [['member', 'add', '--team', 'a', '--subject', 'b'], '--issuer <iss> must be given'],
        [
          ['demo', '--url', 'localhost:3000'],
          'TEAMSPACES_URL (--url) must be an address that begins with http:// or https:// and has no query, such as http://localhost:3000; it is "localhost:3000"',
        ],
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

  /** Runs a command in `folder`. */
  const run = (
    command: 'import' | 'export' | 'plan' | 'verify',
    args: string[],
    { folder = PROJECT, env = {} } = {},
  ): Promise<Ended> =>
    runCommand([command, ...args], { INIT_CWD: folder, DATABASE_URL: at.databaseUrl, ...env });

  const options = (url: string, workspace: string): string[] => [
    ...['--team', at.team, '--workspace', workspace],
    ...['--token', tokenOf(at.ada.person), '--url', url],
  ];

  test('the documentation of this project comes back as it went in', async () => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const out = await aFolder();
    const imported = await run('import', [...options(url, slug), 'docs']);
    expect(imported.output).toMatch(/^Imported \d+ pages and 2 collections; 0 pages were there/m);
    const exported = await run('export', [...options(url, slug), 'again'], { folder: out });
    expect(exported.output).toMatch(/^Exported \d+ pages and 2 collections\.$/m);
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

  /** Ends with its status and output; a retry would show in the output. */
  const listing = (url: string) => runCommand(['list', ...['--token', 'x', '--url', url]], {});

  test('an address without a connection ends the command at once, with a sentence', async () => {
    // A label of 64 characters: no name server is asked for it.
    const unknown = `http://${'x'.repeat(64)}.invalid`;
    const wrong = await offenders(
      [
        [unknown, `The host of ${unknown} is unknown (ENOTFOUND): check TEAMSPACES_URL (--url).`],
        [
          'http://127.0.0.1:1',
          'There is no connection to http://127.0.0.1:1 (bad port): check TEAMSPACES_URL (--url).',
        ],
      ],
      async ([url, sentence]) => {
        expect(await listing(url)).toEqual({ status: 1, output: `${sentence}\n` });
      },
    );
    expect(wrong).toEqual([]);
  });

  const pair = selfSigned();
  testWith('openssl')(
    'a certificate that is not trusted ends the command at once, with a sentence',
    async () => {
      const server = createSecureServer(pair ?? {}).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        expect(await listing(url)).toEqual({
          status: 1,
          output: `The certificate of ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): check TEAMSPACES_URL (--url), or name the file of your certificate authority in NODE_EXTRA_CA_CERTS.\n`,
        });
      } finally {
        server.close();
      }
    },
  );

  test.each(['import', 'export'] as const)('%s names the slugs that there are', async (command) => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const root = await aFolder(command === 'import' ? { 'a.md': '' } : {});
    expect(await run(command, [...options(url, `${slug}s`), root])).toEqual({
      status: 1,
      output: expect.stringMatching(
        `^There is no workspace "${slug}s" in ${at.team} that this token may see: there is (.*[ ,])?${slug}[.,].*\n$`,
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

  test('the address comes from DATA_DIR if a service has left it there', async () => {
    const { url } = at;
    const { slug } = await aTarget(at);
    const args = ['--team', at.team, '--workspace', slug, await aFolder({ 'a.md': '' })];
    const env = { TEAMSPACES_TOKEN: tokenOf(at.ada.person), DATA_DIR: await aFolder({ url }) };
    expect(await run('import', args, { env })).toMatchObject({ status: 0 });
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

  test('in production no database is started', async () => {
    expect(await run('verify', [], { env: { DATABASE_URL: '', NODE_ENV: 'production' } })).toEqual({
      status: 1,
      output:
        'DATABASE_URL must be set in production: the embedded PostgreSQL is for development.\n',
    });
  });

  test('plan sets the plan of a team', async () => {
    const args = ['--team', at.team, '--plan', 'business'];
    const { status, output } = await run('plan', args);
    expect(output).toMatch(`${at.team} has the plan business now: 1000000 pages`);
    expect(status).toBe(0);
    const { body } = await at.ada.get(`/teams/${at.team}`);
    expect(body.plan).toBe('business');
    expect((await run('plan', ['--team', at.team, '--plan', 'enterprise'])).output).toBe(
      `${at.team} has the plan enterprise now: unlimited pages, unlimited users, unlimited workspaces.\n`,
    );
    expect(await run('plan', ['--team', 'nobody-has-this', '--plan', 'pro'])).toEqual({
      status: 1,
      output: 'There is no team with the slug "nobody-has-this".\n',
    });
  });
});
