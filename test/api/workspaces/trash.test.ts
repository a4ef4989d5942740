import { anItem, aTeam, aWorkspace, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { holdLock, holdWorkspace } from '../../support/locks.js';
import { aMember, giveRole, type Known, someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { pagesOf, putRows, usageOf } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":6,"workspaces":3},"pro":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
  verify: true,
});

interface DeletedBody {
  _id: string;
  meta: { slug: string };
  deletedAt: string;
  expiresAt: string;
}

const trashPath = (id = '') => `/teams/${at.team}/trash${id && `/${id}`}`;
const trash = (caller: Known = at.ada) => ok<DeletedBody[]>(caller.get(trashPath()));
const restore = (id = at.workspace.id, caller: Known = at.ada) =>
  caller.post(`${trashPath(id)}/restore`);
const purge = (id = at.workspace.id, caller: Known = at.ada) => caller.delete(trashPath(id));
const item = (body: object = {}, query = at.query) => anItem(at.ada, query, body);
const remove = (path = at.workspace.path) => ok(at.ada.delete(path));
const rowsIn = (id: string) =>
  sql(
    at.databaseUrl,
    'SELECT id, xmin, ctid::text FROM collections WHERE workspace_id = $1 ORDER BY id',
    [id],
  );

/** A collection with two pages. */
async function aShelf(query = at.query) {
  const shelf = await item({ name: 'Shelf' }, query);
  for (const name of ['One', 'Two']) {
    await item({ name, object: 'item', parent: shelf.id, content: { name } }, query);
  }
  return shelf;
}

/** A private workspace whose only editor is this member, who is Ada otherwise. */
async function aPrivateOne(editor: Known = at.ada) {
  const made = await aWorkspace(editor, at.team, { name: 'Secret', visibility: 'private' });
  await ok(editor.delete(made.path));
  return made;
}

describe('DELETE /teams/{team_slug}/workspaces/{workspace_slug}', () => {
  test('200: it is in the trash, and gone for everybody at once', async () => {
    const { id } = await aShelf();
    const member = await aMember(at, at.team, 'member');
    const { path, query } = at.workspace;
    await remove();
    expect(await trash()).toEqual([
      {
        _id: at.workspace.id,
        name: 'Workspace',
        meta: { title: 'Workspace', description: '', slug: at.workspace.slug },
        Visibility: 'public',
        pages: 2,
        deletedAt: expect.any(String),
        deletedBy: { _id: at.ada.id, name: 'Ada' },
        expiresAt: expect.any(String),
      },
    ]);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0, workspaces: 0 });
    for (const caller of [at.ada, member]) {
      expect(await ok(caller.get(`/teams/${at.team}/workspaces`))).toEqual([]);
      const hidden = error('not_found', 'workspace not found');
      expect((await caller.get(path)).body).toEqual(hidden);
      expect((await caller.put(path, { name: 'x' })).body).toEqual(hidden);
      expect((await caller.delete(path)).body).toEqual(hidden);
      expect((await caller.get(`${path}/members`)).body).toEqual(hidden);
      expect((await caller.get(`/collections${query}`)).body).toEqual(hidden);
      expect((await caller.get(`/collections${query}&limit=1`)).body).toEqual(hidden);
      expect((await caller.post(`/collections${query}`, {})).body).toEqual(hidden);
      expect((await caller.get(`/collections/trash${query}`)).body).toEqual(hidden);
      expect((await caller.get(`/collections/${id}`)).status).toBe(404);
      expect((await caller.put(`/collections/${id}`, { name: 'x' })).status).toBe(404);
      expect((await caller.delete(`/collections/${id}`)).status).toBe(404);
    }
  });

  test('200: its slug is free, its items are untouched, it expires after 30 days', async () => {
    await aShelf();
    const before = await rowsIn(at.workspace.id);
    await remove();
    expect(await rowsIn(at.workspace.id)).toEqual(before);
    expect((await aWorkspace(at.ada, at.team)).slug).toBe(at.workspace.slug);
    const [{ deletedAt, expiresAt }] = (await trash()) as [DeletedBody];
    expect(Date.parse(expiresAt) - Date.parse(deletedAt)).toBe(30 * 86_400_000);
  });

  test('200: a deletion in it can be neither found, restored nor purged by its id', async () => {
    const { id } = await aShelf();
    await ok(at.ada.delete(`/collections/${id}`));
    await remove();
    expect((await at.ada.post(`/collections/trash/${id}/restore`, {})).status).toBe(404);
    expect((await at.ada.delete(`/collections/trash/${id}`)).status).toBe(404);
    await ok(restore());
    await ok(at.ada.post(`/collections/trash/${id}/restore`, {}));
    expect(await theTree(at.ada, at.query)).toHaveLength(1);
  });

  test('404 for commands that were queued before', async () => {
    const { id } = await aShelf();
    const { id: page } = await item({ object: 'item' });
    const before = await rowsIn(at.workspace.id);
    const held = await holdWorkspace(at.databaseUrl, at.workspace.id);
    const deletion = remove();
    await held.waiting(1);
    const commands = [
      at.ada.post(`/collections${at.query}`, { name: 'Late' }),
      at.ada.put(`/collections/${id}`, { name: 'Late' }),
      at.ada.post(`/collections/reorder${at.query}`, { id: page, index: 0 }),
      at.ada.delete(`/collections/${page}`),
      at.ada.delete(`/collections/${page}?permanent=true`),
      at.ada.post(`/collections/batch${at.query}`, { items: [{}] }),
    ].map((request) => Promise.resolve(request));
    await held.waiting(2);
    await held.release();
    await deletion;
    const statuses = (await Promise.all(commands)).map(({ status }) => status);
    expect(statuses).toEqual(commands.map(() => 404));
    expect(await rowsIn(at.workspace.id)).toEqual(before);
  });
});

