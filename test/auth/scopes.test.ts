import { type Caller, SECRET } from '../support/app.js';
import { freshSlug, ok, type TeamBody } from '../support/builders.js';
import { error } from '../support/errors.js';
import { hs256 } from '../support/key-set.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

const at = scene({ once: 'workspace' });
const exp = Math.floor(Date.now() / 1000) + 600;

/** Calls by Ada with a token that makes these claims too. */
const narrowed = (claims: object): Caller =>
  at.with(`Bearer ${hs256({ alg: 'HS256' }, { exp, ...at.ada.person, ...claims }, SECRET)}`);

/** What a token may do: read, change content, manage. */
async function powers(claims: object): Promise<number[]> {
  const caller = narrowed(claims);
  const answers = [
    await caller.get(`/teams/${at.team}`),
    await caller.post(`/collections${at.workspace.query}`, {}),
    await caller.put(`/teams/${at.team}`, { description: 'x' }),
  ];
  return answers.map(({ status }) => status);
}

describe('a token may', () => {
  test('do what its scopes allow', async () => {
    const wrong = await offenders(
      [
        ['do everything without scopes of ours', {}, [200, 200, 200]],
        ['do everything with scopes of others', { scope: 'openid email' }, [200, 200, 200]],
        ['do everything with an empty scope', { scope: '' }, [200, 200, 200]],
        ['read', { scope: 'openid teamspaces:read' }, [200, 403, 403]],
        ['change content', { scope: 'teamspaces:write' }, [200, 200, 403]],
        ['manage', { scope: 'teamspaces:manage' }, [200, 200, 200]],
        [
          'do all that its scopes say together',
          { scope: 'teamspaces:write teamspaces:read' },
          [200, 200, 403],
        ],
        ['read, by scp', { scp: 'teamspaces:read' }, [200, 403, 403]],
        ['change content, by a list', { scp: ['openid', 'teamspaces:write'] }, [200, 200, 403]],
        ['read, by a list in scope', { scope: ['teamspaces:read'] }, [200, 403, 403]],
        [
          'do nothing with a scope that does not exist',
          { scope: 'teamspaces:all' },
          [403, 403, 403],
        ],
        ['do nothing in capitals', { scope: 'teamspaces:READ' }, [403, 403, 403]],
        ['do everything with a prefix of ours', { scope: 'xteamspaces:read' }, [200, 200, 200]],
      ],
      async ([, claims, expected]) => {
        expect(await powers(claims)).toEqual(expected);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('not be read where its scopes are malformed: 401', async () => {
    const wrong = await offenders(
      [{ scope: 1 }, { scp: { a: 1 } }, { scp: ['teamspaces:read', 1] }, { scope: true }],
      async (claims) => {
        expect(await powers(claims)).toEqual([401, 401, 401]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('a refusal', () => {
  test('is 403 and names the scope', async () => {
    const wrong = await offenders(
      [
        ['teamspaces:read', { scope: 'teamspaces:x' }, (c: Caller) => c.get('/me')],
        [
          'teamspaces:write',
          { scope: 'teamspaces:read' },
          (c: Caller) => c.post('/collections', {}),
        ],
        [
          'teamspaces:manage',
          { scope: 'teamspaces:write' },
          (c: Caller) => c.post('/teams', { name: 'Team', slug: freshSlug() }),
        ],
      ],
      async ([scope, claims, call]) => {
        const answer = await call(narrowed(claims));
        expect([answer.status, answer.body]).toEqual([403, error('forbidden', scope)]);
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer error="insufficient_scope", scope="${scope}"`,
        );
      },
    );
    expect(wrong).toEqual([]);
  });

  test('comes on a remembered token, too', async () => {
    const caller = narrowed({ scope: 'teamspaces:read', jti: 'once' });
    expect((await caller.get('/me')).status).toBe(200);
    expect((await caller.post('/teams', { name: 'Team', slug: freshSlug() })).status).toBe(403);
  });
});

test('an owner sees the invite code with teamspaces:manage alone', async () => {
  const code = async (claims: object): Promise<string[]> => {
    const caller = narrowed(claims);
    const one = await ok<TeamBody>(caller.get(`/teams/${at.team}`));
    const [first] = await ok<TeamBody[]>(caller.get('/teams'));
    return [one.inviteCode, (first as TeamBody).inviteCode];
  };
  const [seen] = await code({});
  expect(seen).toMatch(/^.{24}$/);
  expect(await code({ scope: 'teamspaces:manage' })).toEqual([seen, seen]);
  expect(await code({ scope: 'teamspaces:write' })).toEqual(['', '']);
  expect(await code({ scope: 'teamspaces:read' })).toEqual(['', '']);
});

test('two tokens of one user, narrowed and not, do not change the record in turns', async () => {
  await ok(narrowed({}).get('/me'));
  await ok(narrowed({ scope: 'teamspaces:read' }).get('/me'));
  expect((await narrowed({}).put(`/teams/${at.team}`, { description: 'y' })).status).toBe(200);
});
