import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { offenders } from '../support/offenders.js';
import { runs } from '../support/runs.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { idsOf, pagesOf, putRows } from '../support/tree.js';

/** Levels of nesting that the service takes. */
const MAX_DEPTH = 128;
const LONGEST = 64;
/** A row for each rebalancing. */
const REBALANCES = 'SELECT rebalances FROM workspaces WHERE id = $1';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
  verify: true,
});

/** Items at the top level, one after another. */
async function someItems(count: number, body: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await anItem(at.ada, at.query, body)).id);
  return ids;
}

const move = (id: string, index: number, newParent?: string | null) =>
  ok(at.ada.post(`/collections/reorder${at.query}`, { id, index, newParent }));

const topLevel = async () => idsOf(await theTree(at.ada, at.query));

/** What a plain list would do. */
function moved(ids: readonly string[], id: string, index: number): string[] {
  const others = ids.filter((other) => other !== id);
  return others.toSpliced(index, 0, id);
}

describe('index', () => {
  test('is the final position, forwards and backwards, from every place to every place', async () => {
    let order = await someItems(5);
    for (let from = 0; from < 5; from++) {
      for (let to = 0; to < 7; to++) {
        const id = order[from] as string;
        await move(id, to);
        order = moved(order, id, to);
        expect(await topLevel()).toEqual(order);
      }
    }
  });

  test('is the final position under another parent, and in a collection as at the top', async () => {
    const parent = await anItem(at.ada, at.query);
    let inside: string[] = [];
    for (const [step, id] of (await someItems(8)).entries()) {
      const index = (step * 5) % 7;
      await move(id, index, parent.id);
      inside = moved(inside, id, index);
      const shown = await ok<ItemBody>(at.ada.get(`/collections/${parent.id}`));
      expect(idsOf(shown.children ?? [])).toEqual(inside);
    }
    const [first = '', second = ''] = inside;
    await move(first, 5);
    expect(idsOf((await theTree(at.ada, at.query))[0]?.children ?? [])).toEqual(
      moved(inside, first, 5),
    );
    await move(second, 0, null);
    expect(await topLevel()).toEqual([second, parent.id]);
  });

  test('past the end means the end', async () => {
    await someItems(3);
    const wrong = await offenders(
      [5, 1_000, 2_147_483_648, Number.MAX_SAFE_INTEGER, 1e300],
      async (index) => {
        const [first = '', ...others] = await topLevel();
        await move(first, index);
        expect(await topLevel()).toEqual([...others, first]);
      },
    );
    expect(wrong).toEqual([]);
  });
});

/** The ids of the rows that are written meanwhile. */
const written = async (work: () => Promise<unknown>): Promise<string[]> => {
  const read = () =>
    sql<{ id: string; row: string }>(
      at.databaseUrl,
      'SELECT id, concat_ws(\' \', xmin, ctid, version, updated_at) AS "row" FROM collections',
    );
  const before = new Map((await read()).map(({ id, row }) => [id, row]));
  await work();
  return (await read()).filter(({ id, row }) => before.get(id) !== row).map(({ id }) => id);
};

test('a move writes one row, whatever the number of siblings', async () => {
  const [parent = '', ...siblings] = await putRows(at.databaseUrl, at.workspace.id, [
    { object: 'collection' },
    ...Array.from({ length: 300 }, () => ({ object: 'item' as const, parent: 0 })),
    ...Array.from({ length: 300 }, () => ({ object: 'item' as const })),
  ]);
  const id = siblings[10] as string;
  expect(await written(() => move(id, 200))).toEqual([id]);
  expect(await written(() => move(id, 0))).toEqual([id]);
  expect(await written(() => move(id, 100, null))).toEqual([id]);
  expect(await written(() => move(id, 150, parent))).toEqual([id]);
  expect(await written(() => move(parent, 120))).toEqual([parent]);
});

test('a rebalancing writes the rows around the place only, however long the list', async () => {
  const [parent = '', ...siblings] = await putRows(at.databaseUrl, at.workspace.id, [
    { object: 'collection' },
    ...Array.from({ length: 2_500 }, () => ({ object: 'item' as const, parent: 0 })),
  ]);
  // Twenty in a row that leave no room between them.
  const [first] = await sql<{ position: string }>(
    at.databaseUrl,
    'SELECT position FROM collections WHERE id = $1',
    [siblings[1_199]],
  );
  const stem = first?.position.padEnd(47, '0');
  for (const [n, id] of siblings.slice(1_200, 1_220).entries()) {
    const position = `${stem}${'123456789ABCDEFGHIJK'[n]}`;
    await sql(at.databaseUrl, 'UPDATE collections SET position = $2 WHERE id = $1', [id, position]);
  }
  const id = siblings[5] as string;
  const changed = await written(() => move(id, 1_210));
  expect(changed.length).toBeGreaterThan(1);
  expect(changed.length).toBeLessThan(100);
  expect(idsOf(await theTree(at.ada, `${at.query}&parent=${parent}`))).toEqual(
    moved(siblings, id, 1_210),
  );
});