describe('GET /teams/{team_slug}/trash', () => {
  test('200 in pages, newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id, path } = await aWorkspace(at.ada, at.team);
      await remove(path);
      ids.unshift(id);
    }
    const pages = async () => {
      const found: string[][] = [];
      for await (const page of pagesOf(at.ada, `${trashPath()}?limit=2`)) {
        found.push((page as unknown as DeletedBody[]).map(({ _id }) => _id));
      }
      return found;
    };
    expect(await pages()).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    // At the same moment.
    await sql(at.databaseUrl, 'UPDATE workspaces SET deleted_at = now() WHERE id = ANY ($1)', [
      ids,
    ]);
    expect(await pages()).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test('200 with those only that the caller could delete', async () => {
    const editor = await aMember(at, at.team, 'member');
    const moderator = await aMember(at, at.team, 'moderator');
    const guest = await aMember(at, at.team, 'guest');
    await giveRole(at, at.workspace.id, guest, 'editor');
    await remove();
    const secret = await aPrivateOne(editor);
    expect(await trash(editor)).toMatchObject([{ Visibility: 'private', pages: 0 }]);
    const idsFor = async (caller: Known) => (await trash(caller)).map(({ _id }) => _id);
    expect(await idsFor(editor)).toEqual([secret.id]);
    expect(await idsFor(moderator)).toEqual([at.workspace.id]);
    expect(await idsFor(at.ada)).toEqual([at.workspace.id]);
    expect(await idsFor(guest)).toEqual([at.workspace.id]);
  });

  test('200 without those that have expired', async () => {
    await remove();
    await sql(
      at.databaseUrl,
      "UPDATE workspaces SET deleted_at = now() - interval '30 days' WHERE id = $1",
      [at.workspace.id],
    );
    expect(await trash()).toEqual([]);
    expect((await restore()).status).toBe(404);
    expect((await purge()).status).toBe(404);
  });

  test('400 for a limit or a cursor that is wrong, 403 for strangers, 404 for no team', async () => {
    expect((await at.ada.get(`${trashPath()}?limit=0`)).status).toBe(400);
    expect((await at.ada.get(`${trashPath()}?cursor=x`)).status).toBe(400);
    const stranger = await someone(at, 'stranger');
    for (const { status } of [
      await stranger.get(trashPath()),
      await restore(ABSENT, stranger),
      await purge(ABSENT, stranger),
    ]) {
      expect(status).toBe(403);
    }
    expect((await at.ada.get('/teams/no-such-team/trash')).status).toBe(404);
  });
});

