import { scan } from '@teamspaces/pg-lanes/statements';
import { columnsOf, pick, selecting } from '../../database/fields.js';
import { ITEM_FIELDS, ROW_FIELDS, STORED_FIELDS } from '../items/item.fields.js';
import { isEqualContent, itemsOf, ofKey, rowOf } from '../items/item-sql.js';
import { IDS } from '../subtrees/subtree-statements.js';
import { IN_ORDER, IN_WORKSPACE, inList, itemColumns } from '../writer/slice-statements.js';

// The SQL that reads what a manifest is compared with. Parameters $1 and $2 are team_id and workspace_id: see
// slice-statements.ts.

/** The items with the keys $3. */
export const NAMED = scan(
  selecting(
    columnsOf({ ...ROW_FIELDS, ...pick(STORED_FIELDS, 'contentDigest') }, 'c'),
    (columns) => ({
      name: 'apply.named',
      text: `
    SELECT ${columns}
    FROM unnest($3::text[]) AS wanted (key) CROSS JOIN LATERAL (${ofKey('wanted.key')}) AS c`,
    }),
  ),
);

/** The lists that a manifest orders: of the parent $3 (null: the top level), and of the items with the keys $4. */
const LISTS = `(
      SELECT coalesce($3::uuid, $2::uuid) AS id
      UNION ALL
      SELECT c.id FROM unnest($4::text[]) AS wanted (key)
      CROSS JOIN LATERAL (${ofKey('wanted.key', 'id')}) AS c
    ) AS list`;

/** Their items with a key, in order, $5 at most. */
export const KEYED = scan(
  selecting(itemColumns('c'), (columns) => ({
    name: 'apply.keyed',
    text: `
    SELECT c.* FROM ${LISTS} CROSS JOIN LATERAL (
      SELECT ${columns} FROM collections c
      WHERE c.team_id = $1 AND c.list_id = list.id AND num_nulls(c.key) = 0
      ORDER BY c.team_id, c.list_id, c.position
    ) AS c
    LIMIT $5::int`,
  })),
);

/** The position of their first item without a key. */
export const FIRST_UNKEYED = scan({
  name: 'apply.firstUnkeyed',
  text: `
    SELECT nullif(list.id, $2) AS "listId", (
      SELECT position FROM collections
      WHERE ${inList('list.id')} AND num_nulls(key) = 1 ${IN_ORDER} LIMIT 1
    ) AS position
    FROM ${LISTS}`,
});

const childrenOfLists = (list: string) => `
        SELECT c.id, c.key, c.object FROM collections c
        WHERE c.team_id = $1 AND c.list_id = ${list}
        ORDER BY c.team_id, c.list_id, c.position`;

/**
 * What lies below these lists and has a key that is not in the manifest, with all below it: a row for each topmost
 * one, and one without an id for the rest. $5 is a JSON object whose members are the keys of the manifest; $6 items
 * are looked at, at most.
 */
export const PRUNABLE = scan({
  name: 'apply.prunable',
  text: `
    WITH RECURSIVE region AS (
      SELECT c.id, c.key, c.object, CASE WHEN c.key IS NOT NULL THEN c.id END AS root, 1 AS level
      FROM ${LISTS} CROSS JOIN LATERAL (${childrenOfLists('list.id')}) AS c
      WHERE NOT coalesce($5::jsonb ? c.key, false)
      UNION ALL
      SELECT c.id, c.key, c.object, coalesce(region.root, CASE WHEN c.key IS NOT NULL THEN c.id END),
        CASE WHEN region.root IS NULL THEN 1 ELSE region.level + 1 END
      FROM region CROSS JOIN LATERAL (${childrenOfLists('region.id')}) AS c
      WHERE region.object = 'collection'
        AND (region.root IS NOT NULL OR NOT coalesce($5::jsonb ? c.key, false))
    )
    SELECT found.*, root.object, root.title
    FROM (
      SELECT root AS id, count(*)::int AS count, max(level) AS height,
        CASE WHEN root IS NOT NULL THEN ${IDS} END AS ids,
        count(*) FILTER (WHERE object = 'item')::int AS pages,
        count(*) FILTER (WHERE object = 'collection')::int AS collections,
        (array_agg(id ORDER BY level, id) FILTER (WHERE coalesce($5::jsonb ? key, true)))[1] AS "foreignId"
      FROM (SELECT * FROM region LIMIT $6::int) AS region GROUP BY root
    ) AS found
    LEFT JOIN LATERAL (${rowOf('found.id', `c.object, ${columnsOf(pick(ITEM_FIELDS, 'title'), 'c')}`)}) AS root ON true`,
});

/**
 * Which of the pages $3 have a content that equals that in $4, without reading stored ones that are larger: stored, a
 * content has at most its own bytes and a header.
 */
export const COMPARE = scan({
  name: 'apply.compare',
  text: `
    SELECT c.id, c.version, CASE
        WHEN pg_column_size(c.content) > octet_length(asked.content) + 8 THEN false
        ELSE (
          SELECT ${isEqualContent('present.text', 'asked.content')}
          FROM (SELECT c.content::text AS text OFFSET 0) AS present
        )
      END AS "isEqual"
    FROM unnest($3::uuid[], $4::text[]) AS asked (id, content)
    CROSS JOIN LATERAL (${rowOf('asked.id')}) AS c
    WHERE ${IN_WORKSPACE}`,
});

/** Levels of the collections $3, themselves included, without items whose keys are members of $4. */
export const HEIGHTS = scan({
  name: 'apply.heights',
  text: `
    WITH RECURSIVE subtree AS (
      SELECT c.id AS root, c.id, c.object, 1 AS level FROM ${itemsOf('$3')} WHERE ${IN_WORKSPACE}
      UNION ALL
      SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
      CROSS JOIN LATERAL (${childrenOfLists('subtree.id')}) AS c
      WHERE subtree.object = 'collection' AND NOT coalesce($4::jsonb ? c.key, false)
    )
    SELECT root, max(level)::int AS height FROM subtree GROUP BY root`,
});
