import fc from 'fast-check';
import { somebody } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, bytes } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, pagesOf, putRows } from '../../support/tree.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
});

/** A with B with page P, and page Q. */
async function aTree() {
  const { query } = at.workspace;
  const a = await anItem(at.ada, query, { name: 'A' });
  const b = await anItem(at.ada, query, { name: 'B', parent: a.id });
  const p = await anItem(at.ada, query, {
    name: 'P',
    parent: b.id,
    object: 'item',
    content: { x: 1 },
  });
  const q = await anItem(at.ada, query, { name: 'Q', object: 'item' });
  return { a, b, p, q };
}

const list = (options = ''): Promise<ItemBody[]> => theTree(at.ada, `${at.query}${options}`);

describe('GET /collections', () => {
  test('200 and [] for an empty workspace', async () => {
    expect(await theTree(at.ada, at.query)).toEqual([]);
  });

  test('200 with the whole tree nested, without content', async () => {
    const { a, b, p, q } = await aTree();
    const tree = await theTree(at.ada, at.query);
    expect(tree).toMatchObject([
      { id: a.id, children: [{ id: b.id, parent: a.id, children: [{ id: p.id, parent: b.id }] }] },
      { id: q.id },
    ]);
    expect(tree[0]).not.toHaveProperty('parent');
    expect(tree[1]).not.toHaveProperty('children');
    expect(JSON.stringify(tree)).not.toContain('"content"');
    expect(await ok(at.ada.get(`${at.workspace.path}/collections`))).toEqual(tree);
  });

  test('200 with content where it is asked for', async () => {
    await aTree();
    const tree = await ok<ItemBody[]>(at.ada.get(`/collections${at.query}&include=content`));
    expect(tree).toMatchObject([
      { content: {}, children: [{ content: {}, children: [{ content: { x: 1 } }] }] },
      { content: {} },
    ]);
  });

  test('200 from a parent on, and cut at a depth', async () => {
    const { a, b, p } = await aTree();
    expect(await list(`&parent=${a.id}`)).toMatchObject([{ id: b.id, children: [{ id: p.id }] }]);
    expect(await list(`&parent=${b.id}`)).toMatchObject([{ id: p.id }]);
    expect(await list('&parent=')).toEqual(await list());
    const cut = await list('&depth=1');
    expect(cut).toHaveLength(2);
    expect(cut[0]).not.toHaveProperty('children');
    const two = await list('&depth=2');
    expect(two[0]?.children?.[0]).not.toHaveProperty('children');
    expect((await list(`&parent=${a.id}&depth=1`))[0]).not.toHaveProperty('children');
    const empty = await anItem(at.ada, at.query, { parent: a.id });
    expect(await list(`&parent=${empty.id}`)).toEqual([]);
  });

  test('200 in pages, as the Link header leads: each item once, whole below', async () => {
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.push((await anItem(at.ada, at.query)).id);
    const below = await anItem(at.ada, at.query, { parent: made[2] as string });
    for (const limit of [1, 2, 3, 7, 1000]) {
      const seen: ItemBody[] = [];
      for await (const page of pagesOf(at.ada, `/collections${at.query}&limit=${limit}`)) {
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page);
      }
      expect(idsOf(seen)).toEqual(made);
      expect(seen[2]?.children).toMatchObject([{ id: below.id }]);
    }
  });

  test('200 with all items of a part of the tree, however many they are', async () => {
    const { id } = await anItem(at.ada, at.query, { name: 'Shelf' });
    const names = Array.from({ length: 102 }, (_, n) => `${n}`);
    const add = (some: string[]) =>
      ok(
        at.ada.post(`/collections/batch${at.query}`, {
          parent: id,
          items: some.map((name) => ({ name, object: 'item' })),
        }),
      );
    await add(names.slice(0, 99));
    for (const count of [99, 100, 101]) {
      const shown = names.slice(0, count);
      expect((await list(`&parent=${id}`)).map(({ name }) => name)).toEqual(shown);
      expect((await list('&depth=2'))[0]?.children).toHaveLength(count);
      const paged: string[] = [];
      for await (const page of pagesOf(at.ada, `/collections${at.query}&parent=${id}&limit=100`)) {
        paged.push(...page.map(({ name }) => name));
      }
      expect(paged).toEqual(shown);
      await add(names.slice(count, count + 1));
    }
  });

  test('400 for options that are wrong', async () => {
    const wrong = await offenders(
      [
        ['limit=0', 'limit must be a whole number from 1 to 1000'],
        ['limit=1001', 'limit must be a whole number from 1 to 1000'],
        ['limit=x', 'limit must be'],
        ['limit=1&limit=2', 'limit must be given once'],
        ['depth=0', 'depth must be a whole number from 1'],
        ['depth=1.5', 'depth must be a whole number from 1'],
        ['include=children', 'include must be content'],
        ['cursor=x', 'cursor must come from a Link header'],
        ['team_slug=other', 'team_slug'],
      ],
      async ([option, says]) => {
        const answer = await at.ada.get(`/collections${at.query}&${option}`);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('400 at the long path for a query that names another place', async () => {
    const path = `${at.workspace.path}/collections`;
    const { slug } = at.workspace;
    for (const name of ['team_slug', 'workspace_slug']) {
      const { status, body } = await at.ada.get(`${path}?${name}=other`);
      expect([status, body]).toEqual([400, error('bad_request', `${name} in the query must be`)]);
    }
    await ok(at.ada.get(`${path}?team_slug=${at.team}&workspace_slug=${slug}`));
  });

  test('400 for the cursor of another list', async () => {
    const { a } = await aTree();
    await anItem(at.ada, at.query, { parent: a.id });
    const other = await aWorkspace(at.ada, at.team);
    for (const query of [at.query, other.query]) {
      for (let n = 0; n < 3; n++) await anItem(at.ada, query);
    }
    const cursorOf = async (query: string) => {
      const { headers } = await at.ada.get(`/collections${query}&limit=1`);
      return /cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
    };
    const top = await cursorOf(at.query);
    const below = await cursorOf(`${at.query}&parent=${a.id}`);
    for (const option of [
      `&cursor=${await cursorOf(other.query)}`,
      `&cursor=${below}`,
      `&cursor=${top}&parent=${a.id}`,
    ]) {
      const answer = await at.ada.get(`/collections${at.query}${option}`);
      expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'cursor')]);
    }
    expect(await list(`&cursor=${below}&parent=${a.id}`)).toHaveLength(1);
  });

  test('400 for a cursor from before the positions of siblings were spread anew', async () => {
    const rows = Array.from({ length: 3 }, () => ({ object: 'item' as const }));
    const ids = await putRows(at.databaseUrl, at.workspace.id, rows);
    const { headers } = await at.ada.get(`/collections${at.query}&limit=1`);
    const cursor = /cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
    expect(idsOf(await list(`&cursor=${cursor}`))).toEqual(ids.slice(1));
    // So long a position leaves no room after it.
    const crowd = `UPDATE collections SET position = repeat('z', 61) || 'V' WHERE id = $1`;
    await sql(at.databaseUrl, crowd, [ids[2]]);
    const { id } = await anItem(at.ada, at.query);
    expect(idsOf(await list())).toEqual([...ids, id]);
    const answer = await at.ada.get(`/collections${at.query}&cursor=${cursor}`);
    expect([answer.status, answer.body]).toEqual([
      400,
      error('bad_request', 'cursor has expired, since the list was rearranged: start again'),
    ]);
  });

  test('200 for any depth past the tree', async () => {
    const { a } = await aTree();
    expect(everyItem(await list('&depth=99999999999')).map(({ id }) => id)).toContain(a.id);
  });

  test('404 for an unknown parent, 422 for a page as one', async () => {
    const { p } = await aTree();
    for (const parent of ['x', '01890000-0000-7000-8000-000000000000', '%00']) {
      expect((await at.ada.get(`/collections${at.query}&parent=${parent}`)).status).toBe(404);
    }
    expect((await at.ada.get(`/collections${at.query}&parent=${p.id}`)).status).toBe(422);
  });

  test('404 for a parent in another workspace of the team', async () => {
    const other = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const secret = await anItem(at.ada, other.query, { name: 'Secret' });
    await anItem(at.ada, other.query, { parent: secret.id });
    for (const more of ['', '&include=content', '&depth=1', '&limit=1']) {
      const path = `/collections${at.query}&parent=${secret.id}${more}`;
      expect((await at.ada.get(path)).status).toBe(404);
      expect((await at.ada.get(path).set('if-none-match', '*')).status).toBe(404);
    }
  });

  test('403 for others, 404 for no workspace', async () => {
    expect((await at.as(somebody()).get(`/collections${at.query}`)).status).toBe(403);
    expect((await at.ada.get(`/collections${at.query}x`)).status).toBe(404);
  });
});

