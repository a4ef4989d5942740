import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { until } from '../operate/process.js';
import { type InsideService, startServiceInside } from '../support/app.js';
import { auditLog } from '../support/audit.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { holdLock, holdTeam } from '../support/locks.js';
import { type Known, someone } from '../support/members.js';
import { purgeRound } from '../support/purges.js';
import { sql } from '../support/sql.js';
import { idsOf, putRows } from '../support/tree.js';
import { aVersion } from '../support/versions.js';

let service: InsideService;
let ada: Known;
let query: string;
let path: string;
let workspaceId: string;
let team: string;
beforeAll(async () => {
  service = await startServiceInside({ PLAN_LIMITS: '{"free":{"pages":5,"workspaces":0}}' });
  ada = await someone(service);
});
beforeEach(async () => {
  team = await aTeam(ada);
  const workspace = await aWorkspace(ada, team);
  query = workspace.query;
  path = workspace.path;
  workspaceId = workspace.id;
});
afterEach(() => assertInvariants(service.databaseUrl));
afterAll(() => service.stop());

const purge = () => purgeRound(service, 'TrashPurge');
const rows = <Row extends object>(table: string) =>
  sql<Row>(
    service.databaseUrl,
    `SELECT * FROM ${table} WHERE team_id = (
    SELECT team_id FROM workspaces WHERE id = $1)`,
    [workspaceId],
  );
const trash = async () => idsOf(await ok<[]>(ada.get(`/collections/trash${query}`)));
const change = (set: string, id: string) =>
  sql(service.databaseUrl, `UPDATE trash_deletions SET ${set} WHERE id = $1`, [id]);

async function deleted(object: 'collection' | 'item' = 'item'): Promise<string> {
  const { id } = await anItem(ada, query, { object });
  await ok(ada.delete(`/collections/${id}`));
  return id;
}

testInside('what has expired is removed, and nothing else', async () => {
  const [old, fresh] = [await deleted(), await deleted()];
  await change("deleted_at = deleted_at - interval '30 days'", old);
  await change("deleted_at = deleted_at - interval '29 days'", fresh);
  await purge();
  expect(idsOf(await rows('trash_deletions'))).toEqual([fresh]);
  expect(idsOf(await rows('trash_items'))).toEqual([fresh]);
  await ok(ada.post(`/collections/trash/${fresh}/restore`, {}));
});

testInside(
  'of a trash with more pages than the plan allows, the oldest deletions are removed',
  async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift(await deleted());
    const collections: string[] = [];
    for (let n = 0; n < 3; n++) collections.unshift(await deleted('collection'));
    expect(await trash()).toEqual([...collections, ...ids]);
    await purge();
    expect(await trash()).toEqual([...collections, ...ids.slice(0, 5)]);
  },
);

testInside('of a trash with more collections than the plan allows pages, as well', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.unshift(await deleted('collection'));
  await purge();
  expect(await trash()).toEqual(ids.slice(0, 5));
});

testInside('of deletions of one moment, as many stay as there is room for', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.unshift(await deleted());
  // As those of one manifest are.
  const same =
    'UPDATE trash_deletions SET deleted_at = (SELECT max(deleted_at) FROM trash_deletions)';
  await sql(service.databaseUrl, `${same} WHERE id = ANY ($1)`, [ids]);
  await purge();
  expect(await trash()).toEqual(ids.slice(0, 5));
});

testInside('what is in the trash of another team takes no room', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.unshift(await deleted());
  const other = await aWorkspace(ada, await aTeam(ada));
  for (let n = 0; n < 5; n++) {
    const { id } = await anItem(ada, other.query, { object: 'item' });
    await ok(ada.delete(`/collections/${id}`));
  }
  await purge();
  expect(await trash()).toEqual(ids.slice(0, 5));
  expect(await ok(ada.get(`/collections/trash${other.query}`))).toHaveLength(5);
});

