import pg from 'pg';

/** What an invariant's check found. */
export interface Finding {
  name: string;
  violations: number;
  /** A few of them, as JSON. */
  examples: string[];
}

const EXAMPLES = 5;

/** What must hold in every database at every commit: each statement finds the rows that break it. */
const INVARIANTS: Record<string, string> = {
  'order is total: no two siblings share a position': `
    SELECT id, workspace_id, parent_id, position FROM (
      SELECT *, count(*) OVER (PARTITION BY workspace_id, parent_id, position) AS items
      FROM collections
    ) AS counted WHERE items > 1`,
  'positions are at most 64 characters long': `
    SELECT id, position FROM collections WHERE length(position) > 64`,
  'there is no cycle: every item is reached from the top level': `
    WITH RECURSIVE reached AS (
      SELECT id FROM collections WHERE parent_id IS NULL
      UNION ALL
      SELECT c.id FROM reached JOIN collections c ON c.parent_id = reached.id
    )
    SELECT c.id, c.parent_id FROM collections c
    LEFT JOIN reached ON reached.id = c.id WHERE reached.id IS NULL`,
  'a parent exists and is in the same workspace': `
    SELECT c.id, c.parent_id FROM collections c
    LEFT JOIN collections parent
      ON parent.id = c.parent_id AND parent.workspace_id = c.workspace_id
    WHERE c.parent_id IS NOT NULL AND parent.id IS NULL`,
  'a parent is a collection': `
    SELECT c.id, c.parent_id FROM collections c JOIN collections parent ON parent.id = c.parent_id
    WHERE parent.object <> 'collection'`,
  'usage.pages equals the pages': `
    SELECT t.slug, u.pages AS counter, coalesce(counted.pages, 0) AS pages FROM teams t
    JOIN team_usage u ON u.team_id = t.id
    LEFT JOIN (
      SELECT w.team_id, count(*) AS pages FROM collections c
      JOIN workspaces w ON w.id = c.workspace_id WHERE c.object = 'item' GROUP BY w.team_id
    ) AS counted ON counted.team_id = t.id
    WHERE u.pages <> coalesce(counted.pages, 0)`,
  'usage.users equals the members': `
    SELECT t.slug, u.users AS counter, count(m.user_id) AS users FROM teams t
    JOIN team_usage u ON u.team_id = t.id
    LEFT JOIN team_members m ON m.team_id = t.id
    GROUP BY t.id, u.users HAVING u.users <> count(m.user_id)`,
  'usage.workspaces equals the workspaces': `
    SELECT t.slug, u.workspaces AS counter, count(w.id) AS workspaces FROM teams t
    JOIN team_usage u ON u.team_id = t.id
    LEFT JOIN workspaces w ON w.team_id = t.id
    GROUP BY t.id, u.workspaces HAVING u.workspaces <> count(w.id)`,
  'every team has an owner': `
    SELECT t.slug FROM teams t WHERE NOT EXISTS (
      SELECT FROM team_members m WHERE m.team_id = t.id AND m.role = 'owner')`,
  'every private workspace has an editor': `
    SELECT w.id, w.slug FROM workspaces w WHERE w.visibility = 'private' AND NOT EXISTS (
      SELECT FROM workspace_members m WHERE m.workspace_id = w.id AND m.role = 'editor')`,
  'every workspace member is a member of the team': `
    SELECT wm.workspace_id, wm.user_id FROM workspace_members wm
    JOIN workspaces w ON w.id = wm.workspace_id
    LEFT JOIN team_members m ON m.team_id = w.team_id AND m.user_id = wm.user_id
    WHERE m.user_id IS NULL`,
};

/**
 * Checks every invariant over a whole database, all against the same snapshot: the service may be
 * writing meanwhile. Changes nothing.
 */
export async function verifyDatabase(databaseUrl: string): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const findings: Finding[] = [];
    for (const [name, statement] of Object.entries(INVARIANTS)) {
      const { rows } = await client.query<{ row: object; violations: number }>(
        `SELECT to_jsonb(found) AS row, count(*) OVER ()::int AS violations
         FROM (${statement}) AS found LIMIT ${EXAMPLES}`,
      );
      const examples = rows.map(({ row }) => JSON.stringify(row));
      findings.push({ name, violations: rows[0]?.violations ?? 0, examples });
    }
    return findings;
  } finally {
    await client.end();
  }
}
