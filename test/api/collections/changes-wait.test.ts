import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { ChangeLogRepository } from '../../../src/collections/changes/change-log.repository.js';
import type { ItemAccess } from '../../../src/collections/items/item-access.js';
import type { Database } from '../../../src/database/database.js';
import type { Metrics } from '../../../src/observability/metrics.js';
import { freePort, until } from '../../operate/process.js';
import {
  type Caller,
  type InsideService,
  startService,
  startServiceInside,
  type TestService,
  tokenOf,
} from '../../support/app.js';
import { anItem, aWorkspace, ok } from '../../support/builders.js';
import { describeAlone, INSTANCES, testInside } from '../../support/inside.js';
import { aMember, giveRole } from '../../support/members.js';
import { type ChangesBody, changesOf } from '../../support/replica.js';
import { scene } from '../../support/scene.js';
import { putRows } from '../../support/tree.js';

let metricsPort: number;
const at = scene({
  once: 'team',
  each: 'workspace',
  env: async () => {
    metricsPort = await freePort();
    return {
      PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
      // Several processes would want the same port.
      ...(INSTANCES === 0 && { METRICS_PORT: String(metricsPort) }),
    };
  },
});

/** A workspace in which nothing happens. */
let quiet: { query: string; cursor: string };
beforeAll(async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  quiet = { query, cursor: (await changesOf(at.ada, query)).cursor };
});

let cursor: string;
beforeEach(async () => {
  await anItem(at.ada, at.query, { object: 'item' });
  cursor = (await changesOf(at.ada, at.query)).cursor;
});

/** Milliseconds that something takes, and what it answers. */
async function timed<T>(work: PromiseLike<T>): Promise<{ took: number; answer: T }> {
  const start = performance.now();
  const answer = await work;
  return { took: performance.now() - start, answer };
}

/**
 * What a wait answers, which must end before one of so many seconds does that begins now in the quiet workspace: a
 * busy machine delays both.
 */
async function within<T>(seconds: number, held: Promise<T>, url = at.url): Promise<T> {
  const leaving = new AbortController();
  const slower = fetch(
    `${url}/collections/changes${quiet.query}&cursor=${quiet.cursor}&wait=${seconds}`,
    { headers: { authorization: `Bearer ${tokenOf(at.ada.person)}` }, signal: leaving.signal },
  ).then(
    ({ status }) => `after another wait: ${status}`,
    () => 'left',
  );
  expect(await Promise.race([held.then(() => 'before'), slower])).toBe('before');
  leaving.abort();
  await slower;
  return held;
}

/** How many requests wait, by what a service says of itself. */
const waitersIn = (metrics: string): number =>
  Number(/teamspaces_changes_waiters\{of="requests"\} (\d+)/.exec(metrics)?.[1]);

/** Waits until so many requests wait. */
async function areWaiting(count: number, port = metricsPort): Promise<void> {
  if (INSTANCES > 0) return sleep(500);
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await until(async () => waitersIn(await read()) === count);
}

/** A request that waits. */
const waiting = (caller: Caller, seconds: number, query = at.query) =>
  timed(caller.get(`/collections/changes${query}&cursor=${cursor}&wait=${seconds}`).then((a) => a));

test('a wait without changes ends in time, empty and with the cursor', async () => {
  const { took, answer } = await within(2, waiting(at.ada, 1));
  expect(answer.body).toEqual({ changes: [], cursor, more: false });
  expect(took).toBeGreaterThan(950);
});

test('what has changed already is not waited for', async () => {
  await anItem(at.ada, at.query);
  const { answer } = await within(1, waiting(at.ada, 20));
  expect(answer.body.changes).toHaveLength(1);
});

testInside('a commit that changes no item does not end a wait', async () => {
  const page = await anItem(at.ada, at.query, { object: 'item' });
  cursor = (await changesOf(at.ada, at.query)).cursor;
  const held = waiting(at.ada, 20);
  await areWaiting(1);
  // Only its key is stored.
  const patch = [{ op: 'test', path: '', value: {} }];
  const tested = at.ada.patch(`/collections/${page.id}/content`, patch);
  await ok(tested.set('idempotency-key', crypto.randomUUID()));
  await anItem(at.ada, at.query, { name: 'New' });
  const { answer } = await held;
  expect(answer.body.changes).toMatchObject([{ deleted: false, item: { name: 'New' } }]);
});

