import jwt from 'jsonwebtoken';
import { until } from '../../operate/process.js';
import { SECRET, startService } from '../../support/app.js';
import {
  anItem,
  aTeam,
  aWorkspace,
  type ItemBody,
  ok,
  type TeamBody,
  theTree,
} from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { holdLock, holdWorkspace } from '../../support/locks.js';
import { aMember, claiming, giveRole } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, pagesOf, putRows, usageOf } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({ env: { PLAN_LIMITS: '{"free":{"pages":6}}' }, each: 'workspace', verify: true });

interface DeletionBody {
  id: string;
  name: string;
  parent?: string;
  pages: number;
  collections: number;
  deletedAt: string;
  expiresAt: string;
}

const item = (body: object = {}) => anItem(at.ada, at.query, body);
const remove = (id: string, options = '') => at.ada.delete(`/collections/${id}${options}`);
const restore = (id: string, body: object = {}) =>
  at.ada.post(`/collections/trash/${id}/restore`, body);
const trash = () => ok<DeletionBody[]>(at.ada.get(`/collections/trash${at.query}`));
const rowsOf = (table: string) => sql(at.databaseUrl, `SELECT FROM ${table}`);
const topOf = async () => (await theTree(at.ada, at.query)).map(({ name }) => name).join('');

/** A tree as it was, but for the times of changes. */
const withoutTimes = (tree: ItemBody[]): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (key === 'updatedAt' ? undefined : value)));

/** A collection with a page and a collection with a page in it. */
async function aShelf(name = 'Shelf') {
  const shelf = await item({ name });
  const page = await item({ name: 'Page', object: 'item', parent: shelf.id, content: { n: 1e30 } });
  const box = await item({ name: 'Box', parent: shelf.id });
  const deep = await item({ name: 'Deep', object: 'item', parent: box.id });
  return { shelf, page, box, deep };
}

describe('DELETE /collections/{id}', () => {
  test('200: the subtree is in the trash as one deletion, and nowhere else', async () => {
    const { shelf, page, box, deep } = await aShelf();
    await ok(remove(box.id));
    await ok(remove(shelf.id));
    const deletedBy = { _id: at.ada.id, name: 'Ada' };
    expect(await trash()).toEqual([
      {
        ...{ id: shelf.id, name: 'Shelf', object: 'collection', pages: 1, collections: 1 },
        ...{ deletedAt: expect.any(String), expiresAt: expect.any(String), deletedBy },
      },
      {
        ...{ id: box.id, name: 'Box', object: 'collection', parent: shelf.id },
        ...{ pages: 1, collections: 1, deletedBy },
        ...{ deletedAt: expect.any(String), expiresAt: expect.any(String) },
      },
    ]);
    for (const { id } of [shelf, page, box, deep]) {
      expect((await at.ada.get(`/collections/${id}`)).status).toBe(404);
      expect((await at.ada.put(`/collections/${id}`, { name: 'x' })).status).toBe(404);
    }
    expect(await theTree(at.ada, at.query)).toEqual([]);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0 });
    expect((await item({ name: 'Shelf' })).meta.slug).toBe('shelf');
  });

  test('200: it expires after 30 days', async () => {
    const { id } = await item();
    await ok(remove(id));
    const [{ deletedAt, expiresAt }] = (await trash()) as [DeletionBody];
    expect(Date.parse(expiresAt) - Date.parse(deletedAt)).toBe(30 * 86_400_000);
  });

  test('200 with permanent=true: deleted for good, without a trash', async () => {
    const { shelf, box } = await aShelf();
    await ok(remove(box.id, '?permanent=false'));
    await ok(remove(shelf.id, `${at.query}&permanent=true`));
    expect(idsOf((await trash()) as unknown as ItemBody[])).toEqual([box.id]);
    expect(await restore(shelf.id)).toMatchObject({ status: 404 });
  });

  test('200 with TRASH_TTL_SECONDS=0: deleted for good', async () => {
    const without = await startService({ TRASH_TTL_SECONDS: '0' }, at.databaseUrl);
    try {
      const { shelf, page } = await aShelf();
      const ada = without.as(at.ada.person);
      await ok(ada.delete(`/collections/${shelf.id}`));
      expect(await trash()).toEqual([]);
      expect((await restore(shelf.id)).status).toBe(404);
      expect((await at.ada.get(`/collections/${page.id}`)).status).toBe(404);
      expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0 });
      // What has gone to the trash before has expired.
      const { id } = await item();
      await ok(remove(id));
      expect(await ok(ada.get(`/collections/trash${at.query}`))).toEqual([]);
      expect((await ada.post(`/collections/trash/${id}/restore`, {})).status).toBe(404);
    } finally {
      await without.stop();
    }
  });

  test('400 for another word, 403 for who does not manage the workspace', async () => {
    const { id } = await item();
    expect((await remove(id, '?permanent=yes')).body).toEqual(
      error('bad_request', 'permanent must be one of true, false'),
    );
    const bob = await aMember(at, at.team, 'member');
    expect((await bob.delete(`/collections/${id}?permanent=true`)).body).toEqual(
      error('forbidden', 'this requires the workspace role editor'),
    );
    await ok(bob.delete(`/collections/${id}`));
    expect((await trash())[0]).toMatchObject({ id, deletedBy: { _id: bob.id, name: 'member' } });
  });

  test('403 for a token that is narrowed to teamspaces:write', async () => {
    const { id } = await item();
    const claims = { ...at.ada.person, scope: 'teamspaces:write' };
    const narrowed = at.with(`Bearer ${jwt.sign(claims, SECRET, { expiresIn: 600 })}`);
    const { status, headers } = await narrowed.delete(`/collections/${id}?permanent=true`);
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="teamspaces:manage"'),
    ]);
    await ok(narrowed.delete(`/collections/${id}`));
    await ok(narrowed.post(`/collections/trash/${id}/restore`, {}));
  });

  test('403 for a token that is narrowed to teamspaces:read: it does not see what was taken out', async () => {
    const narrowed = (scope: string) =>
      claiming(at, at.ada.person, { scope: `teamspaces:${scope}` });
    const path = `/collections/trash${at.query}`;
    expect((await narrowed('read').get(path)).status).toBe(403);
    expect((await narrowed('write').get(path)).status).toBe(200);
  });
});

