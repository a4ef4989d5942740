import { SECRET, startService } from '../support/app.js';
import { ok } from '../support/builders.js';
import { type Ended, ended, runCommand } from '../support/command.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

// Set-up and processes take long on a machine that has other things to do.

const at = scene({ verify: true });
let first: Ended;
beforeAll(async () => {
  first = await demo();
});

const demo = (env: Record<string, string> = {}): Promise<Ended> =>
  runCommand(['demo'], { AUTH_JWT_SECRET: SECRET, TEAMSPACES_URL: at.url, ...env });

/** All rows that the demo makes, as they are. */
const everything = (): Promise<object[]> =>
  sql(
    at.databaseUrl,
    `SELECT to_jsonb(teams) AS row FROM teams
     UNION ALL SELECT to_jsonb(team_usage) FROM team_usage
     UNION ALL SELECT to_jsonb(team_members) FROM team_members
     UNION ALL SELECT to_jsonb(team_invites) FROM team_invites
     UNION ALL SELECT to_jsonb(workspaces) FROM workspaces
     UNION ALL SELECT to_jsonb(workspace_members) FROM workspace_members
     UNION ALL SELECT to_jsonb(collections) FROM collections
     UNION ALL SELECT to_jsonb(users) FROM users ORDER BY 1`,
  );

interface Found {
  name: string;
  snippet: { text: string; match: boolean }[];
}

/** The lines that are for a shell. */
const shellLines = (output: string): string[] =>
  output.split('\n').filter((line) => /^([A-Z]+=|curl )/.test(line));

test('it makes an organisation, and the second time changes nothing', async () => {
  expect(first.output).toMatch('Created the team Lumen Bikes.\n');
  expect(first.output).toMatch('Wrote the content of Grants.\n');
  expect(first.status).toBe(0);
  const made = await everything();
  const second = await demo();
  expect(second.output).toMatch(/^The demo already exists: nothing was changed\.\n/);
  expect(second.status).toBe(0);
  expect(await everything()).toEqual(made);
});

test('there is somebody in every role, and content in every workspace', async () => {
  const roles = (from: string) =>
    sql<{ role: string }>(at.databaseUrl, `SELECT DISTINCT role FROM ${from} ORDER BY role`);
  expect((await roles('team_members')).map(({ role }) => role)).toEqual(
    expect.arrayContaining(['guest', 'member', 'moderator', 'owner']),
  );
  expect((await roles('workspace_members')).map(({ role }) => role)).toEqual(['editor', 'reader']);
  const workspaces = await sql<{ visibility: string; pages: number }>(
    at.databaseUrl,
    `SELECT visibility, (SELECT count(*)::int FROM collections c
       WHERE c.workspace_id = w.id AND object = 'item') AS pages FROM workspaces w`,
  );
  expect(new Set(workspaces.map(({ visibility }) => visibility))).toEqual(
    new Set(['public', 'private']),
  );
  expect(Math.min(...workspaces.map(({ pages }) => pages))).toBeGreaterThanOrEqual(3);
});

test('what it prints runs as printed', async () => {
  const { output } = await demo();
  const lines = shellLines(output);
  const calls = lines.filter((line) => line.startsWith('curl '));
  expect(lines.length - calls.length).toBe(6);
  expect(calls.length).toBe(11);
  const { status, output: received } = await ended('sh', ['-ec', lines.join('\n')]);
  expect(status).toBe(0);
  const responses = received
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const codes = responses.map((response) => response.error?.code ?? 'ok');
  // The one that shows what is hidden says so.
  const expected = calls.map((line) => (line.includes('/leadership') ? 'not_found' : 'ok'));
  expect(codes).toEqual(expected);
  const [teams, members, workspaces, tree, page, phrase, japanese, written, , invites, trash] =
    responses;
  expect(teams.map(({ role }: { role: string }) => role).sort()).toEqual(['guest', 'owner']);
  expect(members.users).toHaveLength(5);
  expect(workspaces).toHaveLength(1);
  expect(tree[0].name).toBe('Welcome to Lumen');
  expect(page.content.markdown).toMatch('25 days');
  const matchesOf = ({ name, snippet }: Found) => [
    name,
    snippet.filter(({ match }) => match).map(({ text }) => text),
  ];
  expect(phrase.map(matchesOf).sort()).toEqual([
    ['Interviews, February', ['tram tracks']],
    ['Letters from abroad', ['Tram tracks']],
  ]);
  // It is in a heading, and in the sentence below.
  expect(japanese.map(matchesOf)).toEqual([['Letters from abroad', ['雨の日', '雨の日']]]);
  expect(written.name).toBe('From a terminal');
  expect(invites.users).toHaveLength(2);
  expect(trash).toMatchObject([{ name: 'Ideas of last year', pages: 2, collections: 1 }]);
});

test('what is missing of it, as after an interruption, comes back; what people did stays', async () => {
  const ada = at.as({ sub: 'ada', email: 'ada@example.com', name: 'Ada' });
  const handbook = '/teams/lumen-bikes/workspaces/handbook';
  const before = (await ok<object[]>(ada.get(`${handbook}/collections`))).length;
  const added = { name: 'Ours', object: 'item' };
  await ok(ada.post(`${handbook}/collections`, added));
  await ok(ada.delete('/teams/lumen-bikes/workspaces/leadership'));
  const { status, output } = await demo();
  expect(output.slice(0, output.indexOf('\n\n')).split('\n')).toEqual([
    'Made the private workspace Leadership.',
    'Ben is reader of Leadership.',
    'Wrote the content of Leadership.',
  ]);
  expect(status).toBe(0);
  expect(await ok<object[]>(ada.get(`${handbook}/collections`))).toHaveLength(before + 1);
});

describe('it is refused with a sentence', () => {
  test('in production, or where there is no development secret', async () => {
    const wrong = await offenders(
      [
        [{ NODE_ENV: 'production' }, /^The demo is for development, and NODE_ENV is production/],
        [
          {
            AUTH_JWT_SECRET: '',
            AUTH_JWKS_URL: 'https://id.example.com/jwks',
            AUTH_ISSUER: 'https://id.example.com',
            AUTH_AUDIENCE: 'teamspaces',
          },
          /^The demo signs tokens with the secret of the service; with AUTH_JWKS_URL/,
        ],
        [
          { TEAMSPACES_URL: 'http://127.0.0.1:1' },
          /^There is no service at http:\/\/127\.0\.0\.1:1: start/,
        ],
        [{ AUTH_JWT_SECRET: 'another secret, of 32 bytes at least' }, /refuses the tokens/],
      ],
      async ([env, sentence]) => {
        const { status, output } = await demo(env as Record<string, string>);
        expect(output).toMatch(sentence);
        expect(output.trimEnd().split('\n')).toHaveLength(1);
        expect(status).toBe(1);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('a team of others that has the slug', async () => {
    const other = await startService();
    const stranger = other.as({ sub: 'x', email: 'x@example.com', name: 'X' });
    await ok(stranger.post('/teams', { name: 'Mine', slug: 'lumen-bikes' }));
    const { status, output } = await demo({ TEAMSPACES_URL: other.url });
    await other.stop();
    expect(output).toMatch('The team lumen-bikes belongs to somebody else');
    expect(status).toBe(1);
  });
});
