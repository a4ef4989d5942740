import { type Caller, somebody } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { aMember, giveRole } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  once: 'team',
  each: 'workspace',
});
let shelf: ItemBody;
let page: ItemBody;
beforeEach(async () => {
  shelf = await anItem(at.ada, at.query, { name: 'Shelf' });
  page = await anItem(at.ada, at.query, { object: 'item', parent: shelf.id });
});

/** Lists of all kinds: whole, with content, and parts. */
const lists = () => [
  `/collections${at.workspace.query}`,
  `${at.workspace.path}/collections?include=content`,
  `/collections${at.workspace.query}&parent=${shelf.id}`,
  `/collections${at.workspace.query}&depth=1`,
  `/collections${at.workspace.query}&limit=1`,
];

const read = (path: string, etag?: string) =>
  etag === undefined ? at.ada.get(path) : at.ada.get(path).set('if-none-match', etag);

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
    expect(await tagOf(`${at.workspace.path}/collections`)).toBe(await tagOf(lists()[0] as string));
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
    ['createCollection', () => at.ada.post(`/collections${at.workspace.query}`, {})],
    [
      'createCollections',
      () => at.ada.post(`/collections/batch${at.workspace.query}`, { items: [{}] }),
    ],
    [
      'reorderItem',
      () =>
        at.ada.post(`/collections/reorder${at.workspace.query}`, {
          id: page.id,
          index: 0,
          newParent: null,
        }),
    ],
    [
      'orderCollections',
      () =>
        at.ada.put(`/collections/order${at.workspace.query}`, {
          parent: null,
          children: [page.id, shelf.id],
        }),
    ],
    ['a rename', () => at.ada.put(`/collections/${page.id}`, { name: 'Renamed' })],
    ['a save of a page', () => at.ada.put(`/collections/${page.id}`, { content: { x: 1 } })],
    ['a move by update', () => at.ada.put(`/collections/${page.id}`, { parent: null })],
    ['deleteCollection', () => at.ada.delete(`/collections/${page.id}`)],
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
    const path = `/collections${at.workspace.query}`;
    expect((await at.ada.post(path, { parent: page.id })).status).toBe(422);
    const move = { id: page.id, index: 0, parent: null };
    expect((await at.ada.post(`/collections/reorder${at.workspace.query}`, move)).status).toBe(409);
    const other = await aWorkspace(at.ada, at.team);
    await anItem(at.ada, other.query);
    expect(await Promise.all(lists().map(tagOf))).toEqual(before);
  });

  test('two workspaces with the same tree have different ones', async () => {
    const [one, two] = [await aWorkspace(at.ada, at.team), await aWorkspace(at.ada, at.team)];
    expect(await tagOf(`/collections${one.query}`)).not.toBe(
      await tagOf(`/collections${two.query}`),
    );
  });

  test('a current one opens nothing: 403 and 404 come first', async () => {
    const [path = ''] = lists();
    const etag = await tagOf(path);
    const ask = (caller: Caller) => caller.get(path).set('if-none-match', etag);
    expect((await ask(at.as(somebody()))).status).toBe(403);
    const person = await aMember(at, at.team, 'guest');
    expect((await ask(person)).status).toBe(404);
    await giveRole(at, at.workspace.id, person, 'reader');
    expect((await ask(person)).status).toBe(304);
  });
});

test('the next list of a cursor has an ETag, too', async () => {
  await ok(at.ada.post(`/collections/batch${at.workspace.query}`, { items: [{}, {}] }));
  const first = await at.ada.get(`/collections${at.workspace.query}&limit=1`);
  const next = new URL(/<(.+)>/.exec(first.headers.link as string)?.[1] ?? '');
  const path = next.pathname + next.search;
  const second = await at.ada.get(path);
  expect(second.headers.etag).not.toBe(first.headers.etag);
  expect((await read(path, second.headers.etag as string)).status).toBe(304);
  await anItem(at.ada, at.workspace.query);
  expect((await read(path, second.headers.etag as string)).status).toBe(200);
});