describe('GET /collections/trash', () => {
  test('200 in pages, newest first; at the long path, too', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id } = await item();
      await ok(remove(id));
      ids.unshift(id);
    }
    const pages = async () => {
      const found: string[][] = [];
      for await (const page of pagesOf(at.ada, `${at.workspace.path}/collections/trash?limit=2`)) {
        found.push(idsOf(page));
      }
      return found;
    };
    expect(await pages()).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    // As many deletions of one manifest are.
    await sql(at.databaseUrl, 'UPDATE trash_deletions SET deleted_at = now() WHERE id = ANY ($1)', [
      ids,
    ]);
    expect(await pages()).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test('200 with the deletions of this workspace only', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const { id } = await anItem(at.ada, other.query);
    await ok(remove(id));
    expect(await trash()).toEqual([]);
  });

  test('400 for a limit or a cursor that is wrong, and where no workspace is named', async () => {
    const get = (query: string) => at.ada.get(`/collections/trash${query}`);
    expect((await get(`${at.query}&limit=0`)).body).toEqual(
      error('bad_request', 'limit must be a whole number from 1 to 1000'),
    );
    expect((await get(`${at.query}&cursor=x`)).status).toBe(400);
    expect((await get('')).body).toEqual(error('bad_request', 'workspace_slug must be given'));
  });

  test('403 for readers, 404 where the workspace is hidden', async () => {
    const reader = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const guest = await aMember(at, at.team, 'guest');
    const path = `/collections/trash${at.query}`;
    expect((await reader.get(path)).status).toBe(403);
    expect((await guest.get(path)).status).toBe(404);
  });
});

