import { Agent, get } from 'node:http';
import { until } from '../operate/process.js';
import { somebody, startService, tokenOf } from '../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { INSTANCES, testInside } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, putRows, usageOf } from '../support/tree.js';

describe('mixed batches', () => {
  const ABSENT = '01890000-0000-7000-8000-000000000000';

  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0},"pro":{"pages":5,"workspaces":0}}' },
    each: 'workspace',
    verify: true,
  });
  let shelf: string;
  let page: string;
  beforeEach(async () => {
    shelf = (await anItem(at.ada, at.query)).id;
    page = (await anItem(at.ada, at.query, { object: 'item', parent: shelf })).id;
  });

  const create = (body: object, query = at.query) => at.ada.post(`/collections${query}`, body);
  const move = (body: object, query = at.query) =>
    at.ada.post(`/collections/reorder${query}`, { index: 0, ...body });
  const update = (id: string, body: object) => at.ada.put(`/collections/${id}${at.query}`, body);

  type Sent = [status: number, request: PromiseLike<{ status: number; body: unknown }>];

  /** Sends all at once, and so into as few batches as can be; each must be answered as it says. */
  async function expectEach(sent: Sent[]): Promise<unknown[]> {
    const answers = await Promise.all(sent.map(([, request]) => request));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(([status]) => status));
    return answers.map(({ body }) => body);
  }

  test('of many at once those that break a rule fail, each for itself, and the others succeed', async () => {
    const doomed = (await anItem(at.ada, at.query, { object: 'item' })).id;
    for (let round = 0; round < 3; round++) {
      const before = everyItem(await theTree(at.ada, at.query)).length;
      const stale = '"stale"';
      const sent = Array.from({ length: 8 }, (_, n): Sent[] => [
        [200, create({ parent: shelf, name: `Good ${round}-${n}` })],
        [404, create({ parent: ABSENT })],
        [422, create({ parent: page })],
        [422, create({ parent: shelf, content: {} })],
        [200, move({ id: page, newParent: shelf, index: n })],
        [404, move({ id: ABSENT })],
        [422, move({ id: shelf, newParent: shelf })],
        [409, move({ id: doomed, parent: shelf })],
        [200, update(doomed, { content: { n } })],
        [422, update(shelf, { content: { n } })],
        [409, update(page, { name: 'No' }).set('if-match', stale)],
        [422, update(doomed, { parent: page })],
        [200, at.ada.post(`/collections/batch${at.query}`, { items: [{ children: [{}] }] })],
        [422, at.ada.post(`/collections/batch${at.query}`, { items: [{}, { content: {} }] })],
      ]).flat();
      await expectEach(sent);
      const items = everyItem(await theTree(at.ada, at.query));
      expect(items).toHaveLength(before + 8 + 2 * 8);
      const good = items.filter(({ name }) => name.startsWith(`Good ${round}-`));
      expect(new Set(good.map(({ name }) => name)).size).toBe(8);
      expect(items.some(({ name }) => name === 'No')).toBe(false);
    }
  });

  test('in one batch a command sees what those before it did', async () => {
    // Commands of one connection's turn keep their order: deep is put below itself by two moves.
    const [a, b] = [(await anItem(at.ada, at.query)).id, (await anItem(at.ada, at.query)).id];
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([
        create({ parent: shelf }),
        move({ id: a, newParent: b }),
        move({ id: b, newParent: a }),
      ]);
      const [, first, second] = answers.map(({ status }) => status);
      expect([first, second].sort()).toEqual([200, 422]);
      await expectEach([[200, move({ id: a, newParent: null })]]);
      await expectEach([[200, move({ id: b, newParent: null })]]);
    }
  });

  test('two creates of one name in a batch get slugs of their own', async () => {
    const bodies = await expectEach(
      Array.from({ length: 40 }, (): Sent => [200, create({ name: 'Same name', parent: shelf })]),
    );
    const slugs = bodies.map((body) => (body as ItemBody).meta.slug);
    expect(new Set(slugs).size).toBe(40);
    expect(slugs).toContain('same-name');
  });

  test('a batch that the plan has no room for is carried out one by one, up to the limit', async () => {
    await sql(at.databaseUrl, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [at.team]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        create({ parent: shelf, object: n % 3 === 0 ? 'collection' : 'item' }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    // A page and a collection are there already, and each kind has a limit of its own.
    const ofCollections = statuses.filter((_, n) => n % 3 === 0).sort();
    expect(ofCollections).toEqual([...Array(4).fill(200), ...Array(6).fill(403)]);
    const ofPages = statuses.filter((_, n) => n % 3 !== 0).sort();
    expect(ofPages).toEqual([...Array(4).fill(200), ...Array(16).fill(403)]);
  });

  test('moves to one place of a list that is too long to be read whole come through, each once', async () => {
    const rows = Array.from({ length: 2500 }, () => ({ object: 'item' as const, parent: 0 }));
    const long = await aWorkspace(at.ada, at.team);
    const [parent = '', ...ids] = await putRows(at.databaseUrl, long.id, [
      { object: 'collection' },
      ...rows,
    ]);
    const { query } = long;
    const moved = ids.slice(0, 20);
    await expectEach(moved.map((id): Sent => [200, move({ id, index: 1200 }, query)]));
    const shown = idsOf(await theTree(at.ada, `${query}&parent=${parent}`));
    expect(shown.filter((id) => !moved.includes(id))).toEqual(ids.slice(20));
    expect(shown.toSorted()).toEqual(ids.toSorted());
    expect(moved).toContain(shown[1200]);

    const others = ids.slice(-20);
    const fresh = Array.from({ length: 10 }, (_, n) => ({ parent, name: `New ${n}` }));
    await expectEach([
      ...others.map(
        (id, n): Sent => [200, move({ id, index: n % 2 ? n * 130 : 1_000_000 }, query)],
      ),
      ...fresh.map(
        (body, n): Sent => [200, create(n % 2 ? { ...body, index: n * 200 } : body, query)],
      ),
    ]);
    const then = await theTree(at.ada, `${query}&parent=${parent}`);
    const made = then.filter(({ name }) => name.startsWith('New '));
    expect(made.map(({ name }) => name).sort()).toEqual(fresh.map(({ name }) => name));
    const left = idsOf(then).filter((id) => ids.includes(id));
    expect(left.toSorted()).toEqual(ids.toSorted());
    const settled = new Set(others);
    expect(left.filter((id) => !settled.has(id))).toEqual(shown.filter((id) => !settled.has(id)));
  });

  test('a long list may go while somebody is about to put something into it', async () => {
    const rows = Array.from({ length: 2050 }, () => ({ object: 'item' as const, parent: 0 }));
    const long = await aWorkspace(at.ada, at.team);
    for (let round = 0; round < 6; round++) {
      const [parent = '', item = ''] = await putRows(at.databaseUrl, long.id, [
        { object: 'collection' },
        ...rows,
      ]);
      await at.ada.get(`/collections/${item}${long.query}`);
      const isCreate = round % 2 === 0;
      const [gone, put] = await Promise.all([
        at.ada.delete(`/collections/${parent}${long.query}`),
        isCreate
          ? at.ada.post(`/collections${long.query}`, { parent, index: 5 })
          : at.ada.post(`/collections/reorder${long.query}`, { id: item, index: 5 }),
      ]);
      expect(gone.status).toBe(200);
      expect([200, 404]).toContain(put.status);
    }
  });
});

