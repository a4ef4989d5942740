import type { FastifyReply } from 'fastify';
import type { Response } from 'supertest';
import { respondWithWritten } from '../../../src/collections/items/collection.wire.js';
import type { CommandResult } from '../../../src/collections/writer/tree-rules.js';
import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { scene } from '../../support/scene.js';
import { putRows } from '../../support/tree.js';

/** Direct children that the response to a write shows. */
const MOST = 1_000;

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' },
  once: 'team',
  verify: true,
});

const NOW = new Date();

/** A collection with so many pages, in a workspace of its own. */
async function aShelf(count: number) {
  const { id: workspaceId, query } = await aWorkspace(at.ada, at.team);
  const [id = '', ...pages] = await putRows(at.databaseUrl, workspaceId, [
    { object: 'collection' },
    ...Array.from({ length: count }, () => ({ object: 'item' as const, parent: 0 })),
  ]);
  return { id, path: `/collections/${id}`, pages, query };
}

const etagOf = ({ headers }: { headers: Record<string, string> }): string => headers.etag ?? '';

/** Deletes an item and restores it. */
async function restored(id: string): Promise<Response> {
  await ok(at.ada.delete(`/collections/${id}`));
  return at.ada.post(`/collections/trash/${id}/restore`, {});
}

describe('the response to a write of a collection', () => {
  const WRITES: [string, (id: string) => PromiseLike<Response>][] = [
    ['updateCollection', (id) => at.ada.put(`/collections/${id}`, { name: 'Renamed' })],
    ['updateCollection of nothing', (id) => at.ada.put(`/collections/${id}`, {})],
    ['duplicateCollection', (id) => at.ada.post(`/collections/${id}/duplicate`, {})],
    [
      'transferCollection',
      async (id) => {
        const { slug } = await aWorkspace(at.ada, at.team);
        return at.ada.post(`/collections/${id}/transfer`, { workspace_slug: slug });
      },
    ],
    ['restoreFromTrash', (id) => restored(id)],
  ];

  test.each(WRITES)('%s: has 1,000 children, and no more', async (_, write) => {
    for (const [count, shown] of [
      [MOST, MOST],
      [MOST + 1, undefined],
    ] as const) {
      const { id } = await aShelf(count);
      const written = await write(id);
      expect(written.status).toBe(200);
      const { children, ...item } = written.body as ItemBody;
      expect(children?.length).toBe(shown);
      const read = await at.ada.get(`/collections/${item.id}`);
      expect(read.body).toEqual({ ...item, children: expect.any(Array) });
      expect(read.body.children).toHaveLength(count);
      expect(etagOf(written) === etagOf(read)).toBe(shown !== undefined);
      // The response lacks what the caller asks for now.
      const again = await at.ada
        .get(`/collections/${item.id}`)
        .set('if-none-match', etagOf(written));
      expect(again.status).toBe(shown === undefined ? 200 : 304);
    }
  });

  test('has none if they have become more than 1,000 until they are read', async () => {
    const headers: Record<string, string> = {};
    const reply = {
      header: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    };
    const item = { id: 'a', version: 1, object: 'collection', createdAt: NOW, updatedAt: NOW };
    const written = {
      items: [item],
      etag: '"whole"',
      children: 'unread',
    } as unknown as CommandResult;
    const [run, tooMany] = [async () => written, async () => null];
    const body = String(
      await respondWithWritten(null, reply as unknown as FastifyReply, run, tooMany),
    );
    expect([JSON.parse(body).content, JSON.parse(body).children]).toEqual([{}, undefined]);
    expect(etagOf({ headers })).toMatch(/^"[0-9a-f]{64}-0{64}"$/);
  });
});

