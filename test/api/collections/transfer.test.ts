import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { Replica } from '../../support/replica.js';
import { scene, type Workspace } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, putRows, usageOf } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({ each: 'workspace', verify: true });
let archive: Workspace;
beforeEach(async () => {
  archive = await aWorkspace(at.ada, at.team, { name: 'Archive' });
});

type Body = ItemBody & { workspace: string; createdAt: string; updatedAt: string };

const item = (body: object = {}) => anItem(at.ada, at.query, body);
const transfer = (id: string, body: object = {}, query = '') =>
  at.ada.post(`/collections/${id}/transfer${query}`, { workspace_slug: archive.slug, ...body });
const treeOf = ({ query }: Workspace) => theTree(at.ada, query);
const namesOf = async (workspace: Workspace) => (await treeOf(workspace)).map(({ name }) => name);

/** A collection with a page, and a collection with a page, in it. */
async function aShelf(name = 'Shelf') {
  const shelf = await item({ name });
  const page = await item({ name: 'Page', object: 'item', parent: shelf.id, content: { n: 1e30 } });
  const box = await item({ name: 'Box', parent: shelf.id });
  const deep = await item({ name: 'Deep', object: 'item', parent: box.id });
  return { shelf, page, box, deep };
}

const cursorIn = (link = '') => /cursor=([^>&]+)/.exec(link)?.[1];

/** A tree without what a transfer changes. */
const lasting = (tree: ItemBody[]): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value) =>
      key === 'updatedAt' || key === 'workspace' ? undefined : value,
    ),
  );