describe('interrupted requests', () => {
  const at = scene({ once: 'team' });
  beforeAll(async () => {
    for (let count = 0; count < 8; count++) {
      const { query } = await aWorkspace(at.ada, at.team);
      parents.push({ query, id: (await anItem(at.ada, query)).id });
    }
  });
  /** A collection in each of several workspaces: in one of its own, a change waits for no other. */
  const parents: { id: string; query: string }[] = [];

  /** Twelve clients that each run `step` fifteen times, one after another. */
  async function twelveClients(step: () => Promise<unknown>): Promise<void> {
    const client = async () => {
      for (let count = 0; count < 15; count++) await step();
    };
    await Promise.all(Array.from({ length: 12 }, client));
  }

  /** A new page somewhere, as a request not sent yet. */
  const create = () => {
    const { id, query } = parents[Math.floor(Math.random() * parents.length)] ?? {};
    return at.ada.post(`/collections${query}`, { object: 'item', parent: id });
  };

  /** What was acknowledged is there, and what is there is whole. */
  async function assertWhole(acknowledged: readonly string[]): Promise<void> {
    let shown: ItemBody[];
    let before: number;
    let after: number;
    // Nobody waits for what the service may still be at: read until nothing has changed meanwhile.
    do {
      shown = [];
      before = (await usageOf(at.ada, at.team)).pages;
      for (const { id, query } of parents) {
        // This waits for the workspace's lock.
        await ok(at.ada.put(`/collections/${id}`, { parent: null }));
        shown.push(...everyItem(await theTree(at.ada, query)));
      }
      after = (await usageOf(at.ada, at.team)).pages;
    } while (before !== after);
    expect(idsOf(shown)).toEqual(expect.arrayContaining([...acknowledged]));
    expect(shown.filter(({ object }) => object === 'item')).toHaveLength(after);
    await assertInvariants(at.databaseUrl);
  }

  test('callers that hang up half-way leave no half of anything', async () => {
    const acknowledged: string[] = [];
    await twelveClients(async () => {
      const request = create().timeout(5 + Math.random() * 100);
      const answer = await request.catch(() => undefined);
      if (!answer) return;
      expect(answer.status).toBe(200);
      acknowledged.push((answer.body as ItemBody).id);
    });
    await assertWhole(acknowledged);
  });

  test('connections to the database that die half-way leave no half of anything', async () => {
    const acknowledged: string[] = [];
    let over = false;
    const shoot = async () => {
      while (!over) {
        await sql(
          at.databaseUrl,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'teamspaces'
          AND random() < 0.3`,
        );
        await new Promise((wake) => setTimeout(wake, 5));
      }
    };
    const clients = twelveClients(async () => {
      const { status, body } = await create();
      // 500: its connection was shot. 503 comes from haproxy, if the probes' connections were shot, too.
      expect(INSTANCES > 0 ? [200, 500, 503] : [200, 500]).toContain(status);
      if (status === 200) acknowledged.push((body as ItemBody).id);
    });
    const shooter = shoot();
    await clients.finally(() => {
      over = true;
    });
    await shooter;
    // Until haproxy has probed again.
    while ((await at.ada.get('/teams')).status === 503) {
      await new Promise((wake) => setTimeout(wake, 100));
    }
    await assertWhole(acknowledged);
  });

  testInside('a service that shuts down answers what has reached it', async () => {
    const leaving = await startService({ RATE_LIMIT_PER_MINUTE: '0' });
    const agent = new Agent({ keepAlive: true });
    const authorization = `Bearer ${tokenOf(somebody())}`;
    const statuses: (number | undefined)[] = [];
    const read = () =>
      new Promise<boolean>((done) => {
        get(`${leaving.url}/teams`, { agent, headers: { authorization } }, (answer) => {
          statuses.push(answer.statusCode);
          answer.resume().on('close', () => done(true));
        }).on('error', () => done(false)); // It closed the connection, or accepts none any more.
      });
    const client = async () => {
      while (await read());
    };
    const clients = Array.from({ length: 8 }, client);
    await until(() => statuses.length >= 80);
    await leaving.stop();
    await Promise.all(clients);
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
