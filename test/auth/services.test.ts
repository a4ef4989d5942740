import { type Caller, SECRET } from '../support/app.js';
import { aTeam, freshSlug, ok, type TeamBody } from '../support/builders.js';
import { error } from '../support/errors.js';
import { hs256 } from '../support/key-set.js';
import { anInvite, someone } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

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
        ['of Auth0', { sub: 'abc@clients', azp: 'abc', gty: 'client-credentials' }, 'abc@clients'],
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
        const answer = await bearing(claims).get('/me');
        expect([answer.status, answer.body]).toEqual([401, error('unauthorized', 'claim email')]);
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
      const answer = await bearing({ sub: 'eve', client_id: 'eve', email }).get('/me');
      expect([answer.status, answer.body]).toEqual([401, error('unauthorized', 'claim email')]);
    },
  );
  expect(wrong).toEqual([]);
});
