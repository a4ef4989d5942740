import { somebody } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { idsOf, putRows } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
  verify: true,
});

const order = (parent: unknown, children: unknown) =>
  at.ada.put(`/collections/order${at.query}`, { parent, children });

/** The ids of the children of a collection, or of the top level. */
const childrenOf = async (parent: string | null): Promise<string[]> =>
  idsOf(await theTree(at.ada, at.query + (parent ? `&parent=${parent}` : '')));

/** A collection with so many pages; and their ids, in order. */
async function aCollection(count: number): Promise<{ id: string; pages: string[] }> {
  const items = Array.from({ length: count }, (_, n) => ({ name: `${n}`, object: 'item' }));
  const [made] = await ok<ItemBody[]>(
    at.ada.post(`/collections/batch${at.query}`, { items: [{ children: items }] }),
  );
  return { id: made?.id as string, pages: idsOf(made?.children ?? []) };
}

/** Runs a write; answers how many rows of the workspace it changed. */
async function rowsChangedBy(write: () => PromiseLike<{ status: number }>): Promise<number> {
  const versions = () =>
    sql<{ id: string; row: string }>(
      at.databaseUrl,
      `SELECT id, version || ' ' || xmin AS row FROM collections WHERE workspace_id = $1`,
      [at.workspace.id],
    );
  const before = new Map((await versions()).map(({ id, row }) => [id, row]));
  expect((await write()).status).toBe(200);
  return (await versions()).filter(({ id, row }) => before.get(id) !== row).length;
}

/** Moves the elements at these indices elsewhere. */
function moved<T>(list: readonly T[], ...moves: [from: number, to: number][]): T[] {
  const result = [...list];
  for (const [from, to] of moves) result.splice(to, 0, ...result.splice(from, 1));
  return result;
}

