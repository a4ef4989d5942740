import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { connect } from './connection.js';
import { checksum, type Migration, pendingMigrations } from './migration-history.js';

/** Major version of PostgreSQL. */
export const OLDEST_POSTGRES = 15;

/**
 * Brings the database up to date and returns the names of the migrations that were missing. Where
 * several instances start at once, one works and the others wait. Each migration is one
 * transaction, together with its row in `_prisma_migrations`: it is applied whole or not at all.
 * @param migrations those of prisma/migrations, unless a test has others
 * @throws Error with one sentence where the database cannot be reached, holds the tables of another
 * program, has another history than these migrations, or refuses one of them
 */
export async function applyMigrations(
  databaseUrl: string,
  migrations: Migration[] = readMigrations(),
): Promise<string[]> {
  // A connection of its own: the lock belongs to the session.
  const client = await connect(databaseUrl, 'migrations');
  try {
    await assertSupported(client);
    // A role's own time-outs are for requests (docs/deploy.md): migrations wait, and take long.
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)::text', [ADVISORY_LOCKS.migrations]);
    const pending = await pendingMigrations(client, migrations);
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The migrations of this version of the service, oldest first. */
export function readMigrations(): Migration[] {
  const folder = join(packageRoot(), 'prisma', 'migrations');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder that holds prisma/; the same from src/ (tests) and from dist/. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'prisma', 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('prisma/migrations is missing beside the package');
    folder = parent;
  }
  return folder;
}

async function assertSupported(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return;
  throw new Error(
    `DATABASE_URL names a PostgreSQL ${version}: this service needs ${OLDEST_POSTGRES} or later.`,
  );
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    for (const statement of statementsOf(sql)) await client.query(statement);
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum(sql), name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const { message, detail } = error as pg.DatabaseError;
    const reason = [message, detail].filter(Boolean).join(': ');
    throw new Error(`The migration ${name} failed, and nothing of it was applied: ${reason}`);
  }
}

/** What may hold a semicolon that ends no statement: comments, and quoted text. Then whatever else there is. */
const TOKENS = /--[^\n]*|\/\*.*?\*\/|'[^']*'|"[^"]*"|(\$\w*\$).*?\1|./gs;

/** The statements of a migration: Citus accepts one at a time if it is about a distributed table. */
function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === ';') statements.push('');
    else statements[statements.length - 1] += token;
  }
  return statements.filter((statement) => statement.trim() !== '');
}
