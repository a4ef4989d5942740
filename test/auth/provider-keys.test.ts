import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import jwt, { type Algorithm } from 'jsonwebtoken';
import { ProviderKeys } from '../../src/auth/keys.js';
import { until } from '../operate/process.js';
import { somebody } from '../support/app.js';
import { aTeam, freshSlug, ok, type TeamBody } from '../support/builders.js';
import { error } from '../support/errors.js';
import {
  AUDIENCE,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { jwk, type KeySetServer, type Mood, rs256, startKeySet } from '../support/key-set.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

describe('keys of a provider', () => {
  // Each fetch that fails is a line of the log.
  Logger.overrideLogger(false);

  const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const first = rsa();
  const second = rsa();
  const header = (kid: string) => ({ alg: 'RS256', kid });

  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  let server: KeySetServer;
  let now: number;
  let keys: ProviderKeys;
  beforeEach(async () => {
    server = await startKeySet([jwk(first.publicKey, { kid: 'first' })]);
    now = 0;
    keys = new ProviderKeys(new URL(server.url), () => now);
  });
  afterEach(() => server.stop());

  /** What a caller with a token of this key is told. */
  async function verdict(kid: string, asked = keys): Promise<string> {
    try {
      const key: KeyObject = await asked.find(header(kid));
      return key.type === 'public' ? 'known' : key.type;
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  /** Waits for a fetch that continues in the background. */
  async function untilEnded(count: number): Promise<void> {
    for (let tries = 0; server.ended < count && tries < 500; tries++) await pause(10);
    await pause(100);
  }

  const pause = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));

  describe('the key set', () => {
    test('is fetched once for many callers', async () => {
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => verdict('first')));
      expect([new Set(verdicts), server.fetches]).toEqual([new Set(['known']), 1]);
      now += 4 * MINUTE;
      expect([await verdict('first'), server.fetches]).toEqual(['known', 1]);
    });

    test('is fetched at most five times for 200 unknown keys in a burst', async () => {
      await verdict('first');
      for (let sent = 0; sent < 100; sent++) {
        expect(await verdict(`unknown-${sent}`)).toBe('unauthorized');
        now += 50;
      }
      const rest = Array.from({ length: 100 }, (_, sent) => verdict(`other-${sent}`));
      expect(new Set(await Promise.all(rest))).toEqual(new Set(['unauthorized']));
      expect(server.fetches).toBeLessThanOrEqual(5);
    });

    test('knows a rotated key within 30 s, also under a flood of unknown ones', async () => {
      await verdict('first');
      now += 6 * SECOND;
      await verdict('unknown');
      server.keys = [jwk(second.publicKey, { kid: 'second' })];
      const verdicts: string[] = [];
      for (let waited = 0; waited < 30; waited++) {
        now += SECOND;
        await verdict(`unknown-${waited}`);
        verdicts.push(await verdict('second'));
      }
      expect(verdicts).toContain('known');
      expect(verdicts.at(-1)).toBe('known');
    });

    test('refuses a key that was withdrawn 9 minutes ago', async () => {
      await verdict('first');
      server.keys = [jwk(second.publicKey, { kid: 'second' })];
      now += 9 * MINUTE;
      expect(await verdict('first')).toBe('unauthorized');
    });

    test('is fetched again in time, while callers continue with the old one', async () => {
      await verdict('first');
      server.keys = [jwk(second.publicKey, { kid: 'second' })];
      now += 5 * MINUTE;
      expect(await verdict('first')).toBe('known');
      await untilEnded(2);
      expect(await verdict('first')).toBe('unauthorized');
    });

    test('may hold other kinds of keys, and keys that are none', async () => {
      const oct = { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' };
      server.keys = [oct, {}, { kty: 'new' }, jwk(first.publicKey, { kid: 'first' })];
      expect([await verdict('first'), await verdict('secret')]).toEqual(['known', 'unauthorized']);
    });
  });

  describe('an RSA key of less than 2,048 bits', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    afterAll(() => warned.mockRestore());

    test('is as unknown as one that is not there, and is reported once', async () => {
      warned.mockClear();
      server.keys = [jwk(weak.publicKey, { kid: 'weak' }), jwk(first.publicKey, { kid: 'first' })];
      for (let sent = 0; sent < 3; sent++) expect(await verdict('weak')).toBe('unauthorized');
      expect(await verdict('first')).toBe('known');
      expect(warned.mock.calls).toEqual([
        [expect.stringMatching(/less than 2048 bits.*kid weak$/)],
      ]);
    });
  });

  describe('a provider that is down', () => {
    test('lets nobody be judged before its first response, and is found when it comes', async () => {
      const stops: (() => Promise<void>)[] = [];
      const wrong = await offenders(
        ['fails', 'hangs', 'stalls'] as const,
        async (mood) => {
          const down = await startKeySet([jwk(first.publicKey, { kid: 'first' })]);
          stops.push(down.stop);
          let time = 0;
          const asked = new ProviderKeys(new URL(down.url), () => time);
          down.mood = mood;
          await expect(asked.find(header('first'))).rejects.toMatchObject({
            code: 'internal_server_error',
            retryAfterSeconds: 5,
          });
          down.mood = 'responds';
          // Not asked again at once.
          time += 4 * SECOND;
          await expect(asked.find(header('first'))).rejects.toMatchObject({ retryAfterSeconds: 1 });
          time += SECOND;
          expect(await verdict('first', asked)).toBe('known');
        },
        { atOnce: 3 },
      );
      for (const stop of stops) await stop();
      expect(wrong).toEqual([]);
    });

    test('leaves known keys known for 24 hours', async () => {
      await verdict('first');
      server.mood = 'fails';
      now += 9 * MINUTE;
      expect(await verdict('first')).toBe('known');
      now += 23 * HOUR;
      expect(await verdict('first')).toBe('known');
      now += HOUR;
      expect(await verdict('first')).toBe('internal_server_error');
    });

    test('counts them from the question, not from the response', async () => {
      server.mood = 'waits';
      const asked = verdict('first');
      await until(() => server.fetches > 0);
      now = MINUTE;
      server.release();
      expect(await asked).toBe('known');
      server.mood = 'fails';
      now = 24 * HOUR - 1;
      expect(await verdict('first')).toBe('known');
      now = 24 * HOUR;
      expect(await verdict('first')).toBe('internal_server_error');
    });

    test('cannot say whether an unknown key is a new one', async () => {
      await verdict('first');
      server.mood = 'fails';
      now += MINUTE;
      expect(await verdict('second')).toBe('internal_server_error');
      expect(await verdict('first')).toBe('known');
    });

    test('is not asked more often than one that responds', async () => {
      server.mood = 'fails';
      for (let sent = 0; sent < 200; sent++) {
        await verdict(`unknown-${sent}`);
        now += 100;
      }
      expect(server.fetches).toBeLessThanOrEqual(5);
    });

    test('makes known callers wait for one fetch alone', async () => {
      await verdict('first');
      server.mood = 'hangs';
      now += 9 * MINUTE;
      await verdict('first');
      const { ended } = server;
      now += 6 * SECOND;
      expect(await verdict('first')).toBe('known');
      expect(server.ended).toBe(ended);
    });

    test('loses its withdrawn keys as soon as it responds again', async () => {
      await verdict('first');
      server.mood = 'fails';
      now += HOUR;
      expect(await verdict('first')).toBe('known');
      server.mood = 'responds';
      server.keys = [jwk(second.publicKey, { kid: 'second' })];
      now += 10 * MINUTE;
      expect(await verdict('first')).toBe('unauthorized');
    });
  });

  describe('a key verifies', () => {
    const pairs: Record<string, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
      RS: () => first,
      PS: () => first,
      ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
      ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    };
    const algorithms: Algorithm[] = [
      ...(['RS256', 'RS384', 'RS512'] as const),
      ...(['PS256', 'PS384', 'PS512'] as const),
      ...(['ES256', 'ES384', 'ES512'] as const),
    ];

    test('tokens of its algorithm', async () => {
      const wrong = await offenders(algorithms, async (algorithm) => {
        const make = pairs[algorithm] ?? pairs[algorithm.slice(0, 2)] ?? (() => first);
        const { publicKey, privateKey } = make();
        server.keys = [jwk(publicKey, { kid: 'it' })];
        const fresh = new ProviderKeys(new URL(server.url), () => now);
        const key = await fresh.find({ alg: algorithm, kid: 'it' });
        expect(fresh.algorithms).toContain(algorithm);
        const token = jwt.sign({ sub: 'ada' }, privateKey, { algorithm });
        expect(jwt.verify(token, key, { algorithms: [algorithm] })).toMatchObject({ sub: 'ada' });
      });
      expect(wrong).toEqual([]);
    });
  });
});

