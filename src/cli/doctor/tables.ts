import type pg from 'pg';
import { isForbidden } from '../../database/database-errors.js';
import { inspectHistory, type Migration, NewerHistory } from '../../database/migration-history.js';
import { readMigrations } from '../../database/migrations.js';
import type { Finding } from './finding.js';

/** Bytes of a table from which wrong plans are noticed. */
const LARGE = 1024 * 1024;

/** Migrations, permissions and statistics of the service's tables. */
export async function examineTables(client: pg.Client, production: boolean): Promise<Finding[]> {
  const migrations = readMigrations();
  const { rows: roles } = await client.query<{ role: string }>(
    `SELECT format('%I', current_user) AS role`,
  );
  const role = roles[0]?.role ?? '';
  const { rows } = await client.query<Table>(TABLES, [namesOf(migrations), LARGE]);
  return [
    await examineMigrations(client, migrations, role, production),
    permissionFinding(rows, role),
    statisticsFinding(rows),
  ];
}

interface Table {
  name: string;
  isForbidden: boolean;
  isUnknown: boolean;
}

/** `pg_stats` shows a role the statistics of the columns only that it may read. */
const TABLES = `
  SELECT c.relname AS name, p.privileges < 4 AS "isForbidden",
    p.may_read AND pg_relation_size(c.oid) >= $2
      AND stats.last_analyze IS NULL AND stats.last_autoanalyze IS NULL
      AND NOT EXISTS (SELECT FROM pg_stats known
        WHERE known.schemaname = stats.schemaname AND known.tablename = stats.relname)
      AS "isUnknown"
  FROM unnest($1::text[]) AS needed (name)
  JOIN pg_class c ON c.oid = to_regclass(format('%I', needed.name))
  JOIN pg_stat_user_tables stats ON stats.relid = c.oid
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE has_table_privilege(c.oid, privilege)) AS privileges,
      has_table_privilege(c.oid, 'SELECT') AS may_read
    FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
  ) p
  ORDER BY 1`;

/** All tables that the migrations have created, also those that a later one drops. */
const namesOf = (migrations: Migration[]): string[] =>
  migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name as string),
  );

async function examineMigrations(
  client: pg.Client,
  migrations: Migration[],
  role: string,
  production: boolean,
): Promise<Finding> {
  const check = 'migrations';
  try {
    const { length } = await inspectHistory(client, migrations);
    if (length === 0) {
      return { level: 'ok', check, says: `All ${migrations.length} are applied.` };
    }
    const pending = `${length} of ${migrations.length} are not applied`;
    return production
      ? { level: 'fail', check, says: `${pending}: run teamspaces migrate.` }
      : { level: 'warn', check, says: `${pending}: the next start applies them.` };
  } catch (error) {
    if (isForbidden(error)) {
      const says = `Unknown: ${role} may not read their history. As the owner of the tables, run GRANT SELECT ON _prisma_migrations TO ${role} (docs/upgrade.md#roles).`;
      return { level: 'warn', check, says };
    }
    if (error instanceof NewerHistory && error.pending.length === 0 && production) {
      const says = `All ${migrations.length} are applied, and ${error.names.join(', ')} of a newer version: this version works with them after a rollback (docs/upgrade.md#rollback), but its migrate rejects them.`;
      return { level: 'warn', check, says };
    }
    return { level: 'fail', check, says: (error as Error).message };
  }
}

function permissionFinding(tables: Table[], role: string): Finding {
  const check = 'permissions';
  const names = tables.filter((table) => table.isForbidden).map(({ name }) => name);
  if (names.length === 0) return { level: 'ok', check, says: `${role} may use all tables.` };
  const list = names.join(', ');
  const says = `${role} may not read and write ${list}. As the owner of the tables, run GRANT SELECT, INSERT, UPDATE, DELETE ON ${list} TO ${role}; docs/upgrade.md#roles does this for future tables, too.`;
  return { level: 'fail', check, says };
}

function statisticsFinding(tables: Table[]): Finding {
  const check = 'statistics';
  const names = tables.filter(({ isUnknown }) => isUnknown).map(({ name }) => name);
  if (names.length === 0) {
    return { level: 'ok', check, says: 'No large table is without statistics.' };
  }
  const list = names.join(', ');
  const says = `${list}: large, and never analyzed, so that statements may be slow. As the owner of the tables, run ANALYZE ${list}, and check that autovacuum is on.`;
  return { level: 'warn', check, says };
}
