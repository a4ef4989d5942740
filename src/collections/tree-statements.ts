import type { PreparedStatement } from '../database/database.js';
import { listedItem } from './tree-json.js';

// The SQL of lists. Parameters $1 and $2 are team_id and workspace_id, by which every statement filters.

/** Answers what an item is. */
export const OBJECT_OF = {
  name: 'tree.objectOf',
  text: 'SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3',
};

/** The first row of an answer, of the same snapshot as the others; '' comes before all positions. */
const HEAD_ROW = (more: string) => `
  SELECT NULL::uuid AS collection, NULL::uuid AS parent_id, tree_stamp || ' ' || rebalances AS json,
    '' COLLATE "C" AS position ${more}
  FROM workspaces WHERE team_id = $1 AND id = $2`;

const whole = (withContent: boolean): PreparedStatement => ({
  name: `tree.whole${withContent ? '.content' : ''}`,
  text: `
    SELECT collection, parent_id, json FROM (${HEAD_ROW('')} UNION ALL
      SELECT ${listedItem(withContent)}, c.position
      FROM collections c WHERE team_id = $1 AND workspace_id = $2
    ) AS rows ORDER BY position`,
  many: true,
});
export const WHOLE = whole(false);
export const WHOLE_WITH_CONTENT = whole(true);

/**
 * One item more than asked for tells whether the list goes on; nothing below it is read. Children are
 * read in their order so that only the index of siblings will do: see slice-statements.ts.
 */
const part = (kind: string, parent: string, withContent: boolean): PreparedStatement => ({
  name: `tree.${kind}${withContent ? '.content' : ''}`,
  text: `
    WITH RECURSIVE top AS (
      SELECT ${listedItem(withContent)}, c.position, 1 AS level FROM collections c
      WHERE team_id = $1 AND ${parent} AND workspace_id = $2
        AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
      ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position LIMIT $4::int + 1
    ), tree AS (
      SELECT top.*, row_number() OVER (ORDER BY position)::int AS rank FROM top
      UNION ALL
      SELECT ${listedItem(withContent)}, c.position, tree.level + 1, 0 FROM tree
      CROSS JOIN LATERAL (
        SELECT * FROM collections
        WHERE team_id = $1 AND parent_id = tree.collection AND workspace_id = $2
        ORDER BY team_id, parent_id, workspace_id, position
      ) AS c
      WHERE tree.level < $5 AND tree.rank <= $4 AND tree.collection IS NOT NULL
    )
    ${HEAD_ROW(', 0 AS level, 0 AS rank')} UNION ALL SELECT * FROM tree ORDER BY position`,
  many: true,
});
const partsOf = (kind: string, parent: string) => ({
  plain: part(kind, parent, false),
  content: part(kind, parent, true),
});
export const PARTS = {
  top: partsOf('top', 'parent_id IS NULL'),
  below: partsOf('below', 'parent_id = $6'),
};
