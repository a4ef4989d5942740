import { somebody } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, bytes } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
});

const create = (body: object) => anItem(at.ada, at.workspace.query, body);

/** A chain of three collections, and a page in the last. */
async function aChain(): Promise<ItemBody[]> {
  const chain: ItemBody[] = [];
  for (const name of ['Guides', 'First "day"', 'Морнинг']) {
    chain.push(await create({ name, parent: chain.at(-1)?.id }));
  }
  chain.push(await create({ name: 'Page', object: 'item', parent: chain.at(-1)?.id }));
  return chain;
}

const ancestor = ({ id, name, meta }: ItemBody) => ({ id, name, slug: meta.slug });

describe('GET /collections/by-slug/{slug}', () => {
  test('200 with what getCollection answers, by both forms', async () => {
    for (const { id, meta } of await aChain()) {
      const byId = await at.ada.get(`/collections/${id}`);
      for (const path of [
        `/collections/by-slug/${meta.slug}${at.workspace.query}`,
        `${at.workspace.path}/collections/by-slug/${meta.slug}`,
      ]) {
        const bySlug = await at.ada.get(path);
        expect([bySlug.status, bySlug.text]).toEqual([200, byId.text]);
        expect(bySlug.headers.etag).toBe(byId.headers.etag);
        const again = await at.ada.get(path).set('if-none-match', bySlug.headers.etag as string);
        expect([again.status, again.text]).toEqual([304, '']);
      }
    }
  });

  test('200 by the first name, whatever the item is called now', async () => {
    const { id, meta } = await create({ name: 'Guides' });
    await ok(at.ada.put(`/collections/${id}`, { name: 'Other' }));
    const path = `/collections/by-slug/guides${at.workspace.query}`;
    expect(meta.slug).toBe('guides');
    expect(await ok(at.ada.get(path))).toMatchObject({ id, name: 'Other' });
  });

  test('400 without a workspace, 404 for a slug that is not there, or in another workspace', async () => {
    const { meta } = await create({ name: 'Guides' });
    expect((await at.ada.get(`/collections/by-slug/${meta.slug}`)).status).toBe(400);
    const other = await aWorkspace(at.ada, at.team);
    const long = 'x'.repeat(300);
    for (const [slug, query] of [
      ['guidesx', at.workspace.query],
      ['GUIDES', at.workspace.query],
      ['%00', at.workspace.query],
      [long, at.workspace.query],
      ['%F0%9F%8C%B3', at.workspace.query],
      [meta.slug, other.query],
    ]) {
      const answer = await at.ada.get(`/collections/by-slug/${slug}${query}`);
      expect([answer.status, answer.body]).toEqual([404, error('not_found')]);
    }
  });

  test('403 for strangers; a private workspace is the same 404 as none, byte for byte', async () => {
    const { meta } = await create({ name: 'Guides' });
    const short = (slug: string, query = at.workspace.query) =>
      `/collections/by-slug/${slug}${query}`;
    expect((await at.as(somebody()).get(short(meta.slug))).status).toBe(403);
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    const member = await aMember(at, at.team, 'owner');
    const none = `/teams/${at.team}/workspaces/there-is-none`;
    const absent = [
      await member.get(short(meta.slug, `?team_slug=${at.team}&workspace_slug=there-is-none`)),
      await member.get(`${none}/collections/by-slug/${meta.slug}`),
    ];
    const hidden = [
      await member.get(short(meta.slug)),
      await member.get(short('not-there-either')),
      await member.get(`${at.workspace.path}/collections/by-slug/${meta.slug}`),
      await member.get(`${at.workspace.path}/collections/by-slug/not-there-either`),
    ];
    expect(absent[0]?.status).toBe(404);
    const all = new Set([...absent, ...hidden].map(bytes));
    expect([...all]).toHaveLength(1);
  });
});

