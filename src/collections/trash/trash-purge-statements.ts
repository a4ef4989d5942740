import { trashedRoot } from '../items/item-sql.js';

// The SQL of the purge. What looks for work in all teams asks every node of a distributed database; all
// else is about one team, $1.

/** All that is in a trash and was not purged. */
const held = (condition = ''): string => `
      SELECT team_id, id, deleted_at, pages, collections, 0 AS workspaces
      FROM trash_deletions WHERE ${condition}purged_at IS NULL
      UNION ALL
      SELECT team_id, id, deleted_at, deleted_pages, deleted_collections, 1
      FROM workspaces WHERE ${condition}deleted_at IS NOT NULL AND purged_at IS NULL`;

/** Teams that have something to purge: $1 the age in seconds, $2 limits by plan, 0 for any number. */
export const OVERDUE = {
  name: 'trashPurge.overdue',
  text: `
    SELECT sums.team_id, t.plan FROM (
      SELECT team_id, sum(pages) AS pages, sum(collections) AS collections,
        sum(workspaces) AS workspaces, min(deleted_at) AS oldest
      FROM (${held()}
      ) AS held GROUP BY team_id
    ) AS sums
    JOIN teams t ON t.id = sums.team_id
    CROSS JOIN LATERAL (SELECT $2::json -> t.plan AS by_resource) AS allowed
    WHERE sums.oldest <= now() - $1::int * interval '1 second'
      OR greatest(sums.pages, sums.collections) > nullif((by_resource ->> 'pages')::int, 0)
      OR sums.workspaces > nullif((by_resource ->> 'workspaces')::int, 0)
    LIMIT $3`,
};

/**
 * Counted from the newest on: what no longer fits, and all that is older, goes, and is recorded as done by
 * the service. The oldest go first, $6 at most. $2 the age in seconds, $3 pages, $4 workspaces, $5 makes
 * the ids of the entries: a distributed database takes no random function here.
 */
export const MARK = {
  name: 'trashPurge.mark',
  text: `
    WITH overdue AS (
      SELECT id, deleted_at, CASE
          WHEN deleted_at <= now() - $2::int * interval '1 second' THEN 'expired' ELSE 'trash_limit'
        END AS reason
      FROM (
        SELECT id, deleted_at, sum(pages) OVER newest AS pages,
          sum(collections) OVER newest AS collections, sum(workspaces) OVER newest AS workspaces
        FROM (${held('team_id = $1 AND ')}
        ) AS held
        WINDOW newest AS (ORDER BY deleted_at DESC, id DESC)
      ) AS sums
      WHERE deleted_at <= now() - $2::int * interval '1 second'
        OR greatest(pages, collections) > nullif($3::int, 0)
        OR workspaces > nullif($4::int, 0)
      ORDER BY deleted_at, id LIMIT $6
    ), workspaces_marked AS (
      UPDATE workspaces w SET purged_at = now() FROM overdue o
      WHERE w.team_id = $1 AND w.id = o.id AND w.deleted_at = o.deleted_at AND w.purged_at IS NULL
      RETURNING w.id, w.name, w.visibility, w.deleted_pages AS pages,
        w.deleted_collections AS collections, o.reason
    ), deletions_marked AS (
      UPDATE trash_deletions d SET purged_at = now() FROM overdue o
      WHERE d.team_id = $1 AND d.id = o.id AND d.deleted_at = o.deleted_at AND d.purged_at IS NULL
      RETURNING d.id, d.workspace_id,
        coalesce((SELECT title FROM (${trashedRoot('d')}) AS root), d.name) AS name, d.object, d.pages, d.collections, o.reason
    ), marked AS (
      SELECT 'workspace.purged' AS action, 'workspace' AS object, id, id AS workspace_id, name,
        json_build_object('pages', pages, 'collections', collections, 'visibility', visibility,
          'reason', reason) AS details
      FROM workspaces_marked
      UNION ALL
      SELECT 'item.purged', object, id, workspace_id, name,
        json_build_object('pages', pages, 'collections', collections, 'reason', reason)
      FROM deletions_marked
    )
    INSERT INTO audit_entries (team_id, id, action, target_type, target_id, target_name,
      workspace_id, details)
    SELECT u.team_id, md5($5::text || m.id)::uuid, m.action, m.object, m.id, m.name, m.workspace_id,
      m.details
    FROM team_usage u, marked m WHERE u.team_id = $1`,
};

/** The order is that of the index of what was purged: nothing else is looked at. */
export const NEXT = {
  name: 'trashPurge.next',
  text: `
    SELECT team_id FROM trash_deletions WHERE purged_at IS NOT NULL ORDER BY team_id, id LIMIT 1`,
};

export const NEXT_WORKSPACE = {
  name: 'trashPurge.nextWorkspace',
  text: `
    SELECT team_id, id FROM workspaces WHERE purged_at IS NOT NULL ORDER BY team_id, id LIMIT 1`,
};

