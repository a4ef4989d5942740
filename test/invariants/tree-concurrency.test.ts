import { anItem, aWorkspace, type ItemBody, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, pagesOf, usageOf } from '../support/tree.js';

const CLIENTS = 24;
const ROUNDS = runs(10, 250);

const at = scene({
  env: {
    PLAN_LIMITS: '{"free":{"pages":20,"workspaces":0},"business":{"pages":0,"workspaces":0}}',
  },
  each: 'team',
  verify: true,
});
beforeEach(() =>
  sql(at.databaseUrl, `UPDATE teams SET plan = 'business' WHERE slug = $1`, [at.team]),
);

const statusOf = async (answer: PromiseLike<{ status: number }>): Promise<number> =>
  (await answer).status;

/** The statuses of requests sent at once, in order of their numbers. */
const statusesOf = async (answers: PromiseLike<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(answers.map(statusOf))).sort((a, b) => a - b);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const pickFrom = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** A reorder; to the top level where no new parent is given. */
const move = (query: string, id: string, newParent: string | null = null, index = 0) =>
  at.ada.post(`/collections/reorder${query}`, { id, index, newParent });

const create = (query: string, body: object = {}) => at.ada.post(`/collections${query}`, body);

const remove = (id: string) => at.ada.delete(`/collections/${id}`);

/**
 * Sends a delete amid other requests, one place later each round, so that it comes first, last and
 * in between. Answers the statuses of the others; the delete itself must succeed.
 */
async function deleteAmid(
  round: number,
  doomed: PromiseLike<{ status: number }>,
  others: PromiseLike<{ status: number }>[],
): Promise<number[]> {
  const place = round % (others.length + 1);
  const all = [...others.slice(0, place), doomed, ...others.slice(place)];
  const statuses = await Promise.all(all.map(statusOf));
  expect(statuses[place]).toBe(200);
  return statuses.toSpliced(place, 1);
}

/** The tree shows each row of the workspace once, and nothing else. */
async function treeEqualsRows(workspace: { id: string; query: string }): Promise<ItemBody[]> {
  const shown = everyItem(await theTree(at.ada, workspace.query));
  const rows = await sql<{ id: string }>(
    at.databaseUrl,
    'SELECT id FROM collections WHERE workspace_id = $1 ORDER BY id',
    [workspace.id],
  );
  expect(idsOf(shown).sort()).toEqual(rows.map(({ id }) => id));
  const pages = shown.filter(({ object }) => object === 'item').length;
  expect((await usageOf(at.ada, at.team)).pages).toBe(pages);
  return shown;
}

describe(`${CLIENTS} clients in one workspace`, () => {
  test('creating and moving lose nothing and double nothing', async () => {
    const workspace = await aWorkspace(at.ada, at.team);
    const { query } = workspace;
    const ids = idsOf(await Promise.all(times(12, () => anItem(at.ada, query))));
    const statuses = new Map<number, number>();
    const client = async () => {
      for (let step = 0; step < 12; step++) {
        let status: number;
        if (Math.random() < 0.4) {
          const object = Math.random() < 0.5 ? 'collection' : 'item';
          const answer = await create(query, { object, parent: pickFrom(ids.slice(0, 12)) });
          status = answer.status;
          if (status === 200) ids.push((answer.body as ItemBody).id);
        } else {
          const target = Math.random() < 0.3 ? null : pickFrom(ids);
          status = await statusOf(move(query, pickFrom(ids), target, step % 4));
        }
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(times(CLIENTS, client));
    // 422: a page as the parent, or a move into one's own subtree.
    expect([...statuses.keys()].filter((status) => ![200, 422].includes(status))).toEqual([]);
    expect(idsOf(await treeEqualsRows(workspace)).sort()).toEqual([...ids].sort());
  });

  test('with deletes, renames and lists between them', async () => {
    const workspace = await aWorkspace(at.ada, at.team);
    const { query } = workspace;
    const ids = idsOf(await Promise.all(times(20, () => anItem(at.ada, query))));
    const made = new Set(ids);
    const statuses = new Set<number>();
    const client = async () => {
      for (let step = 0; step < 12; step++) {
        const dice = Math.random();
        if (dice < 0.35) {
          const object = Math.random() < 0.6 ? 'collection' : 'item';
          const parent = Math.random() < 0.3 ? null : pickFrom(ids);
          const answer = await create(query, { object, parent });
          statuses.add(answer.status);
          if (answer.status === 200) {
            ids.push((answer.body as ItemBody).id);
            made.add((answer.body as ItemBody).id);
          }
        } else if (dice < 0.65) {
          const target = Math.random() < 0.3 ? null : pickFrom(ids);
          statuses.add(await statusOf(move(query, pickFrom(ids), target, step % 4)));
        } else if (dice < 0.75) {
          statuses.add(await statusOf(remove(pickFrom(ids))));
        } else if (dice < 0.85) {
          const body = { name: `Step ${step}`, ...(step % 2 && { parent: pickFrom(ids) }) };
          statuses.add(await statusOf(at.ada.put(`/collections/${pickFrom(ids)}`, body)));
        } else if (dice < 0.95) {
          const shown = idsOf(everyItem(await theTree(at.ada, query)));
          expect(shown).toHaveLength(new Set(shown).size);
        } else {
          const shown: string[] = [];
          for await (const page of pagesOf(at.ada, `/collections${query}&limit=3`)) {
            const inPage = idsOf(everyItem(page));
            expect(inPage).toHaveLength(new Set(inPage).size);
            shown.push(...inPage);
          }
        }
      }
    };
    await Promise.all(times(CLIENTS, client));
    expect([...statuses].filter((status) => ![200, 404, 422].includes(status))).toEqual([]);
    for (const { id } of await treeEqualsRows(workspace)) expect(made).toContain(id);
  });
});

test(`opposite moves: exactly one wins, ${ROUNDS} times`, async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = await Promise.all([anItem(at.ada, query), anItem(at.ada, query)]);
    const moves = [move(query, a.id, b.id), move(query, b.id, a.id)];
    expect(await statusesOf(moves)).toEqual([200, 422]);
  }
  await assertInvariants(at.databaseUrl);
});