describe('an outage of the provider', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const exp = Math.floor(Date.now() / 1000) + 600;
  const token = (kid: string): string =>
    rs256(
      { alg: 'RS256', kid },
      { ...somebody(), iss: 'https://id.example.com', aud: 'teamspaces', exp },
      privateKey,
    );

  let keySet: KeySetServer;
  const startedWhileProvider = (mood: Mood) =>
    scene({
      env: async () => {
        keySet = await startKeySet([jwk(publicKey, { kid: 'it' })]);
        keySet.mood = mood;
        return {
          AUTH_JWT_SECRET: '',
          AUTH_JWKS_URL: keySet.url,
          AUTH_ISSUER: 'https://id.example.com',
          AUTH_AUDIENCE: 'teamspaces',
        };
      },
      ada: false,
    });

  describe('when the service starts', () => {
    const at = startedWhileProvider('hangs');
    afterAll(() => keySet.stop());

    test('callers are told when to try again, until the provider responds', async () => {
      const getMe = () => at.with(`Bearer ${token('it')}`).get('/me');
      const early = await getMe();
      expect([early.status, early.body]).toEqual([
        500,
        error('internal_server_error', 'identity provider'),
      ]);
      expect(early.headers['retry-after']).toMatch(/^[1-5]$/);
      // What needs no key is still a 401.
      expect((await at.with('Bearer x').get('/me')).status).toBe(401);
      keySet.mood = 'responds';
      let response = early;
      for (let tries = 0; response.status === 500 && tries < 10; tries++) {
        const seconds = Number(response.headers['retry-after']);
        await at.advance(seconds * 1000);
        response = await getMe();
      }
      expect(response.status).toBe(200);
    });
  });

  describe('when the key is known', () => {
    const at = startedWhileProvider('responds');
    afterAll(() => keySet.stop());

    const getMe = (kid: string) => at.with(`Bearer ${token(kid)}`).get('/me');
    beforeEach(async () => {
      keySet.mood = 'responds';
      expect((await getMe('it')).status).toBe(200);
    });

    test('it locks out nobody', async () => {
      keySet.mood = 'fails';
      expect((await getMe('it')).status).toBe(200);
    });

    test('200 unknown keys at once cause five fetches at most', async () => {
      const before = keySet.fetches;
      const responses = await Promise.all(
        Array.from({ length: 200 }, (_, n) => getMe(`unknown-${n}`)),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
      expect(keySet.fetches - before).toBeLessThanOrEqual(5);
    });
  });
});

