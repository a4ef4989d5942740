import type { Response } from 'supertest';
import { somebody, startService, type TestService } from '../support/app.js';
import { error } from '../support/errors.js';

/** So many that a test can use them up. */
const LIMIT = 10;

let service: TestService;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

/** An address of the test's own: the service believes its proxy. */
const anAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
const from = (address: string, authorization: string | null = null) =>
  service.with(authorization).get('/teams').set('x-forwarded-for', address);

async function times(count: number, ask: () => PromiseLike<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await ask()).status);
  return statuses;
}

const REMAINING = /^"(user|address)";r=(\d+);t=(\d+)$/;

describe('a user', () => {
  test('is told with every answer what is left', async () => {
    const ada = somebody();
    for (const left of [LIMIT - 1, LIMIT - 2]) {
      const { headers } = await service.as(ada).get('/teams');
      expect(headers['ratelimit-policy']).toBe(`"user";q=${LIMIT};w=60`);
      const [, by, remaining, seconds] = REMAINING.exec(headers.ratelimit ?? '') ?? [];
      expect([by, Number(remaining)]).toEqual(['user', left]);
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(Number(seconds)).toBeLessThanOrEqual(60);
    }
  });

  test('gets 429 with Retry-After beyond the limit, and takes nobody else along', async () => {
    const [ada, bob] = [somebody(), somebody('Bob')];
    const statuses = await times(LIMIT + 2, () => service.as(ada).get('/teams'));
    expect(statuses).toEqual([...Array(LIMIT).fill(200), 429, 429]);
    const { headers, body } = await service.as(ada).get('/teams');
    expect(body).toEqual(error('rate_limit_exceeded', `${LIMIT} requests`));
    expect(headers['retry-after']).toBe(REMAINING.exec(headers.ratelimit ?? '')?.[3]);
    expect((await service.as(bob).get('/teams')).status).toBe(200);
  });

  test('is counted with requests at the same moment, exactly', async () => {
    const ada = somebody();
    const answers = await Promise.all(
      Array.from({ length: LIMIT * 3 }, () => service.as(ada).get('/teams')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT * 2);
  });
});

describe('a caller without a valid token', () => {
  test('is limited by address', async () => {
    const address = anAddress();
    expect(await times(LIMIT + 1, () => from(address))).toEqual([...Array(LIMIT).fill(401), 429]);
    expect((await from(anAddress())).status).toBe(401);
  });

  test('is limited on pages for everyone and unknown routes, too', async () => {
    const address = anAddress();
    const ask = (path: string) => service.with(null).get(path).set('x-forwarded-for', address);
    expect((await ask('/api-reference/errors')).headers.ratelimit).toMatch(/^"address";r=9;/);
    expect((await ask('/nothing')).headers.ratelimit).toMatch(/^"address";r=8;/);
    // Before Fastify has a route it knows no proxies: the address is the nearest one.
    expect((await ask('/%zz')).headers.ratelimit).toMatch(/^"address";r=9;/);
  });

  test('is limited with tokens that are not valid, and does not keep others of its address out', async () => {
    const address = anAddress();
    const ask = () => from(address, 'Bearer nonsense');
    expect(await times(LIMIT + 1, ask)).toEqual([...Array(LIMIT).fill(401), 429]);
    const answer = await ask();
    expect(answer.body).toEqual(error('rate_limit_exceeded'));
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const ada = service.as(somebody()).get('/teams').set('x-forwarded-for', address);
    expect((await ada).status).toBe(200);
  });
});

test('probes and preflights are not counted', async () => {
  const { headers } = await service.with(null).get('/health/live');
  expect(headers.ratelimit).toBeUndefined();
});

test('failed authentication counts more than a request', async () => {
  const strict = await startService({ RATE_LIMIT_PER_MINUTE: '100' });
  try {
    const { headers } = await strict.with('Bearer nonsense').get('/teams');
    expect(headers.ratelimit).toMatch(/^"address";r=95;/);
  } finally {
    await strict.stop();
  }
});

test('RATE_LIMIT_PER_MINUTE=0 turns it off', async () => {
  const open = await startService({ RATE_LIMIT_PER_MINUTE: '0' });
  try {
    const { status, headers } = await open.as(somebody()).get('/teams');
    expect(status).toBe(200);
    expect(headers.ratelimit).toBeUndefined();
  } finally {
    await open.stop();
  }
});