describe('POST /teams/{team_slug}/trash/{workspace_id}/restore', () => {
  test('200 with the Workspace; all is as it was', async () => {
    await aShelf();
    const reader = await aMember(at, at.team, 'guest');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const before = await at.ada.get(`/collections${at.query}&include=content`);
    const members = await ok(at.ada.get(`${at.workspace.path}/members`));
    await remove();
    const answer = await restore();
    expect(answer.status).toBe(200);
    expect((await at.ada.get(at.workspace.path)).body).toEqual(answer.body);
    expect(answer.body).toMatchObject({ _id: at.workspace.id, access: 'full' });
    const after = await reader.get(`/collections${at.query}&include=content`);
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
    expect(await ok(at.ada.get(`${at.workspace.path}/members`))).toEqual(members);
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 2, workspaces: 1 });
    expect(await trash()).toEqual([]);
    await item({ name: 'Next' });
    expect((await restore()).body).toEqual(error('not_found', 'workspace not found'));
  });

  test('200 with a suffix where the slug was taken', async () => {
    const { slug } = at.workspace;
    await remove();
    await aWorkspace(at.ada, at.team);
    const { body } = await restore();
    expect(body.meta.slug).toMatch(new RegExp(`^${slug}-[a-z0-9]{8}$`));
    await ok(at.ada.get(`/teams/${at.team}/workspaces/${body.meta.slug}`));
  });

  test('200 without a suffix where only another one in the trash has the slug', async () => {
    await remove();
    await remove((await aWorkspace(at.ada, at.team)).path);
    expect((await restore()).body.meta.slug).toBe(at.workspace.slug);
  });

  test('200: a slug with a suffix has 48 characters at most, and no two hyphens in a row', async () => {
    const slug = `${'a'.repeat(38)}-${'b'.repeat(9)}`;
    const { path } = await aWorkspace(at.ada, at.team);
    await ok(at.ada.put(at.workspace.path, { slug }));
    await remove(`/teams/${at.team}/workspaces/${slug}`);
    await ok(at.ada.put(path, { slug }));
    const { body } = await restore();
    expect(body.meta.slug).toMatch(/^a{38}-[a-z0-9]{8}$/);
    await ok(at.ada.get(`/teams/${at.team}/workspaces/${body.meta.slug}`));
  });

  test('200 once with the same Idempotency-Key, 404 for a twin without', async () => {
    await remove();
    const path = `${trashPath(at.workspace.id)}/restore`;
    const twice = await Promise.all(
      [1, 2].map(() => at.ada.post(path).set('idempotency-key', 'one')),
    );
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect(twice[0]?.text).toBe(twice[1]?.text);
    await remove();
    const twins = await Promise.all([restore(), restore()]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('403 past the limit of workspaces, pages or collections: it stays in the trash', async () => {
    const full = await aWorkspace(at.ada, at.team);
    await aShelf(full.query);
    await item({ name: 'Box' }, full.query);
    await remove(full.path);
    const more = [await aWorkspace(at.ada, at.team), await aWorkspace(at.ada, at.team)];
    expect((await restore(full.id)).body).toEqual(
      error('forbidden', "the free plan's limit of 3 workspaces (limit.workspaces) is reached"),
    );
    await remove(more[0]?.path);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await item({ object: 'item' })).id);
    expect((await restore(full.id)).body).toEqual(
      error('forbidden', "the free plan's limit of 6 pages (limit.pages) is reached"),
    );
    for (const id of ids) await ok(at.ada.delete(`/collections/${id}?permanent=true`));
    for (let n = 0; n < 5; n++) ids.push((await item()).id);
    expect((await restore(full.id)).body).toEqual(
      error('forbidden', "the free plan's limit of 6 collections (limit.pages) is reached"),
    );
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0, workspaces: 2 });
    await ok(at.ada.delete(`/collections/${ids.pop()}?permanent=true`));
    await ok(restore(full.id));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 2, workspaces: 3 });
  });

  test('200 for one without pages where the limit of pages has fallen below the usage', async () => {
    const { id, path, query } = await aWorkspace(at.ada, at.team);
    await item({}, query);
    await remove(path);
    const pages = Array.from({ length: 7 }, () => ({ object: 'item' as const }));
    await putRows(at.databaseUrl, at.workspace.id, pages);
    await ok(restore(id));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 7, workspaces: 2 });
  });

  test('404 for those who could not delete it, and where there is none', async () => {
    const reader = await aMember(at, at.team, 'member');
    await remove();
    const secret = await aPrivateOne(await aMember(at, at.team, 'member'));
    const none = error('not_found', 'deleted workspace not found: check its id');
    for (const [caller, id] of [
      [reader, at.workspace.id],
      [at.ada, secret.id],
      [at.ada, ABSENT],
      [at.ada, 'x'],
    ] as const) {
      expect((await restore(id, caller)).body).toEqual(none);
      expect((await purge(id, caller)).body).toEqual(none);
    }
  });

  test('404 for one that another process purges just now', async () => {
    await remove();
    const mark = 'UPDATE workspaces SET purged_at = now() WHERE id = $1';
    const held = await holdLock(at.databaseUrl, mark, [at.workspace.id]);
    const restored = restore().then((response) => response);
    await held.waiting(1);
    await held.commit();
    expect((await restored).status).toBe(404);
  });

  test('404 for a workspace that was not deleted, or is of another team', async () => {
    expect((await restore()).status).toBe(404);
    expect((await purge()).status).toBe(404);
    await remove();
    const other = await aTeam(at.ada);
    expect((await at.ada.post(`/teams/${other}/trash/${at.workspace.id}/restore`)).status).toBe(
      404,
    );
    await ok(restore());
  });

  test('a private one whose last editor has left the team has another editor', async () => {
    const editor = await aMember(at, at.team, 'member');
    const reader = await aMember(at, at.team, 'member');
    const alone = await aPrivateOne(editor);
    const shared = await aWorkspace(editor, at.team, { visibility: 'private' });
    await giveRole(at, shared.id, reader, 'reader');
    await ok(editor.delete(shared.path));
    await ok(editor.delete(`/teams/${at.team}/members`, { userId: editor.id }));
    expect((await trash()).map(({ _id }) => _id)).toEqual([alone.id]);
    expect((await trash(reader)).map(({ _id }) => _id)).toEqual([shared.id]);
    await ok(restore(shared.id, reader));
  });
});

