import { manyRows, scan, write } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import type { Database, Transaction } from '../../database/database.js';
import { LAST_ID } from '../../database/identifiers.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';

// What the job that keeps the index of words asks of all workspaces: its lease, and which indexes are behind.

/** Workspaces with changes since a moment, with the newest one of each and the time of the first. */
export const findChanged = (
  database: Database,
  since: Date,
): Promise<readonly (WorkspaceKey & { version: number; changedAt: Date })[]> =>
  database.query(CHANGED, [since]);

/** With an upper bound, the planner takes the index on time even where it knows nothing of the table. */
const CHANGED = manyRows({
  name: 'pageIndex.changed',
  text: `
    SELECT c.team_id AS "teamId", c.workspace_id AS id, max(c.version)::float8 AS version,
      min(c.created_at) AS "changedAt"
    FROM tree_changes c
    WHERE c.created_at > $1 AND c.created_at < $1::timestamptz + interval '1 day'
    GROUP BY c.team_id, c.workspace_id`,
});

/** Workspaces whose index is behind, whatever the times of their changes; a thousand at most. */
export const findBehind = (database: Database): Promise<readonly WorkspaceKey[]> =>
  database.query(BEHIND, []);

const BEHIND = scan({
  name: 'pageIndex.behind',
  text: `
    SELECT w.team_id AS "teamId", w.id FROM workspaces w
    LEFT JOIN search_positions s ON s.team_id = w.team_id AND s.workspace_id = w.id
    WHERE ${IS_ALIVE_BY_ID} AND (
      w.tree_version > coalesce(s.version, 0) OR s.id < '${LAST_ID}' OR s.loaded_id IS NOT NULL
    )
    LIMIT 1000`,
});

/** A workspace that has an index; null: none has. */
export async function anyIndexed(database: Database): Promise<WorkspaceKey | null> {
  const [found] = await database.query<WorkspaceKey>(ANY_INDEXED, []);
  return found ?? null;
}

const ANY_INDEXED = scan({
  name: 'pageIndex.anyIndexed',
  text: `
    SELECT team_id AS "teamId", workspace_id AS id FROM search_positions
    ORDER BY team_id, workspace_id LIMIT 1`,
});

/** Removes up to a thousand rows of the index of a workspace, and its position when none is left. */
export async function clearIndex(tx: Transaction, { teamId, id }: WorkspaceKey): Promise<void> {
  const [cleared] = await tx.query<{ rows: number }>(CLEAR_WORDS, [teamId, id]);
  if (!cleared?.rows) tx.write(DELETE_POSITION, [teamId, id]);
}

const CLEAR_WORDS = {
  name: 'pageIndex.clearWords',
  text: `
    WITH cleared AS (
      DELETE FROM page_words WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM page_words WHERE team_id = $1 AND workspace_id = $2
        ORDER BY team_id, workspace_id, id, part LIMIT 1000
      )) RETURNING 1
    )
    SELECT count(*)::int AS rows FROM cleared`,
};

const DELETE_POSITION = {
  name: 'pageIndex.deletePosition',
  text: 'DELETE FROM search_positions WHERE team_id = $1 AND workspace_id = $2',
};

/**
 * Takes, or keeps, the lease of the instance that follows the changes.
 * @param holder its name
 * @returns the database's time; null: another instance has the lease
 */
export async function takeLease(database: Database, holder: string): Promise<Date | null> {
  const [taken] = await database.query<{ now: Date }>(TAKE, [holder]);
  return taken?.now ?? null;
}

const TAKE = write({
  name: 'pageIndex.takeLease',
  text: `
    UPDATE search_rounds SET holder = $1, leased_until = clock_timestamp() + interval '15 seconds'
    WHERE id = 1 AND (holder = $1 OR leased_until <= clock_timestamp())
    RETURNING now()`,
});

/** Ends the lease of an instance that stops. */
export async function endLease(database: Database, holder: string): Promise<void> {
  await database.query(END, [holder]);
}

const END = write({
  name: 'pageIndex.endLease',
  text: 'UPDATE search_rounds SET leased_until = clock_timestamp() WHERE id = 1 AND holder = $1',
});