const longest = async (): Promise<number> => {
  const [row] = await sql<{ longest: number }>(
    at.databaseUrl,
    'SELECT max(length(position)) AS longest FROM collections WHERE workspace_id = $1',
    [at.workspace.id],
  );
  return row?.longest ?? 0;
};

/** Without a rebalancing, positions would be longer than LONGEST after 400 moves. */
const MOVES = runs(500, 1_200);

test('moves to the same place keep positions short and the order right', async () => {
  let order = await someItems(4);
  let peak = 0;
  for (let step = 0; step < MOVES; step++) {
    const id = order[2] as string;
    await move(id, 1);
    order = moved(order, id, 1);
    if (step % 10 === 0) peak = Math.max(peak, await longest());
    if (step % 100 === 0) expect(await topLevel()).toEqual(order);
  }
  expect(await topLevel()).toEqual(order);
  process.stdout.write(`ordering: longest position after ${MOVES} same-place moves: ${peak}\n`);
  expect(peak).toBeLessThanOrEqual(LONGEST);
});

test('in a list of 2,100 an index is the final position, for what comes from elsewhere, too', async () => {
  const [parent = '', other = '', ...ids] = await putRows(at.databaseUrl, at.workspace.id, [
    { object: 'collection' },
    { object: 'collection' },
    ...Array.from({ length: 2_100 }, () => ({ object: 'item' as const, parent: 0 })),
    ...Array.from({ length: 2_100 }, () => ({ object: 'item' as const })),
  ]);
  const lists: [string | null, string[]][] = [
    [parent, ids.slice(0, 2_100)],
    [null, [parent, other, ...ids.slice(2_100)]],
  ];
  for (const [list, present] of lists) {
    let order = present;
    const fresh = async () => (await anItem(at.ada, at.query, { parent: other })).id;
    const WAYS: [index: number, put: () => Promise<string>][] = [
      [2_102, async () => (await anItem(at.ada, at.query, { parent: list })).id],
      [2_050, async () => (await anItem(at.ada, at.query, { parent: list, index: 2_050 })).id],
      ...[2_001, 2_060, 1_000_000].map((index): [number, () => Promise<string>] => [
        index,
        async () => {
          const id = await fresh();
          await move(id, index, list);
          return id;
        },
      ]),
      [
        1_000_000,
        async () => {
          const id = await fresh();
          await ok(at.ada.put(`/collections/${id}${at.query}`, { parent: list }));
          return id;
        },
      ],
      [
        1_000_000,
        async () => {
          const [id = ''] = order.slice(-200);
          await move(id, 1_000_000);
          return id;
        },
      ],
    ];
    for (const [index, put] of WAYS) order = moved(order, await put(), index);
    expect(idsOf(await theTree(at.ada, list ? `${at.query}&parent=${list}` : at.query))).toEqual(
      order,
    );
  }
});

test('6,500 siblings are put in order, also where nobody has analyzed the table', async () => {
  const [parent = '', ...children] = await putRows(at.databaseUrl, at.workspace.id, [
    { object: 'collection' },
    ...Array.from({ length: 6_500 }, () => ({ object: 'item' as const, parent: 0 })),
  ]);
  children.reverse();
  await ok(at.ada.put(`/collections/order${at.query}`, { parent, children }));
  expect(idsOf(await theTree(at.ada, `${at.query}&parent=${parent}`))).toEqual(children);
});

