import { isForbidden, isUndefinedTable } from '@teamspaces/pg-lanes/driver-errors';
import type pg from 'pg';
import type { Config } from 'teamspaces-service/config/config';
import { LAST_ID } from 'teamspaces-service/database/identifiers';
import { type Finding, ok, warn } from './finding.js';

/** Whether the index of search in pages is complete, and kept by an instance. */
export async function examineSearch(
  client: pg.Client,
  { searchContent }: Config,
): Promise<Finding[]> {
  if (!searchContent)
    return [ok('search', 'SEARCH_CONTENT is off: pages are found by title only.')];
  try {
    const { rows } = await client.query<Index>(INDEX);
    const { rows: leases } = await client.query<{ seconds: number }>(LEASE);
    return rows.map((index) => searchFinding(index, leases[0]?.seconds ?? 0));
  } catch (error) {
    // The checks of migrations and permissions say so.
    if (isUndefinedTable(error) || isForbidden(error)) return [];
    throw error;
  }
}

interface Index {
  workspaces: number;
  /** Of them, those whose index lacks changes, or is being loaded. */
  behind: number;
}

const INDEX = `
  SELECT count(*)::int AS workspaces,
    count(*) FILTER (
      WHERE w.tree_version > coalesce(s.version, 0) OR s.id < '${LAST_ID}' OR s.loaded_id IS NOT NULL
    )::int AS behind
  FROM workspaces w
  LEFT JOIN search_positions s ON s.team_id = w.team_id AND s.workspace_id = w.id
  WHERE w.deleted_at IS NULL`;

/** For how long no instance has kept the index; negative while one does. */
const LEASE =
  'SELECT extract(epoch FROM now() - leased_until)::float8 AS seconds FROM search_rounds';

/** An instance that stops without ending its lease is succeeded within this time. */
const SUCCESSION_SECONDS = 60;

/** @param seconds for which no instance has kept the index */
function searchFinding({ workspaces, behind }: Index, seconds: number): Finding {
  if (behind === 0) return ok('search', `The index has all pages of ${workspaces} workspaces.`);
  const says = `The index lacks pages or changes of ${behind} of ${workspaces} workspaces`;
  if (seconds < SUCCESSION_SECONDS) {
    return ok('search', `${says}; an instance of the service is working on it.`);
  }
  return warn('search', `${says}, and no instance of the service works on it: start one.`);
}
