import { generateKeyPairSync } from 'node:crypto';
import { somebody } from '../support/app.js';
import { error } from '../support/errors.js';
import { jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';
import { scene } from '../support/scene.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let keySet: KeySetServer;
beforeAll(async () => {
  keySet = await startKeySet([jwk(publicKey, { kid: 'it' })]);
  keySet.mood = 'hangs';
});
const at = scene({
  env: () => ({
    AUTH_JWT_SECRET: '',
    AUTH_JWKS_URL: keySet.url,
    AUTH_ISSUER: 'https://id.example.com',
    AUTH_AUDIENCE: 'teamspaces',
  }),
  ada: false,
});
afterAll(() => keySet.stop());

const exp = Math.floor(Date.now() / 1000) + 600;
const token = (kid: string): string =>
  rs256(
    { alg: 'RS256', kid },
    { ...somebody(), iss: 'https://id.example.com', aud: 'teamspaces', exp },
    privateKey,
  );
const getMe = (kid: string) => at.with(`Bearer ${token(kid)}`).get('/me');

test('a service starts without its provider, and says when to try again until it answers', async () => {
  const early = await getMe('it');
  expect([early.status, early.body]).toEqual([
    500,
    error('internal_server_error', 'identity provider'),
  ]);
  expect(early.headers['retry-after']).toMatch(/^[1-5]$/);
  // What needs no key is still a 401.
  expect((await at.with('Bearer x').get('/me')).status).toBe(401);
  keySet.mood = 'answers';
  let answer = early;
  for (let tries = 0; answer.status === 500 && tries < 10; tries++) {
    const seconds = Number(answer.headers['retry-after']);
    await at.advance(seconds * 1000);
    answer = await getMe('it');
  }
  expect(answer.status).toBe(200);
});

test('a provider that goes away again locks out nobody whose key is known', async () => {
  keySet.mood = 'fails';
  expect((await getMe('it')).status).toBe(200);
});

test('200 unknown keys at once cause five fetches at most', async () => {
  keySet.mood = 'answers';
  const before = keySet.fetches;
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => getMe(`unknown-${n}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(keySet.fetches - before).toBeLessThanOrEqual(5);
}, 60_000);
