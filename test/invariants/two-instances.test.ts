import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, putRows, usageOf } from '../support/tree.js';
import { type TwoInstances, twoInstances } from '../support/two-instances.js';

/** Writes that are read through the other instance right after. */
const READS = runs(35, 1000);
/** Of each instance, to one array. */
const APPENDS = runs(35, 1000);
/** Of each of ten clients in the storm. */
const STEPS = runs(6, 60);

let both: TwoInstances;
/** One person, by each of the two instances. */
let callers: [Caller, Caller];
let team: string;
beforeAll(async () => {
  both = await twoInstances({
    PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0},"pro":{"pages":50,"workspaces":0}}',
  });
  callers = both.as(somebody());
});
beforeEach(async () => {
  team = await aTeam(callers[0]);
});
afterAll(async () => {
  await assertInvariants(both.databaseUrl);
  await both.stop();
});

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Both instances show the same tree: every row of the workspace, once. */
async function theOneTree({ id, query }: { id: string; query: string }): Promise<ItemBody[]> {
  const [one, two] = await Promise.all(callers.map((caller) => theTree(caller, query)));
  expect(one).toEqual(two);
  const rows = await sql<{ id: string }>(
    both.databaseUrl,
    'SELECT id FROM collections WHERE workspace_id = $1',
    [id],
  );
  const shown = idsOf(everyItem(one ?? [])).sort();
  expect(shown).toEqual(rows.map((row) => row.id).sort());
  return one ?? [];
}

/** Some change of a tree; items are known by their ids, some of which are gone by now. */
type Change = (caller: Caller, query: string, ids: string[]) => PromiseLike<{ status: number }>;
const CHANGES: Change[] = [
  async (caller, query, ids) => {
    const object = pick(['collection', 'item']);
    const answer = await caller.post(`/collections${query}`, {
      object,
      parent: pick(ids),
      index: 1,
    });
    if (answer.status === 200) ids.push(answer.body.id);
    return answer;
  },
  async (caller, query, ids) => {
    const items = [{ children: [{ object: 'item' }, {}] }, { object: 'item' }];
    const answer = await caller.post(`/collections/batch${query}`, { parent: pick(ids), items });
    if (answer.status === 200) ids.push(...idsOf(everyItem(answer.body)));
    return answer;
  },
  (caller, query, ids) =>
    caller.post(`/collections/reorder${query}`, {
      id: pick(ids),
      index: Math.floor(Math.random() * 5),
      newParent: pick([null, pick(ids)]),
    }),
  (caller, query, ids) => caller.put(`/collections/${pick(ids)}${query}`, { name: 'Renamed' }),
  (caller, query, ids) => caller.put(`/collections/${pick(ids)}${query}`, { content: { x: 1 } }),
  (caller, query, ids) => caller.put(`/collections/${pick(ids)}${query}`, { parent: pick(ids) }),
  (caller, query, ids) =>
    caller.patch(`/collections/${pick(ids)}/content${query}`, [
      { op: 'add', path: '/list', value: [1] },
    ]),
  async (caller, query, ids) => {
    const parent = pick(ids);
    const list = await caller.get(`/collections${query}&parent=${parent}&depth=1`);
    if (list.status !== 200) return list;
    const children = [...idsOf(list.body).reverse(), pick(ids)];
    return caller.put(`/collections/order${query}`, { parent, children: [...new Set(children)] });
  },
  (caller, query, ids) =>
    Math.random() < 0.3
      ? caller.delete(`/collections/${pick(ids)}${query}`)
      : caller.get(`/collections${query}`),
];

test('both instances append to one array of a page: every element is there, once', async () => {
  const { query } = await aWorkspace(callers[0], team);
  const page = await anItem(callers[0], query, { object: 'item', content: { list: [] } });
  const values = callers.map((_, caller) =>
    Array.from({ length: APPENDS }, (_, n) => caller * APPENDS + n),
  );
  await Promise.all(
    callers.flatMap((caller, which) =>
      // Four at a time: alone and in batches.
      [0, 1, 2, 3].map(async (lane) => {
        for (const value of (values[which] ?? []).filter((n) => n % 4 === lane)) {
          const body = [{ op: 'add', path: '/list/-', value }];
          await ok(caller.patch(`/collections/${page.id}/content`, body));
        }
      }),
    ),
  );
  const { content } = await ok<{ content: { list: number[] } }>(
    callers[1].get(`/collections/${page.id}`),
  );
  expect(content.list.sort((a, b) => a - b)).toEqual(values.flat());
});

