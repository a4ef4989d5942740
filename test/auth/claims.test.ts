import jwt from 'jsonwebtoken';
import { type Caller, SECRET, somebody } from '../support/app.js';
import { aTeam, freshSlug, ok, type TeamBody } from '../support/builders.js';
import { error } from '../support/errors.js';
import { hs256 } from '../support/key-set.js';
import { anInvite, someone } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const tokenWith = (claims: object): string =>
  `Bearer ${jwt.sign({ sub: 'ada', ...claims }, SECRET, { expiresIn: 600 })}`;

describe('AUTH_EMAIL_CLAIM, AUTH_NAME_CLAIM and AUTH_PICTURE_CLAIM', () => {
  const at = scene({
    env: {
      AUTH_EMAIL_CLAIM: 'https://example.com/email',
      AUTH_NAME_CLAIM: 'https://example.com/name',
      AUTH_PICTURE_CLAIM: 'avatar',
    },
    ada: false,
  });

  test('name the claims that are read, URLs included', async () => {
    const claims = {
      'https://example.com/email': 'ada@example.com',
      'https://example.com/name': 'Ada',
      avatar: 'https://example.com/ada.png',
      email: 'other@example.com',
      name: 'Other',
      picture: 'https://example.com/other.png',
    };
    expect(await ok(at.with(tokenWith(claims)).get('/me'))).toEqual({
      _id: expect.any(String),
      name: 'Ada',
      email: 'ada@example.com',
      image: 'https://example.com/ada.png',
    });
  });

  test('are named where they are missing', async () => {
    const response = await at.with(tokenWith({ email: 'ada@example.com' })).get('/me');
    expect([response.status, response.body]).toEqual([
      401,
      error('unauthorized', 'claim https://example.com/email'),
    ]);
  });
});

describe('iss, sub and name', () => {
  const at = scene({ ada: false });
  const me = (claims: object) =>
    at.with(tokenWith({ email: 'ada.l@example.com', ...claims })).get('/me');

  test('without a name a person is called what stands before the @', async () => {
    const wrong = await offenders([undefined, '', ' \t'], async (name) => {
      expect((await ok<{ name: string }>(me({ name }))).name).toBe('ada.l');
    });
    expect(wrong).toEqual([]);
  });

  test('identify a person with 1,024 bytes each, and not with one more', async () => {
    const long = 'ü'.repeat(512);
    await ok(me({ iss: long, sub: long }));
    for (const claims of [{ iss: `${long}x` }, { sub: `${long}x` }]) {
      expect((await me(claims)).status).toBe(401);
    }
  });
});

