import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { applyMigrations } from '../../src/database/migrations.js';

const DISTRIBUTE = new URL('../../deploy/citus/distribute.sql', import.meta.url);

export interface DistributedDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * A new database on all nodes of the cluster, migrated and distributed.
 * @param coordinatorUrl any database of the coordinator that has the extension citus and knows the
 *   nodes; it is not changed. Its user must be one on every node, who may create databases and the
 *   extension.
 * @param fill puts rows in before the database is distributed
 */
export async function createDistributedDatabase(
  coordinatorUrl: string,
  fill: (databaseUrl: string) => Promise<unknown> = async () => undefined,
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
    await applyMigrations(url.href);
    await fill(url.href);
    await distribute(url.href);
    return { url: url.href, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Runs deploy/citus/distribute.sql; returns what it said. */
export async function distribute(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  try {
    await client.query(readFileSync(DISTRIBUTE, 'utf8'));
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
