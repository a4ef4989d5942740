import pLimit from 'p-limit';
import { MAX_DEPTH } from '../../../src/collections/limits.js';
import { somebody } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, usageOf } from '../../support/tree.js';

describe('creating items', () => {
  const ABSENT = '01890000-0000-7000-8000-000000000000';

  interface NewItem {
    name?: unknown;
    object?: string;
    content?: unknown;
    children?: NewItem[];
  }

  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":1000,"workspaces":0}}' },
    each: 'workspace',
    verify: true,
  });

  const batch = (body: unknown) => at.ada.post(`/collections/batch${at.query}`, body);
  const make = (body: unknown): Promise<ItemBody[]> => ok<ItemBody[]>(batch(body));
  const pages = (count: number): NewItem[] =>
    Array.from({ length: count }, (_, n) => ({ name: `Page ${n}`, object: 'item' }));
  const namesOf = (items: readonly ItemBody[]) => items.map(({ name }) => name);

  /** Collections, each in the one before, the innermost with `children`. */
  const nest = (levels: number, children: NewItem[]): NewItem[] =>
    levels === 0 ? children : [{ name: `Level ${levels}`, children: nest(levels - 1, children) }];

  /** The names of a tree, nested as its items are. */
  type Names = [name: string, children?: Names[]];
  const shapeOf = (items: readonly ItemBody[]): Names[] =>
    items.map(({ name, children }) => (children ? [name, shapeOf(children)] : [name]));

  /** Nothing was made, and nothing was counted. */
  async function expectNothingMade(): Promise<void> {
    expect(await theTree(at.ada, at.query)).toEqual([]);
    expect((await usageOf(at.ada, at.team)).pages).toBe(0);
  }

  describe('POST /collections/batch', () => {
    test('200 with the new items nested in order, without content, as the list shows them', async () => {
      const made = await make({
        items: [
          {
            name: 'A',
            children: [
              { name: 'A1', object: 'item', content: { x: 1 } },
              { name: 'A2', children: [{ name: 'A2a', object: 'item' }] },
              { name: 'A3', object: 'item' },
            ],
          },
          { name: 'B', children: [] },
          { object: 'item' },
          {},
        ],
      });
      expect(shapeOf(made)).toEqual([
        ['A', [['A1'], ['A2', [['A2a']]], ['A3']]],
        ['B', []],
        ['Untitled'],
        ['Untitled', []],
      ]);
      expect(JSON.stringify(made)).not.toContain('"content"');
      expect(await theTree(at.ada, at.query)).toEqual(made);
      expect((await usageOf(at.ada, at.team)).pages).toBe(4);
      const [page] = made[0]?.children ?? [];
      expect(await ok(at.ada.get(`/collections/${page?.id}`))).toMatchObject({ content: { x: 1 } });
      const slugs = everyItem(made).map(({ meta }) => meta.slug);
      expect(new Set(slugs).size).toBe(slugs.length);
    });

    test('200 by the long form, too, without a trace of where it was asked', async () => {
      const made = await ok<ItemBody[]>(
        at.ada.post(`${at.workspace.path}/collections/batch`, { items: [{ name: 'A' }] }),
      );
      expect(await theTree(at.ada, at.query)).toEqual(made);
    });

    test('200 for 1,000 items, nested 100 deep', async () => {
      const made = await make({ items: nest(100, pages(900)) });
      const all = everyItem(made);
      expect(all).toHaveLength(1000);
      expect(namesOf(all.slice(100))).toEqual(pages(900).map(({ name }) => name));
      expect(await theTree(at.ada, at.query)).toEqual(made);
      expect((await usageOf(at.ada, at.team)).pages).toBe(900);
    });

    test('200 for 1,000 of one name, each with a slug of its own', async () => {
      const made = await make({ items: Array.from({ length: 1000 }, () => ({ name: 'Same' })) });
      expect(new Set(made.map(({ meta }) => meta.slug)).size).toBe(1000);
    });

    test('200 from an index on', async () => {
      const wrong = await offenders(
        [
          [0, ['X', 'Y', 'one', 'two', 'three']],
          [1, ['one', 'X', 'Y', 'two', 'three']],
          [3, ['one', 'two', 'three', 'X', 'Y']],
          [1_000_000, ['one', 'two', 'three', 'X', 'Y']],
          [undefined, ['one', 'two', 'three', 'X', 'Y']],
        ],
        async ([index, names]) => {
          const parent = await anItem(at.ada, at.query);
          const items = ['one', 'two', 'three'].map((name) => ({ name }));
          await make({ parent: parent.id, items });
          const made = await make({
            parent: parent.id,
            index,
            items: [{ name: 'X' }, { name: 'Y' }],
          });
          expect(made).toMatchObject([{ parent: parent.id }, { parent: parent.id }]);
          expect(namesOf(await theTree(at.ada, `${at.query}&parent=${parent.id}`))).toEqual(names);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('200 at the top level for every spelling of no parent', async () => {
      const wrong = await offenders([[''], [null], [undefined]], async ([parent]) => {
        const [made] = await make({ parent, items: [{}] });
        expect(made).not.toHaveProperty('parent');
      });
      expect(wrong).toEqual([]);
    });

    test('404 for a parent that is unknown or elsewhere, 422 for a page as one', async () => {
      const other = await aWorkspace(at.ada, at.team);
      const elsewhere = await anItem(at.ada, other.query);
      for (const parent of [ABSENT, 'x', elsewhere.id]) {
        const answer = await batch({ parent, items: [{}] });
        expect([answer.status, answer.body]).toEqual([404, error('not_found', 'parent')]);
      }
      const page = await anItem(at.ada, at.query, { object: 'item' });
      const answer = await batch({ parent: page.id, items: [{}] });
      expect([answer.status, answer.body]).toEqual([422, error('unprocessable_entity', 'parent')]);
      expect(await theTree(at.ada, at.query)).toHaveLength(1);
    });

    test('400 for a body that is wrong, and nothing is made', async () => {
      const wrong = await offenders<[string, unknown, string]>(
        [
          ['an empty list', { items: [] }, 'items must'],
          ['no list', {}, 'items is required'],
          ['null', { items: null }, 'items must'],
          ['1,001 items', { items: pages(1001) }, 'items must'],
          ['1,001 items, most of them below', { items: [{ children: pages(1000) }] }, 'items must'],
          ['an element that is no object', { items: [{}, 'x'] }, 'items[1]'],
          [
            'an unknown property',
            { items: [{ children: [{ parent: null }] }] },
            'items[0].children[0]',
          ],
          ['an index that is none', { index: -1, items: [{}] }, 'index must'],
          [
            'a bad one in the middle',
            { items: [{}, {}, { children: [{ name: '' }, {}] }, {}] },
            'items[2].children[0].name must be 1 to 32 characters',
          ],
          [
            'content that is no object',
            { items: [{}, { object: 'item', content: [] }] },
            'items[1].content',
          ],
          ['children that are no list', { items: [{ children: {} }] }, 'items[0].children'],
          [
            'nesting as deep as there may be items',
            { items: nest(998, [{}]) },
            'the body must be nested at most 200 objects and 200 lists deep',
          ],
        ],
        async ([, body, says]) => {
          const answer = await batch(body);
          expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
          await expectNothingMade();
        },
      );
      expect(wrong).toEqual([]);
    });

    test('422 for a tree that cannot be, and nothing is made', async () => {
      const wrong = await offenders<[string, NewItem[], string]>(
        [
          [
            'children under a page',
            [{}, { children: [{ object: 'item', children: [{}] }] }],
            'items[1].children[0].children can only be given for a collection',
          ],
          [
            'an empty list of children under a page',
            [{ object: 'item', children: [] }],
            'items[0].children can only be given for a collection',
          ],
          [
            'content on a collection',
            [{}, {}, { children: [{ content: {} }] }],
            'items[2].children[0].content can only be given for a page',
          ],
          ['nesting past the limit', nest(MAX_DEPTH, [{}]), 'at most 128 levels deep'],
        ],
        async ([, items, says]) => {
          const answer = await batch({ items });
          expect([answer.status, answer.body]).toEqual([422, error('unprocessable_entity', says)]);
          await expectNothingMade();
        },
      );
      expect(wrong).toEqual([]);
    });

    test('200 down to the last level, 422 past it by its parent', async () => {
      await make({ items: nest(MAX_DEPTH - 1, [{ object: 'item' }]) });
      const chain = everyItem(await theTree(at.ada, at.query));
      const answer = await batch({ parent: chain.at(-2)?.id, items: [{ children: [{}] }] });
      expect([answer.status, answer.body]).toEqual([
        422,
        error('unprocessable_entity', 'too deep'),
      ]);
    });

    test('403 where the plan has no room for all of them, and nothing is made', async () => {
      await make({ items: pages(998) });
      const before = await theTree(at.ada, at.query);
      const answer = await batch({ items: [{ children: pages(3) }] });
      expect([answer.status, answer.body]).toEqual([
        403,
        error('forbidden', 'limit of 1000 pages'),
      ]);
      expect(await theTree(at.ada, at.query)).toEqual(before);
      expect((await usageOf(at.ada, at.team)).pages).toBe(998);
      await make({ items: [{ children: pages(2) }] });
      expect((await usageOf(at.ada, at.team)).pages).toBe(1000);
      await make({ items: [{}] });
    });

    test('403 for readers and strangers, 404 where a private workspace is', async () => {
      const reader = await aMember(at, at.team, 'member');
      await giveRole(at, at.workspace.id, reader, 'reader');
      const path = `/collections/batch${at.query}`;
      expect((await reader.post(path, { items: [{}] })).status).toBe(403);
      expect((await at.as(somebody()).post(path, { items: [{}] })).status).toBe(403);
      await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
      const guest = await aMember(at, at.team, 'guest');
      expect((await guest.post(path, { items: [{}] })).status).toBe(404);
      await expectNothingMade();
    });
  });

  describe('POST /collections with an index', () => {
    const create = (body: object) => anItem(at.ada, at.query, body);

    test('200 at its place among its siblings, past the end at the end', async () => {
      const parent = await create({});
      const make = (index?: number) => create({ parent: parent.id, name: `${index}`, index });
      for (const index of [undefined, 0, 1, 1, 99, 2, 0]) await make(index);
      const names = namesOf(await theTree(at.ada, `${at.query}&parent=${parent.id}`));
      expect(names).toEqual(['0', '0', '1', '2', '1', 'undefined', '99']);
    });

    test('200 at the top level, for parent "" as for null', async () => {
      const last = await create({});
      const first = await create({ parent: '', index: 0 });
      const middle = await create({ parent: null, index: 1 });
      expect(first).not.toHaveProperty('parent');
      const tree = await theTree(at.ada, at.query);
      expect(idsOf(tree)).toEqual([first.id, middle.id, last.id]);
    });

    test('400 for what is not an index', async () => {
      const wrong = await offenders([[-1], [0.5], ['0'], [null]], async ([index]) => {
        const answer = await at.ada.post(`/collections${at.query}`, { index });
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'index must be')]);
      });
      expect(wrong).toEqual([]);
    });
  });
});

