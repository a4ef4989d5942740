import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A folder of prisma/migrations. */
export interface Migration {
  name: string;
  sql: string;
}

interface HistoryRow {
  name: string;
  checksum: string;
  applied: boolean;
  logs: string | null;
}

/** As Prisma's engine makes it: either continues from the history of the other. */
const HISTORY_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  varchar(36)  PRIMARY KEY NOT NULL,
    checksum            varchar(64)  NOT NULL,
    finished_at         timestamptz,
    migration_name      varchar(255) NOT NULL,
    logs                text,
    rolled_back_at      timestamptz,
    started_at          timestamptz  NOT NULL DEFAULT now(),
    applied_steps_count integer      NOT NULL DEFAULT 0
  )`;

/** The database has migrations that this version does not know: a newer one has migrated it. */
export class NewerHistory extends Error {
  /**
   * @param names the migrations that this version does not know, oldest first
   * @param pending those of this version that are not applied
   */
  constructor(
    readonly names: string[],
    readonly pending: Migration[],
  ) {
    super(
      `The database has migrations that this version of the service does not know (${inWords(names)}): ` +
        'a newer version has migrated it; run that one.',
    );
  }
}

/** Prisma's checksum of a migration. */
export const checksum = (sql: string): string => createHash('sha256').update(sql).digest('hex');

/**
 * The migrations that the database does not have yet, in order. Makes the table of the history where
 * there is none.
 * @throws Error where the history is not that of these migrations: one was edited after it was
 * applied, is missing here (NewerHistory), or failed; or where the database belongs to somebody else
 */
export async function pendingMigrations(
  client: pg.Client,
  migrations: Migration[],
): Promise<Migration[]> {
  const pending = await inspectHistory(client, migrations);
  await client.query(HISTORY_TABLE);
  return pending;
}

/**
 * The same, and changes nothing.
 * @throws Error as pendingMigrations()
 */
export async function inspectHistory(
  client: pg.Client,
  migrations: Migration[],
): Promise<Migration[]> {
  const tables = await tablesOf(client);
  const history = tables.includes('_prisma_migrations') ? await readHistory(client) : [];
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  if (!history.some(({ name }) => known.has(name))) assertOwnDatabase(tables, history);
  assertNoDrift(history, known);
  const applied = new Set(history.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerHistory(unknown, pending);
  return pending;
}

/** A database without any of our migrations is empty, or belongs to another program. */
function assertOwnDatabase(tables: string[], history: HistoryRow[]): void {
  const others = tables.filter((table) => table !== '_prisma_migrations');
  if (others.length === 0 && history.length === 0) return;
  const named = others.length > 0 ? others : history.map(({ name }) => name);
  throw new Error(
    `DATABASE_URL names a database that holds the tables of another program (${inWords(named)}): ` +
      'set it to an empty database, which this service has for itself.',
  );
}

function assertNoDrift(history: HistoryRow[], known: Map<string, Migration>): void {
  const failed = history.find(({ applied }) => !applied);
  if (failed) {
    const reason = failed.logs?.trim().split('\n')[0];
    throw new Error(
      `The migration ${failed.name} failed in this database${reason ? ` (${reason})` : ''}: undo ` +
        'what it left behind, mark that with ' +
        `npx prisma migrate resolve --rolled-back ${failed.name}, and migrate again.`,
    );
  }
  const edited = history.find(({ name, checksum }) => {
    const migration = known.get(name);
    return migration && !matches(migration.sql, checksum);
  });
  if (edited) {
    throw new Error(
      `The migration ${edited.name} was edited after it was applied to this database: put its ` +
        'migration.sql back as it was, and make the change in a new migration.',
    );
  }
}

/** A checkout may have changed the ends of the lines; Prisma does not mind either. */
function matches(sql: string, recorded: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksum(text) === recorded);
}

/** Rows that were rolled back by `prisma migrate resolve` are history no more. */
async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS applied, logs
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

/** The tables where ours would be, without those of extensions. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name
       FROM pg_class c
      WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND c.relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_depend d
                         WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                           AND d.deptype = 'e')
      ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** At most three by name. */
function inWords(names: string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return names.slice(0, 3).join(', ') + more;
}
