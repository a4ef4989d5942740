import type { Test } from 'supertest';
import { aWorld, OPERATIONS } from '../contract/operations.js';
import { somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok } from '../support/builders.js';
import { golden } from '../support/golden.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';

const STRONG = /^"[0-9a-f.-]+"$/;

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: { '200': { content?: { 'application/json': { schema: { $ref?: string } } } } };
      }
    >
  >;
}

/** The operations whose response is one record of these, by the golden document. */
const operationsOf = (...records: string[]): string[] =>
  Object.values(golden<Document>('openapi.json').paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => {
      const { $ref } = responses['200'].content?.['application/json'].schema ?? {};
      return records.some((record) => $ref === `#/components/schemas/${record}`);
    })
    .map(({ operationId }) => operationId);

const ON_ITEMS = [...operationsOf('Collection', 'DuplicatedCollection'), 'reorderItem'];
const ON_TEAMS = operationsOf('Team');
const ON_WORKSPACES = operationsOf('Workspace');

describe('the ETag of a read is that of', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const names = [...ON_ITEMS, ...ON_TEAMS, ...ON_WORKSPACES].flatMap((operation) =>
    Object.keys(OPERATIONS).filter(
      (name) => name.replace(/,.*/, '') === operation && !/replay|304|by its slug/.test(name),
    ),
  );

  test('every operation is among them', () => {
    const missing = [...ON_ITEMS, ...ON_TEAMS, ...ON_WORKSPACES].filter(
      (operation) => !names.some((name) => name.replace(/,.*/, '') === operation),
    );
    expect(missing).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
  });

  test.each(names)('%s', async (name) => {
    // In a team of its own: many operations add people and workspaces, which the plan limits.
    const world = await aWorld(service, service.as(somebody()));
    const call = await (OPERATIONS[name] as (typeof OPERATIONS)[string])(world);
    const request = call() as Test;
    const response = await request;
    expect([response.status, response.headers.etag]).toEqual([200, expect.stringMatching(STRONG)]);
    const { pathname } = new URL(request.url);
    const [, team] = /^\/teams\/([^/]+)/.exec(pathname) ?? [];
    const { body } = response;
    const operation = name.replace(/,.*/, '');
    const path = ON_TEAMS.includes(operation)
      ? `/teams/${body.meta.slug}`
      : ON_WORKSPACES.includes(operation)
        ? `/teams/${team}/workspaces/${body.meta.slug}`
        : `/collections/${body.id ?? (request as Test & { _data: { id: string } })._data.id}`;
    const shows = name.includes('ancestors') ? '?include=ancestors' : '';
    const read = await service.with(request.get('authorization') as string).get(`${path}${shows}`);
    expect(read.headers.etag).toBe(response.headers.etag);
  });
});

describe('the ETag of a write', () => {
  const at = scene({ once: 'workspace' });

  test.each([
    ['an empty item', 'item', 0],
    ['an empty collection', 'collection', 0],
    ['a collection with children', 'collection', 2],
  ])('of %s is that of a read', async (_, object, children) => {
    const { id } = await anItem(at.ada, at.query, { object });
    for (let n = 0; n < children; n++) await anItem(at.ada, at.query, { parent: id });
    for (const write of [
      at.ada.put(`/collections/${id}`, { name: 'New' }),
      at.ada.put(`/collections/${id}`, { parent: null }),
      at.ada.post(`/collections/reorder${at.query}`, { id, index: 0 }),
    ]) {
      const { status, headers } = await write;
      const read = await at.ada.get(`/collections/${id}`);
      expect([status, headers.etag]).toEqual([200, read.headers.etag]);
    }
  });
});

