import pg from 'pg';
import { until } from '../operate/process.js';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok, theTree } from '../support/builders.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { describeAlone, INSTANCES } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { codeOf, someone } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { sql } from '../support/sql.js';
import { usageOf } from '../support/tree.js';

/** Two instances of the service on one database. */
let one: TestService;
let two: TestService;
const person = somebody();
let team: string;
let first: Caller;
let second: Caller;
beforeAll(async () => {
  one = await startService({ PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' });
  two = await startService({
    DATABASE_URL: one.databaseUrl,
    PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
  });
  first = one.as(person);
  second = two.as(person);
  team = await aTeam(first);
});
afterAll(async () => {
  await assertInvariants(one.databaseUrl);
  await two.stop();
  await one.stop();
});

interface Answer {
  status: number;
  text: string;
  headers: Record<string, string>;
}

/** The same request under the same key, so many times at once. */
const atOnce = (
  times: number,
  key: string,
  send: (caller: Caller) => ReturnType<Caller['post']>,
  callers: Caller[] = [first],
): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: times }, (_, n) =>
      send(callers[n % callers.length] as Caller).set('idempotency-key', key),
    ),
  );

/** All are the one answer; exactly one of them was not replayed. */
function expectOnce(answers: Answer[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
  expect(replayed).toHaveLength(answers.length - 1);
}

describe.each([
  ['one instance', () => [first]],
  ['two instances', () => [first, second]],
])('50 requests at once with one key, at %s', (_, callers) => {
  const many = (key: string, send: (caller: Caller) => ReturnType<Caller['post']>) =>
    atOnce(50, key, send, callers());

  test('create one page: one row, 49 replays', async () => {
    const { query } = await aWorkspace(first, team);
    const { pages } = await usageOf(first, team);
    expectOnce(await many(freshSlug(), (c) => c.post(`/collections${query}`, { object: 'item' })));
    expect(await theTree(first, query)).toHaveLength(1);
    expect((await usageOf(first, team)).pages).toBe(pages + 1);
  });

  test('create one batch', async () => {
    const { query } = await aWorkspace(first, team);
    const items = [{ name: 'A', children: [{ name: 'B' }] }];
    expectOnce(await many(freshSlug(), (c) => c.post(`/collections/batch${query}`, { items })));
    expect(await theTree(first, query)).toHaveLength(1);
  });

  test('make one move', async () => {
    const { query } = await aWorkspace(first, team);
    const { id } = await anItem(first, query);
    const other = await anItem(first, query);
    // A second move would be refused: the page is not at the top level any more.
    const move = { id, index: 0, parent: null, newParent: other.id };
    expectOnce(await many(freshSlug(), (c) => c.post(`/collections/reorder${query}`, move)));
  });

  test('create one team', async () => {
    const slug = freshSlug();
    expectOnce(await many(freshSlug(), (c) => c.post('/teams', { name: 'Team', slug })));
  });

  test('create one workspace', async () => {
    const path = `/teams/${await aTeam(first)}/workspaces`;
    expectOnce(await many(freshSlug(), (c) => c.post(path, { name: 'Workspace' })));
    expect(await ok(first.get(path))).toHaveLength(1);
  });
});

test('joining a team 20 times at once with one key joins once', async () => {
  const inviteCode = await codeOf(first, await aTeam(first));
  const caller = await someone(one);
  expectOnce(await atOnce(20, freshSlug(), (c) => c.post('/teams/join', { inviteCode }), [caller]));
});

test('the same key at once for different requests: one succeeds, the others are 422', async () => {
  const places = await Promise.all(Array.from({ length: 6 }, () => aWorkspace(first, team)));
  for (let round = 0; round < 5; round++) {
    const key = freshSlug();
    const answers = await Promise.all(
      places.flatMap(({ query }, n) => [
        first.post(`/collections${query}`, {}).set('idempotency-key', key),
        second.post(`/collections${query}`, { name: `${n}` }).set('idempotency-key', key),
        first.post(`/teams/${team}/workspaces`, { name: `W ${n}` }).set('idempotency-key', key),
      ]),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 17 }, () => 422)]);
  }
});

test('many keys at once in crossed places: each is carried out once', async () => {
  const places = await Promise.all(Array.from({ length: 4 }, () => aWorkspace(first, team)));
  const keys = Array.from({ length: 40 }, () => freshSlug());
  const answers = await Promise.all(
    keys.flatMap((key, n) => {
      const { query } = places[n % 4] as { query: string };
      return [first, second, first].map((caller) =>
        caller.post(`/collections${query}`, { object: 'item' }).set('idempotency-key', key),
      );
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const sizes = await Promise.all(
    places.map(async ({ query }) => (await theTree(first, query)).length),
  );
  expect(sizes).toEqual([10, 10, 10, 10]);
});

test('a command that fails frees its key for its twin in the same batch', async () => {
  const { query } = await aWorkspace(first, team);
  const page = await anItem(first, query, { object: 'item' });
  const key = freshSlug();
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => first.post(`/collections${query}`, {})),
    first.post(`/collections${query}`, { parent: page.id }).set('idempotency-key', key),
    first.post(`/collections${query}`, { name: 'Well' }).set('idempotency-key', key),
  ]);
  expect(answers.slice(-2).map(({ status }) => status)).toEqual([422, 200]);
});