describe('POST /collections/{id}/transfer', () => {
  test('200: to the end of the top level there; ids, slugs, content, order and createdAt stay', async () => {
    await anItem(at.ada, archive.query, { name: 'First' });
    const { shelf, page } = await aShelf();
    await item({ name: 'Left' });
    const [before] = (await treeOf(at.workspace)) as [ItemBody];
    const { etag } = (await at.ada.get(`/collections/${page.id}`)).headers;
    const usage = await usageOf(at.ada, at.team);
    const response = await transfer(shelf.id);
    const moved = await ok<Body>(Promise.resolve(response));
    expect(moved).toMatchObject({ id: shelf.id, workspace: archive.id, content: {} });
    expect(await namesOf(at.workspace)).toEqual(['Left']);
    const [first, after] = (await treeOf(archive)) as [ItemBody, ItemBody];
    expect(first.name).toBe('First');
    expect(lasting([after])).toEqual(lasting([before]));
    for (const one of everyItem([after]) as Body[]) expect(one.workspace).toBe(archive.id);
    const read = await at.ada.get(`/collections/${page.id}`);
    expect(read.body).toMatchObject({ content: { n: 1e30 }, workspace: archive.id });
    expect(read.headers.etag).not.toBe(etag);
    expect((read.body as Body).updatedAt > (page as Body).updatedAt).toBe(true);
    expect(await usageOf(at.ada, at.team)).toEqual(usage);
    const now = await at.ada.get(`/collections/${shelf.id}`);
    expect([now.body, now.headers.etag]).toEqual([moved, response.headers.etag]);
    expect((await at.ada.get(`/collections/${shelf.id}${at.query}`)).status).toBe(404);
    expect((await at.ada.get(`/collections/${shelf.id}${archive.query}`)).status).toBe(200);
  });

  test.each([
    [{ index: 0 }, ['x', 'a', 'b']],
    [{ index: 1, parent: null }, ['a', 'x', 'b']],
    [{ index: 9, parent: '' }, ['a', 'b', 'x']],
    [{}, ['a', 'b', 'x']],
  ])('200 with %j', async (body, order) => {
    await anItem(at.ada, archive.query, { name: 'a' });
    await anItem(at.ada, archive.query, { name: 'b' });
    const { id } = await item({ name: 'x' });
    await ok(transfer(id, body));
    expect(await namesOf(archive)).toEqual(order);
  });

  test('200 into a collection there, out of one here', async () => {
    const parent = await anItem(at.ada, archive.query, { name: 'Parent' });
    await anItem(at.ada, archive.query, { name: 'Child', parent: parent.id });
    const { box, shelf } = await aShelf();
    const moved = await ok<ItemBody>(transfer(box.id, { parent: parent.id, index: 0 }));
    expect(moved.parent).toBe(parent.id);
    const [there] = (await treeOf(archive)) as [ItemBody];
    expect(there.children?.map(({ name }) => name)).toEqual(['Box', 'Child']);
    expect(there.children?.[0]?.children?.map(({ name }) => name)).toEqual(['Deep']);
    const [here] = (await treeOf(at.workspace)) as [ItemBody];
    expect(here.children?.map(({ name }) => name)).toEqual(['Page']);
    expect((await at.ada.get(`/collections/${shelf.id}`)).status).toBe(200);
  });

  test('200: a slug that is taken there gets a suffix, others stay; here they are free', async () => {
    await anItem(at.ada, archive.query, { name: 'Box' });
    const { shelf } = await aShelf();
    const moved = await ok<ItemBody>(transfer(shelf.id));
    const slugs = everyItem([moved]).map(({ meta }) => meta.slug);
    expect(slugs).toEqual(['shelf', 'page', expect.stringMatching(/^box-[a-z0-9]{8}$/)]);
    expect((await item({ name: 'Shelf' })).meta.slug).toBe('shelf');
  });

  test('200: deletions in the feed here, changes in the feed there', async () => {
    const { shelf } = await aShelf();
    const here = new Replica(at.query);
    const there = new Replica(archive.query);
    await here.follow(at.ada);
    await there.follow(at.ada);
    const changes = here.changes;
    await ok(transfer(shelf.id));
    await here.follow(at.ada);
    await there.follow(at.ada);
    expect([here.items.size, here.changes - changes]).toEqual([0, 4]);
    expect(there.items.size).toBe(4);
    expect(idsOf(there.tree() as ItemBody[])).toEqual([shelf.id]);
  });

  test('200: whoever transfers it has updated every item', async () => {
    const { shelf } = await aShelf();
    const bob = await aMember(at, at.team, 'member');
    await ok(bob.post(`/collections/${shelf.id}/transfer`, { workspace_slug: archive.slug }));
    const by = { createdBy: at.ada.id, updatedBy: bob.id };
    expect(everyItem(await treeOf(archive))).toMatchObject([by, by, by, by]);
  });

  test('200: what lies in the trash stays where it was deleted', async () => {
    const { shelf, page } = await aShelf();
    await ok(at.ada.delete(`/collections/${page.id}`));
    await ok(transfer(shelf.id));
    const trashOf = ({ query }: Workspace) =>
      ok<ItemBody[]>(at.ada.get(`/collections/trash${query}`));
    expect(idsOf(await trashOf(at.workspace))).toEqual([page.id]);
    expect(await trashOf(archive)).toEqual([]);
    await ok(at.ada.post(`/collections/trash/${page.id}/restore`, {}));
    expect(await namesOf(at.workspace)).toEqual(['Page']);
  });

  test('200 and back: the trees are what they were', async () => {
    const { shelf } = await aShelf();
    await item({ name: 'Left' });
    const before = await treeOf(at.workspace);
    await ok(transfer(shelf.id));
    await ok(transfer(shelf.id, { workspace_slug: at.workspace.slug, index: 0 }));
    expect(lasting(await treeOf(at.workspace))).toEqual(lasting(before));
    expect(await treeOf(archive)).toEqual([]);
  });

  test('200 and back, its children spread anew there: a cursor from before is 400', async () => {
    const { shelf } = await aShelf();
    for (const name of ['Y', 'Z']) await item({ name, parent: shelf.id });
    const children = `/collections${at.query}&parent=${shelf.id}&limit=2`;
    const cursor = () => at.ada.get(children).then(({ headers }) => cursorIn(headers.link));
    const before = await cursor();
    await ok(at.ada.get(`${children}&cursor=${before}`));
    await ok(transfer(shelf.id));
    // No room between the first two.
    const below = await sql<{ id: string }>(
      at.databaseUrl,
      'SELECT id FROM collections WHERE parent_id = $1 ORDER BY position',
      [shelf.id],
    );
    for (const [n, { id }] of below.entries()) {
      await sql(at.databaseUrl, 'UPDATE collections SET position = $2 WHERE id = $1', [
        ...[id, `a0${'0'.repeat(45)}${n + 1}`],
      ]);
    }
    await anItem(at.ada, archive.query, { parent: shelf.id, index: 1 });
    await ok(transfer(shelf.id, { workspace_slug: at.workspace.slug }));
    const stale = await at.ada.get(`${children}&cursor=${before}`);
    expect(stale.status).toBe(400);
    expect(stale.body).toEqual(error('bad_request', 'cursor'));
    await ok(at.ada.get(`${children}&cursor=${await cursor()}`));
  });

  test('200 with If-Match; 409 once the item or a child has changed', async () => {
    const { shelf, page } = await aShelf();
    const { etag } = (await at.ada.get(`/collections/${shelf.id}`)).headers as { etag: string };
    await ok(at.ada.put(`/collections/${page.id}`, { name: 'Renamed' }));
    expect((await transfer(shelf.id).set('if-match', etag)).status).toBe(409);
    expect(await namesOf(at.workspace)).toEqual(['Shelf']);
    const now = (await at.ada.get(`/collections/${shelf.id}`)).headers as { etag: string };
    await ok(transfer(shelf.id).set('if-match', now.etag));
    expect(
      (await transfer(page.id, { workspace_slug: at.workspace.slug }).set('if-match', etag)).status,
    ).toBe(409);
  });

  test('422: its own workspace, a page as parent, too deep', async () => {
    const chain = Array.from({ length: 126 }, (_, n) => ({
      object: 'collection' as const,
      ...(n > 0 && { parent: n - 1 }),
    }));
    const parent = (await putRows(at.databaseUrl, archive.id, chain)).at(-1) as string;
    const { shelf, page } = await aShelf();
    const own = await transfer(page.id, { workspace_slug: at.workspace.slug });
    expect(own.status).toBe(422);
    expect(own.body).toEqual(error('unprocessable_entity', 'workspace_slug'));
    const leaf = await anItem(at.ada, archive.query, { object: 'item' });
    expect((await transfer(page.id, { parent: leaf.id })).status).toBe(422);
    const deep = await transfer(shelf.id, { parent });
    expect(deep.status).toBe(422);
    expect(deep.body).toEqual(error('unprocessable_entity', 'parent is too deep'));
    expect(await namesOf(at.workspace)).toEqual(['Shelf']);
    await ok(transfer(page.id, { parent }));
  });

  test('404: the item, the parent, a parent here, a workspace of another team', async () => {
    const { shelf, page } = await aShelf();
    const foreign = await aWorkspace(at.ada, await aTeam(at.ada), { name: 'Elsewhere' });
    expect((await transfer(ABSENT)).status).toBe(404);
    expect((await transfer(page.id, { parent: ABSENT })).status).toBe(404);
    expect((await transfer(page.id, { parent: shelf.id })).status).toBe(404);
    expect((await transfer(page.id, { workspace_slug: foreign.slug })).status).toBe(404);
    expect((await transfer(page.id, {}, archive.query)).status).toBe(404);
  });

  test('404 for a hidden target, byte for byte as for none; 403 where either side is read-only', async () => {
    const { page } = await aShelf();
    const bob = await aMember(at, at.team, 'member');
    const path = `/collections/${page.id}/transfer`;
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const secret = await bob.post(path, { workspace_slug: hidden.slug });
    const absent = await bob.post(path, { workspace_slug: 'nowhere' });
    expect([secret.status, secret.text]).toEqual([404, absent.text]);
    await giveRole(at, archive.id, bob, 'reader');
    expect((await bob.post(path, { workspace_slug: archive.slug })).status).toBe(403);
    const own = await aWorkspace(bob, at.team);
    await giveRole(at, at.workspace.id, bob, 'reader');
    expect((await bob.post(path, { workspace_slug: own.slug })).status).toBe(403);
  });

  test.each([
    [{ workspace_slug: undefined }, 'workspace_slug'],
    [{ workspace_slug: null }, 'workspace_slug'],
    [{ workspace_slug: 7 }, 'workspace_slug'],
    [{ index: 1.5 }, 'index'],
    [{ parent: [] }, 'parent'],
    [{ name: 'x' }, 'name'],
  ])('400 for %j', async (body, field) => {
    const page = await item({ name: 'Page', object: 'item' });
    const refused = await transfer(page.id, body);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual(error('bad_request', field));
  });
});

