import { aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":20},"pro":{"pages":3},"business":{"pages":0}}' },
  each: 'workspace',
  verify: 'each',
});

const create = (body: object = {}) => at.ada.post(`/collections${at.workspace.query}`, body);
const batch = (items: object[]) =>
  at.ada.post(`/collections/batch${at.workspace.query}`, { items });
const many = (count: number, object = 'collection') =>
  Array.from({ length: count }, () => ({ object }));
const setPlan = (plan: string) =>
  sql(at.databaseUrl, 'UPDATE teams SET plan = $2 WHERE slug = $1', [at.team, plan]);
const REACHED =
  "the free plan's limit of 20 collections (limit.pages) is reached: remove some collections or change the plan";

describe('a team holds at most as many collections as its plan allows pages', () => {
  test('200 parallel creates at a limit of 20 end in exactly 20, and the message names it', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        at.ada.post(`/collections${n % 2 ? at.workspace.query : other.query}`, {}),
      ),
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
