import pg from 'pg';

/** A connection for each test database, by its URL: connecting costs more than most statements. */
const pools = new Map<string, pg.Pool>();

/** Runs a statement in a test's database itself, past the service. */
export async function sql<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await poolOf(databaseUrl).query<Row>(text, values);
  return rows;
}

/** All rows of all tables, as text: what a dump of the database contains. */
export async function dumpOf(databaseUrl: string): Promise<string> {
  const tables = await sql<{ name: string }>(
    databaseUrl,
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const of = await sql<{ row: string }>(databaseUrl, `SELECT t::text AS row FROM ${name} t`);
    rows.push(...of.map(({ row }) => `${name}: ${row}`));
  }
  return rows.join('\n');
}

/** Closes the connection to a database that is to be dropped. */
export async function closeSql(databaseUrl: string): Promise<void> {
  const pool = pools.get(databaseUrl);
  pools.delete(databaseUrl);
  await pool?.end();
}

function poolOf(url: string): pg.Pool {
  let pool = pools.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
    // Tests terminate connections, and drop databases.
    pool.on('error', () => undefined);
    pools.set(url, pool);
  }
  return pool;
}
