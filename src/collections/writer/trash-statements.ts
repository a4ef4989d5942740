import { MAX_CHILDREN } from '../items/collection.js';
import { itemsOf } from '../items/row-of.js';
import { IN_WORKSPACE } from './slice-statements.js';

// The SQL by which the tree writer moves subtrees to the trash and back. Parameters $1 and $2 are
// team_id and workspace_id: see slice-statements.ts. The rows never leave the database.

/** Of an item, but for its team and its workspace. */
export const COLUMNS =
  'id, parent_id, object, name, slug, position, content, version, created_at, updated_at';

/** A column of the sibling next to the row of `root`, in one direction or the other. */
export const sibling = (column: string, comparison: '<' | '>', direction: 'DESC' | 'ASC') => `(
      SELECT c.${column} FROM collections c
      WHERE c.team_id = $1 AND c.list_id = root.list_id AND c.position ${comparison} root.position
      ORDER BY c.team_id ${direction}, c.list_id ${direction}, c.position ${direction} LIMIT 1
    )`;

/** The siblings before and after the item $3. */
export const NEIGHBOURS = {
  name: 'tree.neighbours',
  text: `
    SELECT ${sibling('id', '<', 'DESC')} AS before_id, ${sibling('id', '>', 'ASC')} AS after_id
    FROM collections root
    WHERE root.team_id = $1 AND root.id = $3 AND root.workspace_id IS NOT DISTINCT FROM $2`,
};

/** Joined with the workspace so that a distributed database runs it on the workspace's own node. */
export const INSERT_DELETION = {
  name: 'tree.insertDeletion',
  text: `
    INSERT INTO trash_deletions (team_id, workspace_id, id, parent_id, object, name, position,
      rebalances, before_id, after_id, height, pages, collections, deleted_at, deleted_by)
    SELECT w.team_id, w.id, $3::uuid, $4::uuid, $5, $6, $7, w.rebalances, $8::uuid, $9::uuid,
      $10::int, $11::int, $12::int, $13::timestamptz, $14::uuid
    FROM workspaces w WHERE w.team_id = $1 AND w.id = $2`,
};

/** Copies the items $4 to the deletion of $3. */
export const COPY_TO_TRASH = {
  name: 'tree.copyToTrash',
  text: `
    INSERT INTO trash_items (team_id, deletion_id, ${COLUMNS})
    SELECT c.team_id, $3::uuid, ${COLUMNS} FROM ${itemsOf('$4')} WHERE ${IN_WORKSPACE}`,
};

/** Whether the deletion of the item $3 at the time $4 is still there; nobody purges it meanwhile. */
export const LOCK_DELETION = {
  name: 'tree.lockDeletion',
  text: `
    SELECT id FROM trash_deletions
    WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2 AND deleted_at = $4
      AND purged_at IS NULL
    FOR UPDATE`,
};

/**
 * Looks up, as `taken`, the slug of a row that comes into the workspace $2. The range with its order is as
 * in TAKEN_SLUGS.
 */
export const lookUpSlug = (of: string) => `LEFT JOIN LATERAL (
      SELECT t.slug FROM collections t
      WHERE t.team_id = $1 AND t.workspace_id = $2 AND t.slug >= ${of}.slug AND t.slug <= ${of}.slug
      ORDER BY t.slug LIMIT 1
    ) AS taken ON true`;

/** Its slug: if it is taken there, with a suffix that $7 makes unpredictable. */
export const freeSlug = (slug: string, taken: string, id: string) => `CASE WHEN ${taken}
        THEN rtrim(left(${slug}, 39), '-') || '-' || left(md5($7::text || ${id}), 8)
        ELSE ${slug} END`;

/**
 * Copies the rows of the deletion of $8 back: the item $3 to the parent $4 and the position $5, at the
 * time $6.
 */
export const COPY_FROM_TRASH = {
  name: 'tree.copyFromTrash',
  text: `
    INSERT INTO collections (team_id, workspace_id, ${COLUMNS})
    SELECT i.team_id, d.workspace_id, i.id,
      CASE WHEN i.id = $3 THEN $4::uuid ELSE i.parent_id END, i.object, i.name,
      ${freeSlug('i.slug', 'taken.slug IS NOT NULL', 'i.id')},
      CASE WHEN i.id = $3 THEN $5::text ELSE i.position END,
      i.content, i.version + 1, i.created_at, $6::timestamptz
    FROM trash_deletions d
    JOIN trash_items i ON i.team_id = $1 AND i.deletion_id = d.id
    ${lookUpSlug('i')}
    WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2
      AND d.deleted_at = $8 AND d.purged_at IS NULL`,
};

/** Logs the items of a deletion as changed by the tree's present version: see LOG. */
export const LOG_RESTORED = {
  name: 'tree.logRestored',
  text: `
    INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
    SELECT w.team_id, w.id, w.tree_version, i.id, $4::uuid
    FROM workspaces w JOIN trash_items i ON i.team_id = w.team_id AND i.deletion_id = $3
    WHERE w.team_id = $1 AND w.id = $2`,
};

/** The foreign key takes its items with it. */
export const DELETE_FROM_TRASH = {
  name: 'tree.deleteFromTrash',
  text: `
    DELETE FROM trash_deletions
    WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2`,
};

const shown = (of: string) =>
  [
    'id',
    'workspace_id',
    'parent_id',
    'object',
    'name',
    'slug',
    'version',
    'created_at',
    'updated_at',
  ]
    .map((column) => `${of}.${column}`)
    .join(', ');

/** An item with its content and what its ETag needs, then its first direct children, in order. */
export const SHOWN = {
  name: 'tree.shown',
  text: `
    SELECT ${shown('c')}, c.content::text AS content, (
      SELECT string_agg(';' || id || ':' || version, '') FROM (
        SELECT id, version FROM collections child
        WHERE child.team_id = $1 AND child.list_id = $3
        ORDER BY child.team_id, child.list_id, child.position
      ) AS children
    ) AS versions, NULL AS position FROM collections c
    WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2
    UNION ALL
    SELECT ${shown('child')}, NULL, NULL, child.position FROM (
      SELECT * FROM collections c
      WHERE c.team_id = $1 AND c.list_id = $3 ORDER BY c.team_id, c.list_id, c.position
      LIMIT ${MAX_CHILDREN + 1}
    ) AS child
    ORDER BY position NULLS FIRST`,
};