describe('with tokens of a real provider', () => {
  let provider: IdentityProvider;
  const at = scene({
    env: async () => {
      provider = await startIdentityProvider();
      return {
        AUTH_JWT_SECRET: '',
        AUTH_JWKS_URL: provider.jwksUrl,
        AUTH_ISSUER: provider.issuer,
        AUTH_AUDIENCE: AUDIENCE,
      };
    },
    ada: false,
  });
  afterAll(() => provider.stop());

  const bearing = (token: string) => at.with(`Bearer ${token}`);

  test('somebody who signed in is who the provider says', async () => {
    expect(await ok(bearing(await provider.signIn('ada')).get('/me'))).toEqual({
      _id: expect.any(String),
      name: 'Ada',
      email: 'ada@example.com',
    });
  });

  test('a machine is a user with an address of no one, and joins by the invite code', async () => {
    const machine = bearing(await provider.machineToken());
    const me = await ok<{ _id: string }>(machine.get('/me'));
    expect(me).toEqual({ _id: me._id, name: 'robot', email: `${me._id}@service.invalid` });
    const ada = bearing(await provider.signIn('ada'));
    const team = await aTeam(ada);
    const { inviteCode } = await ok<TeamBody>(ada.get(`/teams/${team}`));
    const joined = await ok<TeamBody>(machine.post('/teams/join', { inviteCode }));
    expect(joined.usage.users).toBe(2);
  });

  test('the scopes that a client asked for are all that its token may do', async () => {
    const reader = bearing(await provider.machineToken('teamspaces:read'));
    expect((await reader.get('/teams')).status).toBe(200);
    const refused = await reader.post('/teams', { name: 'Team', slug: freshSlug() });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="teamspaces:manage"',
    ]);
  });

  test('after a rotation new tokens work, of people and of machines', async () => {
    await provider.rotate();
    // A new key is fetched every few seconds at most.
    await at.advance(30_000);
    const [person, machine] = [await provider.signIn('ada'), await provider.machineToken()];
    expect(await ok(bearing(person).get('/me'))).toMatchObject({ email: 'ada@example.com' });
    expect(await ok(bearing(machine).get('/me'))).toMatchObject({ name: 'robot' });
  });
});