describe('the versions of a page', () => {
  /** A page with the versions 1 and 2, and their paths by the two instances. */
  async function aPage() {
    const { id: workspaceId, query } = await aWorkspace(callers[0], team);
    const { id } = await anItem(callers[0], query, { object: 'item', content: { n: 1 } });
    for (const n of [2, 3]) {
      await sql(both.databaseUrl, 'UPDATE collections SET saved_version = NULL WHERE id = $1', [
        id,
      ]);
      await ok(callers[0].put(`/collections/${id}`, { content: { n } }));
    }
    return { workspaceId, path: `/collections/${id}` };
  }
  const contentsOf = async (path: string): Promise<number[]> => {
    const page = await ok<{ content: { n: number } }>(callers[0].get(path));
    const contents = [page.content.n];
    const versions = await ok<{ version: number }[]>(callers[1].get(`${path}/versions`));
    for (const { version } of versions) {
      const read = callers[1].get(`${path}/versions/${version}`);
      contents.push((await ok<{ content: { n: number } }>(read)).content.n);
    }
    return contents;
  };

  test('two are restored at the same moment: one after the other, and nothing is lost', async () => {
    const { workspaceId, path } = await aPage();
    const responses = await both.atOnce(workspaceId, [
      () => callers[0].post(`${path}/versions/1/restore`),
      () => callers[1].post(`${path}/versions/2/restore`),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await contentsOf(path)).toEqual([2, 1, 3, 2, 1]);
  });

  test('one that is purged at the same moment, and before, is not restored', async () => {
    const { workspaceId, path } = await aPage();
    const responses = await both.atOnce(workspaceId, [
      () => callers[0].delete(`${path}/versions`),
      () => callers[1].post(`${path}/versions/1/restore`),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    expect(await contentsOf(path)).toEqual([3]);
  });
});

test('a storm of changes through two instances loses, doubles and ties nothing', async () => {
  const [ada] = callers;
  const workspaces = [await aWorkspace(ada, team), await aWorkspace(ada, team)];
  const statuses = new Map<number, number>();
  await Promise.all(
    workspaces.map(async ({ query }) => {
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) ids.push((await anItem(ada, query)).id);
      const client = async (number: number) => {
        for (let step = 0; step < STEPS; step++) {
          const { status } = await pick(CHANGES)(callers[number % 2] as Caller, query, ids);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: 10 }, (_, number) => client(number)));
    }),
  );
  // 404: it was deleted; 409: a child that came meanwhile; 422: a page, or its own subtree.
  expect([...statuses.keys()].filter((status) => ![200, 404, 409, 422].includes(status))).toEqual(
    [],
  );
  // A third of what ten clients sent to each of two workspaces.
  expect(statuses.get(200)).toBeGreaterThan((20 * STEPS) / 3);
  let pages = 0;
  for (const workspace of workspaces) {
    const tree = everyItem(await theOneTree(workspace));
    pages += tree.filter(({ object }) => object === 'item').length;
  }
  expect((await usageOf(ada, team)).pages).toBe(pages);
});

test(`what one instance has written the other one reads at once, ${READS} times`, async () => {
  const { id, query } = await aWorkspace(callers[0], team);
  await putRows(
    both.databaseUrl,
    id,
    Array.from({ length: 20 }, () => ({ object: 'collection' })),
  );
  const [page] = await Promise.all([
    anItem(callers[0], query, { object: 'item', name: 'At first' }),
  ]);
  let order = idsOf(await theTree(callers[1], query));
  for (let step = 0; step < READS; step++) {
    const [writer, reader] = step % 2 ? callers : (callers.toReversed() as [Caller, Caller]);
    const name = `Step ${step}`;
    switch (step % 4) {
      case 0: {
        await ok(writer.put(`/collections/${page.id}`, { name }));
        const [read, tree] = await Promise.all([
          ok<ItemBody>(reader.get(`/collections/${page.id}`)),
          theTree(reader, query),
        ]);
        expect(read.name).toBe(name);
        expect(tree.find((item) => item.id === page.id)?.name).toBe(name);
        break;
      }
      case 1: {
        await ok(writer.put(`/collections/${page.id}`, { content: { step } }));
        const read = await ok<{ content: object }>(reader.get(`/collections/${page.id}`));
        expect(read.content).toEqual({ step });
        break;
      }
      case 2: {
        const moved = pick(order);
        const index = Math.floor(Math.random() * order.length);
        await ok(writer.post(`/collections/reorder${query}`, { id: moved, index }));
        order = order.filter((other) => other !== moved).toSpliced(index, 0, moved);
        expect(idsOf(await theTree(reader, query))).toEqual(order);
        break;
      }
      default: {
        const made = await anItem(writer, query, { index: 0 });
        expect(idsOf(await theTree(reader, query))).toEqual([made.id, ...order]);
        expect((await reader.get(`/collections/${made.id}`)).status).toBe(200);
        await ok(reader.delete(`/collections/${made.id}`));
        expect(idsOf(await theTree(writer, query))).toEqual(order);
        expect((await writer.get(`/collections/${made.id}`)).status).toBe(404);
      }
    }
  }
}, 300_000);

test('the limit of pages is exact, one by one and by batches through two instances', async () => {
  const [ada] = callers;
  await sql(both.databaseUrl, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [team]);
  const workspaces = [await aWorkspace(ada, team), await aWorkspace(ada, team)];
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, n) => {
      const caller = callers[n % 2] as Caller;
      const { query } = workspaces[(n >> 1) % 2] as { query: string };
      const items = Array(3).fill({ object: 'item' });
      return n % 5 === 0
        ? caller.post(`/collections/batch${query}`, { items: [{ children: items }] })
        : caller.post(`/collections${query}`, { object: 'item' });
    }),
  );
  const made = answers.reduce((sum, { status }, n) => {
    expect([200, 403]).toContain(status);
    return sum + (status === 200 ? (n % 5 === 0 ? 3 : 1) : 0);
  }, 0);
  expect(made).toBe(50);
  expect((await usageOf(ada, team)).pages).toBe(50);
  const trees = await Promise.all(workspaces.map(theOneTree));
  const pages = everyItem(trees.flat()).filter(({ object }) => object === 'item');
  expect(pages).toHaveLength(50);
});