describe('DELETE /teams/{team_slug}/trash/{workspace_id}', () => {
  test('200: it is gone for good', async () => {
    await aShelf();
    await remove();
    expect(await ok(purge())).toEqual({ message: 'The workspace was purged from the trash.' });
    expect(await trash()).toEqual([]);
    expect((await restore()).status).toBe(404);
    expect((await purge()).status).toBe(404);
  });
});

test('deleting a workspace of many items takes one row, whatever its size; its items are too many', async () => {
  await sql(at.databaseUrl, "UPDATE teams SET plan = 'pro' WHERE slug = $1", [at.team]);
  const [id] = await putRows(at.databaseUrl, at.workspace.id, [
    { object: 'collection' },
    ...Array.from({ length: 20_000 }, () => ({ object: 'item' as const, parent: 0 })),
  ]);
  const before = await rowsIn(at.workspace.id);
  const other = await aWorkspace(at.ada, at.team);
  const shelf = `/collections/${id}`;
  for (const request of [
    at.ada.delete(shelf),
    at.ada.delete(`${shelf}?permanent=true`),
    at.ada.post(`${shelf}/transfer`, { workspace_slug: other.slug }),
  ]) {
    expect((await request).body).toEqual(error('unprocessable_entity', 'more than 20000 items'));
  }
  expect(await rowsIn(at.workspace.id)).toEqual(before);
  await remove();
  expect(await rowsIn(at.workspace.id)).toEqual(before);
  expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0, workspaces: 1 });
  await ok(restore());
  expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 20_000, workspaces: 2 });
  expect(await rowsIn(at.workspace.id)).toEqual(before);
});
