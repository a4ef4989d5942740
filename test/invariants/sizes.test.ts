import { anItem, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { bytes, someone } from '../support/members.js';
import { scene } from '../support/scene.js';
import { idsOf, pagesOf, putRows, type RowToPut } from '../support/tree.js';

// What is small is read with the caller's access, in one statement; what is not, on its own. Nobody
// sees a difference.
const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
});

/** The addresses of an item. */
const addresses = ({ id, meta }: Pick<ItemBody, 'id' | 'meta'>): string[] => [
  `/collections/${id}?`,
  `/collections/${id}${at.query}&`,
  `${at.workspace.path}/collections/${id}?`,
  `/collections/by-slug/${meta.slug}${at.query}&`,
  `${at.workspace.path}/collections/by-slug/${meta.slug}?`,
];

/** An item as all of its addresses return it: the same body and tag. */
async function read(
  item: Pick<ItemBody, 'id' | 'meta'>,
  options = '',
): Promise<[ItemBody, string]> {
  const answers: Awaited<ReturnType<typeof at.ada.get>>[] = [];
  for (const address of addresses(item)) answers.push(await at.ada.get(`${address}${options}`));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
  const [{ body, headers }] = answers as [(typeof answers)[0]];
  return [body as ItemBody, String(headers.etag)];
}

/** A collection of `count` pages, by SQL. */
async function aShelf(count: number, more: RowToPut[] = []): Promise<[string, string[]]> {
  const pages = Array.from({ length: count }, () => ({ object: 'item' as const, parent: 0 }));
  const rows = [{ object: 'collection' as const }, ...pages, ...more];
  const [shelf = '', ...ids] = await putRows(at.databaseUrl, at.workspace.id, rows);
  return [shelf, ids];
}

/** A write shows what a read shows; of more than 1,000 children none, with a tag of the item alone. */
function expectWritten(
  written: { body: ItemBody; headers: Record<string, string> },
  read: { body: ItemBody; etag: string },
): void {
  const { children = [], ...own } = read.body;
  const isLong = children.length > 1_000;
  expect(written.body).toEqual(isLong ? own : read.body);
  if (!isLong) expect(written.headers.etag).toBe(read.etag);
  else expect(written.headers.etag).toMatch(new RegExp(`^${read.etag.split('-')[0]}-0{64}"$`));
}

describe('GET /collections/{id}, by all of its addresses', () => {
  test.each([65_535, 65_536, 65_537, 1_000_000])('200 with %i bytes of content', async (size) => {
    // Two-byte characters: bytes are counted, not characters.
    const text = 'é'.repeat(Math.floor((size - 8) / 2)) + (size % 2 ? 'x' : '');
    const content = { a: text };
    expect(Buffer.byteLength(JSON.stringify(content))).toBe(size);
    const given = { object: 'item', content, parent: (await anItem(at.ada, at.query)).id };
    const page = await anItem(at.ada, at.query, given);
    const [body, etag] = await read(page);
    expect(body).toEqual({ ...page, content });
    const [withAncestors, tag] = await read(page, 'include=ancestors');
    expect(withAncestors).toEqual({
      ...body,
      ancestors: [expect.objectContaining({ id: given.parent })],
    });
    expect(tag.startsWith(`${etag.slice(0, -1)}.`)).toBe(true);
    const [address = ''] = addresses(page);
    await at.ada.get(address).set('if-none-match', etag).expect(304);
    const { headers } = await at.ada.put(`/collections/${page.id}`, {}).expect(200);
    expect(headers.etag).toBe(etag);
  });

  test.each([0, 1, 99, 100, 101, 1_200])('200 with %i children, in order', async (count) => {
    const [id, ids] = await aShelf(count);
    const shelf = await ok<ItemBody>(at.ada.get(`/collections/${id}`));
    const [body, etag] = await read(shelf);
    expect(idsOf(body.children ?? [])).toEqual(ids);
    expect(body.children).toEqual(await ok(at.ada.get(`/collections${at.query}&parent=${id}`)));
    const updated = await at.ada.put(`/collections/${id}`, {}).expect(200);
    expectWritten(updated, { body, etag });
  });

  test.each([250, 251, 1_200])(
    '200 with %i children: copied, transferred, restored',
    async (count) => {
      const [id, ids] = await aShelf(count);
      const archive = await aWorkspace(at.ada, at.team, { name: 'Archive' });
      /** Sends a write twice under one key: the response shows what a read shows then. */
      const write = async (path: string, given: object = {}): Promise<ItemBody> => {
        const send = () => at.ada.post(path, given).set('idempotency-key', path);
        const { status, headers, body } = await send();
        expect(status).toBe(200);
        const shown = await at.ada.get(`/collections/${(body as ItemBody).id}`).expect(200);
        expectWritten({ headers, body }, { body: shown.body, etag: `${shown.headers.etag}` });
        const replayed = await send();
        expect(replayed.headers['idempotent-replayed']).toBe('true');
        expect(replayed.body).toEqual(body);
        return shown.body as ItemBody;
      };
      const copy = await write(`/collections/${id}/duplicate`);
      expect(copy.children).toHaveLength(count);
      const moved = await write(`/collections/${id}/transfer`, { workspace_slug: archive.slug });
      expect(idsOf(moved.children ?? [])).toEqual(ids);
      await ok(at.ada.delete(`/collections/${id}`));
      const restored = await write(`/collections/trash/${id}/restore`);
      expect(idsOf(restored.children ?? [])).toEqual(ids);
    },
  );

  test('404 and 403 are the same, whatever the size', async () => {
    const [large] = await aShelf(101);
    const { id: small } = await anItem(at.ada, at.query);
    const others = await someone(at);
    for (const path of [`/collections/`, `${at.workspace.path}/collections/`]) {
      const [a, b] = [await others.get(`${path}${large}`), await others.get(`${path}${small}`)];
      expect(a.status).toBe(403);
      expect(bytes(a)).toEqual(bytes(b));
    }
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    const hidden = [large, small, crypto.randomUUID(), 'none'].map((id) =>
      others.get(`/collections/${id}`),
    );
    const [first, ...rest] = (await Promise.all(hidden)).map(bytes);
    for (const other of rest) expect(other).toEqual(first);
  });

  test('200 with the ancestors of the same moment, while the item moves', async () => {
    const [a, b] = [await anItem(at.ada, at.query), await anItem(at.ada, at.query)];
    const { id } = await anItem(at.ada, at.query, { parent: a.id });
    let isOver = false;
    const moves = (async () => {
      for (let n = 1; n <= 40; n++) {
        await ok(at.ada.put(`/collections/${id}`, { parent: (n % 2 ? b : a).id }));
      }
      isOver = true;
    })();
    const parents = new Set<string | undefined>();
    while (!isOver) {
      for (const path of [`/collections/${id}?`, `/collections/${id}${at.query}&`]) {
        const item = await ok<ItemBody & { ancestors: ItemBody[] }>(
          at.ada.get(`${path}include=ancestors`),
        );
        expect(idsOf(item.ancestors)).toEqual([item.parent]);
        parents.add(item.parent);
      }
    }
    await moves;
    expect(parents.size).toBe(2);
  });
});