describe('the ETag of such a response', () => {
  type Changes = [string, (id: string, ifMatch: string, query: string) => PromiseLike<Response>][];
  const CHANGES: Changes = [
    ['updateCollection', (id, tag) => at.ada.put(`/collections/${id}`, {}).set('if-match', tag)],
    [
      'reorderItem',
      (id, tag, query) =>
        at.ada.post(`/collections/reorder${query}`, { id, index: 0 }).set('if-match', tag),
    ],
    [
      'duplicateCollection',
      (id, tag) => at.ada.post(`/collections/${id}/duplicate`, {}).set('if-match', tag),
    ],
    ['deleteCollection', (id, tag) => at.ada.delete(`/collections/${id}`).set('if-match', tag)],
    [
      'transferCollection',
      async (id, tag) => {
        const { slug } = await aWorkspace(at.ada, at.team);
        return at.ada
          .post(`/collections/${id}/transfer`, { workspace_slug: slug })
          .set('if-match', tag);
      },
    ],
  ];

  test.each(CHANGES)('stands for the collection alone: %s', async (_, change) => {
    const { id, path, pages, query } = await aShelf(MOST + 1);
    const before = etagOf(await at.ada.put(path, { name: 'One' }));
    await ok(at.ada.put(path, { name: 'Two' }));
    expect((await change(id, before, query)).status).toBe(409);
    const tag = etagOf(await at.ada.put(path, {}));
    await ok(at.ada.put(`/collections/${pages[0]}`, { name: 'A child' }));
    expect((await change(id, tag, query)).status).toBe(200);
  });

  test('is that of reorderItem, too', async () => {
    const { id, path, query } = await aShelf(MOST + 1);
    const moved = await at.ada.post(`/collections/reorder${query}`, { id, index: 0 });
    expect(etagOf(moved)).toBe(etagOf(await at.ada.put(path, {})));
  });

  test.each(CHANGES.slice(2))('a whole one is compared whole: %s', async (_, change) => {
    const { id, path, pages, query } = await aShelf(MOST + 1);
    const before = etagOf(await at.ada.get(path));
    await ok(at.ada.put(`/collections/${pages[0]}`, { name: 'A child' }));
    expect((await change(id, before, query)).status).toBe(409);
    expect((await change(id, etagOf(await at.ada.get(path)), query)).status).toBe(200);
  });

  test('a whole one is compared by orderCollections, as the short one', async () => {
    const { id, path, pages, query } = await aShelf(MOST + 1);
    const order = (tag: string) =>
      at.ada
        .put(`/collections/order${query}`, { parent: id, children: pages })
        .set('if-match', tag);
    const short = etagOf(await at.ada.put(path, {}));
    const whole = etagOf(await at.ada.get(path));
    await ok(order(whole));
    await ok(at.ada.put(`/collections/${pages[0]}`, { name: 'A child' }));
    expect((await order(whole)).status).toBe(409);
    await ok(order(short));
  });
});

describe('a replay', () => {
  test('has what the response had, with more than 1,000 children', async () => {
    const { id } = await aShelf(MOST + 1);
    const copy = () =>
      at.ada.post(`/collections/${id}/duplicate`, {}).set('idempotency-key', 'many');
    const first = await copy();
    const again = await copy();
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([
      200,
      'true',
      first.text,
    ]);
    expect(first.body).not.toHaveProperty('children');
    // It was decided before anything was read after the write: all of it is stored.
    await ok(at.ada.delete(`/collections/${first.body.id}`));
    expect((await copy()).text).toBe(first.text);
  });

  test('of fewer shows no children if they are more than 1,000 now', async () => {
    const { path, query } = await aShelf(MOST);
    const copy = () => at.ada.post(`${path}/duplicate`, {}).set('idempotency-key', 'some');
    const { children, ...first } = (await ok(copy())) as unknown as ItemBody;
    expect(children).toHaveLength(MOST);
    const same = (await ok(copy())) as unknown as ItemBody;
    expect(same).toEqual({ ...first, children: expect.any(Array) });
    expect(same.children).toHaveLength(MOST);
    await anItem(at.ada, query, { parent: first.id, object: 'item' });
    expect(await ok(copy())).toEqual(first);
  });
});