describe('POST /collections/trash/{id}/restore', () => {
  test('200 for a page: the response has its content, as a read of it has', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item', content: { n: [1, 2.5] } });
    await ok(at.ada.delete(`/collections/${page.id}`));
    const restored = await ok<ItemBody>(restore(page.id));
    expect(restored).toEqual(await ok(at.ada.get(`/collections/${page.id}`)));
    expect(restored).toMatchObject({ content: { n: [1, 2.5] } });
  });

  test('200 with the Collection; the tree is what it was, with new ETags and times', async () => {
    await item({ name: 'A' });
    const { shelf, page } = await aShelf();
    await item({ name: 'C' });
    const before = await theTree(at.ada, at.query);
    const old = await at.ada.get(`/collections/${page.id}`);
    await ok(remove(shelf.id));
    const answer = await restore(shelf.id);
    expect(answer.status).toBe(200);
    const read = await at.ada.get(`/collections/${shelf.id}`);
    expect(answer.body).toEqual(read.body);
    expect(answer.headers.etag).toBe(read.headers.etag);
    const after = await theTree(at.ada, at.query);
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
    const now = await at.ada.get(`/collections/${page.id}`);
    expect(now.text).toContain('"content":{"n":1e+30}');
    expect(now.body.updatedAt > old.body.updatedAt).toBe(true);
    expect(now.body.createdAt).toBe(old.body.createdAt);
    const stale = at.ada.put(`/collections/${page.id}`, { name: 'x' });
    expect((await stale.set('if-match', String(old.headers.etag))).status).toBe(409);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 2 });
    expect([await trash(), await rowsOf('trash_items')]).toEqual([[], expect.any(Array)]);
  });

  test('200 again after another deletion', async () => {
    const { shelf } = await aShelf();
    for (let time = 0; time < 3; time++) {
      await ok(remove(shelf.id));
      await ok(restore(shelf.id));
    }
    expect(everyItem(await theTree(at.ada, at.query))).toHaveLength(4);
  });

  test('200: whoever restores it has updated every item', async () => {
    const { shelf } = await aShelf();
    await ok(remove(shelf.id));
    const bob = await aMember(at, at.team, 'member');
    await ok(bob.post(`/collections/trash/${shelf.id}/restore`, {}));
    const by = { createdBy: at.ada.id, updatedBy: bob.id };
    expect(everyItem(await theTree(at.ada, at.query))).toMatchObject([by, by, by, by]);
  });

  test('200 between the neighbours that are left, in whatever order deletions come back', async () => {
    const ids: Record<string, string> = {};
    for (const name of 'ABCDE') ids[name] = (await item({ name })).id;
    const orders = ['BCD', 'DCB', 'CBD', 'BDC'];
    for (const order of orders) {
      for (const name of 'BCD') await ok(remove(ids[name] as string));
      expect(await topOf()).toBe('AE');
      for (const name of order) await ok(restore(ids[name] as string));
      expect(await topOf()).toBe('ABCDE');
    }
    // Something new has the very position.
    await ok(remove(ids.C as string));
    await item({ name: 'X', index: 2 });
    await ok(restore(ids.C as string));
    expect(await topOf()).toMatch(/^AB(CX|XC)DE$/);
  });

  test('200 beside its neighbours where the list was rearranged meanwhile, else at the end', async () => {
    const ids: Record<string, string> = {};
    for (const name of 'ABCD') ids[name] = (await item({ name })).id;
    const rebalanced = () =>
      sql(at.databaseUrl, 'UPDATE workspaces SET rebalances = rebalances + 1 WHERE id = $1', [
        at.workspace.id,
      ]);
    const move = (name: string, index: number) =>
      ok(at.ada.post(`/collections/reorder${at.query}`, { id: ids[name], index }));
    await ok(remove(ids.B as string));
    await rebalanced();
    await move('C', 0);
    await ok(restore(ids.B as string));
    expect(await topOf()).toBe('BCAD');
    await ok(remove(ids.B as string));
    await ok(remove(ids.C as string));
    await ok(remove(ids.A as string));
    await rebalanced();
    await ok(restore(ids.B as string));
    expect(await topOf()).toBe('DB');
    await ok(restore(ids.A as string));
    expect(await topOf()).toBe('ADB');
    // Its neighbours have places in another list now.
    await ok(remove(ids.D as string));
    const { id } = await item({ name: 'E' });
    for (const name of 'AB') await ok(at.ada.put(`/collections/${ids[name]}`, { parent: id }));
    await rebalanced();
    await ok(restore(ids.D as string));
    expect(await topOf()).toBe('ED');
  });

  test('200 where positions have grown too long for one more: the list is spread anew', async () => {
    const ids: string[] = [];
    for (const name of 'ABC') ids.push((await item({ name })).id);
    const long = `a0${'0'.repeat(45)}`;
    const put = (n: number, position: string) =>
      sql(at.databaseUrl, 'UPDATE collections SET position = $2 WHERE id = $1', [ids[n], position]);
    await put(0, `${long}1`);
    await put(1, `${long}2`);
    await ok(remove(ids[1] as string));
    await put(2, `${long}2`);
    await ok(restore(ids[1] as string));
    expect(await topOf()).toBe('ABC');
  });

  test('200 at a parent and an index of the request', async () => {
    const { shelf, page, box } = await aShelf();
    const top = await item({ name: 'Top' });
    await ok(remove(top.id));
    expect((await ok<ItemBody>(restore(top.id, { parent: shelf.id, index: 0 }))).parent).toBe(
      shelf.id,
    );
    await ok(remove(page.id));
    expect(await ok(restore(page.id, { parent: '', index: 1 }))).not.toHaveProperty('parent');
    await ok(remove(box.id));
    await ok(restore(box.id, { parent: null }));
    expect(await topOf()).toBe('ShelfPageBox');
    // The parent that it had, named: the place that it had.
    await ok(remove(page.id));
    await ok(restore(page.id, { parent: null }));
    const tree = await theTree(at.ada, at.query);
    expect(tree.map(({ name }) => name)).toEqual(['Shelf', 'Page', 'Box']);
    expect(idsOf(tree[0]?.children ?? [])).toEqual([top.id]);
  });

  test('200 at the end of the top level where the parent is gone', async () => {
    const { shelf, box, deep } = await aShelf();
    await ok(remove(deep.id));
    await ok(remove(box.id));
    await ok(remove(shelf.id, '?permanent=true'));
    await item({ name: 'Z' });
    expect(await ok(restore(box.id, { index: 0 }))).not.toHaveProperty('parent');
    expect(await topOf()).toBe('ZBox');
    expect(await ok<ItemBody>(restore(deep.id))).toMatchObject({ parent: box.id });
  });

  test('200: a slug that was taken meanwhile gets a suffix, and no other', async () => {
    const { shelf, page } = await aShelf();
    await ok(remove(shelf.id));
    await item({ name: 'Page', object: 'item' });
    const restored = await ok<ItemBody>(restore(shelf.id));
    expect(restored.meta.slug).toBe('shelf');
    const [first, second] = restored.children as [ItemBody, ItemBody];
    expect(first).toMatchObject({ id: page.id, meta: { title: 'Page' } });
    expect(first.meta.slug).toMatch(/^page-[a-z0-9]{8}$/);
    expect(second.meta.slug).toBe('box');
  });

  test('200: a slug with a suffix has 48 characters at most, and no two hyphens in a row', async () => {
    // Letters of four characters each: "shch"; the 39th character of the slug is a hyphen.
    const name = `${'щ'.repeat(9)}aa ${'щ'.repeat(20)}`;
    const { id, meta } = await item({ name });
    expect(meta.slug).toMatch(/^.{38}-.{9}$/);
    await ok(remove(id));
    await item({ name });
    const restored = await ok<ItemBody>(restore(id));
    expect(restored.meta.slug).toMatch(/^[a-z0-9]{38}-[a-z0-9]{8}$/);
    expect(restored.meta.slug.slice(0, 38)).toBe(meta.slug.slice(0, 38));
  });

  test('200 once: a twin gets 404, or a replay with its Idempotency-Key', async () => {
    const { shelf } = await aShelf();
    await ok(remove(shelf.id));
    const keyed = () => restore(shelf.id).set('idempotency-key', 'once');
    const answers = await Promise.all([keyed(), keyed(), restore(shelf.id), restore(shelf.id)]);
    const statuses = answers.map(({ status }) => status);
    const first = answers.slice(0, 2);
    if (statuses[0] === 200) {
      expect(statuses).toEqual([200, 200, 404, 404]);
      expect(first.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(1);
      expect(first[0]?.text).toBe(first[1]?.text);
    } else {
      expect(statuses.slice(2).sort()).toEqual([200, 404]);
    }
    expect((await restore(shelf.id)).body).toEqual(error('not_found', 'deletion not found'));
    expect(everyItem(await theTree(at.ada, at.query))).toHaveLength(4);
  });

  test('200: a long response is replayed with the content and the children as they are', async () => {
    const long = { text: 'x'.repeat(70_000) };
    const page = await item({ object: 'item', content: long });
    await ok(remove(page.id));
    const keyed = () => restore(page.id).set('idempotency-key', 'long');
    const first = await keyed();
    const replayed = await keyed();
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.text).toBe(first.text);
  });

  test('403 and 404 for a replay to somebody who may not see the workspace any more', async () => {
    const { id } = await item();
    await ok(remove(id));
    const bob = await aMember(at, at.team, 'member');
    const keyed = () =>
      bob.post(`/collections/trash/${id}/restore`, {}).set('idempotency-key', 'mine');
    const first = await ok(keyed());
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    expect((await keyed()).status).toBe(404);
    await ok(at.ada.put(at.workspace.path, { visibility: 'public' }));
    expect(await ok(keyed())).toEqual(first);
    await ok(at.ada.delete(`/teams/${at.team}/members`, { userId: bob.id }));
    expect((await keyed()).status).toBe(403);
  });

  test('400 for a body that is wrong', async () => {
    const { id } = await item();
    await ok(remove(id));
    for (const [body, says] of [
      [{ index: -1 }, 'index must be a whole number from 0'],
      [{ index: null }, 'index'],
      [{ parent: 1 }, 'parent must be a string'],
      [{ name: 'x' }, 'name'],
    ] as const) {
      const answer = await restore(id, body);
      expect([body, answer.body]).toEqual([body, error('bad_request', says)]);
    }
    expect(await trash()).toHaveLength(1);
  });

  test('422 for more than 20,000 items, as before there was a limit; the deletion stays unharmed', async () => {
    // Nothing is purged for their number.
    await sql(at.databaseUrl, "UPDATE teams SET plan = 'enterprise' WHERE slug = $1", [at.team]);
    const { shelf } = await aShelf();
    await ok(remove(shelf.id));
    const hold = (pages: number) =>
      sql(at.databaseUrl, 'UPDATE trash_deletions SET pages = $2 WHERE id = $1', [shelf.id, pages]);
    await hold(19_999);
    expect((await restore(shelf.id)).body).toEqual(
      error('unprocessable_entity', 'more than 20000 items: ask the operator'),
    );
    await hold(2);
    await ok(restore(shelf.id));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 2 });
  });

  test('403 past the limit of the plan; the deletion stays unharmed', async () => {
    const { shelf } = await aShelf();
    await ok(remove(shelf.id));
    const pages = Array.from({ length: 5 }, () => ({ object: 'item' }));
    await ok(at.ada.post(`/collections/batch${at.query}`, { items: pages }));
    expect((await restore(shelf.id)).body).toEqual(error('forbidden', 'limit of 6 pages'));
    const [page] = await theTree(at.ada, at.query);
    await ok(remove(String(page?.id)));
    await ok(restore(shelf.id));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 6 });
  });

  test('403 where the limit has fallen below the usage; 200 for what brings no page', async () => {
    const [box, page] = [await item(), await item({ object: 'item' })];
    for (const { id } of [box, page]) await ok(remove(id));
    const pages = Array.from({ length: 7 }, () => ({ object: 'item' as const }));
    await putRows(at.databaseUrl, at.workspace.id, pages);
    await ok(restore(box.id));
    await item({ name: 'Another one' });
    expect((await restore(page.id)).status).toBe(403);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 7 });
  });

  test('404 for one that somebody purges just now', async () => {
    const { id } = await item();
    await ok(remove(id));
    const mark = 'UPDATE trash_deletions SET purged_at = now() WHERE id = $1';
    const held = await holdLock(at.databaseUrl, mark, [id]);
    const restored = restore(id).then((response) => response);
    await held.waiting(1);
    await held.commit();
    expect((await restored).body).toEqual(error('not_found', 'deletion not found'));
  });

  test('403 for readers; 404 for who may not know, and what is not there', async () => {
    const { id } = await item();
    await ok(remove(id));
    const reader = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const guest = await aMember(at, at.team, 'guest');
    const path = `/collections/trash/${id}/restore`;
    expect((await reader.post(path, {})).status).toBe(403);
    const hidden = await guest.post(path, {});
    expect(hidden.body).toEqual(error('not_found', 'deletion not found'));
    for (const absent of [ABSENT, 'x']) {
      const answer = await guest.post(`/collections/trash/${absent}/restore`, {});
      expect(answer.text).toBe(hidden.text);
    }
    const other = await aWorkspace(at.ada, await aTeam(at.ada));
    expect((await at.ada.post(path + other.query, {})).status).toBe(404);
    expect((await restore(id, { parent: ABSENT })).body).toEqual(
      error('not_found', 'parent not found'),
    );
    await ok(at.ada.post(path + at.query, {}));
  });

  test('404 for what has expired', async () => {
    const { id } = await item();
    await ok(remove(id));
    await sql(
      at.databaseUrl,
      "UPDATE trash_deletions SET deleted_at = now() - interval '30 days' WHERE id = $1",
      [id],
    );
    expect(await trash()).toEqual([]);
    expect((await restore(id)).status).toBe(404);
    expect((await at.ada.delete(`/collections/trash/${id}`)).status).toBe(404);
  });

  test('404 for what was restored, and deleted again, meanwhile: that deletion stays whole', async () => {
    const { id } = await item();
    await ok(remove(id));
    const held = await holdWorkspace(at.databaseUrl, at.workspace.id);
    const restored = restore(id).then((response) => response);
    await held.waiting(1);
    const again = "UPDATE trash_deletions SET deleted_at = now() + interval '1 s' WHERE id = $1";
    await held.take(again, [id]);
    await held.commit();
    expect((await restored).status).toBe(404);
    await ok(restore(id));
  });

  test('422 for a page as the parent, and past the deepest level', async () => {
    const { shelf, page, box } = await aShelf();
    await ok(remove(box.id));
    expect((await restore(box.id, { parent: page.id })).status).toBe(422);
    const chain = (levels: number): object =>
      levels === 0 ? { name: 'End' } : { children: [chain(levels - 1)] };
    const items = [chain(2)];
    const [top] = await ok<ItemBody[]>(at.ada.post(`/collections/batch${at.query}`, { items }));
    let end = top as ItemBody;
    while (end.children?.[0]) end = end.children[0];
    // As if the way down were 127 levels long: it is not, and SQL says that the deletion is as high.
    await sql(at.databaseUrl, 'UPDATE trash_deletions SET height = 126 WHERE id = $1', [box.id]);
    expect((await restore(box.id, { parent: end.id })).body).toEqual(
      error('unprocessable_entity', 'parent is too deep'),
    );
    await sql(at.databaseUrl, 'UPDATE trash_deletions SET height = 2 WHERE id = $1', [box.id]);
    expect(await ok<ItemBody>(restore(box.id))).toMatchObject({ parent: shelf.id });
  });
});