describe('GET /collections, a part', () => {
  test.each([0, 1, 99, 100, 101, 1_200])(
    '200 with %i items, nested and in order',
    async (count) => {
      const nested = count >= 99 ? 10 : 0;
      const more = Array.from({ length: nested }, () => ({ object: 'item' as const, parent: 1 }));
      // The first page of the shelf becomes a collection of the last ten.
      const rows: RowToPut[] = [
        { object: 'collection' },
        ...Array.from({ length: count - nested }, (_, n) => ({
          object: nested > 0 && n === 0 ? ('collection' as const) : ('item' as const),
          parent: 0,
        })),
        ...more,
      ];
      const [id = ''] = await putRows(at.databaseUrl, at.workspace.id, rows);
      const path = `/collections${at.query}&parent=${id}`;
      const [whole] = await ok<ItemBody[]>(at.ada.get(`/collections${at.query}`));
      expect(await ok(at.ada.get(path))).toEqual(whole?.children);
      const cut = await ok<ItemBody[]>(at.ada.get(`${path}&depth=1`));
      const uncut = (whole?.children ?? []).map(({ children: _, ...item }) => item);
      expect(cut).toEqual(uncut);
      for (const limit of [1, 20, 100, 101, 1000].filter((limit) => count <= 50 * limit)) {
        const pages: ItemBody[] = [];
        for await (const page of pagesOf(at.ada, `${path}&limit=${limit}`)) {
          expect(page.length).toBeLessThanOrEqual(limit);
          pages.push(...page);
        }
        expect(pages).toEqual(whole?.children);
      }
      const tags = [path, path].map(async (part, n) =>
        at.ada.get(part).set(n === 0 ? {} : { 'if-none-match': '"other"' }),
      );
      const [one, two] = await Promise.all(tags);
      expect(one?.headers.etag).toBe(two?.headers.etag);
      expect(one?.text).toBe(two?.text);
    },
  );
});

describe('POST /collections/trash/{id}/restore', () => {
  test.each([0, 1, 250, 251, 1_200])('200 with %i children, in order', async (count) => {
    const [id, ids] = await aShelf(count);
    for (const headers of [{}, { 'idempotency-key': crypto.randomUUID() }]) {
      await ok(at.ada.delete(`/collections/${id}`));
      const restore = () => at.ada.post(`/collections/trash/${id}/restore`, {}).set(headers);
      const restored = await restore().expect(200);
      const now = await at.ada.get(`/collections/${id}`).expect(200);
      expect(idsOf(now.body.children)).toEqual(ids);
      expectWritten(restored, { body: now.body, etag: `${now.headers.etag}` });
      const again = await restore().expect('idempotency-key' in headers ? 200 : 404);
      if (again.status === 200) expect(again.body).toEqual(restored.body);
    }
  });
});
