import { until } from '../operate/process.js';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { putRows, usageOf } from '../support/tree.js';

/** Items of a large subtree. */
const ITEMS = runs(3_000, Number(process.env.ITEMS ?? 50_000));
/** Milliseconds within which every other writer is served: a request that is held up takes seconds. */
const BOUND = 3_000;
const TIMEOUT = runs(60_000, 600_000);

let service: TestService;
let ada: Caller;
let team: string;
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
let other: Awaited<ReturnType<typeof aWorkspace>>;
beforeEach(async () => {
  service = await startService({ PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' });
  ada = service.as(somebody());
  team = await aTeam(ada);
  workspace = await aWorkspace(ada, team);
  other = await aWorkspace(ada, team);
});
afterEach(async () => {
  await assertInvariants(service.databaseUrl);
  await service.stop();
});

/** A collection with a hundred collections and pages in them. @returns its id */
async function aLargeSubtree(): Promise<string> {
  const rows = Array.from({ length: ITEMS }, (_, n) => {
    if (n === 0) return { object: 'collection' as const };
    if (n <= 100) return { object: 'collection' as const, parent: 0 };
    return { object: 'item' as const, parent: 1 + (n % 100) };
  });
  const [id = ''] = await putRows(service.databaseUrl, workspace.id, rows);
  await sql(service.databaseUrl, 'ANALYZE');
  return id;
}

/**
 * Writes in a workspace, one request after another, while something else runs.
 * @returns the milliseconds of each; all of them succeeded
 */
async function writesDuring(query: string, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const running = work().finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const start = performance.now();
    await anItem(ada, query, { object: 'item' });
    times.push(performance.now() - start);
  }
  await running;
  return times;
}

const print = (what: string, took: number, times: readonly number[] = []): void => {
  const others =
    times.length > 0
      ? `; ${times.length} writes of others meanwhile, at most ${Math.round(Math.max(...times))} ms`
      : '';
  process.stdout.write(`large trash: ${ITEMS} items ${what} in ${Math.round(took)} ms${others}\n`);
};

async function timed<T>(work: PromiseLike<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work, performance.now() - start];
}

/** Where the items are. */
async function held() {
  const counts = `SELECT (SELECT count(*)::int FROM collections) AS items,
    (SELECT count(*)::int FROM trash_items) AS trashed`;
  const [row] = await sql<{ items: number; trashed: number }>(service.databaseUrl, counts);
  return row;
}

test(
  'a large subtree is whole in the tree or whole in the trash, even if a request takes too long',
  async () => {
    const id = await aLargeSubtree();
    const before = await usageOf(ada, team);
    const [deleted, deletion] = await timed(ada.delete(`/collections/${id}`));
    print(`deleted (${deleted.status})`, deletion);
    // One that takes longer than a request may is undone.
    if (deleted.status !== 200) {
      expect(ITEMS).toBeGreaterThan(10_000);
      expect(deleted.body.error.code).toBe('internal_server_error');
      expect(await held()).toEqual({ items: ITEMS, trashed: 0 });
      return;
    }
    const [restored, took] = await timed(ada.post(`/collections/trash/${id}/restore`, {}));
    print(`restored (${restored.status})`, took);
    if (restored.status === 200) {
      expect(await held()).toEqual({ items: ITEMS, trashed: 0 });
      expect((restored.body as ItemBody).children).toHaveLength(100);
      expect(await usageOf(ada, team)).toEqual(before);
      return;
    }
    expect(ITEMS).toBeGreaterThan(10_000);
    expect(restored.body.error.code).toBe('internal_server_error');
    expect(await held()).toEqual({ items: 0, trashed: ITEMS });
  },
  TIMEOUT,
);

test(
  'the purge of a large workspace holds nobody up',
  async () => {
    await aLargeSubtree();
    const [, deletion] = await timed(ok(ada.delete(workspace.path)));
    print('of a workspace deleted', deletion);
    const left = async () =>
      (await sql(service.databaseUrl, 'SELECT FROM workspaces WHERE id = $1', [workspace.id]))
        .length;
    const start = performance.now();
    const times = await writesDuring(other.query, async () => {
      await ok(ada.delete(`/teams/${team}/trash/${workspace.id}`));
      await until(async () => (await left()) === 0);
    });
    print('of a workspace purged', performance.now() - start, times);
    expect(Math.max(...times)).toBeLessThan(BOUND);
  },
  TIMEOUT,
);