describe('creates at once past a limit', () => {
  const env = { PLAN_LIMITS: '{"free":{"pages":20}}' };
  const at = scene({ env, once: 'workspace', proxied: true });

  test('are few transactions: those that wait together are refused together', async () => {
    const create = (body: object) => at.ada.post(`/collections${at.query}`, body);
    const items = Array.from({ length: 20 }, () => ({ object: 'item' }));
    await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
    // An unknown parent is not the limit, and another kind has a limit of its own.
    const others = [{ object: 'item', parent: 'unknown' }, {}];
    const bodies = [...Array<object>(98).fill({ object: 'item' }), ...others];
    let statuses: number[] = [];
    const { statements } = await at.proxy.during(async () => {
      statuses = (await Promise.all(bodies.map(create))).map(({ status }) => status);
    });
    expect(new Set(statuses.slice(0, -2))).toEqual(new Set([403]));
    expect(statuses.slice(-2)).toEqual([404, 200]);
    const begun = statements.filter(({ text }) => text.startsWith('BEGIN'));
    expect(begun.length).toBeLessThan(40);
  });
});

describe('the limit of collections', () => {
  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"pages":20},"pro":{"pages":3},"business":{"pages":0}}' },
    each: 'workspace',
    verify: true,
  });

  const create = (body: object = {}) => at.ada.post(`/collections${at.query}`, body);
  const batch = (items: object[]) => at.ada.post(`/collections/batch${at.query}`, { items });
  const many = (count: number, object = 'collection') =>
    Array.from({ length: count }, () => ({ object }));
  const setPlan = (plan: string) =>
    sql(at.databaseUrl, 'UPDATE teams SET plan = $2 WHERE slug = $1', [at.team, plan]);
  const REACHED =
    "the free plan's limit of 20 collections (limit.pages) is reached: remove some collections or change the plan";

  describe('a team holds at most as many collections as its plan allows pages', () => {
    test('200 parallel creates at a limit of 20 end in exactly 20, and the message names it', async () => {
      const other = await aWorkspace(at.ada, at.team);
      // So many at once that a busy machine, too, answers each in time.
      const limit = pLimit(50);
      const answers = await limit.map(Array.from({ length: 200 }), (_, n) =>
        at.ada.post(`/collections${n % 2 ? at.query : other.query}`, {}),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(20).fill(200), ...Array(180).fill(403)]);
      const refused = await create();
      expect([refused.status, refused.body]).toEqual([403, error('forbidden', REACHED)]);
    });

    test('pages are counted by themselves', async () => {
      await ok(batch([...many(20), ...many(20, 'item')]));
      expect((await create({ object: 'item' })).body).toEqual(error('forbidden', '20 pages'));
      expect((await create()).body).toEqual(error('forbidden', '20 collections'));
      const { usage } = await ok<{ usage: object }>(at.ada.get(`/teams/${at.team}`));
      expect(usage).toEqual({ pages: 20, users: 1, workspaces: 1 });
    });

    test('a batch is made whole or not at all, on every level', async () => {
      await ok(batch(many(15)));
      const nested = [{ children: [{ children: many(4) }] }];
      expect((await batch(nested)).status).toBe(403);
      await ok(batch([{ children: many(4) }]));
      expect((await create()).status).toBe(403);
    });

    test('what is deleted makes room: a collection with all below it, and a workspace', async () => {
      const [top] = await ok<ItemBody[]>(batch([{ children: [{ children: many(18) }] }]));
      expect((await create()).status).toBe(403);
      await ok(at.ada.delete(`/collections/${top?.id}`));
      await ok(batch(many(20)));
      const other = await aWorkspace(at.ada, at.team);
      expect((await at.ada.post(`/collections${other.query}`, {})).status).toBe(403);
      await ok(at.ada.delete(at.workspace.path));
      await ok(at.ada.post(`/collections/batch${other.query}`, { items: many(20) }));
    });

    test('a smaller plan blocks growth and takes nothing away; a limit of 0 is none', async () => {
      const [first, second] = await ok<ItemBody[]>(batch([...many(6), ...many(6, 'item')]));
      await setPlan('pro');
      expect((await create()).status).toBe(403);
      expect((await create({ object: 'item' })).status).toBe(403);
      await ok(at.ada.put(`/collections/${first?.id}`, { name: 'Renamed' }));
      await ok(at.ada.delete(`/collections/${second?.id}`));
      expect((await create()).status).toBe(403);
      await setPlan('business');
      await ok(batch(many(30)));
    });
  });
});