test('a ring of moves never closes', async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  for (let round = 0; round < 5; round++) {
    const ring = await Promise.all(times(6, () => anItem(at.ada, query)));
    const moves = ring.map(({ id }, at) => move(query, id, ring[(at + 1) % 6]?.id));
    expect(await statusesOf(moves)).toEqual([200, 200, 200, 200, 200, 422]);
  }
});

test('moves against the delete of their target: moved and gone, or refused and there', async () => {
  const workspace = await aWorkspace(at.ada, at.team);
  const { query } = workspace;
  for (let round = 0; round < ROUNDS; round++) {
    const target = await anItem(at.ada, query);
    const items = await Promise.all(times(4, () => anItem(at.ada, query, { object: 'item' })));
    const moves = items.map(({ id }) => move(query, id, target.id));
    const moved = await deleteAmid(round, remove(target.id), moves);
    for (const [index, { id }] of items.entries()) {
      const left = await statusOf(at.ada.get(`/collections/${id}`));
      expect([moved[index], left]).toEqual(moved[index] === 200 ? [200, 404] : [404, 200]);
    }
  }
  await treeEqualsRows(workspace);
});

test('moves out of a collection against its delete: what left in time lives', async () => {
  const workspace = await aWorkspace(at.ada, at.team);
  const { query } = workspace;
  for (let round = 0; round < ROUNDS; round++) {
    const doomed = await anItem(at.ada, query);
    const pages = await Promise.all(
      times(4, () => anItem(at.ada, query, { object: 'item', parent: doomed.id })),
    );
    const moves = pages.map(({ id }) => move(query, id));
    const moved = await deleteAmid(round, remove(doomed.id), moves);
    const alive = idsOf(everyItem(await theTree(at.ada, query)));
    for (const [index, { id }] of pages.entries()) {
      expect([200, 404]).toContain(moved[index]);
      expect(alive.includes(id)).toBe(moved[index] === 200);
    }
  }
  await treeEqualsRows(workspace);
});

test('creates against the delete of their parent: made and gone, or refused', async () => {
  const workspace = await aWorkspace(at.ada, at.team);
  const { query } = workspace;
  for (let round = 0; round < ROUNDS; round++) {
    const parent = await anItem(at.ada, query);
    const creates = times(6, () => create(query, { object: 'item', parent: parent.id }));
    const made = await deleteAmid(round, remove(parent.id), creates);
    for (const status of made) expect([200, 404]).toContain(status);
  }
  expect(await treeEqualsRows(workspace)).toEqual([]);
});

test('creates against the delete of the workspace: nothing stays, pages are given back', async () => {
  for (let round = 0; round < 10; round++) {
    const { query, path } = await aWorkspace(at.ada, at.team);
    const creates = times(8, () => create(query, { object: 'item' }));
    const made = await deleteAmid(round, at.ada.delete(path), creates);
    for (const status of made) expect([200, 404]).toContain(status);
    expect(await usageOf(at.ada, at.team)).toEqual({ pages: 0, users: 1, workspaces: 0 });
  }
});

