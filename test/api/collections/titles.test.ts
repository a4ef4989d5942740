import { auditLog, type EntryBody } from '../../support/audit.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import {
  deleteBefore,
  renameBefore,
  restoreBefore,
  transferBefore,
} from '../../support/previous-release.js';
import { scene } from '../../support/scene.js';
import { skipped } from '../../support/skipped.js';
import { sql } from '../../support/sql.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
  verify: true,
});

const LONG = 'How we found out, after three weeks, that the pump was never broken 🚀';
const NAME = 'How we found out, after three we';
/** As long as a title may be, in code points of two UTF-16 units. */
const LONGEST = '🚀'.repeat(255);

type Titled = ItemBody & { meta: { title: string; slug: string } };

const create = (body: object) => anItem(at.ada, at.query, body) as Promise<Titled>;
const read = (id: string) => ok<Titled>(at.ada.get(`/collections/${id}`));
const put = (id: string, body: object) => ok<Titled>(at.ada.put(`/collections/${id}`, body));
const search = (q: string) =>
  ok<(Titled & { ancestors: object[] })[]>(
    at.ada.get(`/collections/search${at.query}&q=${encodeURIComponent(q)}`),
  );
const apply = (...items: object[]) =>
  ok<{ created: number; updated: number; unchanged: number }>(
    at.ada.put(`/collections/apply${at.query}`, { items }),
  );
const version = async () => (await ok<{ version: string }>(at.ada.get(at.workspace.path))).version;

/** NFKC makes 18 characters of each, and a page of the index has no room for all. */
const EXPANDING = '\ufdfa'.repeat(250);

/** The name and the title. */
const of = ({ name, meta }: { name: string; meta: { title?: string } }) => [name, meta.title];

