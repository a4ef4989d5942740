import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, startService, type TestService } from '../support/app.js';
import { jwk, type KeySetServer, rs256, startKeySet } from '../support/key-set.js';

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

test('keys are as old as the question for them, however slowly the provider answers', async () => {
  keySet.mood = 'waits';
  const first = statusFor(aToken());
  while (keySet.fetches === 0) await sleep(5);
  await service.advance(3 * SECOND);
  withdraw();
  keySet.mood = 'answers';
  keySet.release();
  expect(await first).toBe(200);
  // After 8 minutes the provider is asked before a key verifies anything.
  await service.advance(8 * MINUTE - 3 * SECOND);
  expect(await statusFor(aToken())).toBe(401);
});
