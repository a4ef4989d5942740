import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { type InsideService, startServiceInside } from '../support/app.js';
import { anItem, aWorkspace, ok, theTree } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { holdLock } from '../support/locks.js';
import { purgeRound } from '../support/purges.js';
import { Replica } from '../support/replica.js';
import { runs } from '../support/runs.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const at = scene({
  once: 'workspace',
  // Of the service that writes: the one that purges has the usual plans.
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}', RATE_LIMIT_PER_MINUTE: '0' },
});

let service: InsideService;
beforeAll(async () => {
  service = await startServiceInside({ CHANGES_TTL_SECONDS: '3600' }, at.databaseUrl);
});
afterAll(() => service.stop());

/** By age, and by the size of the log. */
async function purge(): Promise<void> {
  await purgeRound(service, 'Retention');
  await purgeRound(service, 'ChangesPurge');
}

/** The versions that the log has, in order. */
const versions = async () =>
  (
    await sql<{ version: string }>(
      at.databaseUrl,
      'SELECT DISTINCT version FROM tree_changes WHERE workspace_id = $1 ORDER BY version',
      [at.workspace.id],
    )
  ).map(({ version }) => Number(version));

testInside('changes older than CHANGES_TTL_SECONDS are purged, whole versions', async () => {
  const items = Array.from({ length: 300 }, () => ({ object: 'item' }));
  for (let n = 0; n < 4; n++) {
    await ok(at.ada.post(`/collections/batch${at.query}`, { items: n === 3 ? [{}] : items }));
  }
  const replica = new Replica(at.query, '&limit=1000');
  await replica.follow(at.ada);
  await anItem(at.ada, at.query);
  await purge();
  expect(await versions()).toEqual([1, 2, 3, 4, 5]);
  await sql(
    at.databaseUrl,
    "UPDATE tree_changes SET created_at = now() - interval '2 hours' WHERE version <= 4",
  );
  await purge();
  expect(await versions()).toEqual([5]);
  await replica.follow(at.ada);
  expect(replica.tree()).toEqual(await theTree(at.ada, at.query));
});

testInside('the log of a team that 0.1.0 has deleted is purged by its age', async () => {
  const orphans = `FROM tree_changes WHERE team_id = '00000000-0000-7000-8000-000000000001'`;
  await sql(
    at.databaseUrl,
    `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
     SELECT id, id, 1, id, id FROM (SELECT '00000000-0000-7000-8000-000000000001'::uuid) AS gone (id)`,
  );
  await purge();
  expect(await sql(at.databaseUrl, `SELECT ${orphans}`)).toHaveLength(1);
  await sql(
    at.databaseUrl,
    `UPDATE tree_changes SET created_at = now() - interval '2 hours' WHERE id IN (SELECT id ${orphans})`,
  );
  await purge();
  expect(await sql(at.databaseUrl, `SELECT ${orphans}`)).toEqual([]);
});

describe('the log of a workspace has at most 20 rows for each page of the plan, and at least 100,000', () => {
  /** Adds rows to the log, each of a version of its own, before those that are there. */
  const addRows = (count: number, id = at.workspace.id) =>
    sql(
      at.databaseUrl,
      `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
       SELECT team_id, id, -n, id, gen_random_uuid() FROM workspaces, generate_series(1, $2::int) AS n
       WHERE id = $1`,
      [id, count],
    );
  const rowsOf = async (id: string) =>
    (await sql(at.databaseUrl, 'SELECT FROM tree_changes WHERE workspace_id = $1', [id])).length;
  const items = Array.from({ length: 10 }, () => ({ object: 'item' }));
  const batch = (query: string) => ok(at.ada.post(`/collections/batch${query}`, { items }));

  testInside('the oldest versions go, and cursors from before them are refused', async () => {
    const { id } = at.workspace;
    const other = await aWorkspace(at.ada, at.team);
    await batch(other.query);
    const early = new Replica(at.query);
    await early.follow(at.ada);
    await batch(at.query);
    const late = new Replica(at.query);
    await late.follow(at.ada);
    await addRows(100_000 - (await rowsOf(id)));
    await purge();
    expect(await rowsOf(id)).toBe(100_000);
    // The next round does not look at them: it remembers how many there were.
    await sql(
      at.databaseUrl,
      "UPDATE tree_changes SET created_at = now() - interval '1 minute' WHERE workspace_id = $1",
      [id],
    );
    await batch(at.query);
    await purge();
    expect(await rowsOf(id)).toBe(100_000);
    // One version of many rows: whole versions go, so that fewer are left.
    await sql(
      at.databaseUrl,
      "UPDATE tree_changes SET version = -1, id = lpad((-version)::text, 32, '0')::uuid WHERE version < 0",
    );
    await batch(at.query);
    await purge();
    expect(await rowsOf(id)).toBeLessThan(100);
    expect(await rowsOf(other.id)).toBe(10);
    await late.follow(at.ada);
    expect(late.tree()).toEqual(await theTree(at.ada, at.query));
    // All that the early one has not seen goes, too.
    await sql(
      at.databaseUrl,
      `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
       SELECT team_id, id, tree_version, gen_random_uuid(), tree_stamp
       FROM workspaces, generate_series(1, 100000) WHERE id = $1`,
      [id],
    );
    await purge();
    expect(await rowsOf(id)).toBe(0);
    await at.ada.get(`/collections/changes${at.query}&cursor=${early.cursor}`).expect(409);
    await at.ada.get(`/collections/changes${at.query}&cursor=${late.cursor}`).expect(200);
  });

  testInside('what was left to another process is made up for by the next round', async () => {
    const { id } = await aWorkspace(at.ada, at.team);
    await addRows(100_010, id);
    // Longer ago than a round looks back beyond the last one.
    await sql(
      at.databaseUrl,
      "UPDATE tree_changes SET created_at = now() - interval '1 minute' WHERE workspace_id = $1",
      [id],
    );
    const starting = await startServiceInside({ CHANGES_TTL_SECONDS: '3600' }, at.databaseUrl);
    try {
      const lock = `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.changesPurge})`;
      const other = await holdLock(at.databaseUrl, lock, []);
      await purgeRound(starting, 'ChangesPurge');
      await other.release();
      expect(await rowsOf(id)).toBe(100_010);
      await purgeRound(starting, 'ChangesPurge');
      expect(await rowsOf(id)).toBe(100_000);
    } finally {
      await starting.stop();
    }
  });

  testInside(
    'a loop of copies that are deleted for good ends at the limit',
    async () => {
      const { id, query } = await aWorkspace(at.ada, at.team);
      // At night the loop fills the log by itself.
      const rounds = runs(2, 101);
      const [shelf] = await ok<{ id: string }[]>(
        at.ada.post(`/collections/batch${query}`, {
          items: [{ children: Array.from({ length: 499 }, () => ({ object: 'item' })) }],
        }),
      );
      await addRows(100_500 - rounds * 1000, id);
      for (let n = 0; n < rounds; n++) {
        const copy = await ok<{ id: string }>(
          at.ada.post(`/collections/${shelf?.id}/duplicate`, {}),
        );
        await ok(at.ada.delete(`/collections/${copy.id}?permanent=true`));
      }
      expect(await rowsOf(id)).toBeGreaterThan(100_000);
      await purge();
      expect(await rowsOf(id)).toBeLessThanOrEqual(100_000);
      expect(await rowsOf(id)).toBeGreaterThanOrEqual(99_500);
    },
    300_000,
  );
});