describe('a title', () => {
  test('is shown by creates, reads, lists, parents, the feed and by slug', async () => {
    const parent = await create({ title: LONG });
    const page = await create({
      title: LONGEST,
      name: 'Rockets',
      object: 'item',
      parent: parent.id,
    });
    expect([of(parent), of(page)]).toEqual([
      [NAME, LONG],
      ['Rockets', LONGEST],
    ]);
    expect(parent.meta.slug).toBe('how-we-found-out-after-three-weeks-that-the-pump');
    const slug = `/collections/by-slug/${parent.meta.slug}${at.query}`;
    const reads = [
      await read(parent.id),
      await ok<Titled>(at.ada.get(slug)),
      ...(await theTree(at.ada, at.query)),
      ...(await theTree(at.ada, `${at.query}&include=content`)),
      ...(await theTree(at.ada, `${at.query}&limit=1`)),
    ] as Titled[];
    for (const item of reads) {
      expect([of(item), of(item.children?.[0] as Titled)]).toEqual([of(parent), of(page)]);
    }
    const feed = await ok<{ changes: { item: Titled }[] }>(
      at.ada.get(`/collections/changes${at.query}`),
    );
    expect(feed.changes.map(({ item }) => of(item))).toEqual([of(parent), of(page)]);
  });

  test('of a batch and of a manifest; a difference counts as updated, and what is equal is left alone', async () => {
    const [made] = await ok<Titled[]>(
      at.ada.post(`/collections/batch${at.query}`, {
        items: [{ title: LONG, children: [{ title: 'Inner', object: 'item' }] }],
      }),
    );
    expect([of(made as Titled), of(made?.children?.[0] as Titled)]).toEqual([
      [NAME, LONG],
      ['Inner', 'Inner'],
    ]);
    expect(await apply({ key: 'a', title: LONG })).toMatchObject({ created: 1 });
    const before = await version();
    for (const same of [{ title: LONG }, { name: NAME }, { name: NAME, title: LONG }]) {
      expect(await apply({ key: 'a', ...same })).toMatchObject({ updated: 0, unchanged: 1 });
    }
    expect(await version()).toBe(before);
    const titles: [object, string[]][] = [
      [{ title: `${LONG}!` }, [NAME, `${LONG}!`]],
      [{ name: 'Pump', title: `${LONG}!` }, ['Pump', `${LONG}!`]],
      [{ name: 'Pumps' }, ['Pumps', 'Pumps']],
      [{ name: 'Pumps', title: LONG }, ['Pumps', LONG]],
      [{ name: 'Pumps', title: null }, ['Pumps', 'Pumps']],
      [{ title: 'Pump' }, ['Pump', 'Pump']],
    ];
    for (const [naming, expected] of titles) {
      expect(await apply({ key: 'a', ...naming })).toMatchObject({ updated: 1, unchanged: 0 });
      const item = await ok<Titled>(at.ada.get(`/collections/by-key${at.query}&key=a`));
      expect([of(item), item.meta.slug]).toEqual([
        expected,
        expect.stringMatching(/^how-we-found-out-after-three-weeks/),
      ]);
    }
    const title = `${LONG}, pruned`;
    await apply({ key: 'a', title });
    await ok(
      at.ada.put(`/collections/apply${at.query}`, {
        items: [{ key: 'b', name: 'B' }],
        prune: true,
      }),
    );
    const [{ target }] = (await auditLog(at.ada, at.team, '&action=item.deleted')) as [EntryBody];
    expect(target.name).toBe(title);
  });

  test('is set, kept and taken away by updates, each one change and a new ETag', async () => {
    const { id } = await create({ name: 'Pump', object: 'item' });
    const steps: [object, string[]][] = [
      [{ title: LONG }, [NAME, LONG]],
      [{ content: { x: 1 } }, [NAME, LONG]],
      [{ key: 'k' }, [NAME, LONG]],
      [{ name: NAME }, [NAME, LONG]],
      [{ name: 'Pump', title: LONG }, ['Pump', LONG]],
      [{ parent: null }, ['Pump', LONG]],
      [{ name: 'Pumps' }, ['Pumps', 'Pumps']],
      [{ name: 'Pumps', title: LONG }, ['Pumps', LONG]],
      [{ title: null }, ['Pumps', 'Pumps']],
      [{ title: LONGEST }, ['🚀'.repeat(32), LONGEST]],
    ];
    let { etag } = (await at.ada.get(`/collections/${id}`)).headers;
    for (const [changes, expected] of steps) {
      const updated = await at.ada.put(`/collections/${id}`, changes).set('if-match', `${etag}`);
      expect([updated.status, of(updated.body)]).toEqual([200, expected]);
      expect(updated.headers.etag).not.toBe(etag);
      ({ etag } = updated.headers);
      expect((await at.ada.get(`/collections/${id}`)).headers.etag).toBe(etag);
      expect(of(await read(id))).toEqual(expected);
    }
    const slug = (await read(id)).meta.slug;
    expect(slug).toBe('pump');
  });

  test('is kept by patches, moves, orders and versions', async () => {
    const { id } = await create({ title: LONG, object: 'item', content: { x: 1 } });
    const patch = [{ op: 'add', path: '/y', value: 2 }];
    expect(of(await ok(at.ada.patch(`/collections/${id}/content`, patch)))).toEqual([NAME, LONG]);
    await ok(at.ada.post(`/collections/${id}/versions/1/restore`));
    const parent = await create({});
    await ok(
      at.ada.post(`/collections/reorder${at.query}`, { id, index: 0, newParent: parent.id }),
    );
    await ok(
      at.ada.put(`/collections/order${at.query}`, { parent: null, children: [id, parent.id] }),
    );
    expect(of(await read(id))).toEqual([NAME, LONG]);
  });

  test.each(['post', 'put', 'batch', 'apply', 'duplicate'] as const)(
    '400 for one that is wrong: %s',
    async (by) => {
      const { id } = await create({});
      const send = (title: unknown) =>
        ({
          post: () => at.ada.post(`/collections${at.query}`, { title }),
          put: () => at.ada.put(`/collections/${id}`, { title }),
          batch: () => at.ada.post(`/collections/batch${at.query}`, { items: [{ title }] }),
          apply: () =>
            at.ada.put(`/collections/apply${at.query}`, { items: [{ key: 'k', title }] }),
          duplicate: () => at.ada.post(`/collections/${id}/duplicate`, { title }),
        })[by]();
      const place = by === 'batch' || by === 'apply' ? 'items[0].' : '';
      const wrong: [unknown, string][] = [
        ['', 'must be 1 to 255 characters'],
        [`${LONGEST}!`, 'must be 1 to 255 characters'],
        [' \u3000', 'must not be blank'],
        [7, 'must be a string of 1 to 255 characters'],
        [['a'], 'must be a string of 1 to 255 characters'],
      ];
      for (const [title, problem] of wrong) {
        const { status, body } = await send(title);
        expect([status, body]).toEqual([400, error('bad_request', `${place}title ${problem}`)]);
      }
      for (const title of ['a\0b', 'a\ud800b']) expect((await send(title)).status).toBe(400);
      expect((await send(LONGEST)).status).toBe(200);
    },
  );

  test('400 for an item of a manifest without a name and a title', async () => {
    for (const none of [{}, { title: null }]) {
      const response = at.ada.put(`/collections/apply${at.query}`, {
        items: [{ key: 'k', ...none }],
      });
      const { status, body } = await response;
      expect([status, body]).toEqual([
        400,
        error('bad_request', 'items[0].name or items[0].title is required'),
      ]);
    }
  });

  test('of a copy: that of the original, or its own', async () => {
    const { id } = await create({ title: LONG, name: 'Pump' });
    await create({ title: LONGEST, parent: id });
    const copies: [object, string[], string | RegExp][] = [
      [{}, ['Pump', LONG], /^how-we-found-out-after-three-weeks/],
      [{ name: 'Pump' }, ['Pump', LONG], 'pump'],
      [{ name: 'Copy' }, ['Copy', 'Copy'], 'copy'],
      [
        { title: 'A copy of the whole pump, with its valves' },
        ['A copy of the whole pump, with i', 'A copy of the whole pump, with its valves'],
        'a-copy-of-the-whole-pump-with-its-valves',
      ],
      [{ name: 'Second', title: 'First' }, ['Second', 'First'], 'first'],
      [{ title: null }, ['Pump', 'Pump'], /^how-we-found-out/],
    ];
    for (const [naming, expected, slug] of copies) {
      const copy = await ok<Titled>(at.ada.post(`/collections/${id}/duplicate`, naming));
      expect(of(copy)).toEqual(expected);
      expect(copy.meta.slug).toEqual(expect.stringMatching(slug));
      expect(of(copy.children?.[0] as Titled)).toEqual(['🚀'.repeat(32), LONGEST]);
    }
  });

  test('in the trash, the audit log, ancestors and another workspace', async () => {
    const parent = await create({ title: LONG });
    const content = { x: 0 };
    const page = await create({ title: LONGEST, object: 'item', parent: parent.id, content });
    const plain = await create({ name: 'Plain', parent: parent.id });
    const own = { id: parent.id, name: NAME, slug: parent.meta.slug, meta: parent.meta };
    const inner = await create({ object: 'item', parent: plain.id });
    const { ancestors } = await ok<{ ancestors: object[] }>(
      at.ada.get(`/collections/${inner.id}?include=ancestors`),
    );
    // A title that is the name is not said twice.
    expect(ancestors).toEqual([own, { id: plain.id, name: 'Plain', slug: plain.meta.slug }]);
    expect((await search('🚀'))[0]?.ancestors).toEqual([own]);
    await ok(at.ada.delete(`/collections/${parent.id}`));
    await ok(at.ada.delete(`/collections/${(await create({ name: 'Plain' })).id}`));
    const trash = await ok<{ id: string; name: string; meta?: object }[]>(
      at.ada.get(`/collections/trash${at.query}`),
    );
    expect(trash.map(({ name, meta }) => [name, meta])).toEqual([
      ['Plain', undefined],
      [NAME, parent.meta],
    ]);
    const restored = await ok<Titled>(at.ada.post(`/collections/trash/${parent.id}/restore`));
    expect([of(restored), of(restored.children?.[0] as Titled)]).toEqual([of(parent), of(page)]);
    const { slug } = await aWorkspace(at.ada, at.team);
    const moved = await ok<Titled>(
      at.ada.post(`/collections/${parent.id}/transfer`, { workspace_slug: slug }),
    );
    expect([of(moved), of(await read(page.id))]).toEqual([of(parent), of(page)]);
    await put(page.id, { content: { x: 1 } });
    await ok(at.ada.delete(`/collections/${page.id}/versions`));
    await ok(at.ada.delete(`/collections/${parent.id}`));
    await ok(at.ada.delete(`/collections/trash/${parent.id}`));
    const entries = await auditLog(at.ada, at.team);
    const names = entries
      .filter(({ target }) => [parent.id, page.id].includes(target.id))
      .map(({ action, target }) => [action, target.name]);
    expect(names).toEqual([
      ['item.purged', LONG],
      ['item.deleted', LONG],
      ['item.versionsPurged', LONGEST],
      ['item.transferred', LONG],
      ['item.transferred', LONG],
      ['item.restored', LONG],
      ['item.deleted', LONG],
    ]);
  });
});

