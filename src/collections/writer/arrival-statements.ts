import { itemsOf } from '../items/row-of.js';
import { subtree } from './change-statements.js';
import { COLUMNS, freeSlug, lookUpSlug, sibling } from './trash-statements.js';

// The SQL by which the tree writer copies and transfers subtrees. Parameters $1 and $2 are team_id and
// workspace_id: see slice-statements.ts. The rows never leave the database.

/** The subtree of the item $3, $4 items at most. */
export const SUBTREE_WITH_PARENTS = {
  name: 'tree.subtreeWithParents',
  text: subtree('array_agg(id) AS ids, array_agg(parent_id) AS parent_ids'),
};

/** The position of the next sibling of the item $3. */
export const NEXT = {
  name: 'tree.next',
  text: `
    SELECT ${sibling('position', '>', 'ASC')} AS next FROM collections root
    WHERE root.team_id = $1 AND root.id = $3 AND root.workspace_id IS NOT DISTINCT FROM $2`,
};

/**
 * Copies the items $8 of the team, with the ids $9 and the parents $10: the item $3 to the parent $4 and
 * the position $5, at the time $6, with the name $11 and the free slug $12, or those of its own.
 */
export const COPY = {
  name: 'tree.copy',
  text: `
    INSERT INTO collections (team_id, workspace_id, ${COLUMNS})
    SELECT c.team_id, $2::uuid, n.id, CASE WHEN c.id = $3 THEN $4::uuid ELSE n.parent_id END,
      c.object, CASE WHEN c.id = $3 THEN coalesce($11, c.name) ELSE c.name END,
      CASE WHEN c.id = $3 AND $12::text IS NOT NULL THEN $12::text
        ELSE ${freeSlug('c.slug', 'taken.slug IS NOT NULL OR c.slug = $12::text', 'n.id')} END,
      CASE WHEN c.id = $3 THEN $5::text ELSE c.position END,
      c.content, 1, $6::timestamptz, $6::timestamptz
    FROM unnest($8::uuid[], $9::uuid[], $10::uuid[]) AS n (original_id, id, parent_id)
    JOIN collections c ON c.team_id = $1 AND c.id = n.original_id
    ${lookUpSlug('c')}`,
};

/** Moves the items $8 of the team here: the item $3 to the parent $4 and the position $5, at the time $6. */
export const TRANSFER = {
  name: 'tree.transfer',
  text: `
    UPDATE collections c SET workspace_id = $2,
      parent_id = CASE WHEN c.id = $3 THEN $4::uuid ELSE c.parent_id END,
      position = CASE WHEN c.id = $3 THEN $5::text ELSE c.position END,
      slug = ${freeSlug('c.slug', 'n.is_taken', 'c.id')},
      version = c.version + 1, updated_at = $6::timestamptz
    FROM (
      SELECT c.id, taken.slug IS NOT NULL AS is_taken
      FROM ${itemsOf('$8', 'id, slug')}
      ${lookUpSlug('c')}
    ) AS n
    WHERE c.team_id = $1 AND c.id = n.id`,
};