describe('DELETE /collections/trash/{id}', () => {
  test('200: gone for good; the others stay', async () => {
    const { shelf } = await aShelf();
    const other = await item();
    await ok(remove(shelf.id));
    await ok(remove(other.id));
    expect(await ok(at.ada.delete(`/collections/trash/${shelf.id}`))).toEqual({
      message: 'The deletion was purged from the trash.',
    });
    expect((await at.ada.delete(`/collections/trash/${shelf.id}`)).status).toBe(404);
    expect((await restore(shelf.id)).status).toBe(404);
    expect(await trash()).toMatchObject([{ id: other.id }]);
  });

  test('403 for who does not manage the workspace, 404 for who may not know, and in another one', async () => {
    const { id } = await item();
    await ok(remove(id));
    const member = await aMember(at, at.team, 'member');
    const guest = await aMember(at, at.team, 'guest');
    expect((await member.delete(`/collections/trash/${id}`)).status).toBe(403);
    expect((await guest.delete(`/collections/trash/${id}`)).status).toBe(404);
    const other = await aWorkspace(at.ada, at.team);
    expect((await at.ada.delete(`/collections/trash/${id}${other.query}`)).status).toBe(404);
    expect(await trash()).toHaveLength(1);
  });
});

describe('DELETE /collections/trash', () => {
  test('200: all that is in the trash of the workspace', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const kept = await anItem(at.ada, other.query);
    await ok(remove(kept.id));
    for (let n = 0; n < 3; n++) await ok(remove((await item()).id));
    expect(await ok(at.ada.delete(`/collections/trash${at.query}`))).toEqual({
      message: 'The trash was emptied.',
    });
    expect(await trash()).toEqual([]);
    await ok(at.ada.delete(`${at.workspace.path}/collections/trash`));
    await ok(restore(kept.id));
  });

  test('200: what is deleted while it is emptied stays', async () => {
    const [before, meanwhile] = [await item(), await item()];
    await ok(remove(before.id));
    const { _id: team } = await ok<TeamBody>(at.ada.get(`/teams/${at.team}`));
    const lock = 'SELECT FROM trash_deletions WHERE team_id = $1 AND id = $2 FOR UPDATE';
    const held = await holdLock(at.databaseUrl, lock, [team, before.id]);
    const emptied = at.ada.delete(`/collections/trash${at.query}`).then((response) => response);
    await held.waiting(1);
    await ok(remove(meanwhile.id));
    await held.release();
    await ok(emptied);
    expect(await trash()).toMatchObject([{ id: meanwhile.id }]);
    await ok(restore(meanwhile.id));
  });

  test('400 where no workspace is named, 403 for who does not manage it', async () => {
    expect((await at.ada.delete('/collections/trash')).status).toBe(400);
    const member = await aMember(at, at.team, 'member');
    expect((await member.delete(`/collections/trash${at.query}`)).status).toBe(403);
  });
});