describe('search', () => {
  const titlesOf = async (q: string) => (await search(q)).map(({ meta }) => meta.title);

  test('looks at titles, in the order of titles, and not at the names behind them', async () => {
    await create({ title: LONG, name: 'Zebra' });
    await create({ title: 'Pump' });
    await create({ title: 'The pump' });
    expect(await titlesOf('PUMP')).toEqual(['Pump', 'The pump', LONG]);
    expect(await titlesOf('never broken')).toEqual([LONG]);
    expect(await titlesOf('zebra')).toEqual([]);
    const { id } = await create({ title: 'Zebra crossing, with an island in the middle' });
    await put(id, { name: 'Street' });
    expect([await titlesOf('zebra'), await titlesOf('street')]).toEqual([[], ['Street']]);
  });

  test('compares whole titles, of which the index has the beginning', async () => {
    const ends = ['apple', 'banana', 'apple'].map((end, n) => `${EXPANDING}${end.slice(0, 5 - n)}`);
    for (const title of ends) await create({ title });
    const blessing = 'صلى الله عليه وسلم';
    expect(await titlesOf(`${blessing}apple`)).toEqual([ends[0]]);
    expect(await titlesOf('\ufdfa'.repeat(20))).toEqual([ends[2], ends[1], ends[0]]);
    expect(await titlesOf(`${'\ufdfa'.repeat(20)}x`)).toEqual([]);
    expect((await titlesOf('app')).sort()).toEqual([ends[2], ends[0]]);
    await sql(at.databaseUrl, 'UPDATE team_usage SET pages = pages + 1000001');
    try {
      expect(await titlesOf('\ufdfa'.repeat(20))).toEqual([ends[2], ends[1], ends[0]]);
      expect(await titlesOf(`${'\ufdfa'.repeat(20)}x`)).toEqual([]);
      expect(await titlesOf('apple')).toEqual([]);
    } finally {
      await sql(at.databaseUrl, 'UPDATE team_usage SET pages = pages - 1000001');
    }
  });
});

