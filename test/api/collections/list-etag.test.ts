import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { aMember, giveRole } from '../../support/people.js';

let service: TestService;
let ada: Caller;
let team: string;
let workspace: { id: string; slug: string; path: string; query: string };
let shelf: ItemBody;
let page: ItemBody;
beforeAll(async () => {
  service = await startService({ PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' });
  ada = service.as(somebody());
  team = await aTeam(ada);
});
beforeEach(async () => {
  workspace = await aWorkspace(ada, team);
  shelf = await anItem(ada, workspace.query, { name: 'Shelf' });
  page = await anItem(ada, workspace.query, { object: 'item', parent: shelf.id });
});
afterAll(() => service.stop());

/** Lists of all kinds: whole, with content, and parts. */
const lists = () => [
  `/collections${workspace.query}`,
  `${workspace.path}/collections?include=content`,
  `/collections${workspace.query}&parent=${shelf.id}`,
  `/collections${workspace.query}&depth=1`,
  `/collections${workspace.query}&limit=1`,
];

const read = (path: string, etag?: string) =>
  etag === undefined ? ada.get(path) : ada.get(path).set('if-none-match', etag);

const tagOf = async (path: string): Promise<string> => {
  const { status, headers } = await read(path);
  expect(status).toBe(200);
  return headers.etag as string;
};

describe('GET /collections: ETag', () => {
  test('is strong, of this very query, and the same while nothing changes', async () => {
    const tags = new Set<string>();
    for (const path of lists()) {
      const tag = await tagOf(path);
      expect(tag).toMatch(/^"[^"]+"$/);
      expect(await tagOf(path)).toBe(tag);
      tags.add(tag);
    }
    expect(tags.size).toBe(lists().length);
    expect(await tagOf(`${workspace.path}/collections`)).toBe(await tagOf(lists()[0] as string));
  });

  test('304 without a body for If-None-Match, 200 for another one', async () => {
    const [other = ''] = lists();
    for (const path of lists()) {
      const etag = await tagOf(path);
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const { status, text, headers } = await read(path, tags);
        expect([status, text, headers.etag]).toEqual([304, '', etag]);
      }
      expect((await read(path, '"x"')).status).toBe(200);
      if (path !== other) expect((await read(path, await tagOf(other))).status).toBe(200);
    }
  });

  test.each<[string, () => PromiseLike<{ status: number }>]>([
    ['createCollection', () => ada.post(`/collections${workspace.query}`, {})],
    ['createCollections', () => ada.post(`/collections/batch${workspace.query}`, { items: [{}] })],
    [
      'reorderItem',
      () =>
        ada.post(`/collections/reorder${workspace.query}`, {
          id: page.id,
          index: 0,
          newParent: null,
        }),
    ],
    [
      'orderCollections',
      () =>
        ada.put(`/collections/order${workspace.query}`, {
          parent: null,
          children: [page.id, shelf.id],
        }),
    ],
    ['a rename', () => ada.put(`/collections/${page.id}`, { name: 'Renamed' })],
    ['a save of a page', () => ada.put(`/collections/${page.id}`, { content: { x: 1 } })],
    ['a move by update', () => ada.put(`/collections/${page.id}`, { parent: null })],
    ['deleteCollection', () => ada.delete(`/collections/${page.id}`)],
  ])('changes with %s, and the list is read anew', async (_, write) => {
    const before = new Map<string, string>();
    for (const path of lists()) before.set(path, await tagOf(path));
    expect((await write()).status).toBe(200);
    for (const [path, etag] of before) {
      const { status, headers } = await read(path, etag);
      expect(status).toBe(200);
      expect(headers.etag).not.toBe(etag);
      expect((await read(path, headers.etag as string)).status).toBe(304);
    }
  });

  test('stays where a write was refused, or was in another workspace', async () => {
    const before = await Promise.all(lists().map(tagOf));
    const path = `/collections${workspace.query}`;
    expect((await ada.post(path, { parent: page.id })).status).toBe(422);
    const move = { id: page.id, index: 0, parent: null };
    expect((await ada.post(`/collections/reorder${workspace.query}`, move)).status).toBe(409);
    const other = await aWorkspace(ada, team);
    await anItem(ada, other.query);
    expect(await Promise.all(lists().map(tagOf))).toEqual(before);
  });

  test('two workspaces with the same tree have different ones', async () => {
    const [one, two] = [await aWorkspace(ada, team), await aWorkspace(ada, team)];
    expect(await tagOf(`/collections${one.query}`)).not.toBe(
      await tagOf(`/collections${two.query}`),
    );
  });

  test('a current one opens nothing: 403 and 404 come first', async () => {
    const [path = ''] = lists();
    const etag = await tagOf(path);
    const ask = (caller: Caller) => caller.get(path).set('if-none-match', etag);
    expect((await ask(service.as(somebody()))).status).toBe(403);
    const person = await aMember(service, team, 'guest');
    expect((await ask(service.as(person))).status).toBe(404);
    await giveRole(service, workspace.id, person, 'reader');
    expect((await ask(service.as(person))).status).toBe(304);
  });
});

test('the next list of a cursor has an ETag, too', async () => {
  await ok(ada.post(`/collections/batch${workspace.query}`, { items: [{}, {}] }));
  const first = await ada.get(`/collections${workspace.query}&limit=1`);
  const next = new URL(/<(.+)>/.exec(first.headers.link as string)?.[1] ?? '');
  const path = next.pathname + next.search;
  const second = await ada.get(path);
  expect(second.headers.etag).not.toBe(first.headers.etag);
  expect((await read(path, second.headers.etag as string)).status).toBe(304);
  await anItem(ada, workspace.query);
  expect((await read(path, second.headers.etag as string)).status).toBe(200);
});
