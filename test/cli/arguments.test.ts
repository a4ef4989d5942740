import { readFile } from 'node:fs/promises';
import { commandsPage } from '../../src/cli/commands-page.js';
import { createProgram, run } from '../../src/cli/program.js';
import { swallowedByNpm } from '../../src/cli/swallowed-by-npm.js';
import { offenders } from '../support/offenders.js';

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
      [['--version'], '0.0.1'],
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
  expect(sections.length).toBe(11);
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
      expect(err).toMatch(/\nRun "teamspaces.* --help" to see how it is used\.\n$/);
      expect(out).toBe('');
      expect(status).toBe(2);
    },
  );
  expect(wrong).toEqual([]);
});

describe("npm's -- was forgotten", () => {
  const swallowed = (argv: string[], env: Record<string, string>) =>
    swallowedByNpm(createProgram(), argv, { npm_lifecycle_event: argv[0], ...env });

  test('npm run token --email ada@example.com names what npm took', () => {
    const env = { npm_config_email: 'true', npm_config_sub: 'true' };
    expect(swallowed(['token', 'ada@example.com', 'ada'], env)).toBe(
      'npm took --sub, --email for itself: put -- in front of the options, as in npm run token -- --sub …',
    );
  });

  test('npm run export --force docs, whose option npm knows as well', () => {
    expect(swallowed(['export', 'docs'], { npm_config_force: 'true' })).toMatch(
      /^npm took --force for itself/,
    );
  });

  test('what is left of an option that npm shortened or kept', () => {
    expect(swallowed(['plan', 'acme', 'pro'], {})).toMatch(/^npm took options/);
  });

  test('nothing is said where nothing was taken', () => {
    expect(swallowed(['token', '--sub', 'ada', '--email', 'a@b.c'], {})).toBeNull();
    expect(swallowed(['import', '--team', 'a', 'docs'], { npm_config_force: 'true' })).toBeNull();
    expect(swallowed(['import', 'docs'], {})).toBeNull();
    expect(swallowed(['verify'], {})).toBeNull();
    const npx = { npm_lifecycle_event: 'npx', npm_config_email: 'ada@example.com' };
    expect(swallowed(['token'], npx)).toBeNull();
  });
});
