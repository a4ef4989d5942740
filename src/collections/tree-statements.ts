import type { PreparedStatement } from '../database/database.js';
import { listedItem } from './tree-json.js';

// The SQL of lists. Parameters $1 and $2 are team_id and workspace_id, by which every statement filters.

/** Answers what an item is. */
export const OBJECT_OF = {
  name: 'tree.objectOf',
  text: 'SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3',
};

/**
 * A whole tree without content, in the order of positions. The first row, whose position is '', is no
 * item: it says what the others were read under, at the same moment.
 */
export const WHOLE: PreparedStatement = {
  name: 'tree.whole',
  text: `
    SELECT collection, parent_id, json FROM (
      SELECT NULL::uuid AS collection, NULL::uuid AS parent_id,
        tree_stamp || ' ' || rebalances || ' collection' AS json, '' COLLATE "C" AS position
      FROM workspaces WHERE team_id = $1 AND id = $2
      UNION ALL
      SELECT ${listedItem(false)}, c.position
      FROM collections c WHERE team_id = $1 AND workspace_id = $2
    ) AS rows ORDER BY position`,
  many: true,
};

/** The top level of the answer, as far as it is asked for. */
const top = (columns: string, bounds: string) => `
  SELECT ${columns} FROM collections c
  WHERE team_id = $1 AND list_id = $6 AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position ${bounds}`;

/** What the list $6 is of: '' where it is not there. */
const OBJECT = `
  CASE WHEN $6 = $2 THEN 'collection' ELSE coalesce((
    SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $6), '') END`;

/**
 * A part of a tree, or one with content, each item before what is below it: of the list $6 (a
 * collection, or the workspace), $4 items from $3 on, $5 levels. Ids are put in order first; then the join looks up one item at a time, when
 * its row is sent (OFFSET 0 keeps it from being planned in another way), so that a list of any size
 * costs its reader little before the first row. Children are read in their order so that only the
 * index of siblings serves them: see slice-statements.ts. The range with its order means `=`, and only
 * the primary key serves it: in a table that was never analyzed another index would read the whole team
 * for each item.
 *
 * The first row, whose path is empty, is no item: it has the tree's stamp, its rebalances and what the
 * parent is (nothing: it is not there), and, where the top level goes on, the last position shown.
 */
const list = (withContent: boolean): PreparedStatement => ({
  name: `tree.list${withContent ? '.content' : ''}`,
  text: `
    WITH RECURSIVE tree AS (
      (${top('c.id, c.object, ARRAY[c.position] AS path', 'LIMIT $4::int')})
      UNION ALL
      SELECT c.id, c.object, tree.path || c.position FROM tree
      CROSS JOIN LATERAL (
        SELECT id, object, position FROM collections
        WHERE team_id = $1 AND list_id = tree.id ORDER BY team_id, list_id, position
      ) AS c
      WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
    ), ends AS (${top('c.position', 'OFFSET $4::int - 1 LIMIT 2')})
    SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
    FROM (
      SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
      UNION ALL SELECT id, path FROM tree ORDER BY path
    ) AS shown
    CROSS JOIN LATERAL (
      SELECT NULL::uuid AS collection, tree_stamp || ' ' || rebalances || ' ' || ${OBJECT} AS json,
        (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
      FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
      UNION ALL
      SELECT item.collection, item.json, NULL FROM (
        SELECT ${listedItem(withContent)} FROM collections c
        WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS item
      OFFSET 0
    ) AS row
    ORDER BY shown.path`,
  many: true,
});

export const LISTS = { plain: list(false), content: list(true) };
