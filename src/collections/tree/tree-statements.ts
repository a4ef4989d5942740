import type { PreparedStatement } from '../../database/database.js';
import { inWorkspace } from '../../workspaces/workspace-reads.repository.js';
import { rowOf } from '../items/row-of.js';
import { ITEM_JSON, listedItem } from './tree-json.js';

// The SQL of lists. Parameters $1 and $2 are team_id and workspace_id, by which every statement filters.

/** Returns what an item is. */
export const OBJECT_OF = {
  name: 'tree.objectOf',
  text: `
    SELECT object FROM collections
    WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2`,
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

/** What stands for the parameters of a list in a statement. */
interface Places {
  workspace: string;
  /** Position that the list begins behind; most items; most levels. */
  from: string;
  limit: string;
  depth: string;
  /** The collection that it is of, or the workspace. */
  list: string;
}

/** The top level of the response, as far as it is asked for. */
const top = ({ from, list }: Places, columns: string, bounds: string) => `
  SELECT ${columns} FROM collections c
  WHERE team_id = $1 AND list_id = ${list} AND (${from}::text IS NULL OR c.position > ${from} COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position ${bounds}`;

/** Items of a list in `tree`, with paths of positions, and in `ends` its last position and the next. */
const treeOf = (places: Places, columns: string) => `tree AS (
      (${top(places, `${columns}, ARRAY[c.position] AS path`, `LIMIT ${places.limit}::int`)})
      UNION ALL
      SELECT ${columns}, tree.path || c.position FROM tree
      CROSS JOIN LATERAL (
        SELECT * FROM collections
        WHERE team_id = $1 AND list_id = tree.id ORDER BY team_id, list_id, position
      ) AS c
      WHERE cardinality(tree.path) < ${places.depth} AND tree.object = 'collection'
    ), ends AS (${top(places, 'c.position', `OFFSET ${places.limit}::int - 1 LIMIT 2`)})`;

/** The last position shown, where the top level goes on. */
const LAST = '(SELECT min(position) FROM ends HAVING count(*) = 2)';

/** The stamp, the rebalances, and what the list is of: '' where it is not there. */
const headOf = ({ workspace, list }: Places) => `
  w.tree_stamp || ' ' || w.rebalances || ' ' || CASE
    WHEN ${list} = ${workspace} THEN 'collection' ELSE coalesce((
      SELECT object FROM collections
      WHERE team_id = $1 AND id = ${list} AND workspace_id IS NOT DISTINCT FROM ${workspace}), '') END`;

const PLACES: Places = {
  ...{ workspace: '$2', from: '$3', limit: '$4', depth: '$5', list: '$6' },
};

/**
 * A part of a tree, or one with content, each item before what is below it: of the list $6 (a
 * collection, or the workspace), $4 items from $3 on, $5 levels. Ids are put in order first; then the join looks up one item at a time, when
 * its row is sent (OFFSET 0 keeps it from being planned in another way), so that a list of any size
 * costs its reader little before the first row. Children are read in their order so that only the
 * index of siblings serves them: see slice-statements.ts. *
 * The first row, whose path is empty, is no item: it has the tree's stamp, its rebalances and what the
 * parent is (nothing: it is not there), and, where the top level goes on, the last position shown.
 */
const list = (withContent: boolean): PreparedStatement => ({
  name: `tree.list${withContent ? '.content' : ''}`,
  text: `
    WITH RECURSIVE ${treeOf(PLACES, 'c.id, c.object')}
    SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
    FROM (
      SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
      UNION ALL SELECT id, path FROM tree ORDER BY path
    ) AS shown
    CROSS JOIN LATERAL (
      SELECT NULL::uuid AS collection, ${headOf(PLACES)} AS json, ${LAST} AS last
      FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
      UNION ALL
      SELECT item.collection, item.json, NULL FROM (
${rowOf('shown.id', listedItem(withContent))}
      ) AS item
      OFFSET 0
    ) AS row
    ORDER BY shown.path`,
  many: true,
});

export const LISTS = { plain: list(false), content: list(true) };

/** Items that are read together with the reads of others. */
const FEW = 100;

const BESIDE_WORKSPACE: Places = {
  ...{ workspace: 'w.id', from: '$5', limit: '$6', depth: '$7' },
  list: 'coalesce($8::uuid, w.id)',
};

const LINE = `CASE c.object WHEN 'collection' THEN 'c' ELSE 'i' END || ${ITEM_JSON} AS line`;

/**
 * A part of a tree of at most 100 items, in one row with its workspace: `lines` has one for each item,
 * its level, `c` for a collection or `i`, and its JSON; null if there are more. No more are looked at.
 */
export const SMALL_PART = inWorkspace(
  'tree.part',
  'w.tree_stamp AS "treeStamp", part.head, part.last, part.lines',
  `
    LEFT JOIN LATERAL (
      WITH RECURSIVE ${treeOf(BESIDE_WORKSPACE, `c.id, c.object, ${LINE}`)}
      SELECT ${headOf(BESIDE_WORKSPACE)} AS head,
        CASE WHEN count(*) <= ${FEW} THEN ${LAST} END AS last,
        CASE WHEN count(*) <= ${FEW} THEN coalesce(
          string_agg(cardinality(shown.path) || shown.line, E'\n' ORDER BY shown.path), '') END AS lines
      FROM (SELECT path, line FROM tree LIMIT ${FEW + 1}) AS shown
    ) AS part ON true`,
);
