import { execFileSync } from 'node:child_process';
import { SECRET, tokenOf } from '../support/app.js';
import { theTree } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { testWith } from '../support/programs.js';
import { scene } from '../support/scene.js';

// Set-up takes long on a machine that has other things to do.

const at = scene({ once: 'team', each: 'workspace' });
afterAll(removeFolders);

const run = (...args: string[]) =>
  runCommand(args, { DATABASE_URL: at.databaseUrl, AUTH_JWT_SECRET: SECRET });

describe('--json', () => {
  test('plan: the plan and its limits', async () => {
    const { output } = await run('plan', '--team', at.team, '--plan', 'pro', '--json');
    expect(JSON.parse(output)).toMatchObject({
      team: at.team,
      plan: 'pro',
      limit: { pages: expect.any(Number) },
    });
  });

  test('verify: each invariant with its violations', async () => {
    const { status, output } = await run('verify', '--json');
    const findings = JSON.parse(output);
    expect(status).toBe(0);
    expect(findings.length).toBeGreaterThan(10);
    expect(findings[0]).toEqual({ name: expect.any(String), violations: 0, examples: [] });
  });

  test('doctor: each finding', async () => {
    const { output } = await run('doctor', '--json');
    expect(JSON.parse(output)).toContainEqual({
      level: 'ok',
      check: 'database',
      says: expect.any(String),
    });
  });
});

describe('token', () => {
  const tokenFor = async (...args: string[]) => (await run('token', ...args)).output.trim();

  test('--scope narrows the token', async () => {
    const person = ['--sub', at.ada.person.sub, '--email', at.ada.person.email];
    const statuses = async (token: string) => {
      const caller = at.with(`Bearer ${token}`);
      const { status: read } = await caller.get(`/collections${at.query}`);
      const { status: write } = await caller.post(`/collections${at.query}`, {});
      return [read, write];
    };
    expect(await statuses(await tokenFor(...person, '--scope', 'read'))).toEqual([200, 403]);
    expect(await statuses(await tokenFor(...person, '--scope', 'write'))).toEqual([200, 200]);
  });

  test('--service makes a token of a service', async () => {
    const token = await tokenFor('--sub', 'ci-bot', '--service');
    const { status, body } = await at.with(`Bearer ${token}`).get('/me');
    expect([status, body.email]).toEqual([200, `${body._id}@service.invalid`]);
  });

  test('--service has no email', async () => {
    const { status, output } = await run('token', '--sub', 'a', '--service', '--email', 'a@b.c');
    expect(status).toBe(2);
    expect(output).toContain("option '--service' cannot be used with option '--email <address>'");
  });
});

test('import --dry-run says what it would create, and creates nothing', async () => {
  const folder = await aFolder({ 'a.md': '# A\n', 'guides/b.md': '# B\n', 'c.png': '' });
  const place = ['--team', at.team, '--workspace', at.workspace.slug];
  const service = ['--token', tokenOf(at.ada.person), '--url', at.url];
  const { status, output } = await run('import', folder, ...place, ...service, '--dry-run');
  expect(status).toBe(0);
  expect(output).toContain('An import would create 2 pages and 1 collection; 0 pages were there');
  expect(output).toContain('Skipped, as they are not Markdown (1):\n  c.png');
  expect(await theTree(at.ada, at.query)).toEqual([]);
});

describe('completion', () => {
  /** What bash offers at the end of a line. */
  async function completionsOf(line: string): Promise<string[]> {
    const { output } = await run('completion', 'bash');
    const words = line.split(' ').map((word) => `'${word}'`);
    const ask = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _teamspaces`;
    const script = `${output}\n${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  }

  test('offers commands, those below them, and their options', async () => {
    expect(await completionsOf('teamspaces ve')).toEqual(['verify']);
    expect(await completionsOf('teamspaces team ')).toEqual(
      expect.arrayContaining(['list', 'show', 'delete']),
    );
    expect(await completionsOf('teamspaces member list --te')).toEqual(['--team']);
    expect(await completionsOf('teamspaces import ./docs --dry')).toEqual(['--dry-run']);
  });

  testWith('fish')('fish offers the same words', async () => {
    const { output } = await run('completion', 'fish');
    const offered = (line: string): string[] =>
      execFileSync(
        'fish',
        ['--no-config', '-c', `${output}\ncomplete -C ${JSON.stringify(line)}`],
        {
          encoding: 'utf8',
        },
      )
        .trim()
        .split('\n');
    for (const line of ['ve', 'team ', 'team show --', 'member list --te', 'import ./docs --dry']) {
      const words = await completionsOf(`teamspaces ${line}`);
      expect(words.length).toBeGreaterThan(0);
      expect(offered(`teamspaces ${line}`)).toEqual(expect.arrayContaining(words));
    }
    expect(offered('teamspaces team ')).not.toContain('verify');
  });

  test('for zsh it is the same, after bashcompinit', async () => {
    const [bash, zsh] = [await run('completion', 'bash'), await run('completion', 'zsh')];
    expect(zsh.output).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash.output}`);
  });
});
