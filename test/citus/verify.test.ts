import { verifyDatabase } from '../../cli/verify/invariants.js';
import { applyMigrations } from '../../src/database/migrations.js';
import { runCommand } from '../support/command.js';
import { SECRET } from '../support/secret.js';
import { sql } from '../support/sql.js';
import {
  createDistributedDatabase,
  type DistributedDatabase,
  distribute,
  ROWS,
} from './cluster.js';

const TABLES = ['users', 'teams', 'team_members', 'team_usage', 'workspaces', 'workspace_members'];

/** All rows of all tables, as text, in an order of their own. */
const everyRow = async (url: string): Promise<unknown[]> =>
  Promise.all(
    [...TABLES, 'collections', 'trash_deletions', 'trash_items'].map((table) =>
      sql(url, `SELECT t::text AS row FROM ${table} AS t ORDER BY 1`),
    ),
  );

let database: DistributedDatabase;
let before: unknown[];
beforeAll(async () => {
  database = await createDistributedDatabase(String(process.env.CITUS_URL), async (url) => {
    await applyMigrations(url);
    await sql(url, ROWS);
    before = await everyRow(url);
    await distribute(url);
  });
});
afterAll(() => database.drop());

const broken = async (): Promise<[string, number][]> =>
  (await verifyDatabase(database.url))
    .filter(({ violations }) => violations > 0)
    .map(({ name, violations }) => [name, violations]);

test('a database that is distributed with data in it keeps every row', async () => {
  expect(await everyRow(database.url)).toEqual(before);
});

test('verify finds nothing wrong in it', async () => {
  expect(await broken()).toEqual([]);
});

test('doctor checks all but what only the nodes of the rows know', async () => {
  const env = { DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET };
  const { status, output } = await runCommand(['doctor', '--json'], env);
  const findings = JSON.parse(output) as { level: string; check: string }[];
  // No service runs, which may be a warning.
  const others = findings.filter(({ check }) => check !== 'search');
  expect(others.filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    ...['configuration', 'database', 'migrations', 'permissions', 'statistics'],
    ...['search', 'keys', 'Redis', 'SMTP', 'webhooks', 'clock'],
  ]);
  expect(status).toBe(0);
});

test('one team has its rows on one node', async () => {
  const [row] = await sql<{ nodes: number }>(
    database.url,
    `SELECT max(nodes)::int AS nodes FROM (
       SELECT count(DISTINCT p.nodename || ':' || p.nodeport) AS nodes
       FROM teams t, pg_dist_partition d
       JOIN citus_shards p ON p.table_name = d.logicalrelid
       WHERE d.partmethod = 'h' AND p.shardid = get_shard_id_for_distribution_column(d.logicalrelid, t.id)
       GROUP BY t.id
     ) AS counted`,
  );
  expect(row).toEqual({ nodes: 1 });
});

describe('verify finds', () => {
  const ONE = `team_id = (SELECT id FROM teams WHERE slug = 'team-7')`;
  test.each([
    [
      'usage.pages equals the pages',
      `UPDATE team_usage SET pages = 7 WHERE ${ONE}`,
      `UPDATE team_usage SET pages = 1 WHERE ${ONE}`,
    ],
    [
      'usage.collections equals the collections',
      `UPDATE team_usage SET collections = 7 WHERE ${ONE}`,
      `UPDATE team_usage SET collections = 2 WHERE ${ONE}`,
    ],
    [
      'usage.users equals the members',
      `UPDATE team_usage SET users = 7 WHERE ${ONE}`,
      `UPDATE team_usage SET users = 1 WHERE ${ONE}`,
    ],
    [
      'usage.workspaces equals the workspaces',
      `UPDATE team_usage SET workspaces = 7 WHERE ${ONE}`,
      `UPDATE team_usage SET workspaces = 1 WHERE ${ONE}`,
    ],
    [
      'every private workspace has an editor',
      `UPDATE workspace_members SET role = 'reader' WHERE ${ONE}`,
      `UPDATE workspace_members SET role = 'editor' WHERE ${ONE}`,
    ],
    [
      'every team has an owner',
      `UPDATE team_members SET role = 'guest' WHERE ${ONE}`,
      `UPDATE team_members SET role = 'owner' WHERE ${ONE}`,
    ],
    [
      'positions are at most 64 characters long',
      `UPDATE collections SET position = position || repeat('1', 64) WHERE ${ONE} AND slug = 'a'`,
      `UPDATE collections SET position = 'a0' WHERE ${ONE} AND slug = 'a'`,
    ],
  ])('%s', async (name, breaks, mends) => {
    await sql(database.url, breaks);
    expect(await broken()).toEqual([[name, 1]]);
    await sql(database.url, mends);
  });

  test('a cycle, with all below it', async () => {
    const rows = await sql<{ team_id: string; id: string; slug: string }>(
      database.url,
      `SELECT team_id, id, slug FROM collections WHERE ${ONE}`,
    );
    const idOf = (slug: string) => rows.find((row) => row.slug === slug)?.id;
    const hang = (parent: string | undefined) =>
      sql(
        database.url,
        "UPDATE collections SET parent_id = $1, position = 'a5' WHERE team_id = $2 AND id = $3",
        [parent ?? null, rows[0]?.team_id, idOf('a')],
      );
    await hang(idOf('b'));
    expect(await broken()).toEqual([
      ['there is no cycle: every item is reached from the top level', 3],
    ]);
    await hang(undefined);
  });

  test('counters that are missing', async () => {
    await sql(database.url, `DELETE FROM team_usage WHERE ${ONE}`);
    expect(await broken()).toEqual([['every team has counters', 1]]);
  });
});
