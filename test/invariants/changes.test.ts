import fc from 'fast-check';
import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok, theTree } from '../support/builders.js';
import { holdWorkspace } from '../support/locks.js';
import { Replica } from '../support/replica.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf } from '../support/tree.js';
import { type TwoInstances, twoInstances } from '../support/two-instances.js';

let both: TwoInstances;
/** One person, by each of the two instances. */
let callers: [Caller, Caller];
let team: string;
beforeAll(async () => {
  both = await twoInstances({ PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' });
  callers = both.as(somebody());
  team = await aTeam(callers[0]);
});
afterAll(() => both.stop());

/** Items, by their number: of those that were ever made, so that some are gone. */
type Change =
  | { kind: 'create'; parent: number; index: number; page: boolean; name: string }
  | { kind: 'batch'; parent: number; name: string }
  | { kind: 'move'; item: number; parent: number | null; index: number }
  | { kind: 'order'; parent: number; other: number }
  | { kind: 'rename'; item: number; name: string }
  | { kind: 'save'; item: number; content: string }
  | { kind: 'delete'; item: number; permanent: boolean }
  | { kind: 'restore'; item: number; index: number | null };

const item = fc.nat(9);
const index = fc.nat(4);
const name = fc.constantFrom(
  'A',
  'Ünïcode',
  '日本 "quoted"',
  'back\\slash',
  '🙂',
  '</script>\u2028',
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    parent: item,
    index,
    page: fc.boolean(),
    name,
  }),
  fc.record({ kind: fc.constant('batch' as const), parent: item, name }),
  fc.record({
    kind: fc.constant('move' as const),
    item,
    parent: fc.option(item),
    index,
  }),
  fc.record({ kind: fc.constant('order' as const), parent: item, other: item }),
  fc.record({ kind: fc.constant('rename' as const), item, name }),
  fc.record({ kind: fc.constant('save' as const), item, content: name }),
  fc.record({ kind: fc.constant('delete' as const), item, permanent: fc.boolean() }),
  fc.record({ kind: fc.constant('restore' as const), item, index: fc.option(index) }),
);

/** Carries out a change; refusals are part of it. */
async function apply(caller: Caller, query: string, ids: string[], given: Change): Promise<void> {
  const of = (n: number) => ids[n % ids.length] as string;
  const send = async () => {
    switch (given.kind) {
      case 'create': {
        const { parent, index: at, page, name: called } = given;
        const body = { name: called, parent: of(parent), index: at };
        return caller.post(`/collections${query}`, { ...body, ...(page && { object: 'item' }) });
      }
      case 'batch': {
        const items = [{ name: given.name, children: [{}, { object: 'item' }] }];
        return caller.post(`/collections/batch${query}`, { parent: of(given.parent), items });
      }
      case 'move': {
        const newParent = given.parent === null ? null : of(given.parent);
        const body = { id: of(given.item), index: given.index, newParent };
        return caller.post(`/collections/reorder${query}`, body);
      }
      case 'order': {
        const parent = of(given.parent);
        const list = await caller.get(`/collections${query}&parent=${parent}&depth=1`);
        if (list.status !== 200) return list;
        const children = [...new Set([...idsOf(list.body).reverse(), of(given.other)])];
        return caller.put(`/collections/order${query}`, { parent, children });
      }
      case 'rename':
        return caller.put(`/collections/${of(given.item)}${query}`, { name: given.name });
      case 'save':
        return caller.put(`/collections/${of(given.item)}${query}`, {
          content: { text: given.content },
        });
      case 'delete':
        return caller.delete(`/collections/${of(given.item)}${query}&permanent=${given.permanent}`);
      case 'restore': {
        const { body } = await caller.get(`/collections/trash${query}`);
        const deletion = body[given.item % Math.max(body.length, 1)];
        const at = given.index === null ? {} : { index: given.index };
        return caller.post(`/collections/trash/${deletion?.id ?? 'none'}/restore${query}`, at);
      }
    }
  };
  const { status, body, text } = await send();
  if (![200, 404, 409, 422].includes(status)) throw new Error(`${given.kind}: ${status} ${text}`);
  if (status !== 200) return;
  if (given.kind === 'create') ids.push(body.id);
  if (given.kind === 'batch') ids.push(...idsOf(everyItem(body)));
}

/** A new workspace with a few items, and replicas of it with pages of 1, 7 and 1,000. */
async function aScene() {
  const { id, query } = await aWorkspace(callers[0], team);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await anItem(callers[n % 2] as Caller, query)).id);
  const replicas = [1, 7, 1000].map(
    (limit) => new Replica(query, `&limit=${limit}&include=content`),
  );
  return { id, query, ids, replicas };
}