test('a trash of any length: the whole list is that of its pages', async () => {
  await sql(
    at.databaseUrl,
    `INSERT INTO trash_deletions (team_id, workspace_id, id, object, name, position, rebalances, height,
       pages, collections, deleted_at, deleted_by)
     SELECT team_id, id, gen_random_uuid(), 'collection', 'Row ' || n, 'a0', 0, 1, 0, 0,
       now() - n * interval '1 second', $2::uuid
     FROM workspaces, generate_series(1, 5001) AS n WHERE id = $1`,
    [at.workspace.id, at.ada.id],
  );
  const whole = await trash();
  expect(whole).toHaveLength(5001);
  const paged: ItemBody[] = [];
  for await (const page of pagesOf(at.ada, `/collections/trash${at.query}&limit=1000`)) {
    paged.push(...page);
  }
  expect(whole).toEqual(paged);
  const first = await at.ada.get(`/collections/trash${at.query}&limit=1`);
  const cursor = /cursor=([^>&]+)/.exec(first.headers.link ?? '')?.[1];
  const rest = await at.ada.get(`/collections/trash${at.query}&cursor=${cursor}`);
  expect(rest.body).toEqual(whole.slice(1));
  // All of it is emptied, though somebody purges one meanwhile; but not what is deleted meanwhile.
  const { id } = await item();
  const mark = 'UPDATE trash_deletions SET purged_at = now() WHERE id = $1';
  const held = await holdLock(at.databaseUrl, mark, [whole.at(-1)?.id]);
  const emptied = at.ada.delete(`/collections/trash${at.query}`).then((response) => response);
  await held.waiting(1);
  await ok(remove(id));
  await held.commit();
  await ok(emptied);
  expect(await trash()).toMatchObject([{ id }]);
  const left = 'SELECT FROM trash_deletions WHERE workspace_id = $1';
  await until(async () => (await sql(at.databaseUrl, left, [at.workspace.id])).length === 1);
});