describe('GET /collections/{id}', () => {
  test('200 with content and direct children, and without naming a workspace', async () => {
    const { a, b, p } = await aTree();
    const single = await ok<ItemBody>(at.ada.get(`/collections/${a.id}`));
    expect(single).toMatchObject({ content: {}, children: [{ id: b.id }] });
    expect(single.children?.[0]).not.toHaveProperty('children');
    expect(await ok(at.ada.get(`/collections/${p.id}`))).toMatchObject({ content: { x: 1 } });
  });

  test('304 for If-None-Match while nothing changed, 200 after', async () => {
    const { a, b } = await aTree();
    const first = await at.ada.get(`/collections/${a.id}`);
    const { etag } = first.headers as { etag: string };
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await at.ada.get(`/collections/${a.id}`).set('if-none-match', tags);
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    }
    const put = await at.ada.put(`/collections/${b.id}`, { name: 'Renamed' });
    const changed = await at.ada.get(`/collections/${a.id}`).set('if-none-match', etag);
    expect(changed.status).toBe(200);
    const child = await at.ada.get(`/collections/${b.id}`);
    expect(child.headers.etag).toBe(put.headers.etag);
  });

  test('400 where teamId contradicts team_slug, 404 where the place does not hold the item', async () => {
    const { a } = await aTree();
    const { _id } = await ok<{ _id: string }>(at.ada.get(`/teams/${at.team}`));
    const other = await aTeam(at.ada);
    const otherId = (await ok<{ _id: string }>(at.ada.get(`/teams/${other}`)))._id;
    const status = async (query: string) =>
      (await at.ada.get(`/collections/${a.id}${query}`)).status;
    expect(await status(`?team_slug=${at.team}&teamId=${_id}`)).toBe(200);
    expect(await status(`?team_slug=${at.team}&teamId=${otherId}`)).toBe(400);
    expect(await status(`?team_slug=${other}&teamId=${_id}`)).toBe(400);
    expect(await status(`?team_slug=${other}&teamId=${otherId}`)).toBe(404);
    expect(await status(`?workspace_slug=x`)).toBe(404);
    expect(await status(`?team_slug=${other}`)).toBe(404);
    expect(await status(`?teamId=${otherId}`)).toBe(404);
    expect(await status(`?teamId=${_id}&workspace_slug=${at.workspace.slug}`)).toBe(200);
    // Whoever may not know of the item is not told of the contradiction, as if there were none.
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    const eve = await aMember(at, at.team, 'member');
    const hidden = [a.id, 'absent'].map((id) =>
      eve.get(`/collections/${id}?team_slug=${at.team}&teamId=${otherId}`),
    );
    const [one, absent] = (await Promise.all(hidden)).map(bytes);
    expect([one, (await eve.get('/collections/absent')).status]).toEqual([absent, 404]);
  });

  test('403 for others, 404 for no item', async () => {
    const { a } = await aTree();
    expect((await at.as(somebody()).get(`/collections/${a.id}`)).status).toBe(403);
    expect((await at.ada.get('/collections/x')).status).toBe(404);
  });
});

