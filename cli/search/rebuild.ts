import type pg from 'pg';
import { connect } from 'teamspaces-service/database/connection';
import { NO_ID } from 'teamspaces-service/database/identifiers';
import { noTeam } from '../with-database.js';

/** Which workspaces, by slug; undefined: all. A workspace only with its team. */
export interface Choice {
  team: string | undefined;
  workspace: string | undefined;
}

/** Workspaces that are looked up at a time. */
const PORTION = 1000;

/**
 * Marks the indexes of workspaces so that the service loads them again, see index-writer.ts.
 * @returns how many, and whether an instance of the service keeps the index now
 * @throws Error with a sentence: there is no such team, or workspace
 */
export async function requestRebuild(
  databaseUrl: string,
  choice: Choice,
): Promise<{ workspaces: number; isKept: boolean }> {
  const client = await connect(databaseUrl, 'search rebuild');
  try {
    await assertExists(client, choice);
    let workspaces = 0;
    for await (const { teamId, id } of chosen(client, choice)) {
      // One at a time: transactions of the service lock two, and would wait for each other and for this one.
      const { rowCount } = await client.query(MARK, [teamId, id]);
      workspaces += rowCount ?? 0;
    }
    const { rows } = await client.query<{ isKept: boolean }>(LEASE);
    return { workspaces, isKept: rows[0]?.isKept ?? false };
  } finally {
    await client.end();
  }
}

async function assertExists(client: pg.Client, { team, workspace }: Choice): Promise<void> {
  if (team === undefined) return;
  const { rows } = await client.query<{ hasWorkspace: boolean }>(EXISTS, [team, workspace]);
  if (!rows[0]) throw noTeam(team);
  if (workspace !== undefined && !rows[0].hasWorkspace) {
    throw new Error(`The team ${team} has no workspace with the slug "${workspace}".`);
  }
}

const EXISTS = `
  SELECT EXISTS (
    SELECT 1 FROM workspaces w WHERE w.team_id = t.id AND w.slug = $2 AND w.deleted_at IS NULL
  ) AS "hasWorkspace"
  FROM teams t WHERE t.slug = $1`;

interface IndexedWorkspace {
  teamId: string;
  id: string;
}

async function* chosen(
  client: pg.Client,
  { team, workspace }: Choice,
): AsyncGenerator<IndexedWorkspace> {
  for (let last: IndexedWorkspace | undefined; ; ) {
    const after = [last?.teamId ?? NO_ID, last?.id ?? NO_ID];
    const { rows } = await client.query<IndexedWorkspace>(CHOSEN, [...after, team, workspace]);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PORTION) return;
  }
}

const CHOSEN = `
  SELECT s.team_id AS "teamId", s.workspace_id AS id FROM search_positions s
  JOIN workspaces w ON w.team_id = s.team_id AND w.id = s.workspace_id
  JOIN teams t ON t.id = s.team_id
  WHERE (s.team_id, s.workspace_id) > ($1::uuid, $2::uuid) AND w.deleted_at IS NULL
    AND ($3::text IS NULL OR t.slug = $3) AND ($4::text IS NULL OR w.slug = $4)
  ORDER BY s.team_id, s.workspace_id LIMIT ${PORTION}`;

/** What was read of the workspace before is not written any more. */
const MARK = `
  UPDATE search_positions SET loaded_id = '${NO_ID}', since = now(), writes = writes + 1
  WHERE team_id = $1 AND workspace_id = $2`;

const LEASE = 'SELECT leased_until > clock_timestamp() AS "isKept" FROM search_rounds';
