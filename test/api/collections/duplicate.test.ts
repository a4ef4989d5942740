import jwt from 'jsonwebtoken';
import { SECRET } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { Replica } from '../../support/replica.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, putRows, usageOf } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":400}}' },
  each: 'workspace',
  verify: true,
});

type CopyBody = ItemBody & { content: object; createdAt: string; ids?: Record<string, string> };

const item = (body: object = {}) => anItem(at.ada, at.query, body);
const duplicate = (id: string, body: object = {}, query = '') =>
  at.ada.post(`/collections/${id}/duplicate${query}`, body);
const top = async (query = at.query) => (await theTree(at.ada, query)).map(({ name }) => name);

/** A collection with a page, and a collection with a page, in it. */
async function aShelf(name = 'Shelf') {
  const shelf = await item({ name });
  const page = await item({ name: 'Page', object: 'item', parent: shelf.id, content: { n: 1e30 } });
  const box = await item({ name: 'Box', parent: shelf.id });
  const deep = await item({ name: 'Deep', object: 'item', parent: box.id });
  return { shelf, page, box, deep };
}

/** Names, kinds and order of a subtree. */
const shape = ({ name, object, children }: ItemBody): unknown => [
  ...[name, object],
  children?.map(shape),
];

describe('POST /collections/{id}/duplicate', () => {
  test('200: right behind the original, with new ids and slugs, and the same names, content and order', async () => {
    const { shelf, page } = await aShelf();
    await item({ name: 'Last' });
    const response = await duplicate(shelf.id);
    const copy = await ok<CopyBody>(Promise.resolve(response));
    expect(await top()).toEqual(['Shelf', 'Shelf', 'Last']);
    const [original, shown] = (await theTree(at.ada, at.query)) as [ItemBody, ItemBody];
    expect(shown.id).toBe(copy.id);
    expect(shape(shown)).toEqual(shape(original));
    const items = everyItem([original, shown]);
    expect(new Set(idsOf(items)).size).toBe(8);
    expect(new Set(items.map(({ meta }) => meta.slug)).size).toBe(8);
    expect(shown.meta.slug).toMatch(/^shelf-[a-z0-9]{8}$/);
    const copied = shown.children?.[0] as ItemBody;
    const read = await ok<CopyBody>(at.ada.get(`/collections/${copied.id}`));
    expect(read).toMatchObject({ name: 'Page', content: { n: 1e30 }, parent: copy.id });
    expect(read.createdAt > (page as CopyBody).createdAt).toBe(true);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 4 });
    const now = await at.ada.get(`/collections/${copy.id}`);
    expect(now.body).toEqual(response.body);
    expect(response.headers.etag).toBe(now.headers.etag);
  });

  test('200: a page, with another name and the slug of that', async () => {
    const page = await item({ name: 'Minutes', object: 'item', content: { text: 'Template' } });
    const copy = await ok<CopyBody>(duplicate(page.id, { name: 'Minutes of May' }));
    expect(copy).toMatchObject({ name: 'Minutes of May', content: { text: 'Template' } });
    expect(copy.meta.slug).toBe('minutes-of-may');
    expect(copy.parent).toBeUndefined();
  });

  test('200: a new name that is the slug of an item in it', async () => {
    const { shelf } = await aShelf();
    const other = await aWorkspace(at.ada, at.team);
    const copy = await ok<CopyBody>(
      duplicate(shelf.id, { name: 'Box', workspace_slug: other.slug }),
    );
    expect(copy.meta.slug).toBe('box');
    expect(copy.children?.[1]?.meta.slug).toMatch(/^box-[a-z0-9]{8}$/);
  });

  test.each([
    [{ index: 0 }, ['x', 'a', 'b', 'c']],
    [{ index: 2 }, ['a', 'b', 'x', 'c']],
    [{ index: 99 }, ['a', 'b', 'c', 'x']],
    [{}, ['a', 'x', 'b', 'c']],
  ])('200 with %j in a collection: among the siblings of the original', async (body, order) => {
    const parent = await item({ name: 'Parent' });
    const a = await item({ name: 'a', parent: parent.id });
    await item({ name: 'b', parent: parent.id });
    await item({ name: 'c', parent: parent.id });
    const copy = await ok<CopyBody>(duplicate(a.id, { ...body, name: 'x' }));
    expect(copy.parent).toBe(parent.id);
    const [shown] = await theTree(at.ada, at.query);
    expect(shown?.children?.map(({ name }) => name)).toEqual(order);
  });

  test.each([null, ''])('200 with parent %j: at the end of the top level', async (parent) => {
    const { page } = await aShelf();
    await item({ name: 'Last' });
    await ok(duplicate(page.id, { parent }));
    expect(await top()).toEqual(['Shelf', 'Last', 'Page']);
    await ok(duplicate(page.id, { parent, index: 1, name: 'Second' }));
    expect(await top()).toEqual(['Shelf', 'Second', 'Last', 'Page']);
  });

  test('200 into its own subtree: a copy of what was there before', async () => {
    const { shelf, box } = await aShelf();
    await ok(duplicate(shelf.id, { parent: box.id }));
    const [shown] = (await theTree(at.ada, at.query)) as [ItemBody];
    const [, inner] = shown.children as [ItemBody, ItemBody];
    const copy = inner.children?.[1] as ItemBody;
    expect(everyItem([copy]).map(({ name }) => name)).toEqual(['Shelf', 'Page', 'Box', 'Deep']);
  });

  test('200: 300 times behind the original, whose list is spread anew meanwhile', async () => {
    const first = await item({ name: 'First', key: 'first' });
    await item({ name: 'Last', key: 'last' });
    const names: string[] = [];
    for (let n = 0; n < 300; n++) {
      await ok(duplicate(first.id, { name: `Copy ${n}` }));
      names.unshift(`Copy ${n}`);
    }
    expect(await top()).toEqual(['First', ...names, 'Last']);
    const keys = (await theTree(at.ada, at.query)).flatMap(({ key }) => key ?? []);
    expect(keys).toEqual(['first', 'last']);
  });

  test('200: to the end of the top level of another workspace of the team', async () => {
    const { shelf } = await aShelf();
    const other = await aWorkspace(at.ada, at.team);
    await anItem(at.ada, other.query, { name: 'There' });
    const replica = new Replica(other.query);
    await replica.follow(at.ada);
    const copy = await ok<CopyBody & { workspace: string }>(
      duplicate(shelf.id, { workspace_slug: other.slug }),
    );
    expect(copy.workspace).toBe(other.id);
    expect(copy.meta.slug).toBe('shelf');
    expect(await top(other.query)).toEqual(['There', 'Shelf']);
    expect(await top()).toEqual(['Shelf']);
    await replica.follow(at.ada);
    expect(replica.items.size).toBe(5);
    const parent = await anItem(at.ada, other.query, { name: 'Parent' });
    const body = { workspace_slug: other.slug, parent: parent.id, index: 0 };
    expect((await ok<CopyBody>(duplicate(shelf.id, body))).parent).toBe(parent.id);
    await ok(duplicate(shelf.id, { workspace_slug: other.slug, index: 0, name: 'Top' }));
    expect(await top(other.query)).toEqual(['Top', 'There', 'Shelf', 'Parent']);
  });

  test('200 with its own workspace as target: as if it were absent', async () => {
    const page = await item({ name: 'Page', object: 'item' });
    await item({ name: 'Last' });
    await ok(duplicate(page.id, { workspace_slug: at.workspace.slug }));
    expect(await top()).toEqual(['Page', 'Page', 'Last']);
  });

  test('200 with include=ids: the new id of each item', async () => {
    const { shelf, page, box, deep } = await aShelf();
    const { id, ids, children } = await ok<CopyBody>(duplicate(shelf.id, {}, '?include=ids'));
    const [copiedPage, copiedBox] = children as [ItemBody, ItemBody];
    const inBox = await ok<ItemBody>(at.ada.get(`/collections/${copiedBox.id}`));
    expect(ids).toEqual({
      ...{ [shelf.id]: id, [page.id]: copiedPage.id, [box.id]: copiedBox.id },
      [deep.id]: inBox.children?.[0]?.id,
    });
  });

  test('200 with an Idempotency-Key: one copy, also where the response is long', async () => {
    const content = { text: 'x'.repeat(100_000) };
    const page = await item({ name: 'Page', object: 'item', content });
    const send = () => duplicate(page.id, {}, '?include=ids').set('idempotency-key', 'one');
    const first = await ok<CopyBody>(send());
    const again = await send();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first);
    expect(await top()).toEqual(['Page', 'Page']);
  });

  test('200 with If-Match of the original; 409 once it or a child has changed', async () => {
    const { shelf, page } = await aShelf();
    const { etag } = (await at.ada.get(`/collections/${shelf.id}`)).headers as { etag: string };
    await ok(duplicate(shelf.id).set('if-match', etag));
    await ok(at.ada.put(`/collections/${page.id}`, { name: 'Renamed' }));
    const { status } = await duplicate(shelf.id).set('if-match', etag);
    expect(status).toBe(409);
    const elsewhere = { workspace_slug: (await aWorkspace(at.ada, at.team)).slug };
    expect((await duplicate(shelf.id, elsewhere).set('if-match', etag)).status).toBe(409);
    expect((await duplicate(shelf.id, elsewhere).set('if-match', '*')).status).toBe(200);
  });

  test('200 for a reader, to a workspace where they may write; 403 to their own', async () => {
    const page = await item({ name: 'Template', object: 'item' });
    const bob = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, bob, 'reader');
    const own = await aWorkspace(bob, at.team);
    const path = `/collections/${page.id}/duplicate`;
    expect((await bob.post(path, {})).status).toBe(403);
    expect((await bob.post(path, { workspace_slug: at.workspace.slug })).status).toBe(403);
    const copy = await ok(bob.post(path, { workspace_slug: own.slug }));
    expect(copy).toMatchObject({ createdBy: bob.id, updatedBy: bob.id });
  });

  test('404: the item, the parent, a workspace that is not there or is hidden, byte for byte', async () => {
    const { page } = await aShelf();
    const bob = await aMember(at, at.team, 'member');
    const hidden = await aWorkspace(bob, at.team, { visibility: 'private' });
    const elsewhere = await anItem(bob, (await aWorkspace(bob, await aTeam(bob))).query);
    expect((await duplicate(ABSENT)).body).toEqual(error('not_found', 'collection or page'));
    expect((await duplicate(page.id, { parent: ABSENT })).status).toBe(404);
    expect((await duplicate(page.id, { parent: elsewhere.id })).status).toBe(404);
    const absent = await duplicate(page.id, { workspace_slug: 'nowhere' });
    expect(absent.body).toEqual(error('not_found', 'workspace'));
    const secret = await duplicate(page.id, { workspace_slug: hidden.slug });
    expect([secret.status, secret.text]).toEqual([absent.status, absent.text]);
    expect((await bob.post(`/collections/${elsewhere.id}/duplicate`, {})).status).toBe(200);
    expect((await duplicate(elsewhere.id)).status).toBe(403);
  });

  test('403 where only reading is allowed, and for a token that may only read', async () => {
    const page = await item({ name: 'Page', object: 'item' });
    const bob = await aMember(at, at.team, 'member');
    const target = await aWorkspace(at.ada, at.team, { defaultAccess: 'read-only' });
    const body = { workspace_slug: target.slug };
    expect((await bob.post(`/collections/${page.id}/duplicate`, body)).status).toBe(403);
    const { sub, email, name } = at.ada.person;
    const claims = { sub, email, name, scope: 'teamspaces:read' };
    const token = jwt.sign(claims, SECRET, { expiresIn: 60 });
    const narrowed = at.with(`Bearer ${token}`);
    expect((await narrowed.post(`/collections/${page.id}/duplicate`, {})).status).toBe(403);
  });

  test('422: a page as parent, too deep', async () => {
    const chain = await putRows(
      at.databaseUrl,
      at.workspace.id,
      Array.from({ length: 126 }, (_, n) => ({
        object: 'collection' as const,
        ...(n > 0 && { parent: n - 1 }),
      })),
    );
    const parent = chain.at(-1) as string;
    const { shelf, page } = await aShelf();
    expect((await duplicate(shelf.id, { parent: page.id })).status).toBe(422);
    const refused = await duplicate(shelf.id, { parent });
    expect(refused.body).toEqual(error('unprocessable_entity', 'parent is too deep'));
    await ok(duplicate(page.id, { parent }));
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ index: -1 }, 'index'],
    [{ parent: 7 }, 'parent'],
    [{ workspace_slug: '' }, 'workspace_slug'],
    [{ workspace_slug: null }, 'workspace_slug'],
    [{ object: 'item' }, 'object'],
    [[], 'object'],
  ])('400 for %j', async (body, field) => {
    const page = await item({ name: 'Page', object: 'item' });
    expect((await duplicate(page.id, body)).body).toEqual(error('bad_request', field));
  });

  test('400 for another include', async () => {
    const page = await item({ name: 'Page', object: 'item' });
    expect((await duplicate(page.id, {}, '?include=all')).status).toBe(400);
  });
});

