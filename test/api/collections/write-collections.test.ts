import type { Caller } from '../../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { testInside } from '../../support/inside.js';
import { holdWorkspace } from '../../support/locks.js';
import { aMember, giveRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { idsOf, usageOf } from '../../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({ env: { PLAN_LIMITS: '{"free":{"pages":3}}' }, each: 'workspace' });

const create = (body?: unknown) => at.ada.post(`/collections${at.query}`, body);
const reorder = (body: unknown) => at.ada.post(`/collections/reorder${at.query}`, body);

describe('POST /collections', () => {
  test('200 with the whole record of a collection and its defaults', async () => {
    const answer = await create({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'Untitled',
      object: 'collection',
      team: expect.any(String),
      workspace: at.workspace.id,
      meta: { title: 'Untitled', slug: 'untitled' },
      content: {},
      children: [],
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/\.\d{3}Z$/),
      createdBy: at.ada.id,
      updatedBy: at.ada.id,
    });
  });

  test('200 with the record of a page below it', async () => {
    const { id } = await anItem(at.ada, at.query);
    const page = await ok(create({ object: 'item', parent: id, content: { a: [1, null] } }));
    expect(page).toMatchObject({ object: 'item', parent: id, content: { a: [1, null] } });
    expect(page).not.toHaveProperty('children');
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 1 });
  });

  test('200 at the end of its siblings, null for the top level, slugs unique', async () => {
    const made = [];
    for (const parent of [null, undefined, null]) made.push(await ok(create({ parent })));
    const tree = await theTree(at.ada, at.query);
    expect(idsOf(tree)).toEqual(made.map((item) => (item as { id?: string }).id));
    expect(new Set(tree.map(({ meta }) => meta.slug)).size).toBe(3);
    const other = await aWorkspace(at.ada, at.team);
    const page = await anItem(at.ada, other.query, { object: 'item' });
    expect(page.meta.slug).toBe(tree[0]?.meta.slug);
  });

  test('200 at the long path, and with teamId in place of team_slug', async () => {
    await ok(at.ada.post(`${at.workspace.path}/collections`, {}));
    const { _id } = await ok<{ _id: string }>(at.ada.get(`/teams/${at.team}`));
    await ok(at.ada.post(`/collections?teamId=${_id}&workspace_slug=${at.workspace.slug}`, {}));
    expect(await theTree(at.ada, at.query)).toHaveLength(2);
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders<[unknown, string]>(
      [
        [{ name: '' }, 'name must be 1 to 32 characters'],
        [{ name: '  ' }, 'name must not be blank'],
        [{ name: null }, 'name must be a string'],
        [{ object: 'page' }, 'object must be one of collection, item'],
        [{ parent: 1 }, 'parent must be a string'],
        [{ name: '\u0085\u3000' }, 'name must not be blank'],
        [{ object: 'item', content: null }, 'content must be a JSON object'],
        [{ object: 'item', content: [] }, 'content must be a JSON object'],
        [{ object: 'item', content: 'x' }, 'content must be a JSON object'],
        [{ children: [] }, 'children is not a known property'],
      ],
      async ([body, says]) => {
        const answer = await create(body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('400 that says so where no workspace is named', async () => {
    const wrong = await offenders(
      ['', '?team_slug=x', '?workspace_slug=x', '?teamId=x'],
      async (query) => {
        const answer = await at.ada.post(`/collections${query}`, {});
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'workspace_slug')]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('403 for read-only access; own roles win over defaultAccess, both ways', async () => {
    const calm = await aWorkspace(at.ada, at.team, { defaultAccess: 'read-only' });
    const bob = await aMember(at, at.team, 'member');
    expect((await bob.post(`/collections${calm.query}`, {})).status).toBe(403);
    await ok(bob.post(`/collections${at.query}`, {}));
    await giveRole(at, calm.id, bob, 'editor');
    await giveRole(at, at.workspace.id, bob, 'reader');
    await ok(bob.post(`/collections${calm.query}`, {}));
    const refused = await bob.post(`/collections${at.query}`, {});
    expect([refused.status, refused.body]).toEqual([403, error('forbidden', 'read-only')]);
    await ok(bob.get(`/collections${at.query}`));
  });

  test('403 past the limit of pages; collections are not counted', async () => {
    for (let i = 0; i < 3; i++) await ok(create({ object: 'item' }));
    const answer = await create({ object: 'item' });
    expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'limit of 3 pages')]);
    await ok(create({}));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 3 });
  });

  test('404 for a parent that is not there', async () => {
    const wrong = await offenders([ABSENT, 'x', 'a\0b', '\ud800'], async (parent) => {
      expect((await create({ parent })).body).toEqual(error('not_found', 'parent'));
    });
    expect(wrong).toEqual([]);
  });

  test('404 for a parent in another workspace', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const { id } = await anItem(at.ada, other.query);
    expect((await create({ parent: id })).status).toBe(404);
  });

  test('422 for a page as parent, and for content on a collection', async () => {
    const { id } = await anItem(at.ada, at.query, { object: 'item' });
    expect((await create({ parent: id })).body).toEqual(error('unprocessable_entity', 'parent'));
    const withContent = await create({ content: {} });
    expect([withContent.status, withContent.body]).toEqual([
      422,
      error('unprocessable_entity', 'content'),
    ]);
  });
});

