import { auditLog } from '../../support/audit.js';
import { anItem, ok } from '../../support/builders.js';
import { aMember } from '../../support/members.js';
import { scene } from '../../support/scene.js';

// What is refused while a workspace is archived, for every operation: test/contract/states.test.ts.

interface WorkspaceBody {
  _id: string;
  archivedAt: string | null;
  updatedAt: string;
  version: string;
}

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"workspaces":0}}' },
  once: 'team',
  each: 'workspace',
  verify: true,
});
const archive = (by = at.ada) => by.post(`${at.workspace.path}/archive`);
const unarchive = (by = at.ada) => by.post(`${at.workspace.path}/unarchive`);
const read = () => ok<WorkspaceBody>(at.ada.get(at.workspace.path));
const MESSAGE = 'workspace Workspace is archived: unarchive it to change its content';

describe('POST …/workspaces/{workspace_slug}/archive', () => {
  test('200: the workspace, archived from now on, in its record and in the list', async () => {
    expect(await read()).toMatchObject({ archivedAt: null });
    const archived = await ok<WorkspaceBody>(archive());
    expect(Date.parse(archived.archivedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(await read()).toEqual(archived);
    const list = await ok<WorkspaceBody[]>(at.ada.get(`/teams/${at.team}/workspaces`));
    expect(list.find(({ _id }) => _id === archived._id)).toEqual(archived);
  });

  test('a second time is 200 and changes nothing, as is unarchiving what is not archived', async () => {
    const archived = await ok<WorkspaceBody>(archive());
    expect(await ok(archive())).toEqual(archived);
    const active = await ok<WorkspaceBody>(unarchive());
    expect(active).toMatchObject({ archivedAt: null, version: archived.version });
    expect(await ok(unarchive())).toEqual(active);
    const entries = await auditLog(at.ada, at.team);
    const own = entries.filter(({ target }) => target.id === archived._id);
    expect(own.map(({ action }) => action)).toEqual([
      'workspace.unarchived',
      'workspace.archived',
      'workspace.created',
    ]);
  });

  test('it is in the ETag, and not in the part that If-Match compares', async () => {
    const before = (await at.ada.get(at.workspace.path)).headers.etag as string;
    const archived = await archive();
    const current = await at.ada
      .get(at.workspace.path)
      .set('if-none-match', archived.headers.etag ?? '');
    expect(current.status).toBe(304);
    expect((await at.ada.get(at.workspace.path).set('if-none-match', before)).status).toBe(200);
    await ok(at.ada.put(at.workspace.path, { description: 'New' }).set('if-match', before));
  });

  test('401, 403 and 404 before anything else; whoever may change the settings may archive', async () => {
    const member = await aMember(at, at.team, 'member');
    const guest = await aMember(at, at.team, 'guest');
    const path = at.workspace.path;
    expect((await at.with(null).post(`${path}/archive`)).status).toBe(401);
    expect((await archive(member)).status).toBe(403);
    expect((await archive(guest)).status).toBe(404);
    expect((await at.ada.post(`${path}-other/archive`)).status).toBe(404);
    const moderator = await aMember(at, at.team, 'moderator');
    await ok(archive(moderator));
    await ok(unarchive(moderator));
  });

  test('a replay is a read: it returns what was stored, whatever the state is now', async () => {
    const send = () => archive().set('idempotency-key', '"first"');
    const first = await send();
    await ok(unarchive());
    const replay = await send();
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(replay.text).toBe(first.text);
    expect(await read()).toMatchObject({ archivedAt: null });
  });
});

describe('while it is archived', () => {
  test('409 names the workspace, also for a write that would change nothing', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item', key: 'k', content: { a: 1 } });
    const item = `/collections/${page.id}`;
    const manifest = { items: [{ key: 'k', name: page.name, object: 'item', content: { a: 1 } }] };
    const ineffective = () => [
      at.ada.put(item, {}),
      at.ada.put(`${item}${at.query}`, { name: page.name }),
      at.ada.patch(`${item}/content`, [{ op: 'test', path: '/a', value: 1 }]),
      at.ada.put(`/collections/apply${at.query}`, manifest),
      at.ada.put(`/collections/order${at.query}`, { parent: null, children: [page.id] }),
      at.ada.post(`/collections/reorder${at.query}`, { id: page.id, index: 0 }),
      at.ada.delete(`/collections/trash${at.query}`),
      at.ada.delete(`${item}/versions`),
    ];
    for (const request of ineffective()) await ok(request);
    await ok(archive());
    for (const request of ineffective()) {
      const { status, body } = await request;
      expect([status, body.error.code, body.error.message]).toEqual([409, 'conflict', MESSAGE]);
    }
  });

  test('what is not there is 404 in it, too, and what the request has wrong is 400', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item' });
    await ok(archive());
    const nothing = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c31';
    for (const form of [`/collections/${nothing}`, `/collections/${nothing}${at.query}`]) {
      expect((await at.ada.put(form, { name: 'New' })).status).toBe(404);
    }
    for (const form of ['', at.query]) {
      expect((await at.ada.post(`/collections/trash/${nothing}/restore${form}`, {})).status).toBe(
        404,
      );
    }
    expect((await at.ada.put(`/collections/${page.id}`, { name: '' })).status).toBe(400);
    expect((await at.ada.post(`/collections${at.query}`, { name: 1 })).status).toBe(400);
  });

  test('everything can be read: lists, search, feed, versions, the trash', async () => {
    const page = await anItem(at.ada, at.query, {
      object: 'item',
      name: 'Page',
      content: { a: 1 },
    });
    await ok(at.ada.put(`/collections/${page.id}`, { content: { a: 2 } }));
    const gone = await anItem(at.ada, at.query);
    await ok(at.ada.delete(`/collections/${gone.id}`));
    await ok(archive());
    for (const path of ['', '/search', '/changes', '/trash']) {
      const query = path === '/search' ? `${at.query}&q=Page` : at.query;
      await ok(at.ada.get(`/collections${path}${query}`));
    }
    expect(await ok(at.ada.get(`/collections/${page.id}/versions`))).toHaveLength(1);
    await ok(at.ada.get(`/collections/${page.id}/versions/1`));
  });

  test('what is copied out of it is a read of it', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item' });
    const other = await ok<{ meta: { slug: string } }>(
      at.ada.post(`/teams/${at.team}/workspaces`, { name: 'Other' }),
    );
    await ok(archive());
    const to = { workspace_slug: other.meta.slug };
    await ok(at.ada.post(`/collections/${page.id}/duplicate`, to));
    expect((await at.ada.post(`/collections/${page.id}/transfer`, to)).status).toBe(409);
  });

  test('its settings and members can be changed; it goes to the trash and comes back archived', async () => {
    const { archivedAt, _id } = await ok<WorkspaceBody>(archive());
    const member = await aMember(at, at.team, 'guest');
    const users = [{ email: member.person.email, role: 'reader' }];
    await ok(at.ada.post(`${at.workspace.path}/members`, users));
    const renamed = await ok(at.ada.put(at.workspace.path, { name: 'Old', visibility: 'private' }));
    expect(renamed).toMatchObject({ archivedAt, name: 'Old' });
    await ok(at.ada.delete(at.workspace.path));
    await ok(at.ada.post(`/teams/${at.team}/trash/${_id}/restore`));
    expect(await read()).toMatchObject({ archivedAt });
    const { body } = await at.ada.post(`/collections${at.query}`);
    expect(body.error.message).toBe(MESSAGE.replace('Workspace', 'Old'));
  });

  test('after unarchiving, content is written as before', async () => {
    await ok(archive());
    await ok(unarchive());
    const before = await read();
    await anItem(at.ada, at.query);
    expect((await read()).version).not.toBe(before.version);
  });
});
