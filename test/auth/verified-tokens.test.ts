import { generateKeyPairSync } from 'node:crypto';
import type { Claims } from '../../src/auth/claims.js';
import { VerifiedTokens } from '../../src/auth/jwt.strategy.js';
import { SYSTEM_CLOCK } from '../../src/config/config.module.js';
import { until } from '../operate/process.js';
import { SECRET, somebody, startService, type TestService } from '../support/app.js';
import { aTeam } from '../support/builders.js';
import { error } from '../support/errors.js';
import { hs256, jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const NOW = 1_700_000_000_000;
const claims: Claims = {
  issuer: '',
  subject: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada',
  image: null,
  scope: 'manage',
};

describe('a verified token is remembered', () => {
  let now: number;
  let tokens: VerifiedTokens;
  beforeEach(() => {
    now = NOW;
    tokens = new VerifiedTokens({ ...SYSTEM_CLOCK, date: () => now });
  });

  /** What is remembered this many seconds after the token was verified. */
  function recallAfter(seconds: number): Claims | null {
    now = NOW + seconds * 1000;
    return tokens.recall('Bearer x');
  }

  test('for a minute at most', () => {
    tokens.remember('Bearer x', claims, NOW / 1000 + 3600);
    expect(recallAfter(59)).toEqual(claims);
    expect(recallAfter(60)).toBeNull();
  });

  test('until it expires, with the tolerance of 30 s', () => {
    tokens.remember('Bearer x', claims, NOW / 1000 - 10);
    expect(recallAfter(19)).toEqual(claims);
    expect(recallAfter(20)).toBeNull();
  });

  test('not before the time when it was verified', () => {
    tokens.remember('Bearer x', claims, NOW / 1000 + 3600);
    expect(recallAfter(-1)).toBeNull();
  });

  test('to the letter', () => {
    tokens.remember('Bearer x', claims, NOW / 1000 + 3600);
    for (const other of ['Bearer X', 'bearer x', 'Bearer  x', 'Bearer x ', 'x', '', undefined]) {
      expect(tokens.recall(other)).toBeNull();
    }
  });

  test('beyond the largest number, the oldest ones are forgotten', () => {
    for (let made = 0; made < 20_000; made++) {
      tokens.remember(`Bearer ${made}`, claims, NOW / 1000 + 3600);
    }
    expect(tokens.recall('Bearer 0')).toBeNull();
    expect(tokens.recall('Bearer 19999')).toEqual(claims);
  });
});

describe('with a remembered token', () => {
  const at = scene();

  test('a caller is told when it expires', async () => {
    const me = (left: number) => {
      // Valid for 30 seconds after it has expired.
      const exp = Math.floor(Date.now() / 1000) - 30 + left;
      const caller = at.with(`Bearer ${hs256({ alg: 'HS256' }, { ...somebody(), exp }, SECRET)}`);
      return () => caller.get('/me');
    };
    let ask = me(3);
    // On a busy machine the first request may take as long: another token, valid for longer.
    for (let left = 6; (await ask()).status !== 200 && left < 30; left *= 2) ask = me(left);
    let response = await ask();
    expect(response.status).toBe(200);
    while (response.status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      response = await ask();
    }
    expect([response.status, response.body]).toEqual([401, error('unauthorized', 'has expired')]);
  });

  test('a right that was revoked is gone on the next request', async () => {
    const team = await aTeam(at.ada);
    const member = await aMember(at, team, 'member');
    expect((await member.get(`/teams/${team}`)).status).toBe(200);
    await sql(at.databaseUrl, 'DELETE FROM team_members WHERE user_id = $1', [member.id]);
    expect((await member.get(`/teams/${team}`)).status).toBe(403);
  });
});

describe('keys of remembered tokens', () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  let keySet: KeySetServer;
  let service: TestService;
  beforeEach(async () => {
    keySet = await startKeySet([jwk(publicKey, { kid: 'it' })]);
    service = await startService({
      AUTH_JWT_SECRET: '',
      AUTH_JWKS_URL: keySet.url,
      AUTH_ISSUER: 'https://id.example.com',
      AUTH_AUDIENCE: 'teamspaces',
    });
  });
  afterEach(async () => {
    await service.stop();
    await keySet.stop();
  });

  function aToken(): string {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = { ...somebody(), iss: 'https://id.example.com', aud: 'teamspaces', exp };
    return rs256({ alg: 'RS256', kid: 'it' }, claims, privateKey);
  }
  const statusFor = async (token: string): Promise<number> =>
    (await service.with(`Bearer ${token}`).get('/me')).status;

  /** The provider takes back its only key. */
  const withdraw = () => {
    keySet.keys = [];
  };

  test('a withdrawn key verifies nothing after 10 minutes, however often its token was used meanwhile', async () => {
    const token = aToken();
    expect(await statusFor(token)).toBe(200);
    withdraw();
    let status = 200;
    for (let minute = 1; minute <= 10; minute++) {
      await service.advance(MINUTE);
      status = await statusFor(token);
    }
    expect(status).toBe(401);
  });

  test('keys are as old as the question for them, however slowly the provider responds', async () => {
    keySet.mood = 'waits';
    const first = statusFor(aToken());
    await until(() => keySet.fetches > 0);
    await service.advance(3 * SECOND);
    withdraw();
    keySet.mood = 'responds';
    keySet.release();
    expect(await first).toBe(200);
    // After 8 minutes the provider is asked before a key verifies anything.
    await service.advance(8 * MINUTE - 3 * SECOND);
    expect(await statusFor(aToken())).toBe(401);
  });
});