/** Each replica, at a quiet moment, is what both instances show. */
async function expectEqual(query: string, replicas: Replica[]): Promise<void> {
  for (const [n, replica] of replicas.entries()) {
    await replica.follow(callers[n % 2] as Caller);
    const tree = await theTree(callers[(n + 1) % 2] as Caller, `${query}&include=content`);
    expect(replica.tree()).toEqual(tree);
  }
}

test('a replica that follows nothing but the feed equals the tree, at every quiet moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.nat(2),
      async (storms, late) => {
        const { query, ids, replicas } = await aScene();
        for (const storm of storms) {
          const changes = storm.map((each, n) => apply(callers[n % 2] as Caller, query, ids, each));
          // They read while others write; one of them begins, or goes on, in the middle of it.
          const reading = replicas.map((replica, n) =>
            n === late ? undefined : replica.step(callers[n % 2] as Caller),
          );
          await Promise.all([...changes, ...reading]);
          await expectEqual(query, replicas);
        }
      },
    ),
    { numRuns: runs(5, 150), endOnFailure: process.env.NIGHTLY !== '1' },
  );
}, 600_000);

test('a storm of hands over two instances, with backends terminated', async () => {
  const { query, ids, replicas } = await aScene();
  for (let n = 0; n < 10; n++) ids.push((await anItem(callers[0], query)).id);
  const steps = fc.sample(fc.array(change, { minLength: runs(8, 60), maxLength: runs(8, 60) }), 24);
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await sql(
        both.databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'teamspaces'
         ORDER BY random() LIMIT 2`,
      );
    }
  })();
  const reading = replicas.map(async (replica, n) => {
    // A read may fail with its connection; the cursor is as it was.
    while (!isOver) await replica.step(callers[n % 2] as Caller).catch(() => undefined);
  });
  const writing = steps.map(async (hand, n) => {
    for (const each of hand) {
      // The outcome of a change may be unknown.
      await apply(callers[n % 2] as Caller, query, ids, each).catch(() => undefined);
    }
  });
  await Promise.all(writing).finally(() => {
    isOver = true;
  });
  await Promise.all([killing, ...reading]);
  await expectEqual(query, replicas);
}, 300_000);

test('a writer that is paused before its commit: nobody sees a cursor past it', async () => {
  const { id, query, ids, replicas } = await aScene();
  for (const replica of replicas) await replica.follow(callers[0]);
  // Its first message is through, its lock is held: what it writes is committed after a while.
  const lock = await holdWorkspace(both.databaseUrl, id);
  await lock.take(
    `WITH before AS (SELECT team_id, id, tree_stamp FROM workspaces WHERE id = $1), changed AS (
       UPDATE workspaces w SET tree_version = w.tree_version + 1, tree_stamp = gen_random_uuid()
       FROM before WHERE w.team_id = before.team_id AND w.id = before.id RETURNING w.tree_version
     ), renamed AS (
       UPDATE collections SET name = 'Late' WHERE id = $2
     ) INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
     SELECT team_id, before.id, tree_version, $2::uuid, tree_stamp FROM before, changed`,
    [id, ids[0]],
  );
  const others = [0, 1].map((n) => anItem(callers[n] as Caller, query, { name: 'Behind it' }));
  await lock.waiting(2);
  await expectEqual(query, replicas);
  await lock.take('COMMIT', []);
  await lock.release();
  await Promise.all(others);
  await expectEqual(query, replicas);
  expect(replicas[0]?.items.get(ids[0] as string)?.name).toBe('Late');
});

test('readers of the deletion of many items do not hold up writers', async () => {
  const { query, ids } = await aScene();
  const count = runs(3_000, 50_000);
  for (let made = 0; made < count; made += 1_000) {
    const items = Array.from({ length: 1_000 }, () => ({ object: 'item' }));
    await ok(callers[0].post(`/collections/batch${query}`, { parent: ids[0], items }));
  }
  const replica = new Replica(query, '&limit=1000&include=content');
  await replica.follow(callers[0]);
  await ok(callers[0].delete(`/collections/${ids[0]}${query}`));
  let slowest = 0;
  while (await replica.step(callers[1])) {
    const start = performance.now();
    await ok(callers[0].put(`/collections/${ids[1]}${query}`, { name: `N${replica.pages}` }));
    slowest = Math.max(slowest, performance.now() - start);
  }
  await expectEqual(query, [replica]);
  expect(replica.items.size).toBe(2);
  expect(slowest).toBeLessThan(2_000);
}, 300_000);
