import pg from 'pg';
import { EXAMPLES, type Finding } from './finding.js';
import { checkSearchIndex } from './search-sample.js';

/**
 * What must hold of the trash at every commit: each statement finds the rows that break it. A deletion
 * that was purged loses its items in portions: nothing but their belonging to it is asked for then.
 */
const TRASH_INVARIANTS: Record<string, string> = {
  'a workspace in the trash holds as many pages and collections as it counts': `
    SELECT w.id, w.slug, w.deleted_pages, w.deleted_collections,
      coalesce(held.pages, 0) AS held_pages, coalesce(held.collections, 0) AS held_collections
    FROM workspaces w
    LEFT JOIN (
      SELECT team_id, workspace_id, count(*) FILTER (WHERE object = 'item') AS pages,
        count(*) FILTER (WHERE object = 'collection') AS collections
      FROM collections GROUP BY team_id, workspace_id
    ) AS held ON held.team_id = w.team_id AND held.workspace_id = w.id
    WHERE w.deleted_at IS NOT NULL AND w.purged_at IS NULL AND (
      w.deleted_pages <> coalesce(held.pages, 0)
      OR w.deleted_collections <> coalesce(held.collections, 0))`,
  'a deletion is in a workspace of its team': `
    SELECT d.id, d.team_id, d.workspace_id FROM trash_deletions d
    LEFT JOIN workspaces w ON w.team_id = d.team_id AND w.id = d.workspace_id
    WHERE w.id IS NULL`,
  'an item in the trash belongs to a deletion': `
    SELECT i.id, i.deletion_id FROM trash_items i
    LEFT JOIN trash_deletions d ON d.team_id = i.team_id AND d.id = i.deletion_id
    WHERE d.id IS NULL`,
  'an item is either in the tree or in the trash': `
    SELECT i.id, i.deletion_id FROM trash_items i
    JOIN collections c ON c.team_id = i.team_id AND c.id = i.id`,
  'an item is in one deletion only': `
    SELECT team_id, id, count(*) AS deletions FROM trash_items
    GROUP BY team_id, id HAVING count(*) > 1`,
  'a deletion holds the item that was deleted': `
    SELECT d.id, d.name FROM trash_deletions d
    LEFT JOIN trash_items i ON i.team_id = d.team_id AND i.deletion_id = d.id AND i.id = d.id
    WHERE d.purged_at IS NULL AND i.id IS NULL`,
  'a deletion holds as many pages and collections as it counts': `
    SELECT d.id, d.pages, d.collections, coalesce(held.pages, 0) AS held_pages,
      coalesce(held.collections, 0) AS held_collections
    FROM trash_deletions d
    LEFT JOIN (
      SELECT team_id, deletion_id, count(*) FILTER (WHERE object = 'item') AS pages,
        count(*) FILTER (WHERE object = 'collection') AS collections
      FROM trash_items GROUP BY team_id, deletion_id
    ) AS held ON held.team_id = d.team_id AND held.deletion_id = d.id
    WHERE d.purged_at IS NULL AND (
      d.pages <> coalesce(held.pages, 0) OR d.collections <> coalesce(held.collections, 0))`,
  'a title has the name that it was given with, and is another text': `
    SELECT id, title, titled_name FROM (
      SELECT id, title, titled_name FROM collections
      UNION ALL SELECT id, title, titled_name FROM trash_items
    ) AS titled
    WHERE num_nulls(title, titled_name) = 1 OR title = titled_name`,
  'a version is of a page, in the tree or in the trash': `
    SELECT v.id, v.version FROM page_versions v
    LEFT JOIN collections c ON c.team_id = v.team_id AND c.id = v.id AND c.object = 'item'
    LEFT JOIN trash_items i ON i.team_id = v.team_id AND i.id = v.id AND i.object = 'item'
    WHERE c.id IS NULL AND i.id IS NULL`,
  'what is below a deleted item has its parent in the same deletion': `
    SELECT i.id, i.parent_id, i.deletion_id FROM trash_items i
    JOIN trash_deletions d ON d.team_id = i.team_id AND d.id = i.deletion_id
    LEFT JOIN trash_items parent ON parent.team_id = i.team_id
      AND parent.deletion_id = i.deletion_id AND parent.id = i.parent_id
    WHERE d.purged_at IS NULL AND i.id <> i.deletion_id AND parent.id IS NULL`,
};