describe('POST /collections/reorder', () => {
  test('200 with a message; to an index, to a collection, to the top level', async () => {
    const a = await anItem(at.ada, at.query, { name: 'A' });
    const b = await anItem(at.ada, at.query, { name: 'B' });
    const c = await anItem(at.ada, at.query, { name: 'C' });
    expect(await ok(reorder({ id: c.id, index: 0 }))).toEqual({ message: expect.any(String) });
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([c.id, a.id, b.id]);
    await ok(reorder({ id: a.id, index: 9, parent: null, newParent: b.id, object: 'collection' }));
    expect(await theTree(at.ada, at.query)).toMatchObject([
      { id: c.id },
      { id: b.id, children: [{ id: a.id, parent: b.id }] },
    ]);
    await ok(reorder({ id: a.id, index: 1, parent: b.id, newParent: '' }));
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([c.id, a.id, b.id]);
    await ok(reorder({ id: a.id, index: 0, parent: '' }));
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([a.id, c.id, b.id]);
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders(
      [
        [{ index: 0 }, 'id is required'],
        [{ id: ABSENT }, 'index is required'],
        [{ id: ABSENT, index: -1 }, 'index must be a whole number from 0'],
        [{ id: ABSENT, index: 1.5 }, 'index must be a whole number from 0'],
        [{ id: ABSENT, index: '1' }, 'index must be a whole number from 0'],
        [{ id: ABSENT, index: null }, 'index must be a whole number from 0'],
        [{ id: ABSENT, index: 0, object: 'page' }, 'object must be one of'],
        [{ id: ABSENT, index: 0, newparent: null }, 'did you mean newParent?'],
      ],
      async ([body, says]) => {
        const answer = await reorder(body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('404 for an unknown id or newParent', async () => {
    const { id } = await anItem(at.ada, at.query);
    expect((await reorder({ id: ABSENT, index: 0 })).status).toBe(404);
    expect((await reorder({ id: 'x', index: 0 })).status).toBe(404);
    expect((await reorder({ id: '', index: 0 })).status).toBe(404);
    expect((await create({ parent: ABSENT })).status).toBe(404);
    expect((await reorder({ id, index: 0, newParent: ABSENT })).status).toBe(404);
  });

  test('404 for an id or newParent in another workspace; nothing moves', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const [here, there] = [await anItem(at.ada, at.query), await anItem(at.ada, other.query)];
    for (const body of [{ id: there.id }, { id: there.id, newParent: null }]) {
      expect((await reorder({ ...body, index: 0 })).status).toBe(404);
    }
    expect((await reorder({ id: here.id, index: 0, newParent: there.id })).status).toBe(404);
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([here.id]);
    expect(idsOf(await theTree(at.ada, other.query))).toEqual([there.id]);
  });

  test('409 for a parent that is not the current one', async () => {
    const a = await anItem(at.ada, at.query);
    const b = await anItem(at.ada, at.query, { parent: a.id });
    for (const parent of [null, '', b.id, ABSENT]) {
      const answer = await reorder({ id: b.id, index: 0, parent });
      expect([answer.status, answer.body]).toEqual([409, error('conflict', 'parent')]);
    }
    expect((await reorder({ id: a.id, index: 0, parent: a.id })).status).toBe(409);
  });

  test('422 for a page as newParent, the own subtree, and another object', async () => {
    const a = await anItem(at.ada, at.query);
    const b = await anItem(at.ada, at.query, { parent: a.id });
    const page = await anItem(at.ada, at.query, { object: 'item' });
    for (const body of [
      { id: a.id, index: 0, newParent: page.id },
      { id: a.id, index: 0, newParent: a.id },
      { id: a.id, index: 0, newParent: b.id },
      { id: a.id, index: 0, object: 'item' },
      { id: page.id, index: 0, object: 'collection' },
    ]) {
      const answer = await reorder(body);
      expect([answer.status, answer.body]).toEqual([422, error('unprocessable_entity')]);
    }
  });
});

describe('PUT /collections/{id}', () => {
  test('200 renames, the slug stays; moves to the end of a parent', async () => {
    const a = await anItem(at.ada, at.query, { name: 'First' });
    const b = await anItem(at.ada, at.query, { name: 'Second' });
    const renamed = await ok(at.ada.put(`/collections/${a.id}`, { name: 'New' }));
    expect(renamed).toMatchObject({ name: 'New', meta: { title: 'New', slug: 'first' } });
    await ok(at.ada.put(`/collections/${a.id}`, { parent: b.id }));
    expect(await theTree(at.ada, at.query)).toMatchObject([{ id: b.id, children: [{ id: a.id }] }]);
    const parent = await ok(at.ada.put(`/collections/${b.id}`, { name: 'Parent' }));
    expect(parent).toMatchObject({ name: 'Parent', content: {}, children: [{ id: a.id }] });
    expect(await ok(at.ada.get(`/collections/${b.id}`))).toEqual(parent);
    await ok(at.ada.put(`/collections/${a.id}`, { parent: null }));
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([b.id, a.id]);
    await ok(at.ada.put(`/collections/${b.id}`, { parent: '' }));
    expect(idsOf(await theTree(at.ada, at.query))).toEqual([a.id, b.id]);
  });

  test('200 replaces content, and the answer is what is read back', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item', content: { a: 1 } });
    const updated = await ok(at.ada.put(`/collections/${page.id}`, { content: { b: 2 } }));
    expect(updated).toMatchObject({ content: { b: 2 } });
    expect(await ok(at.ada.get(`/collections/${page.id}`))).toEqual(updated);
    const { id: parent } = await anItem(at.ada, at.query);
    const moved = await ok(at.ada.put(`/collections/${page.id}`, { name: 'New', parent }));
    expect(moved).toMatchObject({ name: 'New', content: { b: 2 }, parent });
    expect(await ok(at.ada.get(`/collections/${page.id}`))).toEqual(moved);
  });

  testInside(
    '200 with the content there is, where changes of a page are written together',
    async () => {
      const page = () =>
        anItem(at.ada, at.query, { name: 'Old', object: 'item', content: { n: 1 } });
      const rename = ({ id }: ItemBody) => at.ada.put(`/collections/${id}`, { name: 'New' });
      const save = ({ id }: ItemBody) => at.ada.put(`/collections/${id}`, { content: { n: 2 } });
      const move = ({ id }: ItemBody) => reorder({ id, index: 0 });
      const [first, second, third] = [await page(), await page(), await page()];
      const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
      type Page = ItemBody & { content?: object };
      const answers = [ok<Page>(create({ name: 'Ahead' }))];
      await lock.waiting(1);
      for (const request of [
        ...[() => rename(first), () => save(first)],
        ...[() => save(second), () => rename(second)],
        ...[() => move(third), () => rename(third)],
      ]) {
        answers.push(ok<Page>(request()));
        await at.queued(at.workspace.id, answers.length - 1);
      }
      await lock.release();
      const shown = (await Promise.all(answers)).map(({ name, content }) => [name, content]);
      expect(shown).toEqual([
        ['Ahead', {}],
        ['New', { n: 1 }],
        ['New', { n: 2 }],
        ['Old', { n: 2 }],
        ['New', { n: 2 }],
        [undefined, undefined],
        ['New', { n: 1 }],
      ]);
    },
  );

  test('422 for content on a collection, a page as parent, the own subtree', async () => {
    const a = await anItem(at.ada, at.query);
    const page = await anItem(at.ada, at.query, { object: 'item' });
    for (const body of [{ content: {} }, { parent: page.id }, { parent: a.id }]) {
      expect((await at.ada.put(`/collections/${a.id}`, body)).status).toBe(422);
    }
  });

  test('of ten writers with one ETag exactly one wins, the others get 409', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item' });
    const { etag } = (await at.ada.get(`/collections/${page.id}`)).headers;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        at.ada.put(`/collections/${page.id}`, { content: { n } }).set('if-match', etag as string),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
  });
});

describe('If-Match', () => {
  const tagOf = async (path: string): Promise<string> => {
    const { status, headers } = await at.ada.get(path);
    expect(status).toBe(200);
    return headers.etag as string;
  };

  test.each([
    ['as it came', (etag: string) => etag],
    ['in a list', (etag: string) => `"x", ${etag}`],
    ['weakened by a compressing proxy', (etag: string) => `W/${etag}`],
    ['with the name of an encoding', (etag: string) => etag.replace(/"$/, '-gzip"')],
    ['weakened, with the name of an encoding', (etag: string) => `W/${etag.replace(/"$/, ';br"')}`],
  ])('accepts the current ETag %s, and no other one', async (_, form) => {
    const shelf = await anItem(at.ada, at.query);
    const { id } = await anItem(at.ada, at.query, { object: 'item', parent: shelf.id });
    const [item, parent, list] = [
      `/collections/${id}`,
      `/collections/${shelf.id}`,
      `/collections${at.query}`,
    ];
    const path = `/collections/order${at.query}`;
    const sent: [name: string, of: string, request: () => ReturnType<Caller['put']>][] = [
      ['a save', item, () => at.ada.put(item, { content: { x: 1 } })],
      ['a rename', parent, () => at.ada.put(parent, { name: 'Renamed' })],
      ['a move', item, () => reorder({ id, index: 0, newParent: shelf.id })],
      ['an order', parent, () => at.ada.put(path, { parent: shelf.id, children: [id] })],
      ['the top order', list, () => at.ada.put(path, { parent: null, children: [shelf.id] })],
      ['a delete', item, () => at.ada.delete(item)],
    ];
    const offenders: unknown[] = [];
    for (const [name, of, request] of sent) {
      const current = form(await tagOf(of));
      const read = await at.ada.get(of).set('if-none-match', current);
      const stale = await request().set('if-match', current.replace(/[0-9a-f]{8}/, '00000000'));
      const { status } = await request().set('if-match', current);
      const found = [read.status, stale.status, status];
      if (`${found}` !== '304,409,200') offenders.push([name, ...found]);
    }
    expect(offenders).toEqual([]);
  });

  test('takes the ETag that GET shows, after the children were put in another order', async () => {
    const shelf = await anItem(at.ada, at.query);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push((await anItem(at.ada, at.query, { object: 'item', parent: shelf.id })).id);
    const [a, b, c] = ids;
    const orders: [name: string, request: () => PromiseLike<{ status: number }>][] = [
      ['reorderItem', () => reorder({ id: c, index: 0 })],
      [
        'orderCollections',
        () =>
          at.ada.put(`/collections/order${at.query}`, {
            parent: shelf.id,
            children: [b, c, a],
          }),
      ],
      ['a create ahead of them', () => create({ parent: shelf.id, index: 0 })],
    ];
    const path = `/collections/${shelf.id}`;
    const offenders: unknown[] = [];
    for (const [name, request] of orders) {
      expect((await request()).status).toBe(200);
      const renamed = await at.ada.put(path, { name }).set('if-match', await tagOf(path));
      const isCurrent = renamed.headers.etag === (await tagOf(path));
      if (renamed.status !== 200 || !isCurrent) offenders.push([name, renamed.status]);
      const moved = await reorder({ id: shelf.id, index: 0 }).set('if-match', await tagOf(path));
      if (moved.status !== 200) offenders.push([name, moved.status]);
    }
    expect(offenders).toEqual([]);
    expect((await at.ada.delete(path).set('if-match', await tagOf(path))).status).toBe(200);
  });
});

describe('DELETE /collections/{id}', () => {
  test('200 in a team that has more items than its plan allows, and they are given back', async () => {
    const setPlan = (plan: string) =>
      sql(at.databaseUrl, 'UPDATE teams SET plan = $2 WHERE slug = $1', [at.team, plan]);
    await setPlan('enterprise');
    const shelf = await anItem(at.ada, at.query);
    const pages: string[] = [];
    for (let n = 0; n < 6; n++) {
      const parent = n < 2 ? shelf.id : null;
      pages.push((await anItem(at.ada, at.query, { object: 'item', parent })).id);
    }
    const collections: string[] = [];
    for (let n = 0; n < 5; n++) collections.push((await anItem(at.ada, at.query)).id);
    await setPlan('free');
    expect((await create({ object: 'item' })).status).toBe(403);
    expect((await create({})).status).toBe(403);
    await ok(at.ada.delete(`/collections/${pages[5]}`));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 5 });
    await ok(at.ada.delete(`/collections/${shelf.id}`));
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 3 });
    expect((await create({ object: 'item' })).status).toBe(403);
    await ok(at.ada.delete(`/collections/${pages[4]}`));
    // There are more collections than the plan allows, which is nothing to a page.
    await ok(create({ object: 'item' }));
    expect((await create({})).status).toBe(403);
    for (const id of collections.slice(0, 3)) await ok(at.ada.delete(`/collections/${id}`));
    await ok(create({}));
  });

  test('200: the whole subtree goes, and its pages are given back', async () => {
    const a = await anItem(at.ada, at.query);
    const b = await anItem(at.ada, at.query, { parent: a.id });
    const page = await anItem(at.ada, at.query, { parent: b.id, object: 'item' });
    expect(await ok(at.ada.delete(`/collections/${a.id}`))).toEqual({
      message: expect.any(String),
    });
    expect(await theTree(at.ada, at.query)).toEqual([]);
    for (const { id } of [a, b, page]) {
      expect((await at.ada.get(`/collections/${id}`)).status).toBe(404);
    }
    expect(await usageOf(at.ada, at.team)).toMatchObject({ pages: 0 });
  });

  test('409 for a stale If-Match: a child came since', async () => {
    const a = await anItem(at.ada, at.query);
    const { etag } = (await at.ada.get(`/collections/${a.id}`)).headers;
    await anItem(at.ada, at.query, { parent: a.id });
    const answer = await at.ada.delete(`/collections/${a.id}`).set('if-match', etag as string);
    expect([answer.status, answer.body]).toEqual([409, error('conflict', 'If-Match')]);
  });

  test('404 where the workspace named does not hold it', async () => {
    const a = await anItem(at.ada, at.query);
    const other = await aWorkspace(at.ada, at.team);
    expect((await at.ada.delete(`/collections/${a.id}${other.query}`)).status).toBe(404);
    expect((await at.ada.delete(`${other.path}/collections/${a.id}`)).status).toBe(404);
    await ok(at.ada.delete(`${at.workspace.path}/collections/${a.id}`));
  });
});
