import { until } from '../operate/process.js';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { putRows, usageOf } from '../support/tree.js';

const ANY_NUMBER = '{"free":{"pages":0,"workspaces":0}}';
/** Items of a large subtree: at night, the most that one request moves. */
const ITEMS = runs(2_000, 20_000);
/** A response, by SuperTest. */
type Answer = Awaited<ReturnType<Caller['get']>>;

/** Milliseconds within which every other writer is served: a request that is held up takes seconds. */
const BOUND = 3_000;
const TIMEOUT = runs(60_000, 600_000);

let service: TestService;
let ada: Caller;
let team: string;
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
let other: Awaited<ReturnType<typeof aWorkspace>>;
beforeEach(async () => {
  service = await startService({ PLAN_LIMITS: ANY_NUMBER });
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
async function aLargeSubtree(items: number): Promise<string> {
  const rows = Array.from({ length: items }, (_, n) => {
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
  'a large subtree is deleted, restored, transferred there and back, and deleted for good',
  async () => {
    const id = await aLargeSubtree(ITEMS);
    const before = await usageOf(ada, team);
    const transfer = (to: string) =>
      ada.post(`/collections/${id}/transfer`, { workspace_slug: to });
    const steps: [what: string, step: () => PromiseLike<Answer>, items: number][] = [
      ['deleted', () => ada.delete(`/collections/${id}`), 0],
      ['restored', () => ada.post(`/collections/trash/${id}/restore`, {}), ITEMS],
      ['transferred', () => transfer(other.slug), ITEMS],
      ['transferred back', () => transfer(workspace.slug), ITEMS],
      ['deleted for good', () => ada.delete(`/collections/${id}?permanent=true`), 0],
    ];
    for (const [what, step, items] of steps) {
      const [{ status, body }, took] = await timed(step());
      print(`${what} (${status})`, took);
      expect([what, status]).toEqual([what, 200]);
      const trashed = what === 'deleted' ? ITEMS : 0;
      expect([what, await held()]).toEqual([what, { items, trashed }]);
      if (items === 0) continue;
      expect((body as ItemBody).children).toHaveLength(100);
      expect(await usageOf(ada, team)).toEqual(before);
    }
    expect((await usageOf(ada, team)).pages).toBe(0);
  },
  TIMEOUT,
);

describe('more than 20,000 items', () => {
  const MOST = 20_000;
  const error = (way: string) => ({
    status: 422,
    message: `the item and everything below it are more than 20000 items: ${way}`,
  });
  const refusal = async (request: PromiseLike<Answer>) => {
    const { status, body } = await request;
    return { status, message: body.error?.message };
  };

  test('are not deleted or transferred; one item fewer may be', async () => {
    const id = await aLargeSubtree(MOST + 1);
    const deletion = error('delete parts of it first, or the whole workspace, which has no limit');
    expect(await refusal(ada.delete(`/collections/${id}`))).toEqual(deletion);
    expect(await refusal(ada.delete(`/collections/${id}?permanent=true`))).toEqual(deletion);
    const transfer = `/collections/${id}/transfer`;
    const to = { workspace_slug: other.slug };
    expect(await refusal(ada.post(transfer, to))).toEqual(error('transfer parts of it first'));
    expect(await held()).toEqual({ items: MOST + 1, trashed: 0 });
    const [last] = await sql<{ id: string }>(
      service.databaseUrl,
      "SELECT id FROM collections WHERE object = 'item' LIMIT 1",
    );
    await ok(ada.delete(`/collections/${last?.id}`));
    const [{ status }, took] = await timed(ada.delete(`/collections/${id}`));
    print(`deleted, after one of ${MOST + 1} was`, took);
    expect(status).toBe(200);
    expect(await held()).toEqual({ items: 0, trashed: MOST + 1 });
  });

  test('are not pruned by one manifest, all its deletions together; one item fewer is', async () => {
    const parent = await aLargeSubtree(MOST + 2);
    await sql(service.databaseUrl, 'UPDATE collections SET key = id WHERE id <> $1', [parent]);
    const items = [{ key: 'new', name: 'New' }];
    const apply = () =>
      ada.put(`/collections/apply${workspace.query}`, { parent, items, prune: true });
    expect(await refusal(apply())).toEqual({
      status: 422,
      message:
        'prune would delete more than 20000 items: delete parts of them first, or apply parts of the tree',
    });
    expect(await held()).toEqual({ items: MOST + 2, trashed: 0 });
    const [last] = await sql<{ id: string }>(
      service.databaseUrl,
      "SELECT id FROM collections WHERE object = 'item' LIMIT 1",
    );
    await ok(ada.delete(`/collections/${last?.id}`));
    const [{ body }, took] = await timed(apply());
    print(`pruned, after one of ${MOST + 1} was deleted`, took);
    expect(body).toMatchObject({ created: 1, pruned: MOST });
    expect(await held()).toEqual({ items: 2, trashed: MOST + 1 });
  });

  test('are restored by the operator, not by a request, and purged by anybody who may', async () => {
    const id = await aLargeSubtree(MOST + 1);
    await toTrash(id);
    const path = `/collections/trash/${id}`;
    const way = 'ask the operator to restore it with teamspaces trash restore, which has no limit';
    expect(await refusal(ada.post(`${path}/restore`, {}))).toEqual(error(way));
    expect(await held()).toEqual({ items: 0, trashed: MOST + 1 });
    const { databaseUrl } = service;
    const variables = { DATABASE_URL: databaseUrl, PLAN_LIMITS: ANY_NUMBER };
    const [restored, took] = await timed(runCommand(['trash', 'restore', id], variables));
    print('restored by the operator', took);
    expect(restored).toEqual({
      status: 0,
      output: 'Restored Row 1 (20,001 items) to the top level.\n',
    });
    expect(await held()).toEqual({ items: MOST + 1, trashed: 0 });
    const [entry] = await ok<{ action: string; actor: unknown; details: unknown }[]>(
      ada.get(`/teams/${team}/audit-log?limit=1`),
    );
    expect(entry).toMatchObject({
      action: 'item.restored',
      actor: null,
      details: { pages: 19_900, collections: 101 },
    });
    await toTrash(id);
    await ok(ada.delete(path));
  });
});

/** Moves items to the trash by SQL, as an earlier version of the service did with any number. */
async function toTrash(id: string): Promise<void> {
  const { databaseUrl } = service;
  const columns =
    'parent_id, object, name, slug, position, content, version, created_at, updated_at';
  await sql(
    databaseUrl,
    `INSERT INTO trash_deletions (team_id, workspace_id, id, object, name, position, rebalances, height,
       pages, collections, deleted_at)
     SELECT c.team_id, c.workspace_id, c.id, c.object, c.name, c.position, w.rebalances, 3,
       (SELECT count(*) FROM collections WHERE object = 'item'),
       (SELECT count(*) FROM collections WHERE object = 'collection'), clock_timestamp()
     FROM collections c JOIN workspaces w ON w.id = c.workspace_id WHERE c.id = $1`,
    [id],
  );
  await sql(
    databaseUrl,
    `INSERT INTO trash_items (team_id, deletion_id, id, ${columns})
     SELECT team_id, $1, id, ${columns} FROM collections`,
    [id],
  );
  // The checks of its foreign keys, one for each row, are planned by this connection.
  await sql(databaseUrl, 'ANALYZE collections');
  // A portion that the index has read before is not written after it.
  await sql(
    databaseUrl,
    'UPDATE search_positions SET writes = writes + 1; DELETE FROM page_words; DELETE FROM collections',
  );
  await sql(databaseUrl, 'UPDATE team_usage SET pages = 0, collections = 0');
}

test(
  'the purge of a large workspace holds nobody up',
  async () => {
    await aLargeSubtree(ITEMS);
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