/**
 * The invariants of every database at every commit: each statement finds the rows that violate one.
 * They join the rows of a team by team_id, so that a distributed database runs them on the nodes of
 * the rows.
 */
const INVARIANTS: Record<string, string> = {
  'order is total: no two siblings share a position': `
    SELECT id, workspace_id, parent_id, position FROM (
      SELECT *, count(*) OVER (PARTITION BY team_id, workspace_id, parent_id, position) AS items
      FROM collections
    ) AS counted WHERE items > 1`,
  'positions are at most 64 characters long': `
    SELECT id, position FROM collections WHERE length(position) > 64`,
  'an id is of one item only, across all teams': `
    SELECT id, count(*) AS items FROM collections GROUP BY id HAVING count(*) > 1`,
  'an id is of one workspace only, across all teams': `
    SELECT id, count(*) AS workspaces FROM workspaces GROUP BY id HAVING count(*) > 1`,
  'an item is in a workspace of its team': `
    SELECT c.id, c.team_id, c.workspace_id FROM collections c
    LEFT JOIN workspaces w ON w.team_id = c.team_id AND w.id = c.workspace_id
    WHERE w.id IS NULL`,
  'a parent exists and is in the same workspace': `
    SELECT c.id, c.parent_id FROM collections c
    LEFT JOIN collections parent ON parent.team_id = c.team_id
      AND parent.id = c.parent_id AND parent.workspace_id = c.workspace_id
    WHERE c.parent_id IS NOT NULL AND parent.id IS NULL`,
  'a parent is a collection': `
    SELECT c.id, c.parent_id FROM collections c
    JOIN collections parent ON parent.team_id = c.team_id AND parent.id = c.parent_id
    WHERE parent.object <> 'collection'`,
  'every team has counters': `
    SELECT t.slug FROM teams t LEFT JOIN team_usage u ON u.team_id = t.id WHERE u.team_id IS NULL`,
  'usage.pages equals the pages': miscounted('pages', 'item'),
  'usage.collections equals the collections': miscounted('collections', 'collection'),
  'usage.users equals the members': `
    SELECT t.slug, u.users AS counter, count(m.user_id) AS users FROM team_usage u
    JOIN teams t ON t.id = u.team_id
    LEFT JOIN team_members m ON m.team_id = u.team_id
    GROUP BY u.team_id, t.slug, u.users HAVING u.users <> count(m.user_id)`,
  'usage.workspaces equals the workspaces': `
    SELECT t.slug, u.workspaces AS counter, count(w.id) AS workspaces FROM team_usage u
    JOIN teams t ON t.id = u.team_id
    LEFT JOIN workspaces w ON w.team_id = u.team_id AND w.deleted_at IS NULL
    GROUP BY u.team_id, t.slug, u.workspaces HAVING u.workspaces <> count(w.id)`,
  'every team has an owner': `
    SELECT t.slug FROM teams t WHERE NOT EXISTS (
      SELECT FROM team_members m WHERE m.team_id = t.id AND m.role = 'owner')`,
  'every private workspace has an editor': `
    SELECT w.id, w.slug FROM workspaces w WHERE w.visibility = 'private' AND NOT EXISTS (
      SELECT FROM workspace_members m
      WHERE m.team_id = w.team_id AND m.workspace_id = w.id AND m.role = 'editor')`,
  'every workspace member is a member of the team': `
    SELECT wm.workspace_id, wm.user_id FROM workspace_members wm
    LEFT JOIN team_members m ON m.team_id = wm.team_id AND m.user_id = wm.user_id
    LEFT JOIN workspaces w ON w.team_id = wm.team_id AND w.id = wm.workspace_id
    WHERE m.user_id IS NULL OR w.id IS NULL`,
  'a version is older than its page': `
    SELECT v.id, v.version, c.version AS page FROM page_versions v
    JOIN collections c ON c.team_id = v.team_id AND c.id = v.id WHERE v.version >= c.version`,
  'versions of a page are counted and summed in their order': `
    SELECT id, version, ordinal, total_bytes FROM (
      SELECT *, lag(ordinal) OVER page AS ordinal_before, lag(total_bytes) OVER page AS bytes_before
      FROM page_versions WINDOW page AS (PARTITION BY team_id, id ORDER BY version)
    ) AS counted
    WHERE total_bytes < bytes OR ordinal <= ordinal_before OR total_bytes - bytes < bytes_before
      OR ordinal = ordinal_before + 1 AND total_bytes - bytes <> bytes_before`,
  'an entry of the audit log is of a team': `
    SELECT e.team_id, count(*) AS entries FROM audit_entries e
    LEFT JOIN teams t ON t.id = e.team_id WHERE t.id IS NULL GROUP BY e.team_id`,
  'a page in the index of search is in its workspace, or has left it since the index was written': `
    SELECT p.id, p.workspace_id FROM page_words p
    JOIN search_positions s ON s.team_id = p.team_id AND s.workspace_id = p.workspace_id
    JOIN workspaces w ON w.team_id = p.team_id AND w.id = p.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN collections c ON c.team_id = p.team_id AND c.workspace_id = p.workspace_id
      AND c.id = p.id AND c.object = 'item'
    WHERE c.id IS NULL AND p.part = 0 AND s.loaded_id IS NULL AND NOT EXISTS (
      SELECT 1 FROM tree_changes l
      WHERE l.team_id = p.team_id AND l.workspace_id = p.workspace_id
        AND (l.version, l.id) > (s.version, s.id) AND l.id = p.id)`,
  ...TRASH_INVARIANTS,
};

