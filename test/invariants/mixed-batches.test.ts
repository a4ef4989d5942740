import { anItem, aWorkspace, type ItemBody, theTree } from '../support/builders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, putRows } from '../support/tree.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0},"pro":{"pages":5,"workspaces":0}}' },
  each: 'workspace',
  verify: 'each',
});
let shelf: string;
let page: string;
beforeEach(async () => {
  shelf = (await anItem(at.ada, at.query)).id;
  page = (await anItem(at.ada, at.query, { object: 'item', parent: shelf })).id;
});

const create = (body: object, query = at.query) => at.ada.post(`/collections${query}`, body);
const move = (body: object, query = at.query) =>
  at.ada.post(`/collections/reorder${query}`, { index: 0, ...body });
const update = (id: string, body: object) => at.ada.put(`/collections/${id}${at.query}`, body);

type Sent = [status: number, request: PromiseLike<{ status: number; body: unknown }>];

/** Sends all at once, and so into as few batches as can be; each must be answered as it says. */
async function expectEach(sent: Sent[]): Promise<unknown[]> {
  const answers = await Promise.all(sent.map(([, request]) => request));
  expect(answers.map(({ status }) => status)).toEqual(sent.map(([status]) => status));
  return answers.map(({ body }) => body);
}

test('of many at once those that break a rule fail, each for itself, and the others succeed', async () => {
  const doomed = (await anItem(at.ada, at.query, { object: 'item' })).id;
  for (let round = 0; round < 5; round++) {
    const before = everyItem(await theTree(at.ada, at.query)).length;
    const stale = '"stale"';
    const sent = Array.from({ length: 8 }, (_, n): Sent[] => [
      [200, create({ parent: shelf, name: `Good ${round}-${n}` })],
      [404, create({ parent: ABSENT })],
      [422, create({ parent: page })],
      [422, create({ parent: shelf, content: {} })],
      [200, move({ id: page, newParent: shelf, index: n })],
      [404, move({ id: ABSENT })],
      [422, move({ id: shelf, newParent: shelf })],
      [409, move({ id: doomed, parent: shelf })],
      [200, update(doomed, { content: { n } })],
      [422, update(shelf, { content: { n } })],
      [409, update(page, { name: 'No' }).set('if-match', stale)],
      [422, update(doomed, { parent: page })],
      [200, at.ada.post(`/collections/batch${at.query}`, { items: [{ children: [{}] }] })],
      [422, at.ada.post(`/collections/batch${at.query}`, { items: [{}, { content: {} }] })],
    ]).flat();
    await expectEach(sent);
    const items = everyItem(await theTree(at.ada, at.query));
    expect(items).toHaveLength(before + 8 + 2 * 8);
    const good = items.filter(({ name }) => name.startsWith(`Good ${round}-`));
    expect(new Set(good.map(({ name }) => name)).size).toBe(8);
    expect(items.some(({ name }) => name === 'No')).toBe(false);
  }
});

test('in one batch a command sees what those before it did', async () => {
  // Commands of one connection's turn keep their order: deep is put below itself by two moves.
  const [a, b] = [(await anItem(at.ada, at.query)).id, (await anItem(at.ada, at.query)).id];
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([
      create({ parent: shelf }),
      move({ id: a, newParent: b }),
      move({ id: b, newParent: a }),
    ]);
    const [, first, second] = answers.map(({ status }) => status);
    expect([first, second].sort()).toEqual([200, 422]);
    await expectEach([[200, move({ id: a, newParent: null })]]);
    await expectEach([[200, move({ id: b, newParent: null })]]);
  }
});

test('two creates of one name in a batch get slugs of their own', async () => {
  const bodies = await expectEach(
    Array.from({ length: 40 }, (): Sent => [200, create({ name: 'Same name', parent: shelf })]),
  );
  const slugs = bodies.map((body) => (body as ItemBody).meta.slug);
  expect(new Set(slugs).size).toBe(40);
  expect(slugs).toContain('same-name');
});

test('a batch that the plan has no room for is carried out one by one, up to the limit', async () => {
  await sql(at.databaseUrl, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [at.team]);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      create({ parent: shelf, object: n % 3 === 0 ? 'collection' : 'item' }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  // A page and a collection are there already, and each kind has a limit of its own.
  const ofCollections = statuses.filter((_, n) => n % 3 === 0).sort();
  expect(ofCollections).toEqual([...Array(4).fill(200), ...Array(6).fill(403)]);
  const ofPages = statuses.filter((_, n) => n % 3 !== 0).sort();
  expect(ofPages).toEqual([...Array(4).fill(200), ...Array(16).fill(403)]);
});

test('moves to one place of a list that is too long to be read whole come through, each once', async () => {
  const rows = Array.from({ length: 2500 }, () => ({ object: 'item' as const, parent: 0 }));
  const long = await aWorkspace(at.ada, at.team);
  const [parent = '', ...ids] = await putRows(at.databaseUrl, long.id, [
    { object: 'collection' },
    ...rows,
  ]);
  const { query } = long;
  const moved = ids.slice(0, 20);
  await expectEach(moved.map((id): Sent => [200, move({ id, index: 1200 }, query)]));
  const shown = idsOf(await theTree(at.ada, `${query}&parent=${parent}`));
  expect(shown.filter((id) => !moved.includes(id))).toEqual(ids.slice(20));
  expect(shown.toSorted()).toEqual(ids.toSorted());
  expect(moved).toContain(shown[1200]);

  const others = ids.slice(-20);
  const fresh = Array.from({ length: 10 }, (_, n) => ({ parent, name: `New ${n}` }));
  await expectEach([
    ...others.map((id, n): Sent => [200, move({ id, index: n % 2 ? n * 130 : 1_000_000 }, query)]),
    ...fresh.map(
      (body, n): Sent => [200, create(n % 2 ? { ...body, index: n * 200 } : body, query)],
    ),
  ]);
  const then = await theTree(at.ada, `${query}&parent=${parent}`);
  const made = then.filter(({ name }) => name.startsWith('New '));
  expect(made.map(({ name }) => name).sort()).toEqual(fresh.map(({ name }) => name));
  const left = idsOf(then).filter((id) => ids.includes(id));
  expect(left.toSorted()).toEqual(ids.toSorted());
  const settled = new Set(others);
  expect(left.filter((id) => !settled.has(id))).toEqual(shown.filter((id) => !settled.has(id)));
});

test('a long list may go while somebody is about to put something into it', async () => {
  const rows = Array.from({ length: 2050 }, () => ({ object: 'item' as const, parent: 0 }));
  const long = await aWorkspace(at.ada, at.team);
  for (let round = 0; round < 6; round++) {
    const [parent = '', item = ''] = await putRows(at.databaseUrl, long.id, [
      { object: 'collection' },
      ...rows,
    ]);
    await at.ada.get(`/collections/${item}${long.query}`);
    const isCreate = round % 2 === 0;
    const [gone, put] = await Promise.all([
      at.ada.delete(`/collections/${parent}${long.query}`),
      isCreate
        ? at.ada.post(`/collections${long.query}`, { parent, index: 5 })
        : at.ada.post(`/collections/reorder${long.query}`, { id: item, index: 5 }),
    ]);
    expect(gone.status).toBe(200);
    expect([200, 404]).toContain(put.status);
  }
});
