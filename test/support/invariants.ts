import { sql } from './sql.js';

/** What must hold in every database at every commit: each statement finds what breaks a rule. */
const BREACHES: Record<string, string> = {
  'two siblings share a position': `
    SELECT workspace_id, parent_id, position, count(*) FROM collections
    GROUP BY workspace_id, parent_id, position HAVING count(*) > 1`,
  'a position is longer than 64 characters': `
    SELECT id, position FROM collections WHERE length(position) > 64`,
  'an item cannot be reached from the top level': `
    WITH RECURSIVE reached AS (
      SELECT id, workspace_id FROM collections WHERE parent_id IS NULL
      UNION ALL
      SELECT c.id, c.workspace_id FROM reached
      JOIN collections c ON c.parent_id = reached.id AND c.workspace_id = reached.workspace_id
    )
    SELECT id, parent_id FROM collections WHERE id NOT IN (SELECT id FROM reached)`,
  'a parent is no collection of the same workspace': `
    SELECT c.id, c.parent_id FROM collections c
    LEFT JOIN collections parent ON parent.id = c.parent_id
      AND parent.workspace_id = c.workspace_id AND parent.object = 'collection'
    WHERE c.parent_id IS NOT NULL AND parent.id IS NULL`,
  'a counter differs from the rows': `
    SELECT * FROM (
      SELECT t.slug, usage_pages, usage_users, usage_workspaces,
        (SELECT count(*) FROM collections c JOIN workspaces w ON w.id = c.workspace_id
          WHERE w.team_id = t.id AND c.object = 'item') AS pages,
        (SELECT count(*) FROM team_members m WHERE m.team_id = t.id) AS users,
        (SELECT count(*) FROM workspaces w WHERE w.team_id = t.id) AS workspaces
      FROM teams t
    ) AS counted
    WHERE (usage_pages, usage_users, usage_workspaces) <> (pages, users, workspaces)`,
  'a team has no owner': `
    SELECT slug FROM teams t WHERE NOT EXISTS (
      SELECT FROM team_members m WHERE m.team_id = t.id AND m.role = 'owner')`,
  'a private workspace has no editor': `
    SELECT slug FROM workspaces w WHERE visibility = 'private' AND NOT EXISTS (
      SELECT FROM workspace_members m WHERE m.workspace_id = w.id AND m.role = 'editor')`,
};

/** Fails, with the rows to blame, where a database breaks an invariant of the service. */
export async function assertInvariants(databaseUrl: string): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const [breach, statement] of Object.entries(BREACHES)) {
    const rows = await sql(databaseUrl, `${statement} LIMIT 5`);
    if (rows.length > 0) broken[breach] = rows;
  }
  expect(broken).toEqual({});
}
