import { type Caller, somebody } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { aMember, giveRole } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

describe('the JSON of lists', () => {
  const at = scene({ once: 'team', each: 'workspace' });

  const CONTROLS = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join('');

  /** Names that JSON, SQL, HTML or a terminal might take for something else. */
  const NAMES = [
    `"quoted", 'single', \\back\\`,
    `x${CONTROLS}`,
    '\u007f\u0080\u0085\u009f\u00ad',
    'lines\u2028and\u2029paragraphs',
    '🌳👩‍👩‍👧‍👦🏳️‍🌈\u{10ffff}\u{1d306}',
    '\ufeff\ufffe\uffff\ufffd',
    '\u202eright to left\u2066',
    'é and e\u0301, ﬀ, ẞ, İ',
    '</script><!-- & -->',
    '{"id":"x"}, $1 %s \\u0041 \\n',
    "'); DROP TABLE collections; --",
    '   leading and trailing   ',
  ];

  /** The JSON of each item that is a part of `text`, by id; content and children left out. */
  function bare(text: string, tail: string): Map<string, string> {
    const found = new Map<string, string>();
    for (const part of text.split('{"id":"').slice(1)) {
      const end = part.indexOf('"updatedAt":"');
      expect(end).toBeGreaterThan(0);
      found.set(part.slice(0, 36), part.slice(0, part.indexOf('Z"', end) + 2));
    }
    expect(text).toContain(tail);
    return found;
  }

  test('lists write an item as a single read does, to the letter, whatever its name', async () => {
    const children = NAMES.map((name) => ({ name, object: 'item', content: { name } }));
    const items = NAMES.map((name, n) => ({ name, children: n === 0 ? children : [] }));
    const batch = await at.ada.post(`/collections/batch${at.query}`, { items });
    expect(batch.status).toBe(200);
    const list = await at.ada.get(`/collections${at.query}`);
    // What the service writes itself, and what PostgreSQL writes.
    expect(batch.text).toBe(list.text);
    expect(list.body.map(({ name }: { name: string }) => name)).toEqual(NAMES);

    const part = await at.ada.get(`/collections${at.query}&depth=2`);
    expect(part.text).toBe(list.text);
    const listed = bare(list.text, '"children":[');
    const withContent = await at.ada.get(`/collections${at.query}&include=content`);
    expect(bare(withContent.text, '"content":{')).toEqual(listed);
    expect(listed.size).toBe(2 * NAMES.length);
    for (const [id, json] of listed) {
      const single = await at.ada.get(`/collections/${id}`);
      expect(bare(single.text, '"content":{').get(id)).toBe(json);
      const { name, object, meta, content } = single.body;
      expect(meta.title).toBe(name);
      expect(content).toEqual(object === 'item' ? { name } : {});
    }
  });

  test('content is written in lists as in a single read, to the letter', async () => {
    const content = `{"z":1.50,"a":[{"":"\\u2028\\"\\\\"}],"n":12345678901234567890, "e":{}}`;
    const made = await ok<{ id: string }>(
      at.ada
        .post(`/collections${at.query}`)
        .set('content-type', 'application/json')
        .send(`{"object":"item","content":${content}}`),
    );
    const contentOf = (text: string) => {
      const from = text.indexOf('"content":', text.indexOf(made.id));
      return text.slice(from, text.indexOf('"e":{}}', from) + '"e":{}}'.length);
    };
    const single = contentOf((await at.ada.get(`/collections/${made.id}`)).text);
    expect(single).toContain('12345678901234567890');
    const { text } = await at.ada.get(`/collections${at.query}&include=content`);
    expect(contentOf(text)).toBe(single);
  });

  test('times are written alike, with and without milliseconds, in any year', async () => {
    const times = [
      '1999-12-31T23:59:59.999Z',
      '2024-02-29T00:00:00.000Z',
      '9999-01-01T01:02:03.040Z',
    ];
    for (const time of times) {
      const { id } = await ok<{ id: string }>(
        at.ada.post(`/collections${at.query}`, { name: time }),
      );
      await sql(
        at.databaseUrl,
        'UPDATE collections SET created_at = $2, updated_at = $2 WHERE id = $1',
        [id, time],
      );
      const expected = { createdAt: time, updatedAt: time };
      expect(await ok(at.ada.get(`/collections/${id}`))).toMatchObject(expected);
      // A part, which is not remembered: this change came past the service.
      const part = await ok<{ id: string }[]>(at.ada.get(`/collections${at.query}&depth=1`));
      expect(part.find((item) => item.id === id)).toMatchObject(expected);
    }
  });
});

describe('the ETag of lists', () => {
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
    `/collections${at.query}`,
    `${at.workspace.path}/collections?include=content`,
    `/collections${at.query}&parent=${shelf.id}`,
    `/collections${at.query}&depth=1`,
    `/collections${at.query}&limit=1`,
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
      expect(await tagOf(`${at.workspace.path}/collections`)).toBe(
        await tagOf(lists()[0] as string),
      );
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
      ['createCollection', () => at.ada.post(`/collections${at.query}`, {})],
      [
        'createCollection with an Idempotency-Key',
        () => at.ada.post(`/collections${at.query}`, {}).set('idempotency-key', 'create'),
      ],
      ['createCollections', () => at.ada.post(`/collections/batch${at.query}`, { items: [{}] })],
      [
        'reorderItem',
        () =>
          at.ada.post(`/collections/reorder${at.query}`, {
            id: page.id,
            index: 0,
            newParent: null,
          }),
      ],
      [
        'orderCollections',
        () =>
          at.ada.put(`/collections/order${at.query}`, {
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
      const path = `/collections${at.query}`;
      expect((await at.ada.post(path, { parent: page.id })).status).toBe(422);
      const move = { id: page.id, index: 0, parent: null };
      expect((await at.ada.post(`/collections/reorder${at.query}`, move)).status).toBe(409);
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
    await ok(at.ada.post(`/collections/batch${at.query}`, { items: [{}, {}] }));
    const first = await at.ada.get(`/collections${at.query}&limit=1`);
    const next = new URL(/<(.+)>/.exec(first.headers.link as string)?.[1] ?? '');
    const path = next.pathname + next.search;
    const second = await at.ada.get(path);
    expect(second.headers.etag).not.toBe(first.headers.etag);
    expect((await read(path, second.headers.etag as string)).status).toBe(304);
    await anItem(at.ada, at.query);
    expect((await read(path, second.headers.etag as string)).status).toBe(200);
  });
});
