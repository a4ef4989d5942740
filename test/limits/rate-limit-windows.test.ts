import jwt from 'jsonwebtoken';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { SECRET } from '../support/secret.js';

const LIMIT = 10;
const WINDOW = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

/** One request from an address, with a token of one's own or none. */
const from = (address: string, authorization: string | null = null) =>
  service.with(authorization).get('/teams').set('x-forwarded-for', address);

/** What the RateLimit header of a response says is left, and for how many seconds. */
function left({ headers }: { headers: Record<string, string> }): [number, number] {
  const [, requests, seconds] = /;r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? [];
  return [Number(requests), Number(seconds)];
}

describe('who has used up the limit', () => {
  const ada = somebody();
  test.each([
    ['a user', () => service.as(ada).get('/teams'), 200],
    ['an address', () => from('10.0.0.1'), 401],
    ['an address with invalid tokens', () => from('10.0.0.2', 'Bearer nonsense'), 401],
  ])('%s is told how long to wait, and then has a new window', async (_, ask, status) => {
    for (let sent = 0; sent < LIMIT; sent++) expect((await ask()).status).toBe(status);
    const refused = await ask();
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers['retry-after']);
    // The window began with the first request, seconds ago on a slow machine.
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);

    await service.advance(WINDOW / 2);
    expect((await ask()).status).toBe(429);
    await service.advance(WINDOW / 2);
    const admitted = await ask();
    expect(admitted.status).toBe(status);
    expect(left(admitted)).toEqual([LIMIT - 1, 60]);
  });
});

test('an IPv6 caller is counted by its network of 64 bits, an IPv4 caller by its address', async () => {
  /** Whether two addresses are counted as one caller. */
  async function isOne([first, second]: [string, string]): Promise<boolean> {
    await service.advance(WINDOW);
    await from(first);
    return left(await from(second))[0] === LIMIT - 2;
  }
  const same: [string, string][] = [
    ['2001:db8:1:2::1', '2001:db8:1:2::2'],
    ['2001:db8:1:2:3::1', '2001:db8:1:2:4::1'],
    ['2001:db8:1:2::', '2001:DB8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0db8:0:0:5:6:7:8'],
    ['::1', '::2:3:4:5'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
  ];
  const different: [string, string][] = [
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1::1', '2001:db8:2::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['10.1.2.3', '10.1.2.4'],
    ['::ffff:10.1.2.3', '::ffff:10.1.2.4'],
  ];
  const apart: string[] = [];
  for (const pair of same) if (!(await isOne(pair))) apart.push(pair.join(' and '));
  const together: string[] = [];
  for (const pair of different) if (await isOne(pair)) together.push(pair.join(' and '));
  expect({ apart, together }).toEqual({ apart: [], together: [] });
});

test('a token that was verified passes an address that is over its limit, however long ago', async () => {
  const known = `Bearer ${tokenOf(somebody())}`;
  const unknown = `Bearer ${tokenOf(somebody())}`;
  expect((await from('10.0.0.3', known)).status).toBe(200);
  await service.advance(2 * WINDOW);
  for (let sent = 0; sent < LIMIT; sent++) await from('10.0.0.3', 'Bearer nonsense');
  expect((await from('10.0.0.3', unknown)).status).toBe(429);
  expect((await from('10.0.0.3', known)).status).toBe(200);
});

test('requests that a scope refuses count for their user, not for the address', async () => {
  const claims = { ...somebody(), scope: 'teamspaces:read' };
  const token = jwt.sign(claims, SECRET, { expiresIn: 600 });
  const create = () =>
    service
      .with(`Bearer ${token}`)
      .post('/teams', { name: 'Team', slug: 'team' })
      .set('x-forwarded-for', '10.0.0.4');
  for (let sent = 0; sent < LIMIT; sent++) expect((await create()).status).toBe(403);
  expect((await create()).status).toBe(429);
  expect((await from('10.0.0.4')).status).toBe(401);
});