describe('with an Idempotency-Key', () => {
  test('a replay returns the same, and does nothing twice', async () => {
    const { shelf } = await aShelf();
    const send = () => transfer(shelf.id).set('idempotency-key', 'once');
    const first = await ok(send());
    const again = await send();
    expect([again.status, again.body]).toEqual([200, first]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await transfer(shelf.id, { index: 0 }).set('idempotency-key', 'once');
    expect(other.status).toBe(422);
  });

  test.each(['duplicate', 'transfer'])(
    'a replay of %s asks for access to both workspaces',
    async (operation) => {
      const bob = await aMember(at, at.team, 'member');
      const from = await aWorkspace(bob, at.team);
      const to = await aWorkspace(bob, at.team);
      const { id } = await anItem(bob, from.query);
      const send = () =>
        bob
          .post(`/collections/${id}/${operation}`, { workspace_slug: to.slug })
          .set('idempotency-key', 'both');
      await ok(send());
      await ok(send());
      const hide = (workspace: Workspace, defaultAccess: string) =>
        ok(at.ada.put(workspace.path, { visibility: 'private', ...(defaultAccess && {}) }));
      for (const workspace of [from, to]) {
        await ok(at.ada.delete(`${workspace.path}/members`, { userId: bob.id }));
        await hide(workspace, '');
        expect((await send()).status).toBe(404);
        await ok(at.ada.put(workspace.path, { visibility: 'public' }));
        expect((await send()).status).toBe(200);
      }
    },
  );

  test('a slug of the target that names another workspace since: 422', async () => {
    const page = await item({ object: 'item' });
    const body = { workspace_slug: archive.slug };
    const send = () =>
      at.ada.post(`/collections/${page.id}/duplicate`, body).set('idempotency-key', 'renamed');
    await ok(send());
    await ok(at.ada.put(archive.path, { slug: 'archive-of-2025' }));
    expect((await send()).status).toBe(404);
    await aWorkspace(at.ada, at.team, { name: 'Archive' });
    expect((await send()).status).toBe(422);
  });
});