test('a page that covers no item, with more after it, is not waited for', async () => {
  const page = await anItem(at.ada, at.query, { object: 'item' });
  cursor = (await changesOf(at.ada, at.query)).cursor;
  for (let n = 0; n < 2; n++) {
    const patch = [{ op: 'test', path: '', value: {} }];
    const tested = at.ada.patch(`/collections/${page.id}/content`, patch);
    await ok(tested.set('idempotency-key', crypto.randomUUID()));
  }
  const { answer } = await within(5, waiting(at.ada, 20, `${at.query}&limit=1`));
  expect(answer.body).toMatchObject({ changes: [], more: true });
});

describeAlone('a process that does not see what others commit', () => {
  let service: InsideService;
  let ada: Caller;
  beforeAll(async () => {
    service = await startServiceInside({}, at.databaseUrl);
    const log = service.provider<ChangeLogRepository>('ChangeLogRepository');
    jest.spyOn(log, 'treeStamps').mockReturnValue(new Promise(() => {}));
    ada = service.as(at.ada.person);
  });
  afterAll(() => service.stop());

  const isWaiting = async () => {
    await until(async () => waitersIn(await service.provider<Metrics>('Metrics').read()) === 1);
  };

  testInside('a commit of its own ends a wait at once', async () => {
    const held = waiting(ada, 20);
    await isWaiting();
    await anItem(ada, at.query);
    const { answer } = await within(5, held, service.url);
    expect(answer.body.changes).toHaveLength(1);
  });

  testInside('an order of many items, which takes the lock, ends a wait at once', async () => {
    const { id, query } = await aWorkspace(ada, at.team);
    cursor = (await changesOf(ada, query)).cursor;
    const [parent, ...children] = await putRows(at.databaseUrl, id, [
      { object: 'collection' },
      ...Array.from({ length: 501 }, () => ({ object: 'item' as const, parent: 0 })),
    ]);
    const held = waiting(ada, 20, query);
    await isWaiting();
    const order = { parent, children: children.toReversed() };
    await ok(ada.put(`/collections/order${query}`, order));
    const { answer } = await within(5, held, service.url);
    expect(answer.body).toMatchObject({ more: true });
  });

  testInside('a transfer ends the waits on both sides', async () => {
    const target = await aWorkspace(ada, at.team);
    const { id } = await anItem(ada, at.query);
    for (const [query, deleted] of [
      [at.query, true],
      [target.query, false],
    ] as const) {
      cursor = (await changesOf(ada, query)).cursor;
      const held = waiting(ada, 20, query);
      await isWaiting();
      await ok(ada.post(`/collections/${id}/transfer`, { workspace_slug: target.slug }));
      const { answer } = await within(5, held, service.url);
      expect(answer.body.changes).toMatchObject([{ id, deleted }]);
      await ok(ada.post(`/collections/${id}/transfer`, { workspace_slug: at.workspace.slug }));
    }
  });

  testInside(
    'a commit between the read of the workspace and the wait ends it at once',
    async () => {
      const places = service.provider<ItemAccess>('ItemAccess');
      const { workspaceFor } = places;
      jest.spyOn(places, 'workspaceFor').mockImplementationOnce(async (...args) => {
        const workspace = await workspaceFor.apply(places, args);
        await anItem(ada, at.query);
        return workspace;
      });
      const { answer } = await within(5, waiting(ada, 20), service.url);
      expect(answer.body.changes).toHaveLength(1);
    },
  );
});

describeAlone('two instances', () => {
  let other: TestService;
  let otherPort: number;
  beforeAll(async () => {
    otherPort = await freePort();
    other = await startService({ METRICS_PORT: String(otherPort) }, at.databaseUrl);
  });
  afterAll(() => other.stop());

  test('a commit of the other one ends a wait within two seconds', async () => {
    const held = waiting(other.as(at.ada.person), 20);
    await areWaiting(1, otherPort);
    await anItem(at.ada, at.query);
    const { answer } = await within(2, held, other.url);
    expect(answer.body.changes).toHaveLength(1);
  });
});