describe('If-Match', () => {
  const at = scene({ once: 'workspace' });
  const etagOf = async (path: string, as = at.ada) => (await as.get(path)).headers.etag as string;
  const isStale = async (request: Test, what: string) => {
    const { status, body } = await request;
    const message = `If-Match is not the current ETag: the ${what} has changed, read it again`;
    expect([status, body.error.message]).toEqual([409, message]);
  };
  const shelf = () => anItem(at.ada, at.query, { name: 'Shelf' });

  test('of an update, a patch or a move compares the item alone; of a deletion, its children too', async () => {
    const { id } = await shelf();
    const path = `/collections/${id}`;
    const before = await etagOf(path);
    await anItem(at.ada, at.query, { object: 'item', parent: id });
    expect(await etagOf(path)).not.toBe(before);
    expect((await at.ada.delete(path).set('if-match', before)).status).toBe(409);
    expect((await at.ada.post(`${path}/duplicate`, {}).set('if-match', before)).status).toBe(409);
    const move = () =>
      at.ada.post(`/collections/reorder${at.query}`, { id, index: 0 }).set('if-match', before);
    const moved = await move();
    expect(moved.status).toBe(200);
    expect((await move()).status).toBe(409);
    const renamed = await at.ada
      .put(path, { name: 'New' })
      .set('if-match', String(moved.headers.etag));
    expect(renamed.status).toBe(200);
    const again = await at.ada
      .put(path, { name: 'New' })
      .set('if-match', String(moved.headers.etag));
    expect(again.status).toBe(409);
  });

  test('of a rename compares the item alone, too; of a deletion for good, all', async () => {
    const { id } = await shelf();
    const path = `/collections/${id}`;
    const before = await etagOf(path);
    await anItem(at.ada, at.query, { object: 'item', parent: id });
    const forGood = at.ada.delete(`${path}?permanent=true`).set('if-match', before);
    expect((await forGood).status).toBe(409);
    await ok(at.ada.put(path, { name: 'New' }).set('if-match', before));
  });

  test('of a team compares its settings; If-None-Match all that the caller sees', async () => {
    const team = await aTeam(at.ada);
    const path = `/teams/${team}`;
    const before = await etagOf(path);
    const read = () => at.ada.get(path).set('if-none-match', before);
    const unchanged = await read();
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await aWorkspace(at.ada, team);
    expect((await read()).status).toBe(200);
    const update = (name: string) => at.ada.put(path, { name }).set('if-match', before);
    expect((await update('Renamed')).status).toBe(200);
    await isStale(update('Again'), 'team');
    expect((await at.ada.put(path, { name: 'Any' }).set('if-match', '*')).status).toBe(200);
    // The code is shown to moderators only, and the role differs.
    const mia = await aMember(at, team, 'member');
    expect(await etagOf(path, mia)).not.toBe(await etagOf(path));
  });

  test('of a team compares each setting, not the invite code and not the role of the caller', async () => {
    let path = `/teams/${await aTeam(at.ada)}`;
    for (const change of [{ name: 'New' }, { description: 'New' }, { slug: freshSlug() }]) {
      const before = await etagOf(path);
      await ok(at.ada.put(path, change));
      if (change.slug !== undefined) path = `/teams/${change.slug}`;
      await isStale(at.ada.put(path, { name: 'Other' }).set('if-match', before), 'team');
    }
    const before = await etagOf(path);
    await ok(at.ada.post(`${path}/invite-code`));
    const moderator = await aMember(at, path.slice('/teams/'.length), 'moderator');
    await ok(moderator.put(path, { name: 'Other' }).set('if-match', before));
  });

  test('of a workspace compares each setting', async () => {
    let { path } = await aWorkspace(at.ada, at.team);
    for (const change of [
      { name: 'New' },
      { description: 'New' },
      { defaultAccess: 'read-only' },
      { visibility: 'private' },
      { slug: freshSlug() },
    ]) {
      const before = await etagOf(path);
      await ok(at.ada.put(path, change));
      if (change.slug !== undefined) path = `/teams/${at.team}/workspaces/${change.slug}`;
      await isStale(at.ada.delete(path).set('if-match', before), 'workspace');
    }
  });

  test('of a workspace compares its settings, not its content; of a deletion, too', async () => {
    const { path, query } = await aWorkspace(at.ada, at.team);
    const before = await etagOf(path);
    expect((await at.ada.get(path).set('if-none-match', before)).status).toBe(304);
    await anItem(at.ada, query);
    expect((await at.ada.get(path).set('if-none-match', before)).status).toBe(200);
    const update = () => at.ada.put(path, { description: 'New' }).set('if-match', before);
    const updated = await update();
    expect(updated.status).toBe(200);
    await isStale(update(), 'workspace');
    await isStale(at.ada.delete(path).set('if-match', before), 'workspace');
    await anItem(at.ada, query);
    await ok(at.ada.delete(path).set('if-match', String(updated.headers.etag)));
  });
});
