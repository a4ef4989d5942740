import { somebody, startService } from '../../support/app.js';
import { auditLog } from '../../support/audit.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { describeAlone, testInside } from '../../support/inside.js';
import { holdWorkspace } from '../../support/locks.js';
import { aMember, bytes } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { aVersion } from '../../support/versions.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  each: 'workspace',
  verify: true,
  proxied: true,
});

interface Item {
  key: string;
  name: string;
  object?: 'collection' | 'item';
  content?: object;
  children?: Item[];
}
interface Report {
  created: number;
  updated: number;
  moved: number;
  unchanged: number;
  pruned: number;
  ids: Record<string, string>;
}

const page = (key: string, content?: object, name = key): Item => ({
  ...{ key, name, object: 'item' },
  ...(content && { content }),
});
const folder = (key: string, children?: Item[], name = key): Item => ({
  ...{ key, name },
  ...(children && { children }),
});

const put = (items: object[], more: object = {}) =>
  at.ada.put(`/collections/apply${at.query}`, { items, ...more });
const apply = (items: object[], more: object = {}): Promise<Report> => ok(put(items, more));
const counts = ({ created, updated, moved, unchanged, pruned }: Report) => [
  ...[created, updated, moved, unchanged, pruned],
];

/** Collections with the keys `c1` …, each in the one before. */
const nested = (from: number, to: number, below: Item[] = []): Item[] =>
  from > to ? below : [folder(`c${from}`, nested(from + 1, to, below))];

/** The tree as keys, or names where there is none: `a(b c) d`. */
const shapeOf = (items: readonly ItemBody[]): string =>
  items
    .map(({ key, name, object, children = [] }) => {
      const below = object === 'item' ? '' : `(${shapeOf(children)})`;
      return `${key ?? name}${below}`;
    })
    .join(' ');
const shape = async () => shapeOf(await theTree(at.ada, at.query));
const idOf = async (key: string): Promise<string> =>
  (await ok<ItemBody>(at.ada.get(`/collections/by-key${at.query}&key=${key}`))).id;
const trashed = async (name: string): Promise<string | undefined> =>
  (await ok<{ id: string; name: string }[]>(at.ada.get(`/collections/trash${at.query}`))).find(
    (deletion) => deletion.name === name,
  )?.id;
const list = () => at.ada.get(`/collections${at.query}`);

