import { jsonOf } from '../../database/fields.js';
import { ITEM_FIELDS } from './item.fields.js';

// SQL that the statements about items share.

/**
 * The row of `collections` of a team with an id, as a subquery. The range with its order means `=`, and
 * only the primary key serves it. For a join, or an array of ids beside the workspace, the planner would walk all rows
 * of the team or the workspace, with statistics, too: a plan for all values counts on a team of average size. Ten ids
 * of a workspace with 300,000 items take 40 buffers and 0.1 ms like this, 12,500 buffers and 150 ms as an array, 11,200
 * and 370 ms as a join (100 MiB, after ANALYZE).
 */
export const rowOf = (id: string, columns = '*', team = '$1'): string => `
        SELECT ${columns} FROM collections c
        WHERE c.team_id = ${team} AND c.id >= ${id} AND c.id <= ${id}
        ORDER BY c.team_id, c.id LIMIT 1`;

/**
 * The row of the workspace $2 with a key, as a subquery. The range with its order means `=`, and only the index by
 * key serves it: an array of ten keys walks the workspace there (69,000 buffers and 430 ms).
 */
export const ofKey = (key: string, columns = '*'): string => `
        SELECT ${columns} FROM collections keyed
        WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
          AND keyed.key >= ${key} AND keyed.key <= ${key}
        ORDER BY keyed.key LIMIT 1`;

/** The rows of the items with the ids of an array, each looked up by itself, as `c`. */
export const itemsOf = (
  ids: string,
  columns = '*',
): string => `unnest(${ids}::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (${rowOf('wanted.item', columns)}
      ) AS c`;

/**
 * SQL for the JSON of the item `c` up to its content, as collection.wire.ts writes it for a single item (a
 * test compares them).
 */
export const ITEM_JSON = jsonOf(ITEM_FIELDS, 'c');

/** SQL for the columns of a ListedItem of `c`. */
export const listedItem = (withContent: boolean): string => `
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", ${ITEM_JSON}
    ${withContent ? `|| ',"content":' || coalesce(c.content::text, '{}')` : ''} AS json`;

/**
 * The children of an item as ListedChild, and their positions. The order says that only the index by siblings
 * will do, whatever the statistics say.
 */
export const childrenOf = (team: string, parent: string, limit = ''): string => `
        SELECT ${ITEM_JSON} || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
        FROM collections c WHERE c.team_id = ${team} AND c.list_id = ${parent}
        ORDER BY c.team_id, c.list_id, c.position${limit}`;

/** The collections that the row of `item` is in, from the top level down, as JSON. */
export const ancestorsIn = (team: string): string => `(
          WITH RECURSIVE path AS (
            SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS title, NULL AS slug, 0 AS step
            UNION ALL
            SELECT c.parent_id, c.id, c.name, ${ITEM_FIELDS.title.read('c')}, c.slug, path.step + 1 FROM path
            CROSS JOIN LATERAL (${rowOf('path.parent_id', '*', team)}) AS c
          )
          SELECT coalesce(json_agg(CASE
              WHEN title = name THEN json_build_object('id', id, 'name', name, 'slug', slug)
              ELSE json_build_object('id', id, 'name', name, 'slug', slug,
                'meta', json_build_object('title', title, 'slug', slug))
            END ORDER BY step DESC), '[]')
          FROM path WHERE step > 0
        )`;

/** The row of the item that a row of `trash_deletions` is about, as a subquery: its title and slug. */
export const trashedRoot = (deletion: string): string => `
        SELECT ${ITEM_FIELDS.title.read('i')} AS title, i.slug FROM trash_items i
        WHERE i.team_id = $1 AND i.deletion_id = ${deletion}.id AND i.id = ${deletion}.id LIMIT 1`;

/** A number whose value PostgreSQL would spell out, digit by digit. */
const LONG_NUMBER = '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})';

/**
 * SQL that is true if two contents, as text, are equal in value, in any order of members. Texts of equal values have
 * one length, since a JsonText has one form of everything but of numbers, which are other ones with other digits.
 * Contents with numbers that would be costly to compare are equal only as text.
 */
export const isEqualContent = (one: string, other: string): string => `CASE
      WHEN ${one} = ${other} THEN true
      WHEN octet_length(${one}) <> octet_length(${other}) THEN false
      WHEN ${one} ~ '${LONG_NUMBER}' OR ${other} ~ '${LONG_NUMBER}' THEN false
      ELSE ${one}::jsonb = ${other}::jsonb
    END`;
