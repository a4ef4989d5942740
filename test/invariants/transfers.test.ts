import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { holdLock, holdWorkspace } from '../support/locks.js';
import { aMember, giveRole, someone } from '../support/members.js';
import { Replica } from '../support/replica.js';
import { runs } from '../support/runs.js';
import type { Workspace } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf } from '../support/tree.js';
import { type TwoInstances, twoInstances } from '../support/two-instances.js';

/** Of each of eight clients in the storm. */
const STEPS = runs(6, 150);

let both: TwoInstances;
let callers: [Caller, Caller];
let team: string;
let here: Workspace;
let there: Workspace;
beforeAll(async () => {
  both = await twoInstances({ PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' });
  callers = both.as(somebody());
});
beforeEach(async () => {
  team = await aTeam(callers[0]);
  here = await aWorkspace(callers[0], team, { name: 'Here' });
  there = await aWorkspace(callers[0], team, { name: 'There' });
});
afterAll(async () => {
  await assertInvariants(both.databaseUrl);
  await both.stop();
});

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const transfer = (caller: Caller, id: string, to: Workspace, query = '') =>
  caller.post(`/collections/${id}/transfer${query}`, { workspace_slug: to.slug });
const treeOf = ({ query }: Workspace) => theTree(callers[0], query);

describe('an item that is transferred while a request about it waits', () => {
  const requests: [string, (caller: Caller, id: string) => PromiseLike<{ status: number }>][] = [
    ['updateCollection', (caller, id) => caller.put(`/collections/${id}`, { name: 'New' })],
    [
      'patchContent',
      (caller, id) =>
        caller.patch(`/collections/${id}/content`, [{ op: 'add', path: '/a', value: 1 }]),
    ],
    ['deleteCollection', (caller, id) => caller.delete(`/collections/${id}`)],
    ['duplicateCollection', (caller, id) => caller.post(`/collections/${id}/duplicate`, {})],
  ];

  test.each(requests)('%s finds it in the workspace that it is in then', async (_, request) => {
    const { id } = await anItem(callers[0], here.query, { object: 'item' });
    const [moved, changed] = await both.atOnce(here.id, [
      () => transfer(callers[0], id, there),
      () => request(callers[1], id),
    ]);
    expect([moved?.status, changed?.status]).toEqual([200, 200]);
    expect(await treeOf(here)).toEqual([]);
  });

  test.each(requests)('%s is 404 where the workspace was named', async (_, request) => {
    const { id } = await anItem(callers[0], here.query, { object: 'item' });
    const named = {
      ...callers[1],
      put: (path: string, body: unknown) => callers[1].put(path + here.query, body),
      patch: (path: string, body: unknown) => callers[1].patch(path + here.query, body),
      post: (path: string, body: unknown) => callers[1].post(path + here.query, body),
      delete: (path: string) => callers[1].delete(path + here.query),
    };
    const [moved, changed] = await both.atOnce(here.id, [
      () => transfer(callers[0], id, there),
      () => request(named, id),
    ]);
    expect([moved?.status, changed?.status]).toEqual([200, 404]);
  });

  test.each(requests)('%s is refused to those who may not do it there', async (_, request) => {
    const [service] = both.services;
    const bob = await aMember(service, team, 'member');
    const secret = await aWorkspace(callers[0], team, { name: 'Secret', visibility: 'private' });
    const toRead = await aWorkspace(callers[0], team, { name: 'Read' });
    await giveRole(service, toRead.id, bob, 'reader');
    for (const [to, status] of [
      [secret, 404],
      [toRead, 403],
    ] as const) {
      const { id } = await anItem(callers[0], here.query, { object: 'item' });
      const [moved, changed] = await both.atOnce(here.id, [
        () => transfer(callers[0], id, to),
        () => request(bob, id),
      ]);
      expect([moved?.status, changed?.status]).toEqual([200, status]);
      expect(idsOf(await treeOf(to))).toEqual([id]);
    }
  });

  test('two transfers of it: one is carried out, the other is refused', async () => {
    const { id } = await anItem(callers[0], here.query);
    const answers = await both.atOnce(here.id, [
      () => transfer(callers[0], id, there),
      () => transfer(callers[1], id, there),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  });

  test('nothing moves into it where it was: 404', async () => {
    const shelf = await anItem(callers[0], here.query);
    const page = await anItem(callers[0], here.query, { object: 'item' });
    const [moved, changed] = await both.atOnce(here.id, [
      () => transfer(callers[0], shelf.id, there),
      () => callers[1].put(`/collections/${page.id}`, { parent: shelf.id }),
    ]);
    expect([moved?.status, changed?.status]).toEqual([200, 404]);
    expect(idsOf(await treeOf(here))).toEqual([page.id]);
  });
});

test('a workspace that is deleted before a transfer into it: 404, and nothing has moved', async () => {
  const { id } = await anItem(callers[0], here.query);
  const [deleted, moved] = await both.atOnce(there.id, [
    () => callers[0].delete(there.path),
    () => transfer(callers[1], id, there),
  ]);
  expect([deleted?.status, moved?.status]).toEqual([200, 404]);
  expect(idsOf(await treeOf(here))).toEqual([id]);
});

test('with an Idempotency-Key, two at once: one is carried out, both get its response', async () => {
  const { id } = await anItem(callers[0], here.query);
  for (const operation of ['transfer', 'duplicate']) {
    const answers = await both.atOnce(
      here.id,
      callers.map((caller) => () => {
        const body = { workspace_slug: there.slug };
        const request = caller.post(`/collections/${id}/${operation}`, body);
        return request.set('idempotency-key', operation);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    if (operation === 'transfer') await ok(transfer(callers[0], id, here));
  }
  expect([(await treeOf(here)).length, (await treeOf(there)).length]).toEqual([1, 1]);
});

test('nobody writes in a workspace while something is copied from it', async () => {
  const shelf = await anItem(callers[0], here.query, { name: 'Shelf' });
  await anItem(callers[0], here.query, { object: 'item', parent: shelf.id });
  // The copy waits for the slug, with what it copies read.
  const slug = await holdLock(
    both.databaseUrl,
    `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
     SELECT team_id, id, gen_random_uuid(), 'collection', 'Shelf', 'shelf', 'zz'
     FROM workspaces WHERE id = $1`,
    [there.id],
  );
  const body = { workspace_slug: there.slug };
  const copying = Promise.resolve(callers[0].post(`/collections/${shelf.id}/duplicate`, body));
  await slug.waiting(1);
  const writing = Promise.resolve(
    callers[1].post(`/collections${here.query}`, { object: 'item', parent: shelf.id }),
  );
  await slug.waiting(2);
  await slug.release();
  expect((await ok<ItemBody>(copying)).children).toHaveLength(1);
  await ok(writing);
});

test('whoever locks two workspaces locks the one with the lower id first', async () => {
  const [lower, higher] = here.id < there.id ? [here, there] : [there, here];
  const items = await Promise.all([here, there].map(({ query }) => anItem(callers[0], query)));
  const lock = await holdWorkspace(both.databaseUrl, lower.id);
  const transfers = [there, here].map((to, n) =>
    Promise.resolve(transfer(callers[n] as Caller, (items[n] as ItemBody).id, to)),
  );
  await lock.waiting(2);
  await sql(both.databaseUrl, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE NOWAIT', [
    higher.id,
  ]);
  await lock.release();
  for (const answer of await Promise.all(transfers)) expect(answer.status).toBe(200);
});

test('a storm of transfers in both directions: no item is lost or doubled, two replicas follow', async () => {
  const shelves = [here, there].map(({ query }) => anItem(callers[0], query, { name: 'Shelf' }));
  const ids = idsOf(await Promise.all(shelves));
  for (let n = 0; n < 20; n++) {
    const { query } = pick([here, there]);
    const object = pick(['collection', 'item']);
    ids.push((await anItem(callers[0], query, { object })).id);
  }
  const replicas = [here, there].map(({ query }) => new Replica(query, '&limit=7'));
  const statuses: number[] = [];
  let isOver = false;
  const following = replicas.map(async (replica) => {
    while (!isOver) await replica.follow(callers[0]);
  });
  const clients = Array.from({ length: 8 }, async (_, n) => {
    const caller = callers[n % 2] as Caller;
    for (let step = 0; step < STEPS; step++) {
      const id = pick(ids);
      const to = pick([here, there]);
      const body = { workspace_slug: to.slug, index: 1, parent: pick([null, pick(ids)]) };
      const { status } = await pick([
        () => caller.post(`/collections/${id}/transfer`, body),
        () => caller.post(`/collections/${id}/transfer`, { ...body, parent: null }),
        () => caller.put(`/collections/${id}`, { parent: pick([null, pick(ids)]) }),
        () => caller.put(`/collections/${id}`, { name: `Name ${step}` }),
      ])();
      statuses.push(status);
    }
  });
  await Promise.all(clients);
  isOver = true;
  await Promise.all(following);
  expect(statuses.filter((status) => ![200, 404, 422].includes(status))).toEqual([]);
  expect(statuses).toContain(200);
  const trees = await Promise.all([here, there].map(treeOf));
  expect(idsOf(trees.flatMap(everyItem)).sort()).toEqual([...ids].sort());
  const rows = await sql<{ id: string }>(
    both.databaseUrl,
    'SELECT id FROM collections WHERE workspace_id IN ($1, $2)',
    [here.id, there.id],
  );
  expect(rows).toHaveLength(ids.length);
  for (const [n, replica] of replicas.entries()) {
    await replica.follow(callers[0]);
    expect(replica.tree()).toEqual(trees[n]);
  }
});

test('transfers of six items in opposite directions, round after round: none fails', async () => {
  const ada = await someone(both.services[0]);
  const rounds = runs(10, 100);
  const own = await aTeam(ada);
  const pair = [
    await aWorkspace(ada, own, { name: 'One' }),
    await aWorkspace(ada, own, { name: 'Two' }),
  ] as [Workspace, Workspace];
  const adas = both.as(ada.person);
  const ids = await Promise.all(
    Array.from({ length: 6 }, (_, n) => anItem(ada, (pair[n % 2] as Workspace).query)),
  );
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(
      ids.map(({ id }, n) =>
        transfer(adas[n % 2] as Caller, id, pair[(n + round + 1) % 2] as Workspace),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  }
});
