import { somebody } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, bytes } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
});

/** Every kind of character that a key may have, and as long as it may be. */
const ODD = 'ü/😀 "\\\u2028%_\u{1F600}#?&+';
const LONG = '😀'.repeat(512);

const byKey = (key: string, query = at.query): string =>
  `/collections/by-key${query}&key=${encodeURIComponent(key)}`;

const taken = (place = '') => ({
  error: expect.objectContaining({
    code: 'conflict',
    message: `${place}key is taken: another item of the workspace has it`,
  }),
});

describe('a key', () => {
  test('is shown by creates, reads, lists, parents, searches and the feed, where it is set', async () => {
    const parent = await anItem(at.ada, at.query, { name: 'Guides', key: ODD });
    const page = await anItem(at.ada, at.query, { object: 'item', parent: parent.id, key: LONG });
    const plain = await anItem(at.ada, at.query);
    expect([parent.key, page.key, 'key' in plain]).toEqual([ODD, LONG, false]);
    const [first, second] = await theTree(at.ada, at.query);
    expect([first?.key, first?.children?.[0]?.key, second && 'key' in second]).toEqual([
      ...[ODD, LONG, false],
    ]);
    const read = await ok<ItemBody>(at.ada.get(`/collections/${parent.id}`));
    expect([read.key, read.children?.[0]?.key]).toEqual([ODD, LONG]);
    const found = await ok<ItemBody[]>(at.ada.get(`/collections/search${at.query}&q=guides`));
    expect(found[0]?.key).toBe(ODD);
    const feed = await ok<{ changes: { item: ItemBody }[] }>(
      at.ada.get(`/collections/changes${at.query}`),
    );
    const keys = new Map(feed.changes.map(({ item }) => [item.id, item.key]));
    expect(keys).toEqual(
      new Map([
        [parent.id, ODD],
        [page.id, LONG],
        [plain.id, undefined],
      ]),
    );
  });

  test('is set, kept and taken away by updates, each one change and a new ETag', async () => {
    const { id } = await anItem(at.ada, at.query, { object: 'item', content: { x: 1 } });
    const before = (await at.ada.get(`/collections/${id}`)).headers.etag;
    const set = await at.ada.put(`/collections/${id}`, { key: 'a' });
    expect([set.status, set.body]).toEqual([
      200,
      expect.objectContaining({ key: 'a', content: { x: 1 } }),
    ]);
    expect(set.headers.etag).not.toBe(before);
    expect(await ok(at.ada.put(`/collections/${id}`, { name: 'N' }))).toMatchObject({ key: 'a' });
    const moved = { id, index: 0 };
    await ok(at.ada.post(`/collections/reorder${at.query}`, moved));
    const patch = [{ op: 'add', path: '/y', value: 2 }];
    expect(await ok(at.ada.patch(`/collections/${id}/content`, patch))).toMatchObject({ key: 'a' });
    expect(await ok(at.ada.put(`/collections/${id}`, { key: 'a' }))).toMatchObject({ key: 'a' });
    const cleared = await ok<ItemBody>(at.ada.put(`/collections/${id}`, { key: null }));
    expect(cleared).not.toHaveProperty('key');
    await ok(at.ada.put(`/collections/${id}`, { key: null }));
    expect(await anItem(at.ada, at.query, { key: 'a' })).toMatchObject({ key: 'a' });
  });

  test('of a batch belongs to its items, at every level', async () => {
    const items = [{ key: 'a', children: [{ key: 'b', object: 'item' }, {}] }];
    const [made] = await ok<ItemBody[]>(at.ada.post(`/collections/batch${at.query}`, { items }));
    expect([made?.key, made?.children?.map(({ key }) => key)]).toEqual(['a', ['b', undefined]]);
  });

  test('stays in its workspace: another one may have it, too', async () => {
    const other = await aWorkspace(at.ada, at.team);
    await anItem(at.ada, at.query, { key: 'a' });
    await anItem(at.ada, other.query, { key: 'a' });
    await anItem(at.ada, at.query, { key: 'A' });
    await anItem(at.ada, at.query, { key: 'a ' });
    await anItem(at.ada, at.query, { key: '\u00e9' });
    await anItem(at.ada, at.query, { key: 'e\u0301' });
  });

  test('400 without a character, with too many, with control characters, and null on create', async () => {
    const { id } = await anItem(at.ada, at.query);
    const cases: [unknown, string][] = [
      ['', 'must be 1 to 512 characters'],
      ['x'.repeat(513), 'must be 1 to 512 characters'],
      ['a\nb', 'must not contain control characters'],
      ['\u007f', 'must not contain control characters'],
      ['\u0085', 'must not contain control characters'],
      ['\ud800', 'must be well-formed Unicode, without lone surrogates'],
      [1, 'must be a string of 1 to 512 characters'],
    ];
    for (const [key, problem] of cases) {
      for (const answer of [
        await at.ada.post(`/collections${at.query}`, { key }),
        await at.ada.put(`/collections/${id}`, { key }),
      ]) {
        expect([answer.status, answer.body.error.message]).toEqual([400, `key ${problem}`]);
      }
    }
    expect((await at.ada.post(`/collections${at.query}`, { key: null })).status).toBe(400);
  });

  test('409 where it is taken, also twice in a batch; nothing is made', async () => {
    const { id } = await anItem(at.ada, at.query, { key: 'a' });
    const other = await anItem(at.ada, at.query);
    const batch = (...items: object[]) => at.ada.post(`/collections/batch${at.query}`, { items });
    for (const [answer, place] of [
      [await at.ada.post(`/collections${at.query}`, { key: 'a' }), ''],
      [await at.ada.put(`/collections/${other.id}`, { key: 'a' }), ''],
      [await batch({}, { children: [{ key: 'a' }] }), 'items[1].children[0].'],
      [await batch({ key: 'b' }, { key: 'b' }), 'items[1].'],
    ] as const) {
      expect([answer.status, answer.body]).toEqual([409, taken(place)]);
    }
    const tree = await theTree(at.ada, at.query);
    expect(tree.map((item) => item.id)).toEqual([id, other.id]);
  });

  test('goes to exactly one of many who want it at once', async () => {
    const wants = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? at.ada.post(`/collections${at.query}`, { key: 'a' })
        : anItem(at.ada, at.query).then(({ id }) => at.ada.put(`/collections/${id}`, { key: 'a' })),
    );
    const statuses = (await Promise.all(wants)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test('may change hands within what is committed together', async () => {
    const { id } = await anItem(at.ada, at.query, { key: 'a' });
    for (let round = 0; round < 20; round++) {
      const others = Array.from({ length: 5 }, () => at.ada.post(`/collections${at.query}`, {}));
      const [cleared, made] = await Promise.all([
        at.ada.put(`/collections/${id}`, { key: null }),
        at.ada.post(`/collections${at.query}`, { key: 'a' }),
        ...others,
      ]);
      expect([cleared.status, [200, 409].includes(made.status)]).toEqual([200, true]);
      if (made.status === 200) {
        await ok(at.ada.put(`/collections/${made.body.id}`, { key: null }));
      }
      await ok(at.ada.put(`/collections/${id}`, { key: 'a' }));
    }
  });
});

describe('GET /collections/by-key', () => {
  test('200 with what getCollection answers, by both forms', async () => {
    for (const key of [ODD, LONG]) {
      const parent = await anItem(at.ada, at.query, { key });
      await anItem(at.ada, at.query, { parent: parent.id });
      const byId = await at.ada.get(`/collections/${parent.id}`);
      const long = `${at.workspace.path}/collections/by-key?key=${encodeURIComponent(key)}`;
      for (const path of [byKey(key), long]) {
        const found = await at.ada.get(path);
        expect([found.status, found.text]).toEqual([200, byId.text]);
        expect(found.headers.etag).toBe(byId.headers.etag);
        const again = await at.ada.get(path).set('if-none-match', found.headers.etag as string);
        expect([again.status, again.text]).toEqual([304, '']);
      }
      const ancestors = await ok<{ ancestors: [] }>(at.ada.get(`${byKey(key)}&include=ancestors`));
      expect(ancestors.ancestors).toEqual([]);
    }
  });

  test('400 without a key or a workspace, 404 for a key that nobody has', async () => {
    const { key } = await anItem(at.ada, at.query, { key: 'a' });
    const other = await aWorkspace(at.ada, at.team);
    expect((await at.ada.get(`/collections/by-key?key=${key}`)).status).toBe(400);
    expect((await at.ada.get(`/collections/by-key${at.query}`)).status).toBe(400);
    for (const path of [byKey('A'), byKey('a', other.query), byKey('a%'), byKey('')]) {
      const answer = await at.ada.get(path);
      const expected = path.endsWith('=') ? [400, error('bad_request')] : [404, error('not_found')];
      expect([answer.status, answer.body]).toEqual(expected);
    }
  });

  test('403 and 404 as for the workspace; a private one is as if it were not there', async () => {
    await anItem(at.ada, at.query, { key: 'a' });
    expect((await at.as(somebody()).get(byKey('a'))).status).toBe(403);
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    const member = await aMember(at, at.team, 'owner');
    const none = `/teams/${at.team}/workspaces/there-is-none/collections/by-key?key=a`;
    const answers = [
      await member.get(none),
      await member.get(byKey('a')),
      await member.get(byKey('not-there')),
    ];
    expect(new Set(answers.map(bytes)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });
});

describe('the key of an item', () => {
  const restore = (id: string) => at.ada.post(`/collections/trash/${id}/restore`, {});

  test('goes to the trash and comes back with it, unless it was taken meanwhile', async () => {
    const parent = await anItem(at.ada, at.query, { key: 'a' });
    await anItem(at.ada, at.query, { parent: parent.id, key: 'b' });
    await ok(at.ada.delete(`/collections/${parent.id}`));
    expect((await at.ada.get(byKey('a'))).status).toBe(404);
    expect(await ok(restore(parent.id))).toMatchObject({ key: 'a', children: [{ key: 'b' }] });
    await ok(at.ada.delete(`/collections/${parent.id}`));
    const taker = await anItem(at.ada, at.query, { key: 'b' });
    const [back] = [await ok<ItemBody>(restore(parent.id))];
    expect([back.key, back.children?.map((child) => 'key' in child)]).toEqual(['a', [false]]);
    expect(await ok(at.ada.get(byKey('b')))).toMatchObject({ id: taker.id });
  });

  test('is not copied', async () => {
    const parent = await anItem(at.ada, at.query, { key: 'a' });
    await anItem(at.ada, at.query, { parent: parent.id, key: 'b' });
    const copy = await ok<ItemBody>(at.ada.post(`/collections/${parent.id}/duplicate`, {}));
    expect(['key' in copy, copy.children?.map((child) => 'key' in child)]).toEqual([
      ...[false, [false]],
    ]);
  });

  test('is transferred, unless it is taken there', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const parent = await anItem(at.ada, at.query, { key: 'a' });
    await anItem(at.ada, at.query, { parent: parent.id, key: 'b' });
    const taker = await anItem(at.ada, other.query, { key: 'b' });
    const transfer = { workspace_slug: other.slug };
    const moved = await ok<ItemBody>(at.ada.post(`/collections/${parent.id}/transfer`, transfer));
    expect([moved.key, moved.children?.map((child) => 'key' in child)]).toEqual(['a', [false]]);
    expect(await ok(at.ada.get(byKey('b', other.query)))).toMatchObject({ id: taker.id });
    expect((await at.ada.get(byKey('a'))).status).toBe(404);
    await anItem(at.ada, at.query, { key: 'a' });
    await anItem(at.ada, at.query, { key: 'b' });
  });

  test('is found in the workspaces of one team only', async () => {
    const team = await aTeam(at.ada);
    const elsewhere = await aWorkspace(at.ada, team);
    await anItem(at.ada, elsewhere.query, { key: 'a' });
    expect((await at.ada.get(byKey('a'))).status).toBe(404);
  });
});
