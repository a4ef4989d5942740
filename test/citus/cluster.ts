import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { applyMigrations } from '../../src/database/migrations.js';

export const DISTRIBUTE = readFileSync(
  new URL('../../deploy/citus/distribute.sql', import.meta.url),
  'utf8',
);

const TEAMS = 20;

/** Teams of one owner with a private workspace each: a collection, one below it, and a page there. */
export const ROWS = `
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

export interface DistributedDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * A new database on all nodes of the cluster.
 * @param coordinatorUrl any database of the coordinator that has the extension citus and knows the
 *   nodes; it is not changed. Its user must be one on every node, who may create databases and the
 *   extension.
 * @param make migrates and distributes it
 */
export async function createDistributedDatabase(
  coordinatorUrl: string,
  make: (databaseUrl: string) => Promise<unknown> = async (url) => {
    await applyMigrations(url);
    await distribute(url);
  },
): Promise<DistributedDatabase> {
  const name = `teamspaces_test_${randomBytes(6).toString('hex')}`;
  const nodes = await nodesOf(coordinatorUrl);
  const urls = nodes.map(({ host, port }) => {
    const url = new URL(coordinatorUrl);
    url.hostname = host;
    url.port = String(port);
    return url;
  });
  const on = (url: URL, database: string) => Object.assign(new URL(url), { pathname: database });
  const drop = async () => {
    for (const url of urls) await run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  try {
    for (const url of urls) {
      await run(url, `CREATE DATABASE ${name} TEMPLATE template0`);
      await run(on(url, name), 'CREATE EXTENSION citus');
    }
    const [coordinator, ...workers] = nodes as [Node, ...Node[]];
    const url = on(urls[0] as URL, name);
    // Four shards instead of 32: enough for two nodes, and quicker to empty.
    await run(url, `ALTER DATABASE ${name} SET citus.shard_count TO 4`);
    await run(url, `ALTER DATABASE ${name} SET citus.enable_stat_counters TO on`);
    await run(url, 'SELECT citus_set_coordinator_host($1, $2)', [
      coordinator.host,
      coordinator.port,
    ]);
    for (const { host, port } of workers) {
      await run(url, 'SELECT citus_add_node($1, $2)', [host, port]);
    }
    await make(url.href);
    return { url: url.href, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Runs deploy/citus/distribute.sql; returns what it said. */
export async function distribute(databaseUrl: string, script = DISTRIBUTE): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  try {
    await client.query(script);
    return notices;
  } finally {
    await client.end();
  }
}

interface Node {
  host: string;
  port: number;
}

/** The coordinator first, then the workers. */
async function nodesOf(coordinatorUrl: string): Promise<Node[]> {
  const { rows } = await run<Node>(
    new URL(coordinatorUrl),
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE noderole = 'primary' ORDER BY groupid`,
  );
  if (rows.length < 2) throw new Error('CITUS_URL names a database that knows no worker nodes.');
  return rows;
}

async function run<Row extends pg.QueryResultRow>(url: URL, sql: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await client.query<Row>(sql, values);
  } finally {
    await client.end();
  }
}