describe('PUT /collections/order', () => {
  test('200 with a message, and the children are in that order', async () => {
    const { id, pages } = await aCollection(5);
    const wanted = [3, 1, 4, 0, 2].map((n) => pages[n] as string);
    expect(await ok(order(id, wanted))).toEqual({ message: expect.any(String) });
    expect(await childrenOf(id)).toEqual(wanted);
    const answer = await at.ada.put(`${at.workspace.path}/collections/order`, {
      parent: id,
      children: pages,
    });
    expect(answer.status).toBe(200);
    expect(await childrenOf(id)).toEqual(pages);
  });

  test('200 for the top level, named null or ""', async () => {
    let ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await anItem(at.ada, at.query)).id);
    const wrong = await offenders([null, ''], async (parent) => {
      ids = ids.toReversed();
      await ok(order(parent, ids));
      expect(await childrenOf(null)).toEqual(ids);
    });
    expect(wrong).toEqual([]);
  });

  test('200 moves in what lies elsewhere in the workspace', async () => {
    const here = await aCollection(3);
    const there = await aCollection(2);
    const top = await anItem(at.ada, at.query);
    const [a, b, c] = here.pages;
    const [d, e] = there.pages;
    const wanted = [d, c, top.id, a, b] as string[];
    await ok(order(here.id, wanted));
    expect(await childrenOf(here.id)).toEqual(wanted);
    expect(await childrenOf(there.id)).toEqual([e]);
    expect(await childrenOf(null)).toEqual([here.id, there.id]);
    await ok(order(null, [there.id, top.id, here.id]));
    expect(await childrenOf(null)).toEqual([there.id, top.id, here.id]);
    expect(await childrenOf(here.id)).toEqual([d, c, a, b]);
  });

  test('200 for an empty list of an empty collection', async () => {
    const { id } = await anItem(at.ada, at.query);
    await ok(order(id, []));
    const page = await anItem(at.ada, at.query, { object: 'item' });
    await ok(order(id, [page.id]));
    expect(await childrenOf(id)).toEqual([page.id]);
  });

  test('as few rows as possible are written', async () => {
    const { id, pages } = await aCollection(50);
    const rows = (wanted: readonly string[]) => rowsChangedBy(() => order(id, wanted));
    expect(await rows(pages)).toBe(0);
    const one = moved(pages, [7, 30]);
    expect(await rows(one)).toBe(1);
    const three = moved(one, [40, 2], [0, 49], [20, 21]);
    expect(await rows(three)).toBe(3);
    const [last = '', ...others] = three.toReversed();
    expect(await rows([...others.reverse(), last])).toBe(0);
    expect(await rows([last, ...three.slice(0, -1)])).toBe(1);
    const elsewhere = await anItem(at.ada, at.query, { object: 'item' });
    const mixed = [last, elsewhere.id, ...three.slice(0, -1)];
    expect(await rows(mixed)).toBe(1);
    expect(await rows(mixed.toReversed())).toBe(mixed.length - 1);
    expect(await childrenOf(id)).toEqual(mixed.toReversed());
  });

  test('an order that changes nothing keeps the ETag of the collection', async () => {
    const { id, pages } = await aCollection(3);
    const etag = async () => (await at.ada.get(`/collections/${id}`)).headers.etag;
    const before = await etag();
    await ok(order(id, pages));
    expect(await etag()).toBe(before);
    await ok(order(id, pages.toReversed()));
    expect(await etag()).not.toBe(before);
  });

  test('10,000 children are reversed by one call', async () => {
    const [first = '', ...rest] = await putRows(at.databaseUrl, at.workspace.id, [
      { object: 'collection' },
      ...Array.from({ length: 10_000 }, () => ({ object: 'item' as const, parent: 0 })),
    ]);
    const start = performance.now();
    const written = await rowsChangedBy(() => order(first, rest.toReversed()));
    const took = Math.round(performance.now() - start);
    process.stdout.write(`order: 10,000 children reversed: ${written} rows in ${took} ms\n`);
    expect(written).toBe(9_999);
    expect(await childrenOf(first)).toEqual(rest.toReversed());
  });

  test.each([1, 3])('409 names a child that was added meanwhile, at %i of 3', async (index) => {
    const { id, pages } = await aCollection(3);
    const added = await anItem(at.ada, at.query, { parent: id, index });
    const answer = await order(id, pages.toReversed());
    expect([answer.status, answer.body]).toEqual([409, error('conflict', added.id)]);
    expect(await childrenOf(id)).toEqual(moved([...pages, added.id], [3, index]));
  });

  test('200 while If-Match is current, 409 once it is not: of a collection', async () => {
    const { id, pages } = await aCollection(3);
    const { etag } = (await at.ada.get(`/collections/${id}`)).headers as { etag: string };
    const reversed = pages.toReversed();
    expect((await order(id, reversed).set('if-match', etag)).status).toBe(200);
    const stale = await order(id, pages).set('if-match', etag);
    expect([stale.status, stale.body]).toEqual([409, error('conflict', 'If-Match')]);
    expect(await childrenOf(id)).toEqual(reversed);
    expect((await order(id, pages).set('if-match', '*')).status).toBe(200);
    expect((await order(id, pages).set('if-match', 'W/"x"')).status).toBe(409);
  });

  test('200 while If-Match is current, 409 once it is not: of the top level', async () => {
    const { id } = await aCollection(1);
    const other = await anItem(at.ada, at.query);
    const path = `/collections${at.query}`;
    const { etag } = (await at.ada.get(path)).headers as { etag: string };
    expect((await order(null, [other.id, id]).set('if-match', etag)).status).toBe(200);
    expect((await order(null, [id, other.id]).set('if-match', etag)).status).toBe(409);
    const part = (await at.ada.get(`${path}&depth=1`)).headers.etag as string;
    expect((await order(null, [id, other.id]).set('if-match', part)).status).toBe(409);
    const { etag: fresh } = (await at.ada.get(path)).headers as { etag: string };
    expect((await order(null, [id, other.id]).set('if-match', fresh)).status).toBe(200);
  });

  test('404 for an id or a parent that is unknown or in another workspace', async () => {
    const { id, pages } = await aCollection(2);
    const other = await aWorkspace(at.ada, at.team);
    const elsewhere = await anItem(at.ada, other.query);
    for (const unknown of [ABSENT, 'x', '', elsewhere.id]) {
      const answer = await order(id, [...pages, unknown]);
      expect([answer.status, answer.body]).toEqual([404, error('not_found', 'children[2]')]);
    }
    for (const parent of [ABSENT, 'x', elsewhere.id]) {
      const answer = await order(parent, []);
      expect([answer.status, answer.body]).toEqual([404, error('not_found', 'parent')]);
    }
    expect(await childrenOf(id)).toEqual(pages);
  });

  test('422 for a page as the parent, and for a move into its own subtree', async () => {
    const a = await anItem(at.ada, at.query);
    const b = await anItem(at.ada, at.query, { parent: a.id });
    const page = await anItem(at.ada, at.query, { parent: b.id, object: 'item' });
    for (const [parent, children] of [
      [page.id, []],
      [b.id, [page.id, a.id]],
      [b.id, [b.id, page.id]],
    ] as const) {
      const answer = await order(parent, children);
      expect([answer.status, answer.body]).toEqual([422, error('unprocessable_entity')]);
    }
    expect(await childrenOf(b.id)).toEqual([page.id]);
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders<[string, object, string]>(
      [
        ['one id twice', { parent: null, children: [ABSENT, ABSENT] }, 'children'],
        ['no children', { parent: null }, 'children'],
        ['no parent', { children: [] }, 'parent'],
        ['a number', { parent: null, children: [1] }, 'children'],
        ['null', { parent: null, children: null }, 'children'],
        [
          '10,001 ids',
          { parent: null, children: Array.from({ length: 10_001 }, (_, n) => `${n}`) },
          'at most 10000',
        ],
        ['another property', { parent: null, children: [], index: 0 }, 'index'],
      ],
      async ([, body, says]) => {
        const answer = await at.ada.put(`/collections/order${at.query}`, body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('403 for readers and strangers, 404 for no workspace', async () => {
    const reader = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const path = `/collections/order${at.query}`;
    const body = { parent: null, children: [] };
    expect((await reader.put(path, body)).status).toBe(403);
    expect((await at.as(somebody()).put(path, body)).status).toBe(403);
    expect((await at.ada.put(`${path}x`, body)).status).toBe(404);
    expect((await at.ada.put('/collections/order', body)).status).toBe(400);
  });
});

test('422 where a collection that moves in would grow too deep with all below it', async () => {
  const chain = Array.from({ length: 128 }, (_, level) => ({
    object: 'collection' as const,
    ...(level > 0 && { parent: level - 1 }),
  }));
  const [top] = await putRows(at.databaseUrl, at.workspace.id, chain);
  const parent = await anItem(at.ada, at.query);
  const answer = await order(parent.id, [top]);
  expect([answer.status, answer.body]).toEqual([422, error('unprocessable_entity', 'too deep')]);
  expect(await childrenOf(parent.id)).toEqual([]);
});