testInside(
  'after an outage, any number of expired deletions goes, each with an entry',
  async () => {
    const id = await deleted();
    const copies = await sql(
      service.databaseUrl,
      `INSERT INTO trash_deletions (id, deleted_at, team_id, workspace_id, parent_id, object, name,
      position, rebalances, height, pages, collections, deleted_by)
    SELECT gen_random_uuid(), deleted_at - interval '31 days', team_id, workspace_id, parent_id, object,
      name, position, rebalances, height, pages, collections, deleted_by
    FROM trash_deletions, generate_series(1, 600) WHERE id = $1 RETURNING id`,
      [id],
    );
    await purge();
    expect(await rows('trash_deletions')).toHaveLength(1);
    const purged = `SELECT DISTINCT target_id FROM audit_entries
    WHERE action = 'item.purged' AND workspace_id = $1`;
    expect(await sql(service.databaseUrl, purged, [workspaceId])).toHaveLength(copies.length);
    // xmin is the transaction: none is long.
    const largest = `SELECT count(*)::int FROM audit_entries WHERE workspace_id = $1
    GROUP BY xmin ORDER BY count(*) DESC LIMIT 1`;
    expect(await sql(service.databaseUrl, largest, [workspaceId])).toEqual([{ count: 250 }]);
  },
);

testInside('what a caller has purged is removed at once, in portions', async () => {
  const [id = ''] = await putRows(service.databaseUrl, workspaceId, [
    { object: 'collection' },
    ...Array.from({ length: 1_200 }, () => ({ object: 'item' as const, parent: 0 })),
  ]);
  await ok(ada.delete(`/collections/${id}`));
  expect(await rows('trash_items')).toHaveLength(1_201);
  await ok(ada.delete(`/collections/trash/${id}`));
  await until(async () => (await rows('trash_deletions')).length === 0);
  expect(await rows('trash_items')).toEqual([]);
});