describe('the content of a page', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  const write = (content: string) =>
    at.ada
      .post(`/collections${at.query}`)
      .set('content-type', 'application/json')
      .send(`{"object":"item","content":${content}}`);

  test('comes back equal in value, whatever the JSON', async () => {
    const key = fc.oneof(
      fc.constantFrom('constructor', 'prototype', '__proto__', 'toString', ''),
      fc.string({ unit: 'binary' }).filter((s) => s.isWellFormed() && !s.includes('\0')),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        key,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, value, { maxKeys: 5 }), async (content) => {
        const text = JSON.stringify(content);
        const page = await ok<{ id: string }>(write(text));
        const read = await at.ada.get(`/collections/${page.id}`);
        expect(JSON.parse(read.text).content).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  test('is as deep and large as it may be', async () => {
    const wrong = await offenders(
      [
        ['64 levels', nested(64), 200],
        ['65 levels', nested(65), 400],
        ['1 MiB', `{"t":"${'x'.repeat(1024 * 1024 - 8)}"}`, 200],
        ['1 MiB and a byte', `{"t":"${'x'.repeat(1024 * 1024 - 7)}"}`, 400],
        ['an infinite number', '{"a":1e400}', 400],
        ['a large double', '{"a":1e300, "b":123456789012345680000, "c":0.1, "d":1.0e2}', 200],
        ['digits in a string', '{"a":"12345678901234567890"}', 200],
        ['NUL in a value', '{"a":"\\u0000"}', 400],
        ['NUL in a key', '{"\\u0000":1}', 400],
        ['a lone surrogate', '{"a":["\\udc00"]}', 400],
      ],
      async ([, content, status]) => {
        const answer = await write(content);
        expect(answer.status).toBe(status);
        if (status === 400) expect(answer.body).toEqual(error('bad_request', 'content'));
        else expect(JSON.parse(answer.text).content).toEqual(JSON.parse(content));
      },
    );
    expect(wrong).toEqual([]);
  });

  test('keeps its numbers to the letter', async () => {
    const wrong = await offenders(
      [
        '{"a":12345678901234567890,"pi":[3.14159265358979323846]}',
        '{"zero":-0,"small":1e-400,"large":1e300,"text":"1e400 \\"{-0}"}',
        '{"z":1,"a":{"content":-0.0}}',
      ],
      async (content) => {
        const page = await ok<{ id: string }>(write(content));
        const read = await at.ada.get(`/collections/${page.id}`);
        expect(read.text).toContain(`"content":${content}`);
        const other = `{"name":"x","content": ${content.replaceAll(',', ' ,\n')}}`;
        const put = at.ada.put(`/collections/${page.id}`).set('content-type', 'application/json');
        expect((await put.send(other)).text).toContain(`"content":${content}`);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('70,000 keys are read without trouble', async () => {
    const keys = Array.from({ length: 70_000 }, (_, i) => `"k${i}":1`).join(',');
    expect((await write(`{${keys}}`)).status).toBe(200);
  });
});

describe('one item, by slug and with its ancestors', () => {
  const create = (body: object) => anItem(at.ada, at.query, body);

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
          `/collections/by-slug/${meta.slug}${at.query}`,
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
      const path = `/collections/by-slug/guides${at.query}`;
      expect(meta.slug).toBe('guides');
      expect(await ok(at.ada.get(path))).toMatchObject({ id, name: 'Other' });
    });

    test('400 without a workspace, 404 for a slug that is not there, or in another workspace', async () => {
      const { meta } = await create({ name: 'Guides' });
      expect((await at.ada.get(`/collections/by-slug/${meta.slug}`)).status).toBe(400);
      const other = await aWorkspace(at.ada, at.team);
      const long = 'x'.repeat(300);
      for (const [slug, query] of [
        ['guidesx', at.query],
        ['GUIDES', at.query],
        ['%00', at.query],
        [long, at.query],
        ['%F0%9F%8C%B3', at.query],
        [meta.slug, other.query],
      ]) {
        const answer = await at.ada.get(`/collections/by-slug/${slug}${query}`);
        expect([answer.status, answer.body]).toEqual([404, error('not_found')]);
      }
    });

    test('403 for strangers; a private workspace is the same 404 as none, byte for byte', async () => {
      const { meta } = await create({ name: 'Guides' });
      const short = (slug: string, query = at.query) => `/collections/by-slug/${slug}${query}`;
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
      `/collections/${id}${at.query}&include=ancestors`,
      `${at.workspace.path}/collections/${id}?include=ancestors`,
      `/collections/by-slug/${meta.slug}${at.query}&include=ancestors`,
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

    test('200 with all of 101 children, too', async () => {
      const outer = await create({ name: 'Outer' });
      const shelf = await create({ name: 'Shelf', parent: outer.id });
      const items = Array.from({ length: 101 }, (_, n) => ({ name: `${n}` }));
      await ok(at.ada.post(`/collections/batch${at.query}`, { parent: shelf.id, items }));
      for (const path of paths(shelf)) {
        const read = await ok<ItemBody>(at.ada.get(path));
        expect(read.children?.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
        expect(read).toMatchObject({ ancestors: [ancestor(outer)] });
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
      await ok(at.ada.post(`/collections/reorder${at.query}`, place));
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
      expect((await rename('Two', `W/${await tagOf(page)}`)).status).toBe(200);
      const place = { id: page.id, index: 0 };
      const reorder = (etag: string) =>
        at.ada.post(`/collections/reorder${at.query}`, place).set('if-match', etag);
      const second = await tagOf(page);
      expect((await reorder(second)).status).toBe(200);
      expect((await reorder(second)).status).toBe(409);
      const order = (etag: string) =>
        at.ada
          .put(`/collections/order${at.query}`, { parent: shelf.id, children: [page.id] })
          .set('if-match', etag);
      expect((await order(await tagOf(shelf))).status).toBe(200);
      expect((await order(first)).status).toBe(409);
      const remove = (etag: string) =>
        at.ada.delete(`/collections/${page.id}`).set('if-match', etag);
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
});