test('200 creates at once at a limit of 20 pages end in exactly 20', async () => {
  await sql(at.databaseUrl, `UPDATE teams SET plan = 'free' WHERE slug = $1`, [at.team]);
  const workspaces = await Promise.all([aWorkspace(at.ada, at.team), aWorkspace(at.ada, at.team)]);
  const creates = times(200, (index) =>
    create(workspaces[index % 2]?.query ?? '', { object: 'item' }),
  );
  const statuses = await statusesOf(creates);
  expect(statuses).toEqual([...times(20, () => 200), ...times(180, () => 403)]);
  const trees = await Promise.all(workspaces.map(({ query }) => theTree(at.ada, query)));
  expect(trees.flat()).toHaveLength(20);
  expect((await usageOf(at.ada, at.team)).pages).toBe(20);
});

describe('ten writers holding one ETag: exactly one wins', () => {
  /** A collection with a child, and its ETag. */
  async function anItemWithTag(query: string): Promise<{ id: string; etag: string }> {
    const { id } = await anItem(at.ada, query);
    await anItem(at.ada, query, { object: 'item', parent: id });
    const { headers } = await at.ada.get(`/collections/${id}`);
    return { id, etag: headers.etag as string };
  }

  test('updateCollection', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const { id, etag } = await anItemWithTag(query);
    const writes = times(10, (index) => {
      // A move and a rename take different locks.
      const body = index % 2 ? { name: `W${index}` } : { name: `W${index}`, parent: null };
      return at.ada.put(`/collections/${id}`, body).set('if-match', etag);
    });
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(9, () => 409)]);
    const winner = answers.filter(({ status }) => status === 200);
    const after = await at.ada.get(`/collections/${id}`);
    expect(winner.map(({ body }) => body)).toEqual([after.body]);
    expect(winner.map(({ headers }) => headers.etag)).toEqual([after.headers.etag]);
  });

  test('reorderItem', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const { id, etag } = await anItemWithTag(query);
    const writes = times(10, (index) => move(query, id, null, index).set('if-match', etag));
    expect(await statusesOf(writes)).toEqual([200, ...times(9, () => 409)]);
  });

  test('deleteCollection', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const { id, etag } = await anItemWithTag(query);
    const writes = times(10, () => remove(id).set('if-match', etag));
    expect(await statusesOf(writes)).toEqual([200, ...times(9, () => 404)]);
  });

  test('a delete and nine updates', async () => {
    const { query } = await aWorkspace(at.ada, at.team);
    const { id, etag } = await anItemWithTag(query);
    const updates = times(9, () => at.ada.put(`/collections/${id}`, { name: 'W' }));
    const writes = [...updates.slice(0, 4), remove(id), ...updates.slice(4)];
    const statuses = await statusesOf(writes.map((write) => write.set('if-match', etag)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    for (const status of statuses.slice(1)) expect([404, 409]).toContain(status);
  });
});

test('writers at once each get their own change back, with an ETag of its own', async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  for (const object of ['item', 'collection']) {
    const { id } = await anItem(at.ada, query, { object });
    for (let round = 0; round < 10; round++) {
      const writes = times(12, (index) =>
        at.ada.put(`/collections/${id}`, {
          name: `Writer ${index}`,
          ...(index % 3 === 0 && { parent: null }),
        }),
      );
      const answers = await Promise.all(writes);
      expect(answers.map(({ body }) => body.name)).toEqual(times(12, (n) => `Writer ${n}`));
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(12);
    }
  }
});

test('a collection that is read while it is deleted is whole or gone', async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await anItem(at.ada, query);
    const child = await anItem(at.ada, query, { parent: id });
    const reads = times(12, () => at.ada.get(`/collections/${id}`));
    const [answers] = await Promise.all([Promise.all(reads), remove(id)]);
    for (const { status, body } of answers) {
      statuses.add(status);
      if (status === 200) expect(idsOf((body as ItemBody).children ?? [])).toEqual([child.id]);
    }
  }
  expect([...statuses].filter((status) => ![200, 404].includes(status))).toEqual([]);
});

test('updatedAt never goes back, whoever waited for whom', async () => {
  const { query } = await aWorkspace(at.ada, at.team);
  const { id } = await anItem(at.ada, query);
  let before = '';
  let isOver = false;
  const writers = Promise.all(
    times(6, async () => {
      for (let step = 0; step < 15; step++)
        await at.ada.put(`/collections/${id}`, { name: `${step}` });
    }),
  ).then(() => {
    isOver = true;
  });
  while (!isOver) {
    const { updatedAt } = (await at.ada.get(`/collections/${id}`)).body as { updatedAt: string };
    expect(updatedAt >= before).toBe(true);
    before = updatedAt;
  }
  await writers;
});
