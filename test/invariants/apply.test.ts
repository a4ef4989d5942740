import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, somebody } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { error } from '../support/errors.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { everyItem, putRows } from '../support/tree.js';
import { type TwoInstances, twoInstances } from '../support/two-instances.js';

const ROUNDS = runs(10, 200);

let both: TwoInstances;
/** One person, by each of the two instances. */
let callers: [Caller, Caller];
let team: string;
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
beforeAll(async () => {
  both = await twoInstances({
    PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  callers = both.as(somebody());
});
beforeEach(async () => {
  team = await aTeam(callers[0]);
  workspace = await aWorkspace(callers[0], team);
});
afterAll(async () => {
  await assertInvariants(both.databaseUrl);
  await both.stop();
});

interface Item {
  key: string;
  name: string;
  object?: string;
  content?: object;
  children?: Item[];
}

/** A tree of the same keys in a shape of its own for each number. */
function manifest(n: number): Item[] {
  const keys = Array.from({ length: 12 }, (_, k) => (k * 7 + n * 5) % 12);
  const page = (k: number): Item => ({
    ...{ key: `page ${k}`, name: `Page ${n}`, object: 'item', content: { n } },
  });
  const [a, b, c] = [0, 1, 2].map((part) => keys.filter((k) => (k + n) % 3 === part).map(page));
  const [outer, inner] = n % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
  const nested = { key: `folder ${inner}`, name: `Folder ${n}`, children: b ?? [] };
  return [
    { key: `folder ${outer}`, name: `Folder ${n}`, children: [nested, ...(a ?? [])] },
    ...(c ?? []),
  ];
}

const put = (caller: Caller, items: Item[], prune = true) =>
  caller.put(`/collections/apply${workspace.query}`, { items, prune });

const shapeOf = (items: readonly { key?: string; name: string; children?: unknown[] }[]): unknown =>
  items.map(({ key, name, children = [] }) => [key, name, shapeOf(children as Item[])]);

/** What is there now, with the contents. */
async function present(): Promise<{ shape: unknown; contents: unknown[] }> {
  const items = await theTree(callers[0], `${workspace.query}&include=content`);
  const pages = (everyItem(items) as (ItemBody & { content: object })[]).filter(
    ({ object }) => object === 'item',
  );
  return { shape: shapeOf(items), contents: pages.map(({ content }) => content) };
}

const versionOf = async (): Promise<number> => {
  const [row] = await sql<{ version: string }>(
    both.databaseUrl,
    'SELECT tree_version AS version FROM workspaces WHERE id = $1',
    [workspace.id],
  );
  return Number(row?.version);
};

test('of many who apply the same manifest, one changes the tree, and the others find it unchanged', async () => {
  for (let n = 0; n < ROUNDS; n++) {
    const before = await versionOf();
    const reports = await Promise.all(
      [0, 1, 0, 1].map((at) => ok<Record<string, number>>(put(callers[at] as Caller, manifest(n)))),
    );
    const unchanged = reports.filter((report) => report.unchanged === 14);
    expect(unchanged).toHaveLength(3);
    expect(await versionOf()).toBe(before + 1);
    expect((await present()).shape).toEqual(shapeOf(manifest(n)));
  }
});

test('of contradicting manifests each is applied whole, one after the other', async () => {
  for (let n = 0; n < ROUNDS; n++) {
    const numbers = [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3];
    await Promise.all(
      numbers.map((number, k) => ok(put(callers[k % 2] as Caller, manifest(number)))),
    );
    const { shape, contents } = await present();
    const last = numbers.find((number) => isEqual(shape, shapeOf(manifest(number))));
    expect(last).toBeDefined();
    expect(contents).toEqual(Array(12).fill({ n: last }));
  }
});

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

test('against moves, deletions, restores, transfers and new items of others: nothing is lost or refused by a fault', async () => {
  const archive = await aWorkspace(callers[0], team);
  const statuses = new Set<number>();
  const { ids } = await ok<{ ids: Record<string, string> }>(put(callers[0], manifest(0)));
  const all = Object.values(ids);
  const any = () => all[Math.floor(Math.random() * all.length)] as string;
  const { query } = workspace;
  const acts: ((caller: Caller) => PromiseLike<{ status: number; body: { ids?: object } }>)[] = [
    (caller) =>
      caller.post(`/collections/reorder${query}`, { id: any(), index: 1, newParent: null }),
    (caller) => caller.delete(`/collections/${any()}`),
    (caller) => caller.post(`/collections/trash/${any()}/restore`, {}),
    (caller) =>
      caller.post(`/collections/${any()}/transfer`, {
        workspace_slug: [archive.slug, workspace.slug][Math.floor(Math.random() * 2)],
      }),
    (caller) =>
      caller.post(`/collections${query}`, { parent: any(), key: `page ${Math.random()}` }),
    (caller) => caller.put(`/collections/${any()}`, { content: { by: 'hand' } }),
    (caller) => put(caller, manifest(Math.floor(Math.random() * 9)), Math.random() < 0.5),
    (caller) => put(caller, manifest(Math.floor(Math.random() * 9)), false),
  ];
  await Promise.all(
    Array.from({ length: 6 }, async (_, client) => {
      for (let step = 0; step < ROUNDS * 2; step++) {
        const act = acts[Math.floor(Math.random() * acts.length)] as (typeof acts)[number];
        const { status, body } = await act(callers[client % 2] as Caller);
        statuses.add(status);
        all.push(...(Object.values(body.ids ?? {}) as string[]).slice(0, 3));
      }
    }),
  );
  expect([...statuses].filter((status) => ![200, 404, 409, 422].includes(status))).toEqual([]);
  await ok(put(callers[1], manifest(1), false));
  const keyed = everyItem(await theTree(callers[0], query)).filter(({ key }) => key !== undefined);
  expect(new Set(keyed.map(({ key }) => key)).size).toBe(keyed.length);
  const again = await ok<Record<string, number>>(put(callers[0], manifest(1), false));
  expect(again).toMatchObject({ created: 0, updated: 0, moved: 0, unchanged: 14 });
});

test('with connections that are cut at any moment, a manifest is applied whole or not at all', async () => {
  await ok(put(callers[0], manifest(0)));
  let isOver = false;
  const cutting = (async () => {
    while (!isOver) {
      await sleep(20 + Math.random() * 60);
      await sql(
        both.databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%collections%'`,
      );
    }
  })();
  for (let n = 1; n <= ROUNDS * 2; n++) {
    const { status } = await put(callers[n % 2] as Caller, manifest(n));
    expect([200, 500]).toContain(status);
  }
  isOver = true;
  await cutting;
  // What is left in the pools was cut, too.
  for (let n = 0; n < 20; n++) await callers[0].get(`/collections${workspace.query}`);
  const { shape, contents } = await present();
  const [[, name]] = shape as [[string, string]];
  const n = Number(name.split(' ')[1]);
  expect(shape).toEqual(shapeOf(manifest(n)));
  expect(contents).toEqual(Array(12).fill({ n }));
});

test('422 for more than 50,000 siblings with a key, or with prune items below, to compare with', async () => {
  const [ada] = callers;
  const apply = (items: object[], more: object) =>
    ada.put(`/collections/apply${workspace.query}`, { items, ...more });
  const rows = Array.from({ length: 50_001 }, (_, n) => ({
    ...{ object: 'collection' as const, ...(n > 0 && { parent: 0 }) },
  }));
  const [parent = ''] = await putRows(both.databaseUrl, workspace.id, rows);
  await sql(both.databaseUrl, 'UPDATE collections SET key = id WHERE parent_id = $1', [parent]);
  const refused = error(
    'unprocessable_entity',
    'parent must hold at most 50000 items to compare with the manifest: apply parts of the tree',
  );
  const item = { key: 'x', name: 'X' };
  expect(await ok(apply([item], { parent }))).toMatchObject({ created: 1 });
  expect((await apply([item], { parent })).body).toEqual(refused);
  await ok(ada.put(`/collections/${parent}`, { key: 'top' }));
  const top = { key: 'top', name: 'Top' };
  await ok(apply([top], { prune: true }));
  expect((await apply([{ ...top, children: [] }], { prune: true })).body).toEqual(refused);
}, 60_000);