describe('a list cursor', () => {
  /** What must be in a list: each of `ids` once, in this order. */
  function expectOnce(shown: readonly string[], ids: readonly string[]): void {
    expect(shown.filter((id) => ids.includes(id))).toEqual(ids);
  }

  test('survives inserts, moves and deletes: the unmoved is seen once', async () => {
    const ids = await putRows(
      at.databaseUrl,
      at.workspace.id,
      Array.from({ length: 90 }, () => ({ object: 'item' as const })),
    );
    const restless = ids.slice(28, 34);
    const doomed = ids.filter((id, index) => index % 9 === 4 && !restless.includes(id));
    const still = ids.filter((id) => !restless.includes(id) && !doomed.includes(id));
    let page = 0;
    const shown: string[] = [];
    const between = async () => {
      page++;
      const moving = restless.slice(0, 2);
      const order = (await topLevel()).filter((id) => !moving.includes(id));
      const index = order.indexOf(ids[27] as string) + 1;
      for (let step = 0; step < 4; step++) await move(moving[step % 2] as string, index);
      await anItem(at.ada, at.query);
      const last = doomed.shift();
      if (last) await ok(at.ada.delete(`/collections/${last}`));
      await move(restless[2 + (page % 4)] as string, 10 * page - 1);
    };
    for await (const items of pagesOf(at.ada, `/collections${at.query}&limit=10`, between)) {
      shown.push(...idsOf(items));
    }
    expectOnce(shown, still);
  });

  test.each([
    ['at the beginning', 1],
    ['in the middle', 30],
    ['near the end', 56],
  ])(
    'goes on or is 400 while moves run and positions are rebalanced %s: nothing is repeated or missing',
    async (_, index) => {
      const ids = await putRows(
        at.databaseUrl,
        at.workspace.id,
        Array.from({ length: 60 }, () => ({ object: 'item' as const })),
      );
      const restless = [ids[20] as string, ids[40] as string];
      const still = ids.filter((id) => !restless.includes(id));
      const path = `/collections${at.query}&limit=20`;
      const first = await at.ada.get(path);
      const [{ rebalances: before }] = (await sql(at.databaseUrl, REBALANCES, [
        at.workspace.id,
      ])) as [{ rebalances: number }];
      let rebalances = before;
      for (let step = 0; rebalances === before; step++) {
        const shown = idsOf(first.body).concat(await followed(first.headers.link as string));
        expectOnce(shown, still);
        for (let n = 0; n < 20; n++) await move(restless[(step + n) % 2] as string, index);
        [{ rebalances }] = (await sql(at.databaseUrl, REBALANCES, [at.workspace.id])) as [
          { rebalances: number },
        ];
      }
      const { pathname, search } = new URL(/<(.+)>/.exec(first.headers.link as string)?.[1] ?? '');
      const answer = await at.ada.get(pathname + search);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^cursor .*start again/);
      const shown: string[] = [];
      for await (const items of pagesOf(at.ada, path)) shown.push(...idsOf(items));
      expectOnce(shown, still);
    },
  );

  /** The ids of all pages from a Link header on. */
  async function followed(link: string): Promise<string[]> {
    const { pathname, search } = new URL(/<(.+)>/.exec(link)?.[1] ?? '');
    const shown: string[] = [];
    for await (const items of pagesOf(at.ada, pathname + search)) shown.push(...idsOf(items));
    return shown;
  }

  test('goes on without a limit, too, to the end', async () => {
    const ids = await someItems(5);
    const { headers } = await at.ada.get(`/collections${at.query}&limit=2`);
    const next = new URL(/<(.+)>/.exec(headers.link as string)?.[1] ?? '');
    next.searchParams.delete('limit');
    const rest = await ok<ItemBody[]>(at.ada.get(next.pathname + next.search));
    expect(idsOf(rest)).toEqual(ids.slice(2));
  });

  test('leads through a collection', async () => {
    const parent = await anItem(at.ada, at.query);
    const ids = await someItems(5, { parent: parent.id });
    const shown: string[] = [];
    const path = `/collections${at.query}&parent=${parent.id}&limit=2`;
    for await (const items of pagesOf(at.ada, path)) shown.push(...idsOf(items));
    expect(shown).toEqual(ids);
  });
});

describe('depth', () => {
  /** A chain of collections by SQL, each in the one before. */
  const aChain = (levels: number): Promise<string[]> =>
    putRows(
      at.databaseUrl,
      at.workspace.id,
      Array.from({ length: levels }, (_, index) => ({
        object: 'collection' as const,
        ...(index > 0 && { parent: index - 1 }),
      })),
    );

  test('100 levels are made, listed, read and deleted', async () => {
    let parent: string | null = null;
    const chain: string[] = [];
    for (let level = 0; level < 100; level++) {
      parent = (await anItem(at.ada, at.query, { parent })).id;
      chain.push(parent);
    }
    let shown = await theTree(at.ada, at.query);
    for (const id of chain) {
      expect(idsOf(shown)).toEqual([id]);
      shown = shown[0]?.children ?? [];
    }
    await move(chain[60] as string, 0, null);
    await move(chain[60] as string, 0, chain[59]);
    await ok(at.ada.delete(`/collections/${chain[0]}`));
    expect(await topLevel()).toEqual([]);
  });

  test('past the limit a create is 422', async () => {
    const chain = await aChain(MAX_DEPTH);
    const create = (parent = '') =>
      at.ada.post(`/collections${at.query}`, { parent, object: 'item' });
    expect((await create(chain.at(-1))).status).toBe(422);
    expect((await create(chain.at(-2))).status).toBe(200);
  });

  test('past the limit a move of a subtree is 422, by reorder and by update', async () => {
    const chain = await aChain(MAX_DEPTH - 2);
    const low = await anItem(at.ada, at.query);
    const mid = await anItem(at.ada, at.query, { parent: low.id });
    await anItem(at.ada, at.query, { parent: mid.id, object: 'item' });
    const reorder = (newParent = '') =>
      at.ada.post(`/collections/reorder${at.query}`, { id: low.id, index: 0, newParent });
    expect((await reorder(chain.at(-1))).status).toBe(422);
    const update = await at.ada.put(`/collections/${low.id}`, { parent: chain.at(-1) });
    expect(update.status).toBe(422);
    expect((await reorder(chain.at(-2))).status).toBe(200);
  });
});
