import { Worker } from 'node:worker_threads';
import { type Caller, somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { aTeam, aWorkspace, ok, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, putRows, type RowToPut, usageOf } from '../support/tree.js';

describe('large trees', () => {
  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
    once: 'team',
    verify: true,
  });

  /** A collection, then collections in it, each with pages, depth first. */
  const aForest = (collections: number, pagesEach: number): RowToPut[] => [
    { object: 'collection' },
    ...Array.from({ length: collections }, (_, index) => [
      { object: 'collection' as const, parent: 0 },
      ...Array.from({ length: pagesEach }, () => ({
        object: 'item' as const,
        parent: 1 + index * (pagesEach + 1),
      })),
    ]).flat(),
  ];

  /** Runs requests in a thread of their own. @returns the milliseconds of each */
  function timesOf(path: string, { count, pause = 0 }: { count: number; pause?: number }) {
    const code = `
    const { parentPort, workerData: { url, token, count, pause } } = require('node:worker_threads');
    (async () => {
      const times = [];
      for (let n = 0; n < count; n++) {
        const start = performance.now();
        const answer = await fetch(url, { headers: { authorization: 'Bearer ' + token } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error('status ' + answer.status);
        times.push(performance.now() - start);
        await new Promise((wake) => setTimeout(wake, pause));
      }
      parentPort.postMessage(times);
    })();`;
    const workerData = { url: `${at.url}${path}`, token: tokenOf(at.ada.person), count, pause };
    const worker = new Worker(code, { eval: true, workerData });
    return new Promise<number[]>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
  }

  const shown = (times: readonly number[]): string =>
    `${Math.round(times.reduce((a, b) => a + b, 0) / times.length)} ms, at most ${Math.round(Math.max(...times))} ms`;

  test('10,000 items are read in one request, complete and in order, beside other callers', async () => {
    const { id, query } = await aWorkspace(at.ada, at.team);
    const rows = aForest(101, 98);
    const ids = await putRows(at.databaseUrl, id, rows);
    expect(ids).toHaveLength(10_000);
    expect(idsOf(everyItem(await theTree(at.ada, query)))).toEqual(ids);

    const [trees, gets] = await Promise.all([
      timesOf(`/collections${query}`, { count: 5 }),
      timesOf(`/collections/${ids[1]}`, { count: 40, pause: 10 }),
    ]);
    process.stdout.write(
      `large: 10,000 items in ${shown(trees)}; another caller's GETs meanwhile ${shown(gets)}\n`,
    );
  });

  test('deleting a collection with 5,000 descendants gives its pages back', async () => {
    const { id, query } = await aWorkspace(at.ada, at.team);
    const { pages: before } = await usageOf(at.ada, at.team);
    const [root, ...below] = await putRows(at.databaseUrl, id, aForest(50, 99));
    expect(below).toHaveLength(5_000);
    expect((await usageOf(at.ada, at.team)).pages).toBe(before + 4_950);
    const start = performance.now();
    await ok(at.ada.delete(`/collections/${root}`));
    const took = Math.round(performance.now() - start);
    process.stdout.write(`large: 5,001 items deleted in ${took} ms\n`);
    expect((await usageOf(at.ada, at.team)).pages).toBe(before);
    expect(await theTree(at.ada, query)).toEqual([]);
  });
});

describe('deletes of large lists', () => {
  const COUNT = 10_000;

  /** Milliseconds: a plan that reads the workspace for each row takes minutes. */
  const BOUND = 3_000;

  // Each on a database of its own, where the statistics know one list and nothing else.
  let service: TestService;
  let ada: Caller;
  let team: string;
  let workspace: Awaited<ReturnType<typeof aWorkspace>>;
  beforeEach(async () => {
    const env = { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}', RATE_LIMIT_PER_MINUTE: '0' };
    service = await startService(env);
    ada = service.as(somebody());
    team = await aTeam(ada);
    workspace = await aWorkspace(ada, team);
  });
  afterEach(async () => {
    await assertInvariants(service.databaseUrl);
    await service.stop();
  });

  const analyze = () => sql(service.databaseUrl, 'ANALYZE');

  /** A collection with 10,000 children, every other one a page; answers its id and theirs. */
  function aLargeList(): Promise<string[]> {
    const children = Array.from({ length: COUNT }, (_, n) => ({
      object: n % 2 === 0 ? ('item' as const) : ('collection' as const),
      parent: 0,
    }));
    return putRows(service.databaseUrl, workspace.id, [{ object: 'collection' }, ...children]);
  }

  /** Plans of a connection that were made while the table was empty. */
  async function planEarly(): Promise<void> {
    const items = [{ children: [{ children: [{ object: 'item' }] }] }];
    for (let time = 0; time < 3; time++) {
      const [made] = await ok<{ id: string }[]>(
        ada.post(`/collections/batch${workspace.query}`, { items }),
      );
      await ok(ada.delete(`/collections/${made?.id}${workspace.query}`));
    }
  }

  const order = ([parent, ...children]: readonly string[]) =>
    ok(
      ada.put(`/collections/order${workspace.query}`, { parent, children: children.toReversed() }),
    );

  test.each([
    ['collection', 'never analyzed', []],
    ['collection', 'analyzed', [analyze]],
    ['workspace', 'analyzed', [analyze]],
    ['collection', 'analyzed, then put in order', [analyze, order]],
    ['workspace', 'put in order, then analyzed', [order, analyze]],
  ])(
    'where one list of 10,000 is all there is, it goes with its %s at once: %s',
    async (what, state, steps) => {
      await planEarly();
      const list = await aLargeList();
      for (const step of steps) await step(list);
      const path =
        what === 'workspace' ? workspace.path : `/collections/${list[0]}${workspace.query}`;
      const start = performance.now();
      await ok(ada.delete(path));
      const took = Math.round(performance.now() - start);
      process.stdout.write(`large: ${COUNT} children, ${state}: ${what} deleted in ${took} ms\n`);
      expect(took).toBeLessThan(BOUND);
      expect((await ada.get(path)).status).toBe(404);
      expect((await usageOf(ada, team)).pages).toBe(0);
      // The rows of a workspace stay until the purge: see trash-purge.test.ts.
      if (what === 'workspace') return;
      expect(await sql(service.databaseUrl, 'SELECT 1 FROM collections')).toEqual([]);
    },
  );
});