describe('email_verified', () => {
  const at = scene();
  const { sub, email } = somebody();
  const claim = (value: unknown) =>
    at.with(tokenWith({ sub, email, email_verified: value })).post('/invites/x/accept');

  test('that says so is verified', async () => {
    const wrong = await offenders([undefined, true, 'true', 'TRUE', 'True'], async (value) => {
      expect((await claim(value)).status).toBe(404);
    });
    expect(wrong).toEqual([]);
  });

  test('that denies it is not verified', async () => {
    const wrong = await offenders([false, 'false', 'False', 'FALSE'], async (value) => {
      expect((await claim(value)).status).toBe(403);
    });
    expect(wrong).toEqual([]);
  });

  test('that says neither is 401', async () => {
    const wrong = await offenders(
      [null, '', '0', 'no', 'yes', ' true', 0, 1, [], {}],
      async (value) => {
        const response = await claim(value);
        expect([response.status, response.body]).toEqual([
          401,
          error('unauthorized', 'email_verified'),
        ]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('what an email is', () => {
  const at = scene({ once: 'team' });

  /** The statuses for a token with it, and for an invite to it. */
  async function statusesFor(email: string): Promise<[number, number]> {
    const { sub } = somebody();
    const me = await at.with(tokenWith({ sub, email })).get('/me');
    const invite = await at.ada.post(`/teams/${at.team}/invites`, {
      invites: [{ email, role: 'member' }],
    });
    return [me.status, invite.status];
  }

  test('in a token is one in a request', async () => {
    const wrong = await offenders(
      [
        'ada@example.com',
        'ada+tag@example.com',
        'ada@localhost',
        "o'ada@example.com",
        'ada@my-service.invalid',
        'ädä@exämple.com',
        `${'x'.repeat(308)}@example.com`,
      ],
      async (email) => {
        expect(await statusesFor(email)).toEqual([200, 200]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('neither in a token nor in a request', async () => {
    const wrong = await offenders(
      [
        'ada',
        'a@b@c',
        'ada@',
        '@example.com',
        'ada @example.com',
        'ada<x@example.com>',
        'a,b@example.com',
        '"ada"@example.com',
        'ada@example.com\u200b',
        `${'x'.repeat(309)}@example.com`,
      ],
      async (email) => {
        expect(await statusesFor(email)).toEqual([401, 400]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('scopes', () => {
  const at = scene({ once: 'workspace' });
  const exp = Math.floor(Date.now() / 1000) + 600;

  /** Calls by Ada with a token that makes these claims too. */
  const narrowed = (claims: object): Caller =>
    at.with(`Bearer ${hs256({ alg: 'HS256' }, { exp, ...at.ada.person, ...claims }, SECRET)}`);

  /** What a token may do: read, change content, manage. */
  async function powers(claims: object): Promise<number[]> {
    const caller = narrowed(claims);
    const responses = [
      await caller.get(`/teams/${at.team}`),
      await caller.post(`/collections${at.query}`, {}),
      await caller.put(`/teams/${at.team}`, { description: 'x' }),
    ];
    return responses.map(({ status }) => status);
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
          ['both', { scope: 'openid email', scp: 'teamspaces:read' }, [200, 403, 403]],
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
          const response = await call(narrowed(claims));
          expect([response.status, response.body]).toEqual([403, error('forbidden', scope)]);
          expect(response.headers['www-authenticate']).toBe(
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

  test('HEAD is a read', async () => {
    const head = (scope: string) =>
      fetch(`${at.url}/teams/${at.team}`, {
        method: 'HEAD',
        headers: {
          authorization: `Bearer ${hs256({ alg: 'HS256' }, { exp, ...at.ada.person, scope }, SECRET)}`,
        },
      });
    const statuses = [await head('teamspaces:read'), await head('teamspaces:x')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 403]);
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
});

describe('services', () => {
  const at = scene({ env: { AUTH_SERVICE_SUBJECTS: 'system:serviceaccount:, spiffe://' } });

  const exp = Math.floor(Date.now() / 1000) + 600;
  const bearing = (claims: object): Caller =>
    at.with(`Bearer ${hs256({ alg: 'HS256' }, { exp, ...claims }, SECRET)}`);

  interface Me {
    _id: string;
    name: string;
    email: string;
  }

  describe('a token without an email is a service', () => {
    test('has its name', async () => {
      const wrong = await offenders(
        [
          ['of RFC 9068', { sub: 'robot', client_id: 'robot' }, 'robot'],
          ['by azp', { sub: 'robot-2', azp: 'robot-2' }, 'robot-2'],
          [
            'of Auth0',
            { sub: 'abc@clients', azp: 'abc', gty: 'client-credentials' },
            'abc@clients',
          ],
          ['of Entra ID', { sub: 'd3b0', azp: 'f00d', idtyp: 'app' }, 'd3b0'],
          [
            'of Keycloak',
            { sub: '5f1c', azp: 'ci', client_id: 'ci', preferred_username: 'service-account-ci' },
            'ci',
          ],
          [
            'of Kubernetes',
            { sub: 'system:serviceaccount:default:importer' },
            'system:serviceaccount:default:importer',
          ],
          ['of SPIFFE', { sub: 'spiffe://example.org/importer' }, 'spiffe://example.org/importer'],
          ['with a name', { sub: 'named', client_id: 'named', name: ' The robot ' }, 'The robot'],
          ['with an empty email', { sub: 'empty', client_id: 'empty', email: '' }, 'empty'],
        ],
        async ([, claims, name]) => {
          const me = await ok<Me>(bearing(claims).get('/me'));
          expect(me).toEqual({ _id: me._id, name, email: `${me._id}@service.invalid` });
        },
      );
      expect(wrong).toEqual([]);
    });

    test('unless it says otherwise, or nothing: 401, and the message names the claim', async () => {
      const wrong = await offenders(
        [
          ['says nothing', { sub: 'nobody' }],
          ['was got by a client of another name', { sub: 'ada', client_id: 'app', azp: 'app' }],
          ['has another grant', { sub: 'ada', gty: 'password' }],
          ['is of a user', { sub: 'ada', idtyp: 'user' }],
          ['has a name that is like one', { sub: 'ada', preferred_username: 'x-service-account-' }],
          ['has a subject with a prefix inside', { sub: 'x:system:serviceaccount:default:a' }],
          ['has lists for names', { sub: 'ada', client_id: ['ada'], azp: ['ada'] }],
        ],
        async ([, claims]) => {
          const response = await bearing(claims).get('/me');
          expect([response.status, response.body]).toEqual([
            401,
            error('unauthorized', 'claim email'),
          ]);
        },
      );
      expect(wrong).toEqual([]);
    });
  });

  describe('a service', () => {
    const robot = { sub: 'worker', client_id: 'worker' };

    test('stays the same user, and its record is written once', async () => {
      const record = async () => {
        const rows = await sql(
          at.databaseUrl,
          `SELECT xmin, id, email, email_verified, name FROM users WHERE subject = 'worker'`,
        );
        expect(rows).toHaveLength(1);
        return rows[0] as Record<string, unknown>;
      };
      const me = await ok<Me>(bearing(robot).get('/me'));
      const first = await record();
      expect(first).toMatchObject({ id: me._id, email: me.email, email_verified: false });
      expect(await ok<Me>(bearing({ ...robot, jti: 'another token' }).get('/me'))).toEqual(me);
      expect(await record()).toEqual(first);
      // A name that comes and goes: the record follows, the address stays.
      await ok<Me>(bearing({ ...robot, name: 'Worker' }).get('/me'));
      expect(await record()).toMatchObject({ id: me._id, email: me.email, name: 'Worker' });
      expect(await ok<Me>(bearing(robot).get('/me'))).toEqual(me);
      expect(await record()).toMatchObject({ name: 'worker' });
    });

    test('joins by the invite code and counts as a user', async () => {
      const owner = await someone(at);
      const team = await aTeam(owner);
      const { inviteCode } = await ok<TeamBody>(owner.get(`/teams/${team}`));
      const joined = await ok<TeamBody>(bearing(robot).post('/teams/join', { inviteCode }));
      expect(joined.usage.users).toBe(2);
      expect((await bearing(robot).get(`/teams/${team}`)).status).toBe(200);
    });

    test('accepts no invite to its address', async () => {
      const owner = await someone(at);
      const { email } = await ok<Me>(bearing(robot).get('/me'));
      const invite = await anInvite(owner, await aTeam(owner), email);
      expect((await bearing(robot).get('/invites')).body).toEqual({ users: [] });
      const accepted = await bearing(robot).post(`/invites/${invite._id}/accept`);
      expect([403, 404]).toContain(accepted.status);
    });

    test('makes a team of its own', async () => {
      await ok(bearing(robot).post('/teams', { name: 'Robots', slug: freshSlug() }));
    });
  });

  test('401 for a person with the address of a service', async () => {
    const wrong = await offenders(
      ['x@service.invalid', 'X@Service.INVALID', 'x@ｓervice.invalid'],
      async (email) => {
        const response = await bearing({ sub: 'eve', client_id: 'eve', email }).get('/me');
        expect([response.status, response.body]).toEqual([
          401,
          error('unauthorized', 'claim email'),
        ]);
      },
    );
    expect(wrong).toEqual([]);
  });
});
