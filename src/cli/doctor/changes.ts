import type pg from 'pg';
import { maxChanges } from '../../collections/changes/changes.js';
import type { Config } from '../../config/config.js';
import type { Plan } from '../../config/plan-limits.js';
import { isForbidden, isUndefinedTable } from '../../database/database-errors.js';
import type { Finding } from './finding.js';

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

/** How far a log may exceed its limit: statistics are estimates, and the purge runs once a minute. */
const TOLERANCE = 1.5;

/** The size of the log of changes, and whether the largest workspace is within its limit. */
export async function examineChanges(client: pg.Client, config: Config): Promise<Finding[]> {
  try {
    const { rows } = await client.query<Log>(LOG);
    return rows.map((log) => findingOf(log, config));
  } catch (error) {
    // The checks of migrations and permissions say so.
    if (isUndefinedTable(error) || isForbidden(error)) return [];
    throw error;
  }
}

function findingOf(log: Log, config: Config): Finding {
  const check = 'changes';
  const size = `The log of changes has about ${whole(log.rows)} rows (${log.bytes})`;
  const { largest, plan } = log;
  if (largest === null || plan === null) return { level: 'ok', check, says: `${size}.` };
  const most = maxChanges(config.planLimits[plan].pages);
  const limit = most === null ? 'any number' : `at most ${whole(most)}`;
  const says = `${size}; the largest is that of ${log.team}/${log.workspace}, with about ${whole(largest)} (${limit})`;
  if (most === null || largest <= most * TOLERANCE) return { level: 'ok', check, says: `${says}.` };
  return {
    level: 'warn',
    check,
    says: `${says}: the purge does not keep up; look for "changes were not purged" in the log of the service.`,
  };
}

const whole = (number: number): string => Math.round(number).toLocaleString('en');
