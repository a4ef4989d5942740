import { isForbidden, isUndefinedTable } from '@teamspaces/pg-lanes/driver-errors';
import type pg from 'pg';
import { maxChanges } from 'teamspaces-service/collections/changes/change-cursor';
import type { Config } from 'teamspaces-service/config/config';
import type { Plan } from 'teamspaces-service/config/plan-limits';
import { CITUS } from 'teamspaces-service/database/database';
import {
  inspectHistory,
  type Migration,
  NewerHistory,
} from 'teamspaces-service/database/migration-history';
import { readMigrations } from 'teamspaces-service/database/migrations';
import { type Finding, fail, ok, warn } from './finding.js';
import { examineSearch } from './search.js';

/** Bytes of a table from which wrong plans are noticed. */
const LARGE = 1024 * 1024;
/** How far a log may exceed its limit: statistics are estimates, and the purge runs once a minute. */
const TOLERANCE = 1.5;

/** Migrations, permissions and statistics of the service's tables, the log of changes and the index of search. */
export async function examineTables(
  client: pg.Client,
  config: Config,
  production: boolean,
): Promise<Finding[]> {
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
    ...(await examineChanges(client, config)),
    ...(await examineSearch(client, config)),
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
  try {
    const { length } = await inspectHistory(client, migrations);
    if (length === 0) return ok('migrations', `All ${migrations.length} are applied.`);
    const pending = `${length} of ${migrations.length} are not applied`;
    return production
      ? fail('migrations', `${pending}: run teamspaces migrate.`)
      : warn('migrations', `${pending}: the next start applies them.`);
  } catch (error) {
    if (isForbidden(error)) {
      return warn(
        'migrations',
        `Unknown: ${role} may not read their history. As the owner of the tables, run GRANT SELECT ON _prisma_migrations TO ${role} (docs/upgrade.md#roles).`,
      );
    }
    if (error instanceof NewerHistory && error.pending.length === 0 && production) {
      return warn(
        'migrations',
        `All ${migrations.length} are applied, and ${error.names.join(', ')} of a newer version: this version works with them after a rollback (docs/upgrade.md#rollback), but its migrate rejects them.`,
      );
    }
    return fail('migrations', (error as Error).message);
  }
}

function permissionFinding(tables: Table[], role: string): Finding {
  const names = tables.filter((table) => table.isForbidden).map(({ name }) => name);
  if (names.length === 0) return ok('permissions', `${role} may use all tables.`);
  const list = names.join(', ');
  return fail(
    'permissions',
    `${role} may not read and write ${list}. As the owner of the tables, run GRANT SELECT, INSERT, UPDATE, DELETE ON ${list} TO ${role}; docs/upgrade.md#roles does this for future tables, too.`,
  );
}

function statisticsFinding(tables: Table[]): Finding {
  const names = tables.filter(({ isUnknown }) => isUnknown).map(({ name }) => name);
  if (names.length === 0) return ok('statistics', 'No large table is without statistics.');
  const list = names.join(', ');
  return warn(
    'statistics',
    `${list}: large, and never analyzed, so that statements may be slow. As the owner of the tables, run ANALYZE ${list}, and check that autovacuum is on.`,
  );
}

/**
 * The size of the log of changes, and whether the largest workspace is within its limit. Nothing where it is
 * distributed: its statistics are on other nodes.
 */
async function examineChanges(client: pg.Client, config: Config): Promise<Finding[]> {
  const { rows: citus } = await client.query(CITUS.text);
  if (citus.length > 0) return [];
  try {
    const { rows } = await client.query<Log>(LOG);
    return rows.map((log) => changesFinding(log, config));
  } catch (error) {
    // The checks of migrations and permissions say so.
    if (isUndefinedTable(error) || isForbidden(error)) return [];
    throw error;
  }
}

interface Log {
  rows: number;
  bytes: string;
  /** Of the largest workspace, and its team. */
  largest: number | null;
  team: string | null;
  workspace: string | null;
  plan: Plan | null;
}

/** From the statistics of the table: a log of any size is not read. */
const LOG = `
  SELECT greatest(c.reltuples, 0)::float8 AS rows, pg_size_pretty(pg_total_relation_size(c.oid)) AS bytes,
    (greatest(c.reltuples, 0) * frequent.share)::float8 AS largest, t.slug AS team, w.slug AS workspace, t.plan
  FROM pg_class c
  LEFT JOIN LATERAL (
    SELECT (most_common_vals::text::uuid[])[1] AS id, most_common_freqs[1] AS share
    FROM pg_stats WHERE tablename = 'tree_changes' AND attname = 'workspace_id'
      AND schemaname = c.relnamespace::regnamespace::text
  ) AS frequent ON true
  LEFT JOIN workspaces w ON w.id = frequent.id
  LEFT JOIN teams t ON t.id = w.team_id
  WHERE c.oid = to_regclass('tree_changes')`;

function changesFinding(log: Log, { planLimits }: Config): Finding {
  const size = `The log of changes has about ${whole(log.rows)} rows (${log.bytes})`;
  const { largest, plan } = log;
  if (largest === null || plan === null) return ok('changes', `${size}.`);
  const most = maxChanges(planLimits[plan].pages);
  const limit = most === null ? 'any number' : `at most ${whole(most)}`;
  const says = `${size}; the largest is that of ${log.team}/${log.workspace}, with about ${whole(largest)} (${limit})`;
  if (most === null || largest <= most * TOLERANCE) return ok('changes', `${says}.`);
  return warn(
    'changes',
    `${says}: the purge does not keep up; look for "changes were not purged" in the log of the service.`,
  );
}

const whole = (number: number): string => Math.round(number).toLocaleString('en');