test('access is decided again when a wait ends', async () => {
  const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
  const eve = await aMember(at, at.team, 'member');
  await giveRole(at, hidden.id, eve, 'reader');
  cursor = (await changesOf(eve, hidden.query)).cursor;
  const held = waiting(eve, 20, hidden.query);
  await areWaiting(1);
  await ok(at.ada.delete(`${hidden.path}/members`, { userId: eve.id }));
  await anItem(at.ada, hidden.query);
  const { answer } = await held;
  expect(answer.status).toBe(404);
});

test('a workspace that is deleted ends a wait: 404', async () => {
  const other = await aWorkspace(at.ada, at.team);
  cursor = (await changesOf(at.ada, other.query)).cursor;
  const held = waiting(at.ada, 20, other.query);
  await areWaiting(1);
  await ok(at.ada.delete(other.path));
  const { answer } = await within(2, held);
  expect(answer.status).toBe(404);
});

testInside('ten requests of a caller wait, the next is 429; those of others wait', async () => {
  const held = Array.from({ length: 10 }, () => waiting(at.ada, 20));
  await areWaiting(10);
  const next = await at.ada.get(`/collections/changes${at.query}&cursor=${cursor}&wait=3`);
  expect([next.status, next.headers['retry-after']]).toEqual([429, '1']);
  expect(next.body.error.message).toBe(
    'at most 10 of your requests can wait for changes at the same time: try again when one of them has ended',
  );
  // Without a wait, or with something new, there is no limit.
  expect((await changesOf(at.ada, at.query, cursor)).changes).toEqual([]);
  const eve = await aMember(at, at.team, 'member');
  const others = waiting(eve, 20);
  await areWaiting(11);
  await anItem(at.ada, at.query);
  for (const { answer } of await Promise.all([...held, others])) {
    expect([answer.status, answer.body.changes.length]).toEqual([200, 1]);
  }
  // Those that have ended do not count.
  cursor = (await changesOf(at.ada, at.query)).cursor;
  expect((await waiting(at.ada, 1)).answer.status).toBe(200);
});

describeAlone('a service that is stopped', () => {
  testInside('ends waits at once, with an empty page and the cursor', async () => {
    const port = await freePort();
    const service = await startServiceInside({ METRICS_PORT: String(port) }, at.databaseUrl);
    const ada = service.as(at.ada.person);
    const held = waiting(ada, 20);
    await areWaiting(1, port);
    const closing = service.app.close();
    const { took, answer } = await held;
    expect(answer.body as ChangesBody).toEqual({ changes: [], cursor, more: false });
    // Long before the end of the wait, even on a busy machine.
    expect(took).toBeLessThan(15_000);
    await closing;
    await service.stop();
  });

  testInside('a wait holds no connection, and is forgotten when its caller leaves', async () => {
    const service = await startServiceInside({ METRICS_PORT: '0' }, at.databaseUrl);
    try {
      const metrics = service.provider<Metrics>('Metrics');
      const waiters = async () => waitersIn(await metrics.read());
      const leaving = new AbortController();
      const headers = {
        authorization: `Bearer ${tokenOf(at.ada.person)}`,
      };
      const url = `${service.url}/collections/changes${at.query}&cursor=${cursor}&wait=20`;
      const asked = Array.from({ length: 8 }, () =>
        fetch(url, { headers, signal: leaving.signal }).catch(() => null),
      );
      await until(async () => (await waiters()) === 8);
      // The background jobs of a service that has just started use connections, too.
      await until(() => {
        const { general, pipelined } = service.provider<Database>('Database').poolStatus();
        return general.total === general.idle && pipelined.total === pipelined.idle;
      });
      expect(await waiters()).toBe(8);
      leaving.abort();
      await Promise.all(asked);
      await until(async () => (await waiters()) === 0);
    } finally {
      await service.stop();
    }
  });
});

test('a wait costs one request of the rate limit', async () => {
  const limited = await startService({ RATE_LIMIT_PER_MINUTE: '100' }, at.databaseUrl);
  try {
    const ada = limited.as(at.ada.person);
    const left = (answer: { headers: Record<string, string> }) =>
      Number(/r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1]);
    const { answer } = await waiting(ada, 1);
    const next = await ada.get(`/collections/changes${at.query}&cursor=${cursor}`);
    expect(left(answer) - left(next)).toBe(1);
  } finally {
    await limited.stop();
  }
});
