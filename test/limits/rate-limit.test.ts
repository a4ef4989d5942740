import type { Response } from 'supertest';
import { until } from '../operate/process.js';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { anItem, aTeam, aWorkspace } from '../support/builders.js';
import { error } from '../support/errors.js';
import { openRaw } from '../support/raw-socket.js';
import { sql } from '../support/sql.js';
import { putRows } from '../support/tree.js';

/** So many that a test can use them up. */
const LIMIT = 10;

let service: TestService;
beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    TRUST_PROXY: '1',
    CORS_ORIGINS: 'https://app.example.com',
  });
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
  test('gets what is left with every response', async () => {
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

  test('gets 429 with Retry-After beyond the limit, and nobody else is affected', async () => {
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
    const responses = await Promise.all(
      Array.from({ length: LIMIT * 3 }, () => service.as(ada).get('/teams')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(LIMIT * 2);
  });
});

describe('a caller without a valid token', () => {
  test('is limited by address', async () => {
    const address = anAddress();
    expect(await times(LIMIT + 1, () => from(address))).toEqual([...Array(LIMIT).fill(401), 429]);
    expect((await from(anAddress())).status).toBe(401);
  });

  test('is limited by the address that the nearest trusted proxy says, whatever came before it', async () => {
    const [address, other] = [anAddress(), anAddress()];
    expect(await times(LIMIT, () => from(`${anAddress()}, ${address}`))).toEqual(
      Array(LIMIT).fill(401),
    );
    expect((await from(`${other}, ${address}`)).status).toBe(429);
    expect((await from(`${address}, ${other}`)).status).toBe(401);
  });

  test('is limited on pages for everyone and unknown routes, too', async () => {
    const address = anAddress();
    const ask = (path: string) => service.with(null).get(path).set('x-forwarded-for', address);
    expect((await ask('/api-reference/errors')).headers.ratelimit).toMatch(/^"address";r=9;/);
    expect((await ask('/nothing')).headers.ratelimit).toMatch(/^"address";r=8;/);
    // Before Fastify has a route it knows no proxies: the address is the nearest one.
    expect((await ask('/%zz')).headers.ratelimit).toMatch(/^"address";r=9;/);
  });

  test('is limited with tokens that are not valid', async () => {
    const address = anAddress();
    const ask = () => from(address, 'Bearer nonsense');
    expect(await times(LIMIT + 1, ask)).toEqual([...Array(LIMIT).fill(401), 429]);
    const response = await ask();
    expect(response.body).toEqual(error('rate_limit_exceeded'));
    expect(response.headers['www-authenticate']).toBeUndefined();
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('past the limit leaves the way to tokens that were verified already, and to no other', async () => {
    const address = anAddress();
    const [ada, bob] = [`Bearer ${tokenOf(somebody())}`, `Bearer ${tokenOf(somebody('Bob'))}`];
    expect((await from(address, ada)).status).toBe(200);
    await times(LIMIT, () => from(address));
    expect((await from(address, ada)).status).toBe(200);
    const refused = await from(address, bob);
    expect([refused.status, refused.body]).toEqual([429, error('rate_limit_exceeded')]);
    // Nothing of it was looked at: from elsewhere it is as good as new.
    expect((await from(anAddress(), bob)).headers.ratelimit).toMatch(/^"user";r=9;/);
  });
});

describe('what is not counted', () => {
  const left = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, { method, headers });
    return response.headers.get('ratelimit');
  };

  test.each([
    ['GET', '/health/live'],
    ['HEAD', '/health/ready'],
    ['GET', '/health/live?verbose'],
  ])('a probe: %s %s', async (method, path) => {
    expect(await left(method, path)).toBeNull();
  });

  const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'PUT' };
  test('a preflight, where CORS is on', async () => {
    expect(await left('OPTIONS', '/teams', preflight)).toBeNull();
  });

  test.each<[string, string, Record<string, string>]>([
    ['POST', '/health/live', {}],
    ['GET', '/health/other', {}],
    ['GET', '/health/live/', {}],
    ['OPTIONS', '/health/live', {}],
    ['OPTIONS', '/teams', {}],
    ['OPTIONS', '/teams', { origin: preflight.origin }],
  ])('but %s %s %j is', async (method, path, headers) => {
    const remaining = await left(method, path, { 'x-forwarded-for': anAddress(), ...headers });
    expect(remaining).toMatch(/^"address";r=9;/);
  });
});

describe('the cost', () => {
  let spacious: TestService;
  beforeAll(async () => {
    spacious = await startService({ RATE_LIMIT_PER_MINUTE: '1000' });
  });
  afterAll(() => spacious.stop());

  const left = ({ headers }: Response) => Number(REMAINING.exec(headers.ratelimit ?? '')?.[2]);
  /** What a request counts, as the response to it says. */
  async function costOf(path: string, body: object, method: 'post' | 'put' = 'post') {
    const caller = spacious.as(somebody());
    const before = left(await caller.get('/me'));
    return before - left(await caller[method](path, body));
  }
  const items = (count: number) => Array.from({ length: count }, () => ({ name: 'x' }));

  // Nobody may write there: what a request asks for counts, whatever becomes of it.
  test.each([
    ['a batch of 99', 99, 1],
    ['a batch of 100', 100, 2],
    ['a batch of 1,000', 1000, 11],
  ])('of %s', async (_, count, cost) => {
    expect(await costOf('/collections/batch', { items: items(count) })).toBe(cost);
  });

  test('of a batch counts all levels', async () => {
    const nested = [{ name: 'x', children: [{ children: items(150) }, { children: items(148) }] }];
    expect(await costOf('/collections/batch', { items: nested })).toBe(4);
  });

  test('of a manifest counts all levels, too', async () => {
    const below = items(150).map((item, n) => ({ ...item, key: `${n}` }));
    const manifest = [{ key: 'a', name: 'x', children: below.slice(0, 98) }];
    const costs = [
      await costOf('/collections/apply', { items: manifest }, 'put'),
      await costOf('/collections/apply', { items: [...manifest, ...below.slice(98, 99)] }, 'put'),
    ];
    expect(costs).toEqual([1, 2]);
  });

  test.each([
    ['an order of 999', 999, 1],
    ['an order of 10,000', 10_000, 11],
  ])('of %s', async (_, count, cost) => {
    const children = Array.from({ length: count }, (_, n) => `id-${n}`);
    expect(await costOf('/collections/order', { parent: null, children }, 'put')).toBe(cost);
  });

  test.each([
    [9, 1],
    [10, 2],
    [25, 3],
  ])('of %i invites is one, and one more for each 10', async (count, cost) => {
    const invites = Array.from({ length: count }, (_, n) => ({
      email: `p${n}@example.com`,
      role: 'member',
    }));
    expect(await costOf('/teams/nobodys/invites', { invites })).toBe(cost);
  });

  test('of a patch is one, and one more for each 10 MiB of operations times bytes of the page', async () => {
    const ada = spacious.as(somebody());
    const team = await aTeam(ada);
    const { query } = await aWorkspace(ada, team);
    const text = 'x'.repeat(500_000);
    const page = await anItem(ada, query, { object: 'item', content: { text } });
    const tests = (count: number, value = text.slice(0, 1)) =>
      Array.from({ length: count }, (_, n) =>
        n === 0 ? { op: 'add', path: '/a', value } : { op: 'test', path: '/a', value },
      );
    const before = left(await ada.get('/me'));
    const costs: number[] = [];
    const send = async (operations: object[], status: number) => {
      const response = await ada.patch(`/collections/${page.id}/content`, operations);
      expect(response.status).toBe(status);
      costs.push(before - left(response) - costs.reduce((sum, cost) => sum + cost, 0));
    };
    await send(tests(20), 200);
    await send(tests(21), 200);
    await send(tests(100), 200);
    // The work was done, whatever became of it.
    await send([...tests(99), { op: 'test', path: '/a', value: 'y' }], 409);
    expect(costs).toEqual([1, 2, 5, 5]);
  });

  test('of a copy, transfer, deletion or restore is one, and one more for each 100 items', async () => {
    const ada = spacious.as(somebody());
    const team = await aTeam(ada);
    const [from, to] = [await aWorkspace(ada, team), await aWorkspace(ada, team)];
    const [shelf = ''] = await putRows(spacious.databaseUrl, from.id, [
      { object: 'collection' },
      ...Array.from({ length: 198 }, () => ({ object: 'item' as const, parent: 0 })),
    ]);
    const item = `/collections/${shelf}`;
    let before = left(await ada.get('/me'));
    const costs: number[] = [];
    const send = async (request: PromiseLike<Response>, status = 200) => {
      const response = await request;
      expect(response.status).toBe(status);
      costs.push(before - left(response));
      before = left(response);
    };
    const restore = () => ada.post(`/collections/trash/${shelf}/restore`, {});
    const transfer = (slug: string) => ada.post(`${item}/transfer`, { workspace_slug: slug });
    await send(ada.post(`${item}/duplicate`, {}));
    await send(transfer(to.slug));
    await send(ada.delete(item));
    await send(restore());
    expect(costs).toEqual([2, 2, 2, 2]);
    await anItem(ada, to.query, { object: 'item', parent: shelf });
    before = left(await ada.get('/me'));
    costs.length = 0;
    await send(ada.post(`${item}/duplicate`, {}));
    await send(transfer(from.slug));
    await send(ada.delete(item));
    await send(restore());
    // The second of two: there is nothing to restore.
    await send(restore(), 404);
    // All was read, whatever became of it.
    await send(
      ada.post(`${item}/duplicate`, { parent: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30' }),
      404,
    );
    await send(ada.delete(`${item}?permanent=true`));
    expect(costs).toEqual([3, 3, 3, 3, 1, 3, 3]);
  });

  test('of a manifest is one more for each 100 items that it prunes', async () => {
    const ada = spacious.as(somebody());
    const { id, query } = await aWorkspace(ada, await aTeam(ada));
    const page = { object: 'item' as const, parent: 0 };
    for (const [below, cost] of [
      [98, 1],
      [99, 2],
    ] as const) {
      await putRows(spacious.databaseUrl, id, [
        { object: 'collection' },
        ...Array(below).fill(page),
      ]);
      const keyed = 'UPDATE collections SET key = id WHERE workspace_id = $1 AND key IS NULL';
      await sql(spacious.databaseUrl, keyed, [id]);
      const before = left(await ada.get('/me'));
      const manifest = { items: [{ key: 'kept', name: 'Kept' }], prune: true };
      const applied = await ada.put(`/collections/apply${query}`, manifest);
      expect(applied.body).toMatchObject({ pruned: below + 1 });
      expect(before - left(applied)).toBe(cost);
    }
  });

  /** Saves of a page that nobody has, with a body of so many bytes: 404. */
  const bodyOf = (bytes: number) => JSON.stringify({ content: { text: 'x'.repeat(bytes - 23) } });
  const PAGE = '/collections/019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30';

  test.each([
    ['less than 100 KiB', 100 * 1024 - 1, 404, 1],
    ['100 KiB', 100 * 1024, 404, 2],
    ['1 MiB', 1024 * 1024, 404, 11],
    ['more than 2 MiB, which is not read,', 5 * 1024 * 1024, 400, 21],
  ])(
    'of a body of %s counts each 100 KiB, whatever becomes of it',
    async (_, bytes, status, cost) => {
      const caller = spacious.as(somebody());
      const before = left(await caller.get('/me'));
      const save = (body: string) => caller.put(PAGE).type('application/json').send(body);
      const response = await save(bodyOf(bytes));
      expect(response.status).toBe(status);
      expect(before - left(response)).toBe(cost);
    },
  );

  test('of a body in chunks is counted after it, whatever becomes of it', async () => {
    const person = somebody();
    const before = left(await spacious.as(person).get('/me'));
    const chunks = async function* () {
      yield Buffer.from(bodyOf(250 * 1024));
    };
    const response = await fetch(spacious.url + PAGE, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tokenOf(person)}`, 'content-type': 'application/json' },
      body: ReadableStream.from(chunks()),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(404);
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"user";r=${before - 3};`));
  });

  test('of a body is counted where it breaks off, too', async () => {
    const person = somebody();
    const before = left(await spacious.as(person).get('/me'));
    const connection = openRaw(spacious.url);
    const head = ['Host: localhost', `Authorization: Bearer ${tokenOf(person)}`];
    head.push('Content-Type: application/json', 'Transfer-Encoding: chunked');
    head.push('Expect: 100-continue');
    connection.send(`PUT ${PAGE} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    await connection.hears('100 Continue');
    connection.send(`64000\r\n${'x'.repeat(400 * 1024)}\r\n`, () => connection.destroy());
    let asked = 0;
    await until(async () => before - left(await spacious.as(person).get('/me')) - ++asked === 5);
  });

  test('of anything else is one', async () => {
    expect(await costOf('/teams', { items: items(500), children: items(5000) })).toBe(1);
  });

  test('is refused with 429 before the work where it is more than what is left', async () => {
    const ada = service.as(somebody());
    const team = (await ada.post('/teams', { name: 'A', slug: `t-${Date.now()}` })).body.meta.slug;
    const workspace = (await ada.post(`/teams/${team}/workspaces`, { name: 'W' })).body.meta.slug;
    const path = `/teams/${team}/workspaces/${workspace}/collections`;
    // Two are used; ten cost as much as a whole minute has.
    const response = await ada.post(`${path}/batch`, { items: items(1000) });
    expect([response.status, response.body]).toEqual([429, error('rate_limit_exceeded')]);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('is never more than a whole minute has', async () => {
    const strict = await startService({ RATE_LIMIT_PER_MINUTE: '5' });
    try {
      const batch = { items: items(1000) };
      const long = { items: items(1000).map((item) => ({ ...item, content: 'x'.repeat(1000) })) };
      for (const body of [batch, long]) {
        const response = await strict.as(somebody()).post('/collections/batch', body);
        expect(response.status).toBe(400);
        expect(response.headers.ratelimit).toMatch(/^"user";r=0;/);
      }
    } finally {
      await strict.stop();
    }
  });
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

test('a failed authentication that exceeds the limit is 429, not 401', async () => {
  const strict = await startService({ RATE_LIMIT_PER_MINUTE: '20' });
  try {
    // Two points each time, after one for a route that does not exist.
    await strict.with(null).get('/nothing').expect(404);
    const failed = () => strict.with('Bearer nonsense').get('/teams');
    expect(await times(9, failed)).toEqual(Array(9).fill(401));
    const { status, headers, body } = await failed();
    expect([status, body]).toEqual([429, error('rate_limit_exceeded')]);
    expect([headers['www-authenticate'], headers.ratelimit]).toEqual([
      undefined,
      expect.stringMatching(/^"address";r=0;/),
    ]);
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