interface Feed {
  changes: { id: string; deleted: boolean }[];
  cursor: string;
}
const feed = (cursor?: string) =>
  ok<Feed>(
    at.ada.get(
      `/collections/changes${at.query}&limit=1000${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    ),
  );

/** What a manifest changes in the feed: the ids. */
async function changedBy(work: () => Promise<unknown>): Promise<string[]> {
  const { cursor } = await feed();
  await work();
  return (await feed(cursor)).changes.map(({ id }) => id);
}

const usage = async () =>
  (await ok<{ usage: { pages: number } }>(at.ada.get(`/teams/${at.team}`))).usage.pages;

const TREE = [
  folder('a', [page('a1', { x: 1 }), folder('b', [page('b1', { y: [1, 2] })])]),
  page('p'),
];

describe('PUT /collections/apply', () => {
  describe('200', () => {
    test('makes a tree from nothing, and tells the ids', async () => {
      const before = await usage();
      const report = await apply(TREE);
      expect(counts(report)).toEqual([5, 0, 0, 0, 0]);
      expect(await shape()).toBe('a(a1 b(b1)) p');
      expect(await usage()).toBe(before + 3);
      for (const [key, id] of Object.entries(report.ids)) {
        const path = `/collections/by-key${at.query}&key=${key}`;
        expect(await ok(at.ada.get(path))).toMatchObject({ id, key, name: key });
      }
      const a1 = await ok(at.ada.get(`/collections/${report.ids.a1}`));
      const by = { createdBy: at.ada.id, updatedBy: at.ada.id };
      expect(a1).toMatchObject({ content: { x: 1 }, ...by });
    });

    test('the same again changes nothing, not even the version of the tree', async () => {
      const first = await apply(TREE);
      const { etag } = (await list()).headers;
      const page = await at.ada.get(`/collections/${first.ids.a1}`);
      const workspace = await ok(at.ada.get(at.workspace.path));
      const changed = await changedBy(async () => {
        for (const parent of [null, '', undefined]) {
          const again = await apply(TREE, { prune: true, parent });
          expect(counts(again)).toEqual([0, 0, 0, 5, 0]);
          expect(again.ids).toEqual(first.ids);
        }
      });
      expect(changed).toEqual([]);
      expect((await list()).headers.etag).toBe(etag);
      expect((await at.ada.get(`/collections/${first.ids.a1}`)).headers.etag).toBe(
        page.headers.etag,
      );
      expect(await ok(at.ada.get(at.workspace.path))).toEqual(workspace);
    });

    test('finds equal what was created or written by other means', async () => {
      const a = await anItem(at.ada, at.query, { name: 'a', key: 'a' });
      const content = { text: 'x'.repeat(100_000), n: 1.5, u: 'ü😀' };
      const made = { name: 'p', object: 'item', key: 'p', parent: a.id, content };
      await anItem(at.ada, at.query, made);
      const items = [folder('a', [page('p', content)])];
      expect(counts(await apply(items))).toEqual([0, 0, 0, 2, 0]);
      const other = [folder('a', [page('p', { ...content, n: 2 })])];
      expect(counts(await apply(other))).toEqual([0, 1, 0, 1, 0]);
      expect(counts(await apply(other))).toEqual([0, 0, 0, 2, 0]);
    });

    test('finds a content equal with its members in another order, however it was written', async () => {
      const { ids } = await apply([page('p', { a: 1, b: { c: 'é', d: 2 } })]);
      const inOrder = [page('p', { b: { d: 2, c: 'é' }, a: 1 })];
      expect(counts(await apply(inOrder))).toEqual([0, 0, 0, 1, 0]);
      const content = { b: { c: 'é', d: 2 }, a: 1 };
      await ok(at.ada.put(`/collections/${ids.p}`, { content }));
      expect(counts(await apply(inOrder))).toEqual([0, 0, 0, 1, 0]);
      expect(counts(await apply([page('p', { b: { d: 1, c: 'é' }, a: 2 })]))).toEqual([
        0, 1, 0, 0, 0,
      ]);
    });

    test('changes what differs, and nothing else: name, content, place', async () => {
      const { ids } = await apply(TREE);
      const items = [
        page('p', { now: 1 }),
        folder('a', [folder('b', [page('b1', { y: [1, 2] })], 'B'), page('a1', { x: 1 })]),
      ];
      const changed = await changedBy(async () => {
        expect(counts(await apply(items))).toEqual([0, 2, 2, 3, 0]);
      });
      expect(await shape()).toBe('p a(b(b1) a1)');
      expect(changed.sort()).toEqual([ids.p, ids.b].sort());
      expect(await ok(at.ada.get(`/collections/${ids.p}`))).toMatchObject({ content: { now: 1 } });
      expect(await ok(at.ada.get(`/collections/${ids.b}`))).toMatchObject({ name: 'B' });
      expect(counts(await apply(items))).toEqual([0, 0, 0, 5, 0]);
    });

    test('moves what has the key from anywhere in the workspace', async () => {
      const elsewhere = await anItem(at.ada, at.query, { name: 'Elsewhere' });
      const parent = await anItem(at.ada, at.query, { name: 'Parent' });
      const moved = { parent: elsewhere.id, key: 'x', name: 'x' };
      const { id } = await anItem(at.ada, at.query, moved);
      await anItem(at.ada, at.query, { parent: id, name: 'below' });
      const items = [folder('new', [folder('x')], 'Elsewhere')];
      const report = await apply(items, { parent: parent.id });
      expect(counts(report)).toEqual([1, 0, 1, 0, 0]);
      expect(report.ids.x).toBe(id);
      const made = await ok<ItemBody>(at.ada.get(`/collections/${report.ids.new}`));
      expect(made.meta.slug).toMatch(/^elsewhere-[a-z0-9]+$/);
      expect(await shape()).toBe('Elsewhere() Parent(new(x(below())))');
    });

    test('turns a tree inside out', async () => {
      const { ids } = await apply([folder('a', [folder('b', [folder('c', [page('p')])])])]);
      const report = await apply([folder('c', [folder('b', [folder('a', [])]), page('p')])]);
      expect(report.ids).toEqual(ids);
      expect(await shape()).toBe('c(b(a()) p)');
    });

    test('content that is left out stays, children that are left out are left alone', async () => {
      const { ids } = await apply(TREE);
      await anItem(at.ada, at.query, { parent: ids.b, name: 'by hand' });
      await anItem(at.ada, at.query, { parent: ids.b, name: 'n', key: 'unnamed' });
      const report = await apply([folder('a', [page('a1'), folder('b')]), page('p')], {
        prune: true,
      });
      expect(counts(report)).toEqual([0, 0, 0, 4, 0]);
      expect(await shape()).toBe('a(a1 b(b1 by hand() unnamed())) p');
    });

    test('orders: those of the manifest, then others with a key, then those without one', async () => {
      for (const name of ['u1', 'k1', 'u2', 'k2', 'u3']) {
        await anItem(at.ada, at.query, { name, ...(name < 'l' && { key: name }) });
      }
      const before = new Map(
        (await theTree(at.ada, at.query)).map(({ id, name }) => [name, id] as const),
      );
      const changed = await changedBy(async () => {
        expect(counts(await apply([folder('n1'), folder('n2')]))).toEqual([2, 0, 0, 0, 0]);
      });
      expect(await shape()).toBe('n1() n2() k1() k2() u1() u2() u3()');
      expect(changed).toHaveLength(4);
      expect(changed).not.toContain(before.get('u1'));
      expect(counts(await apply([folder('n1'), folder('n2')]))).toEqual([0, 0, 0, 2, 0]);
      await apply([folder('k2'), folder('n2')]);
      expect(await shape()).toBe('k2() n2() n1() k1() u1() u2() u3()');
    });

    test('prunes what has a key and is not in the manifest, each topmost one as a deletion', async () => {
      const before = await usage();
      const { ids } = await apply([...TREE, folder('c', [folder('d', [page('d1')])])]);
      const hand = await anItem(at.ada, at.query, { name: 'by hand' });
      const deep = await anItem(at.ada, at.query, { parent: hand.id, name: 'deep', key: 'deep' });
      const items = [folder('a', [page('a1', { x: 1 })])];
      const changed = await changedBy(async () => {
        expect(counts(await apply(items, { prune: true }))).toEqual([0, 0, 0, 2, 7]);
      });
      const { b, b1, c, d, d1, p } = ids;
      expect(changed.sort()).toEqual([b, b1, c, d, d1, p, deep.id].sort());
      expect(await shape()).toBe('a(a1) by hand()');
      expect(await usage()).toBe(before + 1);
      const trash = await ok<
        { id: string; pages: number; collections: number; deletedBy: { _id: string } | null }[]
      >(at.ada.get(`/collections/trash${at.query}`));
      expect(trash.map(({ deletedBy }) => deletedBy?._id)).toEqual(Array(4).fill(at.ada.id));
      const sizes = trash.map(({ id, pages, collections }) => [id, pages, collections]);
      expect(sizes).toHaveLength(4);
      expect(sizes).toEqual(
        expect.arrayContaining([
          [ids.b, 1, 1],
          [ids.c, 1, 2],
          [ids.p, 1, 0],
        ]),
      );
      await ok(at.ada.post(`/collections/trash/${ids.c}/restore`, {}));
      expect(await shape()).toBe('a(a1) c(d(d1)) by hand()');
      expect(await ok(at.ada.get(`/collections/by-key${at.query}&key=d1`))).toMatchObject({
        id: ids.d1,
      });
      expect(counts(await apply(items, { prune: true }))).toEqual([0, 0, 0, 2, 3]);
    });

    test('prunes below the parent only, and nothing below what it leaves alone', async () => {
      const { ids } = await apply([...TREE, folder('c')]);
      const hand = await anItem(at.ada, at.query, { name: 'by hand', parent: ids.a });
      const kept = await anItem(at.ada, at.query, { key: 'kept', parent: hand.id });
      await anItem(at.ada, at.query, { key: 'below', parent: kept.id });
      const report = await apply([folder('kept')], { parent: ids.a, prune: true });
      expect(counts(report)).toEqual([0, 1, 1, 0, 3]);
      expect(await shape()).toBe('a(kept(below()) by hand()) p c()');
    });

    test('what was there is kept as a version, what was applied before too', async () => {
      const { ids } = await apply(TREE);
      const bob = await aMember(at, at.team, 'member');
      await ok(bob.put(`/collections/${ids.a1}`, { content: { by: 'Bob' } }));
      expect(counts(await apply(TREE))).toEqual([0, 1, 0, 4, 0]);
      expect(await ok(at.ada.get(`/collections/${ids.a1}`))).toMatchObject({
        ...{ updatedBy: at.ada.id, content: { x: 1 } },
      });
      await apply([page('a1', { x: 2 })], { parent: ids.a });
      const versions = await ok<{ version: number; by: { _id: string } }[]>(
        at.ada.get(`/collections/${ids.a1}/versions`),
      );
      expect(versions.map(({ by }) => by._id)).toEqual([at.ada.id, bob.id, at.ada.id]);
      const path = `/collections/${ids.a1}/versions/${versions[1]?.version}`;
      expect(await ok(at.ada.get(path))).toMatchObject({ content: { by: 'Bob' } });
    });

    describe('what somebody saves while it waits for its turn', () => {
      /** Sends a manifest that renames `q`; while it waits, another process saves the page with the key. */
      async function savedMeanwhile(key: string, items: object[], ifMatch = '*') {
        const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
        const applied = put(items)
          .set('if-match', ifMatch)
          .then((answer) => answer);
        await lock.waiting(1);
        const id = await idOf(key);
        for (const text of SAVE_BY_OTHERS) await lock.take(text, [at.workspace.id, id]);
        await lock.commit();
        return applied;
      }
      const renamed = page('q', undefined, 'Q');

      test.each([
        // What is stored of its content tells that it is equal, or only the database can.
        ['that was applied', () => apply([page('p', { b: 2, a: 1 }), page('q')])],
        [
          'whose members are in another order',
          async () => {
            const content = { a: 1, b: 2 };
            await anItem(at.ada, at.query, { key: 'p', name: 'p', object: 'item', content });
            await apply([page('p'), page('q')]);
          },
        ],
      ])(
        'an equal page %s is compared again, counted as updated, and in the feed',
        async (_page, make) => {
          await make();
          const id = await idOf('p');
          const items = [page('p', { b: 2, a: 1 }), renamed];
          const [before] = await sql<{ stamp: string }>(
            at.databaseUrl,
            'SELECT md5(tree_stamp::text)::uuid AS stamp FROM workspaces WHERE id = $1',
            [at.workspace.id],
          );
          const changed = await changedBy(async () => {
            expect(counts(await ok(savedMeanwhile('p', items)))).toEqual([0, 2, 0, 0, 0]);
          });
          expect(changed.sort()).toEqual([id, await idOf('q')].sort());
          // Who has read the feed up to the change of the others goes on from there.
          const [last] = await sql<{ stamp: string }>(
            at.databaseUrl,
            `SELECT previous_stamp AS stamp FROM tree_changes
             WHERE workspace_id = $1 ORDER BY version DESC LIMIT 1`,
            [at.workspace.id],
          );
          expect(last).toEqual(before);
          expect(await ok(at.ada.get(`/collections/${id}`))).toMatchObject({
            content: { a: 1, b: 2 },
          });
        },
      );

      test('a page that differed and is equal now is left alone', async () => {
        await apply([page('p', { a: 1 }), page('q')]);
        const items = [page('p', { b: 4, a: 3 }), renamed];
        expect(counts(await ok(savedMeanwhile('p', items)))).toEqual([0, 1, 0, 1, 0]);
      });

      test('409 with the ETag that the list had before', async () => {
        await apply([page('p'), page('q')]);
        const etag = String((await list()).headers.etag);
        expect((await savedMeanwhile('p', [renamed], etag)).status).toBe(409);
      });
    });

    test('with the ETag of the plain list, by both forms', async () => {
      const { etag } = (await list()).headers;
      const path = `${at.workspace.path}/collections/apply`;
      const sent = at.ada.put(path, { items: TREE }).set('if-match', etag as string);
      expect(counts(await ok<Report>(sent))).toEqual([5, 0, 0, 0, 0]);
    });

    test('a thousand items, in few statements, and again', async () => {
      const items = Array.from({ length: 10 }, (_, n) =>
        folder(
          `f${n}`,
          Array.from({ length: 99 }, (_, m) => page(`f${n}/p${m}`, { text: `${n} ${m}` }, 'Page')),
        ),
      );
      expect(counts(await apply(items))).toEqual([1000, 0, 0, 0, 0]);
      expect(counts(await apply(items))).toEqual([0, 0, 0, 1000, 0]);
      const reversed = items
        .toReversed()
        .map((item) => folder(item.key, item.children?.toReversed()));
      const report = await apply(reversed);
      expect([report.created, report.unchanged]).toEqual([0, 11]);
      expect(await shape()).toBe(
        reversed
          .map(({ key, children }) => `${key}(${children?.map((c) => c.key).join(' ')})`)
          .join(' '),
      );
    });

    test('any number of new places between two: positions stay short', async () => {
      await anItem(at.ada, at.query, { name: 'end' });
      let keys = ['first', 'last'];
      for (let round = 0; round < 60; round++) {
        keys = ['first', `k${round}`, ...keys.slice(1)];
        await apply(keys.map((key) => page(key)));
        if (round % 20 === 19) expect(await shape()).toBe(`${keys.join(' ')} end()`);
      }
    });

    describe('where positions have grown too long for one more', () => {
      /** Keys are those of the manifest. */
      const crowded = async (...keys: string[]) => {
        const { ids } = await apply(keys.map((key) => page(key)));
        for (const [n, key] of keys.entries()) {
          const position = `a0${'0'.repeat(45)}${n + 1}`;
          const text = 'UPDATE collections SET position = $2 WHERE id = $1';
          await sql(at.databaseUrl, text, [ids[key], position]);
        }
        return ids;
      };

      test.each([
        ['and all have a key', []],
        ['and some have none', ['by hand']],
      ])('the list is spread anew, %s: a cursor from before is 400', async (_what, names) => {
        const ids = await crowded('a', 'b', 'c', 'k');
        for (const name of names) await anItem(at.ada, at.query, { name, object: 'item' });
        const { headers } = await at.ada.get(`/collections${at.query}&limit=1`);
        const cursor = /cursor=([^&>]+)/.exec(headers.link ?? '')?.[1];
        const before = await at.ada.get(`/collections/${ids.a}`);
        const items = [page('a'), page('n'), page('c'), page('b')];
        expect(counts(await apply(items))).toEqual([1, 0, 1, 2, 0]);
        expect(await shape()).toBe(['a n c b k', ...names].join(' '));
        expect((await at.ada.get(`/collections/${ids.a}`)).headers.etag).toBe(before.headers.etag);
        const answer = await at.ada.get(`/collections${at.query}&cursor=${cursor}`);
        expect([answer.status, answer.body]).toEqual([
          400,
          error('bad_request', 'cursor has expired, since the list was rearranged: start again'),
        ]);
        expect(counts(await apply(items))).toEqual([0, 0, 0, 4, 0]);
      });

      test('what was pruned before returns between its neighbours', async () => {
        const ids = await crowded('a', 'b', 'c', 'd', 'e');
        const named = [page('a'), page('c'), page('e')];
        expect(counts(await apply(named, { prune: true }))).toEqual([0, 0, 0, 3, 2]);
        await apply([page('a'), page('n'), page('c'), page('e')]);
        for (const key of ['d', 'b']) {
          await ok(at.ada.post(`/collections/trash/${ids[key]}/restore`, {}));
        }
        expect(await shape()).toBe('a n b c d e');
      });
    });

    test('a chain of 128 levels, and again', async () => {
      expect(counts(await apply(nested(1, 128)))).toEqual([128, 0, 0, 0, 0]);
      expect(counts(await apply(nested(1, 128)))).toEqual([0, 0, 0, 128, 0]);
      // What stays below is counted where something moves.
      await apply([folder('x')]);
      const outside = [folder('x', []), folder('c1')];
      expect(counts(await apply(outside))).toEqual([0, 0, 0, 2, 0]);
      const moved = [folder('c1', [folder('x'), folder('c2')])];
      expect(counts(await apply(moved))).toEqual([0, 0, 1, 2, 0]);
    });

    test('what would be too deep goes elsewhere by the same manifest', async () => {
      await apply([...nested(1, 127), folder('x', [folder('y', [page('z')])])]);
      const items = [folder('y'), ...nested(1, 127, [folder('x')])];
      expect(counts(await apply(items))).toEqual([0, 0, 2, 127, 0]);
      expect(await shape()).toMatch(/^y\(z\) c1\(/);
    });

    test('what was pruned is as high as it was, wherever it lay', async () => {
      const { id } = await anItem(at.ada, at.query, { name: 'by hand' });
      await apply([folder('x', [folder('y', [page('z')])])], { parent: id });
      await apply(nested(1, 126), { prune: true });
      const restore = async (key: string) =>
        at.ada.post(`/collections/trash/${await trashed('x')}/restore`, {
          parent: await idOf(key),
        });
      expect((await restore('c126')).status).toBe(422);
      expect((await restore('c125')).status).toBe(200);
      expect(await shape()).toMatch(/c125\(c126\(\) x\(y\(z\)\)\)/);
    });

    testInside('costs one more for each 100 items, and for each 100 that are pruned', async () => {
      const limited = await startService({ RATE_LIMIT_PER_MINUTE: '1000' }, at.databaseUrl);
      const ada = limited.as(at.ada.person);
      const pages = Array.from({ length: 199 }, (_, n) => page(`${n}`));
      const left = async () => {
        const { headers } = await ada.get('/me');
        return Number(/;r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]);
      };
      try {
        const costs: number[] = [];
        for (const children of [pages, [], []]) {
          const before = await left();
          const items = [folder('f', children)];
          await ok(ada.put(`/collections/apply${at.query}`, { items, prune: true }));
          costs.push(before - (await left()) - 1);
        }
        expect(costs).toEqual([3, 2, 1]);
      } finally {
        await limited.stop();
      }
    });

    test('with TRASH_TTL_SECONDS=0, what is pruned is gone for good, and its versions', async () => {
      const { ids } = await apply([page('p', { a: 1 }), page('kept')]);
      for (const id of Object.values(ids)) await aVersion(at, at.ada, id);
      const without = await startService({ TRASH_TTL_SECONDS: '0' }, at.databaseUrl);
      try {
        const path = `/collections/apply${at.query}`;
        const body = { items: [page('kept')], prune: true };
        expect(counts(await ok(without.as(at.ada.person).put(path, body)))).toEqual([
          ...[0, 0, 0, 1, 1],
        ]);
      } finally {
        await without.stop();
      }
      expect(await ok(at.ada.get(`/collections/trash${at.query}`))).toEqual([]);
      const rows = await sql<{ id: string }>(
        at.databaseUrl,
        `SELECT id FROM page_versions WHERE id = ANY ($1)
         UNION ALL SELECT id FROM trash_items WHERE id = ANY ($1)`,
        [Object.values(ids)],
      );
      expect(rows).toEqual([{ id: ids.kept }]);
      const [entry] = await auditLog(at.ada, at.team);
      expect(entry).toMatchObject({ action: 'item.deleted', details: { permanent: true } });
    });
  });

  describeAlone('what changes after the tree was read, and before contents are compared', () => {
    /** What somebody else does to the page `p`; what is done with it then. */
    const CHANGES: [string, (id: string, folder: string) => PromiseLike<unknown>, number[]][] = [
      [
        'is saved',
        (id) => ok(at.ada.put(`/collections/${id}`, { content: { c: 3 } })),
        [0, 1, 0, 1, 0],
      ],
      ['is renamed', (id) => ok(at.ada.put(`/collections/${id}`, { name: 'P' })), [0, 1, 0, 1, 0]],
      [
        'is moved',
        (id, parent) => ok(at.ada.put(`/collections/${id}`, { parent })),
        [0, 0, 1, 1, 0],
      ],
      ['is deleted', (id) => ok(at.ada.delete(`/collections/${id}`)), [1, 0, 0, 1, 0]],
      [
        'loses its key',
        (id) => ok(at.ada.put(`/collections/${id}`, { key: null })),
        [1, 0, 1, 0, 0],
      ],
    ];
    /** Of the same value as what is stored, which only the database can tell. */
    const items = [page('p', { b: 2, a: 1 }), folder('f')];

    /** The name of the statement by which such a manifest reads the tree. */
    async function readBy(manifest: object[], more = {}): Promise<string> {
      const { statements } = await at.proxy.during(() => apply(manifest, more));
      const read = statements.find(({ text }) => text.includes('AS "contentDigest"'));
      return (read as { name: string }).name;
    }

    test.each(CHANGES)('a page that %s', async (_what, change, wanted) => {
      const content = { a: 1, b: 2 };
      const { ids } = await apply([page('p', content), folder('f')]);
      const held = at.proxy.holdResponse(await readBy(items));
      const applied = apply(items);
      await held.arrived;
      await change(`${ids.p}`, `${ids.f}`);
      held.release();
      expect(counts(await applied)).toEqual(wanted);
      expect(counts(await apply(items))).toEqual([0, 0, 0, 2, 0]);
    });

    test('a page that changes whenever it is looked at: compared while nobody can change it', async () => {
      const { ids } = await apply([page('p', { a: 1, b: 2 }), folder('f')]);
      const read = await readBy(items);
      const save = () => ok(at.ada.put(`/collections/${ids.p}`, { content: { a: 1, b: 2 } }));
      let etag: string | undefined;
      const { statements } = await at.proxy.during(async () => {
        let held = at.proxy.holdResponse(read);
        const applied = apply(items);
        for (const next of ['apply.compare', read, 'apply.compare', read, 'apply.compare', '']) {
          await held.arrived;
          await save();
          etag = (await list()).headers.etag;
          const { release } = held;
          if (next) held = at.proxy.holdResponse(next);
          release();
        }
        expect(counts(await applied)).toEqual([0, 0, 0, 2, 0]);
      });
      expect((await list()).headers.etag).toBe(etag);
      const names = statements.map(({ name }) => name);
      expect(names.filter((name) => [read, 'apply.compare', 'tree.lock'].includes(name))).toEqual([
        ...[read, 'apply.compare', read, 'apply.compare', read, 'apply.compare'],
        ...['tree.lock', read, 'apply.compare'],
      ]);
    });

    test('a tree that was never too deep is not refused as too deep', async () => {
      await apply([...nested(1, 126), folder('x')]);
      const [parent, x] = [await idOf('c126'), await idOf('x')];
      const held = at.proxy.holdResponse(await readBy([folder('y')], { parent }));
      const applied = apply([folder('x')], { parent });
      await held.arrived;
      await ok(at.ada.put(`/collections/${await idOf('c2')}`, { parent: null }));
      const { id } = await anItem(at.ada, at.query, { parent: x });
      await anItem(at.ada, at.query, { parent: id });
      held.release();
      expect(counts(await applied)).toEqual([0, 0, 1, 0, 0]);
    });
  });

  describe('400', () => {
    test('a key twice, wherever', async () => {
      const answer = await put([page('a'), folder('b', [page('a')])]);
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        'items[1].children[0].key is already in the manifest: name each once',
      ]);
    });

    test('no items, too many, no key or name, another property, no workspace', async () => {
      const many = Array.from({ length: 1001 }, (_, n) => page(`${n}`));
      for (const items of [
        [],
        many,
        [folder('f', many.slice(1))],
        [{ name: 'a' }],
        [{ key: 'a' }],
        [{ ...page('a'), index: 0 }],
      ]) {
        expect((await put(items)).status).toBe(400);
      }
      expect((await put([page('a')], { prune: 'yes' })).status).toBe(400);
      expect((await at.ada.put('/collections/apply', { items: [page('a')] })).status).toBe(400);
      expect(await shape()).toBe('');
    });
  });

  describe('403 and 404', () => {
    test('as for every write; a private workspace is as if it were not there', async () => {
      const body = { items: [page('a')] };
      const path = `/collections/apply${at.query}`;
      expect((await at.as(somebody()).put(path, body)).status).toBe(403);
      await ok(at.ada.put(at.workspace.path, { defaultAccess: 'read-only' }));
      const member = await aMember(at, at.team, 'member');
      expect((await member.put(path, body)).status).toBe(403);
      await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
      const none = `/teams/${at.team}/workspaces/there-is-none/collections/apply`;
      const answers = [await member.put(path, body), await member.put(none, body)];
      expect(new Set(answers.map(bytes)).size).toBe(1);
      expect(answers[0]?.status).toBe(404);
    });

    test('404 for a parent that is not there, or in another workspace', async () => {
      const other = await aWorkspace(at.ada, at.team);
      const { id } = await anItem(at.ada, other.query);
      for (const parent of ['nonsense', at.workspace.id, id]) {
        const answer = await put([page('a')], { parent });
        expect([answer.status, answer.body]).toEqual([404, error('not_found')]);
      }
    });
  });

  describe('409', () => {
    test('a list that is not as the caller has it', async () => {
      const { etag } = (await list()).headers;
      await apply(TREE);
      for (const items of [TREE, [page('new')]]) {
        const answer = await put(items).set('if-match', etag as string);
        expect(answer.status).toBe(409);
      }
      const { ids } = await apply(TREE);
      const below = () => put([page('b1')], { parent: ids.b });
      expect((await below().set('if-match', etag as string)).status).toBe(409);
      const now = String((await list()).headers.etag);
      expect((await below().set('if-match', now)).status).toBe(200);
    });

    test('prune where something without a key would go along', async () => {
      const { ids } = await apply(TREE);
      const { id } = await anItem(at.ada, at.query, { parent: ids.b, name: 'by hand' });
      const answer = await put([folder('a', [page('a1')])], { prune: true });
      expect([answer.status, answer.body.error.message]).toEqual([
        409,
        expect.stringContaining(id),
      ]);
      expect(await shape()).toBe('a(a1 b(b1 by hand())) p');
    });

    test('prune where something would go that the manifest places elsewhere', async () => {
      const { ids } = await apply(TREE);
      const items = [folder('a', [page('a1'), page('b1')])];
      const answer = await put(items, { prune: true });
      expect([answer.status, answer.body.error.message]).toEqual([
        409,
        expect.stringContaining(`${ids.b1}`),
      ]);
      await apply(items);
      expect(counts(await apply(items, { prune: true }))).toEqual([0, 0, 0, 3, 2]);
      expect(await shape()).toBe('a(a1 b1)');
    });
  });

  describe('422', () => {
    test('another kind under the key, children of a page, content of a collection', async () => {
      await apply(TREE);
      const cases: [Item, string][] = [
        [page('a'), 'items[0].object must be collection, which the item is'],
        [folder('p'), 'items[0].object must be item, which the item is'],
        [{ ...page('x'), children: [] }, 'items[0].children can only be given for a collection'],
        [{ ...folder('x'), content: {} }, 'items[0].content can only be given for a page'],
      ];
      for (const [item, message] of cases) {
        const answer = await put([item]);
        expect([answer.status, answer.body.error.message]).toEqual([
          422,
          expect.stringContaining(message),
        ]);
      }
    });

    test('a page as the parent, a move into its own subtree', async () => {
      const { ids } = await apply(TREE);
      expect((await put([page('x')], { parent: ids.a1 })).status).toBe(422);
      for (const parent of [ids.a, ids.b]) {
        const answer = await put([folder('a')], { parent });
        expect([answer.status, answer.body.error.message]).toEqual([
          422,
          'items[0] must not be the item itself or lie in its own subtree',
        ]);
      }
    });

    test('too deep: by itself, and with what stays below what moves', async () => {
      await apply(nested(1, 127));
      await apply([folder('x', [folder('y', [page('z')])])]);
      const parent = await idOf('c126');
      const cases: [Item[], object][] = [
        [[folder('x')], { parent }],
        [[folder('n', [folder('m', [page('o')])])], { parent }],
        // Into a collection that stays, or is new.
        [nested(1, 126, [folder('x')]), {}],
        [[folder('n', [folder('x')])], { parent: await idOf('c125') }],
      ];
      for (const [items, more] of cases) {
        const answer = await put(items, more);
        expect([answer.status, answer.body.error.message]).toEqual([
          422,
          expect.stringMatching(/is too deep: nesting goes at most 128 levels deep$/),
        ]);
      }
      // What would be too deep moves elsewhere.
      expect(counts(await apply([folder('y', []), folder('c1')]))).toMatchObject([0, 0, 1, 1, 0]);
      expect((await put([folder('x', [])], { parent })).status).toBe(200);
    });
  });
});

/** What another process does that saves the page $2 of the workspace $1. */
const SAVE_BY_OTHERS = [
  `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
   SELECT team_id, id, tree_version + 1, $2::uuid, tree_stamp FROM workspaces WHERE id = $1`,
  `UPDATE workspaces SET tree_version = tree_version + 1, tree_stamp = md5(tree_stamp::text)::uuid
   WHERE id = $1 AND $2::uuid IS NOT NULL`,
  `UPDATE collections SET content = '{"a":3,"b":4}', version = version + 1
   WHERE workspace_id = $1 AND id = $2`,
];