/**
 * Removes the versions of the pages that `picked` has, `most` of them, and then the rows that have none left. Nobody
 * else writes to what was purged.
 */
const removePicked = (picked: string, table: string, key: string, most: string): string => `
    WITH picked AS MATERIALIZED (${picked}
    ), versions AS (
      DELETE FROM page_versions WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT v.ctid FROM picked CROSS JOIN LATERAL (
          SELECT ctid FROM page_versions WHERE team_id = $1 AND id = picked.id
          ORDER BY team_id, id, version
        ) AS v LIMIT ${most}
      )) RETURNING 1
    ), removed AS (
      DELETE FROM ${table} r USING picked
      WHERE r.team_id = $1 AND ${key} AND NOT EXISTS (
        SELECT FROM page_versions v WHERE v.team_id = $1 AND v.id = picked.id
      ) RETURNING 1
    )
    SELECT (SELECT count(*) FROM versions) AS versions, count(*) AS items FROM removed`;

export const REMOVE_ITEMS = {
  name: 'trashPurge.removeItems',
  text: removePicked(
    `
      SELECT i.deletion_id, i.id FROM (
        SELECT id FROM trash_deletions
        WHERE team_id = $1 AND purged_at IS NOT NULL ORDER BY team_id, id
      ) AS d
      JOIN trash_items i ON i.team_id = $1 AND i.deletion_id = d.id LIMIT $2`,
    'trash_items',
    'r.deletion_id = picked.deletion_id AND r.id = picked.id',
    '$2',
  ),
};

export const REMOVE_DELETIONS = {
  name: 'trashPurge.removeDeletions',
  text: `
    DELETE FROM trash_deletions WHERE team_id = $1 AND id = ANY (ARRAY (
      SELECT d.id FROM trash_deletions d
      WHERE d.team_id = $1 AND d.purged_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM trash_items i WHERE i.team_id = $1 AND i.deletion_id = d.id
      ) LIMIT $2
    ))`,
};

/**
 * $3 items of the workspace $2 that have none below them, the newest first: what is below an item was
 * mostly made after it, so that few are looked at in vain.
 */
export const REMOVE_FROM_TREE = {
  name: 'trashPurge.removeFromTree',
  text: removePicked(
    `
      SELECT c.id FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2 AND NOT EXISTS (
        SELECT FROM collections child WHERE child.team_id = $1 AND child.list_id = c.id
      )
      ORDER BY c.team_id DESC, c.workspace_id DESC, c.id DESC LIMIT $3`,
    'collections',
    'r.id = picked.id',
    '$3',
  ),
};

/** Removes $3 rows of a table of the workspace $2. @param order the rest of its primary key */
const removeRows = (name: string, table: string, order: string) => ({
  name,
  text: `
    DELETE FROM ${table} WHERE team_id = $1 AND ctid = ANY (ARRAY (
      SELECT ctid FROM ${table}
      WHERE team_id = $1 AND workspace_id = $2
      ORDER BY team_id, workspace_id, ${order} LIMIT $3
    ))`,
});

/** Of the log of changes. */
export const REMOVE_CHANGES = removeRows('trashPurge.removeChanges', 'tree_changes', 'version, id');

/** Of the index of words. */
export const REMOVE_WORDS = removeRows('trashPurge.removeWords', 'page_words', 'id, part');

/** $3 deletions of the workspace $2. */
export const MARK_DELETIONS = {
  name: 'trashPurge.markDeletions',
  text: `
    UPDATE trash_deletions SET purged_at = now()
    WHERE team_id = $1 AND id = ANY (ARRAY (
      SELECT id FROM trash_deletions
      WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL LIMIT $3
    ))`,
};

/** The workspace $2, if nothing is left in it; its members and the position of its index go with it (foreign keys). */
export const DELETE_WORKSPACE = {
  name: 'trashPurge.deleteWorkspace',
  text: `
    DELETE FROM workspaces
    WHERE team_id = $1 AND id = $2 AND purged_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM collections c WHERE c.team_id = $1 AND c.workspace_id = $2
    ) AND NOT EXISTS (
      SELECT FROM trash_deletions d WHERE d.team_id = $1 AND d.workspace_id = $2
    ) AND NOT EXISTS (
      SELECT FROM tree_changes l WHERE l.team_id = $1 AND l.workspace_id = $2
    ) AND NOT EXISTS (
      SELECT FROM page_words p WHERE p.team_id = $1 AND p.workspace_id = $2
    )`,
};

export const COUNT = {
  name: 'trashPurge.count',
  text: `
    SELECT coalesce(sum(items) FILTER (WHERE purged_at IS NULL), 0) AS restorable,
      coalesce(sum(items) FILTER (WHERE purged_at IS NOT NULL), 0) AS purged
    FROM (
      SELECT pages + collections AS items, purged_at FROM trash_deletions
      UNION ALL
      SELECT deleted_pages + deleted_collections, purged_at FROM workspaces
      WHERE deleted_at IS NOT NULL
    ) AS held`,
};