describe('past the limit of the plan', () => {
  const few = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":4}}' },
    each: 'workspace',
    verify: true,
  });

  test('403: nothing is copied', async () => {
    const shelf = await anItem(few.ada, few.query);
    const page = { object: 'item', parent: shelf.id };
    await anItem(few.ada, few.query, page);
    await anItem(few.ada, few.query, page);
    await ok(few.ada.post(`/collections/${shelf.id}/duplicate`, {}));
    const before = await theTree(few.ada, few.query);
    const refused = await few.ada.post(`/collections/${shelf.id}/duplicate`, {});
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual(error('forbidden', 'limit of 4 pages'));
    expect(await usageOf(few.ada, few.team)).toMatchObject({ pages: 4 });
    expect(await theTree(few.ada, few.query)).toEqual(before);
  });
});

describe('a copy of many items', () => {
  const many = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":0}}' },
    each: 'workspace',
    verify: true,
  });

  test('a replay of more than 64 KiB has all ids, with content and children as they are now', async () => {
    const [shelf = ''] = await putRows(many.databaseUrl, many.workspace.id, [
      { object: 'collection' },
      { object: 'collection', parent: 0 },
      ...Array.from({ length: 900 }, () => ({ object: 'item' as const, parent: 1 })),
    ]);
    const send = () =>
      many.ada
        .post(`/collections/${shelf}/duplicate?include=ids`, {})
        .set('idempotency-key', 'long');
    const first = await send();
    const stored = 'SELECT octet_length(answer) AS bytes FROM idempotency_keys WHERE key = $1';
    const [{ bytes }] = (await sql(many.databaseUrl, stored, ['long'])) as [{ bytes: number }];
    expect(bytes).toBeGreaterThan(64 * 1024);
    const again = await send();
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([
      200,
      'true',
      first.text,
    ]);
    const { id, ids, children } = first.body as CopyBody;
    expect(Object.keys(ids ?? {})).toHaveLength(902);
    await ok(many.ada.put(`/collections/${children?.[0]?.id}`, { name: 'Renamed' }));
    const { body } = await send();
    expect([body.id, body.ids, body.children[0].name]).toEqual([id, ids, 'Renamed']);
    await ok(many.ada.delete(`/collections/${id}`));
    const { content: _, children: __, ...kept } = first.body;
    expect((await send()).body).toEqual(kept);
  });

  test('10,000 items are copied, one more is 422', async () => {
    const rows = [{ object: 'collection' as const }].concat(
      Array.from({ length: 9_999 }, () => ({ object: 'item', parent: 0 }) as never),
    );
    const [id] = await putRows(many.databaseUrl, many.workspace.id, rows);
    // As autovacuum does a minute after so many rows: without it, and without prepared statements, the
    // planner reads the whole workspace for each slug.
    await sql(many.databaseUrl, 'ANALYZE collections');
    const path = `/collections/${id}/duplicate?include=ids`;
    const copy = await ok<CopyBody>(many.ada.post(path, {}));
    // More than a response to a write shows.
    expect(copy.children).toBeUndefined();
    expect(Object.keys(copy.ids ?? {})).toHaveLength(10_000);
    const [original, shown] = (await theTree(many.ada, many.query)) as [ItemBody, ItemBody];
    expect(shape(shown)).toEqual(shape(original));
    await anItem(many.ada, many.query, { parent: id, object: 'item' });
    expect((await many.ada.post(path, {})).body).toEqual(
      error('unprocessable_entity', '10000 items'),
    );
  });
});