test('a search finds a short title of which the index has only the beginning', async () => {
  const { id } = await create({ title: '\ufdfa'.repeat(20) });
  expect((await search('\ufdfa')).map((item) => item.id)).toEqual([id]);
});

test('a search folds a hundred titles at most, and compares the beginnings of the others', async () => {
  const items = Array.from({ length: 120 }, (_, n) => ({ title: `${EXPANDING.slice(9)}n${n}end` }));
  await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
  await ok(at.ada.post(`/collections/batch${at.query}`, { items: [{ title: 'The end' }] }));
  const find = (q: string) =>
    ok<unknown[]>(
      at.ada.get(`/collections/search${at.query}&limit=100&q=${encodeURIComponent(q)}`),
    );
  expect(await find('end')).toHaveLength(100);
  expect((await search('end'))[0]?.meta.title).toBe('The end');
  const numbers = await Promise.all(items.map((_, n) => find(`n${n}end`)));
  expect(numbers.filter(({ length }) => length > 0)).toHaveLength(100);
  expect(await find('\ufdfa')).toHaveLength(100);
});

const describeTriggers = process.env.TEST_DISTRIBUTED_URL
  ? skipped(describe, 'a distributed database has no triggers that copy titles')
  : describe;

describeTriggers('while 0.2.0 runs beside', () => {
  const aTitled = async () => {
    const { id } = await create({ title: LONG, object: 'item', content: { x: 1 } });
    return { databaseUrl: at.databaseUrl, id };
  };

  test('a rename takes the title away, also from search', async () => {
    const item = await aTitled();
    await renameBefore(item, 'Pump');
    expect(of(await read(item.id))).toEqual(['Pump', 'Pump']);
    expect(of((await theTree(at.ada, at.query))[0] as Titled)).toEqual(['Pump', 'Pump']);
    expect([await search('broken'), (await search('pump')).map(of)]).toEqual([
      [],
      [['Pump', 'Pump']],
    ]);
    // It stays away when this release writes the row, and the name is what it was.
    await put(item.id, { content: { x: 2 } });
    await put(item.id, { name: NAME });
    expect(of(await read(item.id))).toEqual([NAME, NAME]);
  });

  test('what it leaves alone keeps its title', async () => {
    const item = await aTitled();
    await renameBefore(item, NAME);
    expect(of(await read(item.id))).toEqual([NAME, LONG]);
  });

  test('what it deletes and restores keeps its title, as does what only one of the two is done by', async () => {
    const item = await aTitled();
    const restore = () => ok<Titled>(at.ada.post(`/collections/trash/${item.id}/restore`));
    const remove = () => ok(at.ada.delete(`/collections/${item.id}`));
    const ways = [
      [() => deleteBefore(item), () => restoreBefore(item)],
      [() => deleteBefore(item), restore],
      [remove, () => restoreBefore(item)],
    ] as const;
    for (const [toTrash, back] of ways) {
      await toTrash();
      const [deletion] = await ok<Titled[]>(at.ada.get(`/collections/trash${at.query}`));
      expect(of(deletion as Titled)).toEqual([NAME, LONG]);
      await back();
      expect(of(await read(item.id))).toEqual([NAME, LONG]);
      expect((await search('broken')).map(of)).toEqual([[NAME, LONG]]);
    }
    await renameBefore(item, 'Pump');
    await deleteBefore(item);
    await restoreBefore(item);
    expect(of(await read(item.id))).toEqual(['Pump', 'Pump']);
  });

  test('what has no title gets none, and a purge leaves nothing', async () => {
    const { id } = await create({ name: 'Plain', object: 'item' });
    const item = { databaseUrl: at.databaseUrl, id };
    await deleteBefore(item);
    await restoreBefore(item);
    expect(of(await read(id))).toEqual(['Plain', 'Plain']);
    await deleteBefore(item);
    await ok(at.ada.delete(`/collections/trash/${id}`));
    await at.ada.get(`/collections/${id}`).expect(404);
  });

  test('what it transfers keeps its title', async () => {
    const item = await aTitled();
    const other = await aWorkspace(at.ada, at.team);
    await transferBefore(item, other.id);
    const [found] = await theTree(at.ada, other.query);
    expect(of(found as Titled)).toEqual([NAME, LONG]);
  });
});