describe('include=ancestors', () => {
  const paths = ({ id, meta }: ItemBody) => [
    `/collections/${id}?include=ancestors`,
    `/collections/${id}${at.workspace.query}&include=ancestors`,
    `${at.workspace.path}/collections/${id}?include=ancestors`,
    `/collections/by-slug/${meta.slug}${at.workspace.query}&include=ancestors`,
    `${at.workspace.path}/collections/by-slug/${meta.slug}?include=ancestors`,
  ];

  test('200 with the collections that an item is in, from the top level down', async () => {
    const chain = await aChain();
    for (const [level, item] of chain.entries()) {
      const expected = chain.slice(0, level).map(ancestor);
      for (const path of paths(item)) {
        expect(await ok(at.ada.get(path))).toMatchObject({ id: item.id, ancestors: expected });
      }
      expect(await ok(at.ada.get(`/collections/${item.id}`))).not.toHaveProperty('ancestors');
    }
  });

  test('the ETag covers them, and only where they are shown', async () => {
    const chain = await aChain();
    const [top, , , page] = chain as [ItemBody, ItemBody, ItemBody, ItemBody];
    const tagsOf = async () => {
      const [plain, ...withAncestors] = await Promise.all(
        [`/collections/${page.id}`, ...paths(page)].map((path) => at.ada.get(path)),
      );
      const tags = new Set(withAncestors.map(({ headers }) => headers.etag));
      expect(tags.size).toBe(1);
      return { plain: plain?.headers.etag, ancestors: [...tags][0] };
    };
    const before = await tagsOf();
    expect(before.plain).not.toBe(before.ancestors);
    await ok(at.ada.put(`/collections/${top.id}`, { name: 'Renamed' }));
    const renamed = await tagsOf();
    expect(renamed.plain).toBe(before.plain);
    expect(renamed.ancestors).not.toBe(before.ancestors);
    const other = await create({ name: 'Other' });
    const place = { id: top.id, index: 0, newParent: other.id };
    await ok(at.ada.post(`/collections/reorder${at.workspace.query}`, place));
    const moved = await tagsOf();
    expect(moved.plain).toBe(before.plain);
    expect(moved.ancestors).not.toBe(renamed.ancestors);
    const [path = ''] = paths(page);
    const current = await at.ada.get(path).set('if-none-match', moved.ancestors as string);
    expect([current.status, current.text]).toEqual([304, '']);
    const stale = await at.ada.get(path).set('if-none-match', renamed.ancestors as string);
    expect(stale.status).toBe(200);
  });

  test('If-Match takes their ETag, and compares the part of the item', async () => {
    const [top, , shelf, page] = (await aChain()) as [ItemBody, ItemBody, ItemBody, ItemBody];
    const tagOf = async ({ id }: ItemBody) =>
      String((await at.ada.get(`/collections/${id}?include=ancestors`)).headers.etag);
    const rename = (name: string, etag: string) =>
      at.ada.put(`/collections/${page.id}`, { name }).set('if-match', etag);
    const first = await tagOf(page);
    await ok(at.ada.put(`/collections/${top.id}`, { name: 'Renamed' }));
    expect(await tagOf(page)).not.toBe(first);
    expect((await rename('One', first)).status).toBe(200);
    expect((await rename('Two', first)).status).toBe(409);
    expect((await rename('Two', `W/${await tagOf(page)}`)).status).toBe(409);
    const place = { id: page.id, index: 0 };
    const reorder = (etag: string) =>
      at.ada.post(`/collections/reorder${at.workspace.query}`, place).set('if-match', etag);
    const second = await tagOf(page);
    expect((await reorder(second)).status).toBe(200);
    expect((await reorder(second)).status).toBe(409);
    const order = (etag: string) =>
      at.ada
        .put(`/collections/order${at.workspace.query}`, { parent: shelf.id, children: [page.id] })
        .set('if-match', etag);
    expect((await order(await tagOf(shelf))).status).toBe(200);
    expect((await order(first)).status).toBe(409);
    const remove = (etag: string) => at.ada.delete(`/collections/${page.id}`).set('if-match', etag);
    expect((await remove(second)).status).toBe(409);
    expect((await remove(await tagOf(page))).status).toBe(200);
  });

  test('400 for anything else', async () => {
    const { id } = await create({});
    for (const include of ['content', 'ancestors,content', '']) {
      const answer = await at.ada.get(`/collections/${id}?include=${include}`);
      expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'include')]);
    }
  });
});
