import { itemsOf } from '../items/row-of.js';
import { CHILDREN, IN_WORKSPACE } from './slice-statements.js';

// The SQL by which the tree writer changes a tree. Parameters $1 and $2 are team_id and workspace_id: see
// slice-statements.ts.

/** A new stamp where nothing was locked: violates NOT NULL if the tree is not as it was read, or is in the trash. */
export const GUARD = {
  name: 'tree.guard',
  text: `
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = $3::uuid AND deleted_at IS NULL THEN $4::uuid END
    WHERE team_id = $1 AND id = $2 RETURNING id`,
};

export const COUNT_REBALANCE = {
  name: 'tree.countRebalance',
  text: 'UPDATE workspaces SET rebalances = rebalances + 1 WHERE team_id = $1 AND id = $2',
};

/**
 * Final rows; no version: only the position is new. The ids were read in this workspace, which is locked
 * or guarded by its stamp: a filter by it would let the planner of a table that was never analyzed count on
 * one row, and compare every row of the team with every one of these.
 */
const update = (from: string) => `
  UPDATE collections c SET parent_id = n.parent_id, position = n.position,
    name = coalesce(n.name, c.name), content = coalesce(n.content::json, c.content),
    version = coalesce(n.version, c.version),
    updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END
  FROM ${from} unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::int[])
    AS n (id, parent_id, position, name, content, version)
  WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL`;
export const UPDATE = { name: 'tree.update', text: update('') };

/** Joined with the workspace so that a distributed database runs it on the workspace's own node. */
const insert = (workspace: string) => `
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position,
    content, created_at, updated_at)
  SELECT w.team_id, w.id, n.id, n.parent_id, n.object, n.name, n.slug, n.position,
    n.content::json, $3::timestamptz, $3::timestamptz
  FROM ${workspace} w,
    unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
      AS n (id, parent_id, object, name, slug, position, content)
  WHERE w.team_id = $1 AND w.id = $2`;
export const INSERT = { name: 'tree.insert', text: insert('workspaces') };

/** -1 if this many more exceed the limit, which is 0 for any number; fewer never do. */
const counted = (column: string, more: string) => `
    ${column} = CASE
      WHEN ${more}::int <= 0 OR allowed.items = 0 OR team_usage.${column} + ${more}::int <= allowed.items
        THEN team_usage.${column} + ${more}::int
      ELSE -1 END`;

/**
 * Counts pages and collections that came or went. `limits`: how many of each a plan allows. Past it,
 * violates team_usage_check or team_usage_collections_check.
 */
const countItems = (pages: string, collections: string, limits: string, workspace: string) => `
  UPDATE team_usage SET${counted('pages', pages)},${counted('collections', collections)}
  FROM (SELECT (${limits}::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
  WHERE team_usage.team_id = $1 AND (${pages}::int <> 0 OR ${collections}::int <> 0)
    AND EXISTS (SELECT FROM ${workspace} w WHERE w.team_id = $1 AND w.id = $2)`;
export const COUNT_ITEMS = {
  name: 'tree.countItems',
  text: countItems('$3', '$4', '$5', 'workspaces'),
};

/** Logs items $ids as changed by the tree's present version; $stamp: the one that it had before. */
const log = (workspace: string, ids: string, stamp: string) => `
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
  SELECT w.team_id, w.id, w.tree_version, n.id, ${stamp}::uuid
  FROM ${workspace} w, ${ids} AS n (id) WHERE w.team_id = $1 AND w.id = $2`;
export const LOG = { name: 'tree.log', text: log('workspaces', 'unnest($3::uuid[])', '$4') };

/**
 * What a command on its own needs, all in one statement: a new stamp for a tree that must be as it
 * was read, and the rows. Returns no row, and writes none, if the workspace is gone.
 */
const guarded = (expected: string, stamp: string) => `
  guarded AS (
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = ${expected}::uuid THEN ${stamp}::uuid END
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
  ), logged AS (${log('guarded', 'unnest($4::uuid[])', expected)})`;
export const INSERT_GUARDED = {
  name: 'tree.insertGuarded',
  text: `
    WITH ${guarded('$11', '$12')}, counted AS (${countItems('$13', '$14', '$15', 'guarded')})
    ${insert('guarded')} RETURNING collections.id`,
};
export const UPDATE_GUARDED = {
  name: 'tree.updateGuarded',
  text: `WITH ${guarded('$10', '$11')} ${update('guarded,')} RETURNING c.id`,
};

/** The item $3 with all below it, $4 items at most: what `shown` shows of it, its counts and levels. */
export const subtree = (shown: string): string => `
    WITH RECURSIVE subtree AS (
      SELECT id, NULL::uuid AS parent_id, object, 1 AS level FROM collections
      WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2
      UNION ALL
      SELECT c.id, subtree.id, c.object, subtree.level + 1 FROM subtree
      CROSS JOIN LATERAL (${CHILDREN}) AS c
      WHERE subtree.object = 'collection'
    )
    SELECT ${shown}, max(level) AS height,
      count(*) FILTER (WHERE object = 'item')::int AS pages,
      count(*) FILTER (WHERE object = 'collection')::int AS collections
    FROM (SELECT * FROM subtree LIMIT $4::int) AS subtree`;

/** The subtree of the item $3, $4 items at most. Its ids are the text of an array. */
export const SUBTREE = {
  name: 'tree.subtree',
  text: subtree(`'{' || string_agg(id::text, ',') || '}' AS ids`),
};

/** Deletes items that were read behind the lock. */
export const DELETE = {
  name: 'tree.delete',
  text: `
    DELETE FROM collections WHERE team_id = $1 AND ctid = ANY (ARRAY (
      SELECT c.ctid FROM ${itemsOf('$3', 'ctid, workspace_id')} WHERE ${IN_WORKSPACE}
    ))`,
};

export const PLAN = { name: 'tree.plan', text: 'SELECT plan FROM teams WHERE id = $1' };