/** The teams whose counter is not the number of these items outside the trash. */
function miscounted(counter: string, object: string): string {
  return `
    SELECT t.slug, u.${counter} AS counter, coalesce(counted.${counter}, 0) AS ${counter}
    FROM team_usage u
    JOIN teams t ON t.id = u.team_id
    LEFT JOIN (
      SELECT c.team_id, count(*) AS ${counter} FROM collections c
      LEFT JOIN workspaces w ON w.team_id = c.team_id AND w.id = c.workspace_id
      WHERE c.object = '${object}' AND w.deleted_at IS NULL GROUP BY c.team_id
    ) AS counted ON counted.team_id = u.team_id
    WHERE u.${counter} <> coalesce(counted.${counter}, 0)`;
}

/**
 * The same for one team, $1, at a time: a distributed database recurses only where every reference
 * is to the rows of one team.
 */
const INVARIANTS_OF_A_TEAM: Record<string, string> = {
  'there is no cycle: every item is reached from the top level': `
    WITH RECURSIVE reached AS (
      SELECT id FROM collections WHERE team_id = $1 AND parent_id IS NULL
      UNION ALL
      SELECT c.id FROM reached JOIN collections c ON c.team_id = $1 AND c.parent_id = reached.id
    )
    SELECT c.id, c.parent_id FROM collections c
    LEFT JOIN reached ON reached.id = c.id WHERE c.team_id = $1 AND reached.id IS NULL`,
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
    // Citus: one connection to each node, and so one snapshot of all that belongs to a team. Plain
    // PostgreSQL takes any name with a dot.
    await client.query('SET LOCAL citus.max_adaptive_executor_pool_size = 1');
    const findings: Finding[] = [];
    for (const [name, statement] of Object.entries(INVARIANTS)) {
      findings.push(await check(client, name, statement));
    }
    const teams = await client.query<{ team_id: string }>(
      'SELECT DISTINCT team_id FROM collections WHERE parent_id IS NOT NULL',
    );
    for (const [name, statement] of Object.entries(INVARIANTS_OF_A_TEAM)) {
      const total: Finding = { name, violations: 0, examples: [] };
      for (const { team_id } of teams.rows) {
        const { violations, examples } = await check(client, name, statement, team_id);
        total.violations += violations;
        total.examples = [...total.examples, ...examples].slice(0, EXAMPLES);
      }
      findings.push(total);
    }
    findings.push(await checkSearchIndex(client));
    return findings;
  } finally {
    await client.end();
  }
}

async function check(
  client: pg.Client,
  name: string,
  statement: string,
  ...values: string[]
): Promise<Finding> {
  const { rows } = await client.query<{ row: object; violations: number }>(
    `SELECT to_jsonb(found) AS row, count(*) OVER ()::int AS violations
     FROM (${statement}) AS found LIMIT ${EXAMPLES}`,
    values,
  );
  const examples = rows.map(({ row }) => JSON.stringify(row));
  return { name, violations: rows[0]?.violations ?? 0, examples };
}