describeAlone('with a database that answers late', () => {
  test('what a twin has restored between the look-up of its key and the other look-up is replayed', async () => {
    const { query } = await aWorkspace(first, team);
    const { id } = await anItem(first, query);
    await ok(first.delete(`/collections/${id}`));
    const proxy = await startDatabaseProxy(one.databaseUrl);
    const slow = await startService({}, proxy.url);
    try {
      const restore = (caller: Caller) =>
        caller.post(`/collections/trash/${id}/restore`, {}).set('idempotency-key', 'restored');
      await ok(slow.as(person).get('/me'));
      const place = proxy.holdResponse('trash.findPlace');
      const late = restore(slow.as(person)).then((answer) => answer);
      await place.arrived;
      const early = await restore(second);
      place.release();
      const { status, text, headers } = await late;
      expect([early.status, status, text]).toEqual([200, 200, early.text]);
      expect(headers['idempotent-replayed']).toBe('true');
    } finally {
      await slow.stop();
      await proxy.stop();
    }
  });
});

test('connections to the database die half-way: who tries again with the key has it once', async () => {
  const { query } = await aWorkspace(first, team);
  const busy = await aTeam(first);
  const paths = [`/collections${query}`, `/collections/batch${query}`, `/teams/${busy}/workspaces`];
  const bodies = [{ object: 'item' }, { items: [{ children: [{}] }] }, { name: 'Workspace' }];
  let over = false;
  const shoot = async () => {
    while (!over) {
      await sql(
        one.databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'teamspaces'
          AND random() < 0.2`,
      );
      await new Promise((wake) => setTimeout(wake, 10));
    }
  };
  /** Tries again until it succeeds. */
  const insist = async (kind: number, caller: Caller): Promise<number> => {
    const key = freshSlug();
    for (let tries = 1; ; tries++) {
      const answer = await caller
        .post(paths[kind] as string, bodies[kind])
        .set('idempotency-key', key);
      if (answer.status === 200) return tries;
      // Its connection was shot; or those of the checks of all instances, so the balancer has none to ask.
      expect(INSTANCES > 0 ? [500, 503] : [500]).toContain(answer.status);
    }
  };
  const client = async (_: unknown, n: number) => {
    let tries = 0;
    for (let count = 0; count < 6; count++)
      tries += await insist(count % 3, n % 2 ? first : second);
    return tries;
  };
  const shooter = shoot();
  const tries = await Promise.all(Array.from({ length: 12 }, client)).finally(() => {
    over = true;
  });
  await shooter;
  for (const { url } of [one, two])
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200);
  expect(tries.reduce((sum, count) => sum + count)).toBeGreaterThan(12 * 6);
  const tree = await theTree(first, query);
  expect(tree.filter(({ object }) => object === 'item')).toHaveLength(24);
  expect(tree.filter(({ object }) => object === 'collection')).toHaveLength(24);
  expect(await ok(first.get(`/teams/${busy}/workspaces`))).toHaveLength(24);
});

describe('409 with Retry-After: 1, for a key that could not be had within five seconds', () => {
  /** Takes the key in a transaction of its own while `request` is under way. */
  async function withKeyTaken(key: string, request: () => PromiseLike<Answer>): Promise<Answer> {
    const holder = new pg.Client({ connectionString: one.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(
        `INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer)
         SELECT id, $2, '', '', '' FROM users WHERE subject = $1`,
        [person.sub, key],
      );
      const answer = await request();
      await holder.query('ROLLBACK');
      return answer;
    } finally {
      await holder.end();
    }
  }

  test('in the tree and elsewhere; nothing was done, and trying again is right', async () => {
    const wrong = await offenders(
      [
        ['in the tree', (query: string) => [`/collections${query}`, {}] as const],
        ['elsewhere', () => ['/teams', { name: 'Team', slug: freshSlug() }] as const],
      ],
      async ([, requestIn]) => {
        const { query } = await aWorkspace(first, team);
        const [path, body] = requestIn(query);
        const key = freshSlug();
        const send = () => first.post(path, body).set('idempotency-key', key);
        const { status, headers } = await withKeyTaken(key, send);
        expect([status, headers['retry-after']]).toEqual([409, '1']);
        expect(await theTree(first, query)).toEqual([]);
        expect((await send()).status).toBe(200);
        const usual = await sql(one.databaseUrl, 'SELECT 1 FROM idempotency_keys WHERE key = $1', [
          key,
        ]);
        expect(usual).toHaveLength(1);
      },
      { atOnce: 2 },
    );
    expect(wrong).toEqual([]);
  });
});