testInside('one process purges at a time: another one leaves it alone', async () => {
  const id = await deleted();
  await change('purged_at = now()', id);
  const { default: pg } = await import('pg');
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  try {
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.trashPurge})`);
    await purge();
    expect(await rows('trash_items')).toHaveLength(1);
    await other.query('COMMIT');
    await purge();
    expect(await rows('trash_items')).toEqual([]);
  } finally {
    await other.end();
  }
});

testInside('a deletion that is restored while it is purged is either whole or gone', async () => {
  for (let n = 0; n < 10; n++) {
    const id = await deleted();
    const [restored, purged] = await Promise.all([
      ada.post(`/collections/trash/${id}/restore`, {}),
      ada.delete(`/collections/trash/${id}`),
    ]);
    expect([restored.status, purged.status].sort()).toEqual([200, 404]);
    expect((await ada.get(`/collections/${id}`)).status).toBe(restored.status);
    if (restored.status === 200) await ok(ada.delete(`/collections/${id}?permanent=true`));
  }
});

testInside('a deletion that is being restored is not purged: 404 once it is back', async () => {
  const { id } = await anItem(ada, query, { name: 'Back' });
  await ok(ada.delete(`/collections/${id}`));
  // The restore waits for the slug, with the deletion locked.
  const slug = await holdLock(
    service.databaseUrl,
    `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
     SELECT team_id, id, gen_random_uuid(), 'collection', 'Back', 'back', 'zz'
     FROM workspaces WHERE id = $1`,
    [workspaceId],
  );
  const restored = ada.post(`/collections/trash/${id}/restore`, {}).then(({ status }) => status);
  await slug.waiting(1);
  const purged = ada.delete(`/collections/trash/${id}`).then(({ status }) => status);
  await slug.waiting(2);
  await slug.release();
  expect(await Promise.all([restored, purged])).toEqual([200, 404]);
  await ok(ada.get(`/collections/${id}`));
});

/** What is left of a workspace in the database: rows of each table. */
const leftOf = (id: string) =>
  sql(
    service.databaseUrl,
    `SELECT 'workspaces' FROM workspaces WHERE id = $1
     UNION ALL SELECT 'workspace_members' FROM workspace_members WHERE workspace_id = $1
     UNION ALL SELECT 'collections' FROM collections WHERE workspace_id = $1
     UNION ALL SELECT 'trash_deletions' FROM trash_deletions WHERE workspace_id = $1
     UNION ALL SELECT 'trash_items' FROM trash_items i JOIN trash_deletions d
       ON d.team_id = i.team_id AND d.id = i.deletion_id WHERE d.workspace_id = $1`,
    [id],
  );
const expire = (id: string) =>
  sql(
    service.databaseUrl,
    "UPDATE workspaces SET deleted_at = deleted_at - interval '30 days' WHERE id = $1",
    [id],
  );
const workspacesIn = async () =>
  (await ok<{ _id: string }[]>(ada.get(`/teams/${team}/trash`))).map(({ _id }) => _id);

testInside('a purged workspace goes with all in it, in portions', async () => {
  await putRows(service.databaseUrl, workspaceId, [
    { object: 'collection' },
    { object: 'collection', parent: 0 },
    ...Array.from({ length: 1_200 }, (_, n) => ({ object: 'item' as const, parent: n % 2 })),
    // A chain of collections.
    ...Array.from({ length: 20 }, (_, n) => ({
      object: 'collection' as const,
      parent: n === 0 ? 1 : 1_201 + n,
    })),
  ]);
  const beside = await aWorkspace(ada, team);
  const [other = '', deletedThere = ''] = await putRows(service.databaseUrl, beside.id, [
    { object: 'collection' },
    { object: 'collection' },
  ]);
  await ok(ada.delete(`/collections/${deletedThere}`));
  await sql(service.databaseUrl, "UPDATE teams SET plan = 'enterprise' WHERE slug = $1", [team]);
  await deleted();
  await deleted('collection');
  await ok(ada.delete(path));
  await purge();
  expect((await leftOf(workspaceId)).length).toBe(1 + 1 + 1_222 + 2 + 2);
  await ok(ada.delete(`/teams/${team}/trash/${workspaceId}`));
  await until(async () => (await leftOf(workspaceId)).length === 0);
  await ok(ada.get(`/collections/${other}`));
  await ok(ada.post(`/collections/trash/${deletedThere}/restore`, {}));
});

testInside('emptying a trash is run again after a deadlock', async () => {
  const [first, second] = [await deleted(), await deleted()].sort();
  const lock = 'SELECT FROM trash_deletions WHERE id = $1 FOR UPDATE';
  const held = await holdLock(service.databaseUrl, lock, [second]);
  const emptied = ada.delete(`/collections/trash${query}`).then((response) => response);
  await held.waiting(1);
  await held.take(lock, [first as string]);
  await held.release();
  expect((await emptied).status).toBe(200);
  expect(await trash()).toEqual([]);
});

testInside('workspaces that have expired are removed, and no others', async () => {
  const fresh = await aWorkspace(ada, team);
  // A page with a version, which goes, too.
  const { id } = await anItem(ada, query, { object: 'item', content: { n: 1 } });
  const longAgo = "UPDATE collections SET written_since = now() - interval '1 hour' WHERE id = $1";
  await sql(service.databaseUrl, longAgo, [id]);
  await ok(ada.put(`/collections/${id}`, { content: { n: 2 } }));
  await ok(ada.delete(`/collections/${id}`));
  expect(await rows('page_versions')).toHaveLength(1);
  await ok(ada.delete(path));
  await ok(ada.delete(fresh.path));
  await expire(workspaceId);
  await purge();
  expect(await leftOf(workspaceId)).toEqual([]);
  for (const table of ['trash_items', 'page_versions']) {
    const left = `SELECT FROM ${table} WHERE id = $1`;
    expect(await sql(service.databaseUrl, left, [id])).toEqual([]);
  }
  expect(await workspacesIn()).toEqual([fresh.id]);
  await ok(ada.post(`/teams/${team}/trash/${fresh.id}/restore`));
});

testInside(
  'of more workspaces, or more pages in them, than the plan allows, the oldest go',
  async () => {
    const limited = await startServiceInside(
      { PLAN_LIMITS: '{"free":{"pages":5,"workspaces":2}}' },
      service.databaseUrl,
    );
    try {
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) {
        const made = await aWorkspace(ada, team);
        await ok(ada.delete(made.path));
        ids.unshift(made.id);
      }
      await purgeRound(limited, 'TrashPurge');
      expect(await workspacesIn()).toEqual(ids.slice(0, 2));
      for (let n = 0; n < 3; n++) await anItem(ada, query, { object: 'item' });
      const page = await deleted();
      await ok(ada.delete(path));
      await purgeRound(limited, 'TrashPurge');
      expect(await workspacesIn()).toEqual([workspaceId, ids[0]]);
      const more = await aWorkspace(ada, team);
      for (let n = 0; n < 2; n++) await anItem(ada, more.query, { object: 'item' });
      await ok(ada.delete(more.path));
      await purgeRound(limited, 'TrashPurge');
      expect(await workspacesIn()).toEqual([more.id, workspaceId]);
      // The deletion in the older workspace had no room left.
      const left = 'SELECT FROM trash_items WHERE id = $1';
      expect(await sql(service.databaseUrl, left, [page])).toEqual([]);
    } finally {
      await limited.stop();
    }
  },
);

testInside('a workspace that is restored while it is purged is either whole or gone', async () => {
  for (let n = 0; n < 10; n++) {
    const { id, path: at, query: q } = await aWorkspace(ada, team);
    const item = await anItem(ada, q);
    await ok(ada.delete(at));
    const [restored, purged] = await Promise.all([
      ada.post(`/teams/${team}/trash/${id}/restore`),
      ada.delete(`/teams/${team}/trash/${id}`),
      purge(),
    ]);
    expect([restored.status, purged.status].sort()).toEqual([200, 404]);
    await purge();
    expect((await ada.get(`/collections/${item.id}`)).status).toBe(restored.status);
    if (restored.status === 200) await ok(ada.delete(`/collections/${item.id}?permanent=true`));
  }
});

testInside('a workspace that is restored while a round looks at it stays', async () => {
  const newer = await aWorkspace(ada, team);
  for (const workspace of [{ path, query }, newer]) {
    for (let n = 0; n < 3; n++) await anItem(ada, workspace.query, { object: 'item' });
    await ok(ada.delete(workspace.path));
  }
  const last =
    'SELECT FROM workspaces w JOIN team_usage u USING (team_id) WHERE w.id = $1 FOR UPDATE OF u';
  const held = await holdLock(service.databaseUrl, last, [workspaceId]);
  const restored = ada.post(`/teams/${team}/trash/${workspaceId}/restore`).then((one) => one);
  await held.waiting(1);
  // More pages than the plan allows were in the trash when the round began.
  const round = purge();
  await held.waiting(2);
  await held.release();
  await Promise.all([ok(restored), round]);
  expect(await ok<[]>(ada.get(`/collections${query}`))).toHaveLength(3);
});

testInside('nobody waits for the removal of a workspace', async () => {
  await ok(ada.delete(path));
  await expire(workspaceId);
  const other = await aWorkspace(ada, team);
  const held = await holdTeam(service.databaseUrl, team);
  try {
    await purge();
  } finally {
    await held.release();
  }
  expect(await leftOf(workspaceId)).toEqual([]);
  await anItem(ada, other.query);
});

testInside('with TRASH_TTL_SECONDS=0 there is no trash', async () => {
  const without = await startServiceInside({ TRASH_TTL_SECONDS: '0' }, service.databaseUrl);
  try {
    const id = await deleted();
    const same = without.as(ada.person);
    const { id: gone } = await anItem(same, query);
    await ok(same.delete(`/collections/${gone}`));
    const { id: pruned } = await anItem(same, query, { object: 'item', key: 'pruned' });
    await aVersion(without, same, pruned);
    const manifest = { items: [{ key: 'kept', name: 'Kept' }], prune: true };
    expect(await ok(same.put(`/collections/apply${query}`, manifest))).toMatchObject({ pruned: 1 });
    expect(await rows('page_versions')).toEqual([]);
    const [entry] = await auditLog(same, team);
    expect(entry).toMatchObject({ action: 'item.deleted', details: { permanent: true } });
    expect(await ok(same.get(`/collections/trash${query}`))).toEqual([]);
    expect(idsOf(await rows('trash_items'))).toEqual([id]);
    await ok(same.delete(path));
    expect(await ok(same.get(`/teams/${team}/trash`))).toEqual([]);
    expect((await same.post(`/teams/${team}/trash/${workspaceId}/restore`)).status).toBe(404);
    await purgeRound(without, 'TrashPurge');
    expect(await leftOf(workspaceId)).toEqual([]);
  } finally {
    await without.stop();
  }
});