/** Sends a request, again while the workspace is busy (8.4): nothing has happened then. */
async function whenFree<R extends { status: number; headers: Record<string, string> }>(
  send: () => PromiseLike<R>,
): Promise<R> {
  for (;;) {
    const response = await send();
    const { 'retry-after': seconds } = response.headers;
    if (response.status !== 409 || seconds === undefined) return response;
    await sleep(Number(seconds) * 1000);
  }
}

/** Items in a subtree that is deleted while others write. */
const DOOMED = runs(4_000, 50_000);

test('deletes of thousands amid creates, moves and orders: all of it or nothing is gone', async () => {
  const [ada] = callers;
  const workspace = await aWorkspace(ada, team);
  const { id, query } = workspace;
  // The first place is left to what is put there by SQL.
  const place = await anItem(ada, query);
  const shelf = await anItem(ada, query);
  await ok(ada.delete(`/collections/${place.id}`));
  for (let round = 0; round < 3; round++) {
    const [doomed = '', first = '', second = ''] = await putRows(both.databaseUrl, id, [
      { object: 'collection' },
      ...Array.from({ length: DOOMED }, (_, n) => ({
        object: n < 40 ? ('collection' as const) : ('item' as const),
        parent: n < 40 ? 0 : 1 + (n % 40),
      })),
    ]);
    const others = Array.from({ length: 24 }, (_, n) =>
      whenFree(() => {
        const caller = callers[n % 2] as Caller;
        if (n % 3 === 0)
          return caller.post(`/collections${query}`, { parent: pick([first, shelf.id]) });
        if (n % 3 === 1) return caller.put(`/collections/${shelf.id}`, { name: `${n}` });
        const move = { id: second, index: n, newParent: pick([doomed, first]) };
        return caller.post(`/collections/reorder${query}`, move);
      }),
    );
    const [gone, ...rest] = await Promise.all([
      callers[round % 2]?.delete(`/collections/${doomed}`),
      ...others,
    ]);
    expect(gone?.status).toBe(200);
    for (const answer of rest) expect([200, 404]).toContain(answer?.status);
    const shown = idsOf(await theOneTree(workspace));
    expect(shown).toEqual([shelf.id]);
  }
  expect((await usageOf(ada, team)).pages).toBe(0);
});

