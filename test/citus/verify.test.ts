import { verifyDatabase } from '../../src/cli/verify/invariants.js';
import { sql } from '../support/sql.js';
import { createDistributedDatabase, type DistributedDatabase } from './cluster.js';

const TEAMS = 20;

/** Teams of one owner with a private workspace each: a collection, one below it, and a page there. */
const DATA = `
  INSERT INTO users (id, issuer, subject, email, name)
    VALUES (gen_random_uuid(), 'https://issuer.example', 'ada', 'ada@example.com', 'Ada');
  INSERT INTO teams (id, slug, name, invite_code)
    SELECT gen_random_uuid(), 'team-' || n, 'Team', 'code-' || n FROM generate_series(1, ${TEAMS}) AS n;
  INSERT INTO team_members (team_id, user_id, role) SELECT t.id, u.id, 'owner' FROM teams t, users u;
  INSERT INTO team_usage (team_id, pages, users, workspaces, collections)
    SELECT id, 1, 1, 1, 2 FROM teams;
  INSERT INTO workspaces (team_id, id, slug, name, visibility)
    SELECT id, gen_random_uuid(), 'w', 'W', 'private' FROM teams;
  INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
    SELECT w.team_id, w.id, u.id, 'editor' FROM workspaces w, users u;
  INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
    SELECT team_id, id, gen_random_uuid(), 'collection', 'A', 'a', 'a0' FROM workspaces;
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position)
    SELECT team_id, workspace_id, gen_random_uuid(), id, 'collection', 'B', 'b', 'a0'
    FROM collections WHERE slug = 'a';
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content)
    SELECT team_id, workspace_id, gen_random_uuid(), id, 'item', 'P', 'p', 'a0', '{"n": 1e300}'
    FROM collections WHERE slug = 'b';
  INSERT INTO trash_deletions (team_id, workspace_id, id, object, name, position, rebalances, height,
      pages, collections, deleted_at)
    SELECT team_id, id, gen_random_uuid(), 'item', 'D', 'a1', 0, 1, 1, 0, now() FROM workspaces;
  INSERT INTO trash_items (team_id, deletion_id, id, object, name, slug, position, content, version,
      created_at, updated_at)
    SELECT team_id, id, id, object, name, 'd', position, '{}', 1, now(), now() FROM trash_deletions`;

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
    await sql(url, DATA);
    before = await everyRow(url);
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