describe('two changes that have read the same tree, one through each instance', () => {
  let workspace: Awaited<ReturnType<typeof aWorkspace>>;
  let query: string;
  beforeEach(async () => {
    workspace = await aWorkspace(callers[0], team);
    ({ query } = workspace);
  });

  const tagOf = async (path: string): Promise<string> => {
    const { headers } = await callers[0].get(path);
    return headers.etag as string;
  };

  /** A list whose second and third items leave no room between their positions. */
  async function crowd(): Promise<string[]> {
    const ids = await putRows(
      both.databaseUrl,
      workspace.id,
      Array.from({ length: 5 }, () => ({ object: 'item' as const })),
    );
    for (const [n, id] of ids.slice(1, 3).entries()) {
      await sql(both.databaseUrl, 'UPDATE collections SET position = $2 WHERE id = $1', [
        id,
        `a1${'0'.repeat(45)}${n + 1}`,
      ]);
    }
    return ids;
  }

  test('with one ETag: one is carried out, the other is 409', async () => {
    const SENT: Record<
      string,
      (caller: Caller, id: string, n: number) => ReturnType<Caller['put']>
    > = {
      'a save': (caller, id, n) => caller.put(`/collections/${id}${query}`, { content: { n } }),
      'a patch': (caller, id, n) =>
        caller.patch(`/collections/${id}/content${query}`, [{ op: 'add', path: '/n', value: n }]),
      'a rename': (caller, id, n) => caller.put(`/collections/${id}${query}`, { name: `By ${n}` }),
      'a move within the list': (caller, id, n) =>
        caller.post(`/collections/reorder${query}`, { id, index: 2 * n }),
      'a move to another list': (caller, id, n) =>
        caller.post(`/collections/reorder${query}`, { id, index: n, newParent: shelf }),
    };
    const shelf = (await anItem(callers[0], query)).id;
    const offenders: unknown[] = [];
    for (const [name, send] of Object.entries(SENT)) {
      for (let n = 0; n < 3; n++) await anItem(callers[0], query);
      const { id } = await anItem(callers[0], query, { object: 'item', index: 2 });
      const etag = await tagOf(`/collections/${id}`);
      const requests = callers.map((caller, n) => () => send(caller, id, n).set('if-match', etag));
      const statuses = (await both.atOnce(workspace.id, requests)).map(({ status }) => status);
      if (statuses.join() !== '200,409') offenders.push([name, statuses]);
    }
    expect(offenders).toEqual([]);
  });

  test('with one ETag, where the positions must be spread anew: one is carried out, the other is 409', async () => {
    const ids = await crowd();
    const id = ids[4] as string;
    const etag = await tagOf(`/collections/${id}`);
    const answers = await both.atOnce(
      workspace.id,
      callers.map(
        (caller) => () =>
          caller.post(`/collections/reorder${query}`, { id, index: 2 }).set('if-match', etag),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    const [row] = await sql<{ rebalances: number }>(
      both.databaseUrl,
      'SELECT rebalances FROM workspaces WHERE id = $1',
      [workspace.id],
    );
    expect(row).toEqual({ rebalances: 1 });
    const [a, b, c, d] = ids;
    expect(idsOf(await theTree(callers[1], query))).toEqual([a, b, id, c, d]);
  });

  test('a move after the deletion of the workspace, where the positions must be spread anew, is 404', async () => {
    const ids = await crowd();
    const { path } = workspace;
    const answers = await both.atOnce(workspace.id, [
      () => callers[0].delete(path),
      () => callers[1].post(`/collections/reorder${query}`, { id: ids[4], index: 2 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    const [row] = await sql<{ rebalances: number }>(
      both.databaseUrl,
      'SELECT rebalances FROM workspaces WHERE id = $1',
      [workspace.id],
    );
    expect(row).toEqual({ rebalances: 0 });
  });

  test('with one ETag of the list: of two complete orders of the top level the second is 409', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await anItem(callers[0], query)).id);
    const etag = await tagOf(`/collections${query}`);
    const [a, b, c, d] = ids;
    const orders = [
      [d, c, b, a],
      [b, a, d, c],
    ];
    const answers = await both.atOnce(
      workspace.id,
      callers.map((caller, n) => () => {
        const body = { parent: null, children: orders[n] };
        return caller.put(`/collections/order${query}`, body).set('if-match', etag);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    for (const caller of callers) expect(idsOf(await theTree(caller, query))).toEqual(orders[0]);
  });

  test('a rename and a save, and a move and a save, are all there after it', async () => {
    const top = await anItem(callers[0], query);
    const { id } = await anItem(callers[0], query, { object: 'item', name: 'Before' });
    const [one, two] = callers;
    const path = `/collections/${id}${query}`;
    await both.atOnce(workspace.id, [
      () => ok(one.put(path, { name: 'Renamed' })),
      () => ok(two.put(path, { content: { saved: 1 } })),
    ]);
    const page = await ok(two.get(path));
    expect(page).toMatchObject({ name: 'Renamed', content: { saved: 1 } });
    await both.atOnce(workspace.id, [
      () => ok(one.post(`/collections/reorder${query}`, { id, index: 0 })),
      () => ok(two.put(path, { content: { saved: 2 } })),
    ]);
    expect(await ok(one.get(path))).toMatchObject({ name: 'Renamed', content: { saved: 2 } });
    expect(idsOf(await theTree(one, query))).toEqual([id, top.id]);
  });

  test('a create below a collection that moves as deep as it may is 422', async () => {
    const chain = await putRows(
      both.databaseUrl,
      workspace.id,
      Array.from({ length: 127 }, (_, level) => ({
        object: 'collection' as const,
        ...(level > 0 && { parent: level - 1 }),
      })),
    );
    const { id } = await anItem(callers[0], query);
    const [one, two] = callers;
    const move = { id, index: 0, newParent: chain.at(-1) };
    const answers = await both.atOnce<{ status: number }>(workspace.id, [
      () => one.post(`/collections/reorder${query}`, move),
      () => two.post(`/collections${query}`, { parent: id }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  });
});

describe('a patch with much work, while another instance changes its page', () => {
  const filler = Array.from({ length: 10_000 }, () => 'filler');
  const many = (value: string) => [
    { op: 'add', path: '/list/-', value },
    ...Array.from({ length: 60 }, () => ({ op: 'test', path: '/list/0', value: 'first' })),
  ];
  let workspace: { id: string; query: string };
  let page: string;
  let path: string;
  beforeEach(async () => {
    workspace = await aWorkspace(callers[0], team);
    const content = { list: ['first'], filler };
    page = (await anItem(callers[0], workspace.query, { object: 'item', content })).id;
    path = `/collections/${page}`;
  });
  const listOf = async () =>
    (await ok<{ content: { list: string[] } }>(callers[1].get(path))).content.list;

  test('is applied to what the other one has written', async () => {
    const [first, second] = await both.atOnce(workspace.id, [
      () => callers[0].put(path, { content: { list: ['first', 'saved'], filler } }),
      () => callers[1].patch(`${path}/content`, many('patched')),
    ]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await listOf()).toEqual(['first', 'saved', 'patched']);
    expect(second?.body.content.list).toEqual(['first', 'saved', 'patched']);
  });

  test('fails where a test or If-Match does not hold for that any more', async () => {
    const { headers } = await callers[0].get(path);
    const [, tested, matched] = await both
      .atOnce(workspace.id, [
        () => callers[0].put(path, { content: { list: ['saved'], filler } }),
        () => callers[1].patch(`${path}/content`, many('patched')),
      ])
      .then(async (responses) => [
        ...responses,
        await callers[1]
          .patch(`${path}/content`, many('x'))
          .set('if-match', headers.etag as string),
      ]);
    expect([tested?.status, matched?.status]).toEqual([409, 409]);
    expect(await listOf()).toEqual(['saved']);
  });

  test('of many at the same moment all arrive, and each once with its key', async () => {
    const values = Array.from({ length: 8 }, (_, n) => `value ${n}`);
    const sent = values.flatMap((value, n) =>
      [0, 1].map((instance) =>
        (callers[instance] as Caller)
          .patch(`${path}/content`, many(value))
          .set('idempotency-key', `${page} ${n}`.replace(' ', '-')),
      ),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual(Array(16).fill(200));
    expect((await listOf()).slice(1).sort()).toEqual(values);
  });
});
