import { MAX_LOOKUPS, point, scan, write } from '@teamspaces/pg-lanes/statements';
import { columnsOf, join, selecting, sql } from '../../database/fields.js';
import { ROW_FIELDS } from '../items/item.fields.js';
import { itemsOf, ofKey, rowOf } from '../items/item-sql.js';
import { MAX_DEPTH } from '../limits.js';

// The SQL that reads for the tree writer. Parameters $1 and $2 are team_id and workspace_id, by which every
// statement filters: all of them run on one node of a distributed database.
//
// Rows that are found by their ids are told their workspace by IS NOT DISTINCT FROM, which no index
// takes part in: a plan for a table that was never analyzed would rather walk the whole workspace.
// For the same reason num_nulls() stands for IS NULL and IS NOT NULL, which partial indexes would serve.
// Where ids come in an array, each is looked up by itself: see item-sql.ts.
//
// A list of siblings has the id of their parent, or of the workspace at the top level (list_id). It is
// ordered by all columns of its index, so that no other index will do, whatever the statistics say.

/** Milliseconds since the epoch, from the database's clock. */
const NOW = `floor(date_part('epoch', clock_timestamp()) * 1000) AS now`;

/** The state of the tree, for a command that is read for without the lock. */
export const HEAD = point(1, {
  name: 'tree.head',
  text: `
    SELECT tree_stamp AS "treeStamp", ${NOW} FROM workspaces
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1`,
});

/** Locks the tree and gives it a new version, both at once. Returns the stamp that it had. */
export const LOCK = write({
  name: 'tree.lock',
  text: `
    WITH locked AS (
      UPDATE workspaces w SET tree_version = w.tree_version + 1, tree_stamp = $3::uuid
      FROM (
        SELECT tree_stamp FROM workspaces
        WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 FOR NO KEY UPDATE
      ) AS before
      WHERE w.team_id = $1 AND w.id = $2
      RETURNING before.tree_stamp
    )
    SELECT tree_stamp AS "treeStamp", ${NOW} FROM locked`,
});

/**
 * Locks the tree against changes: what is copied from it is of one moment. Not FOR SHARE, which copies
 * could take one after the other while writers wait.
 */
export const LOCK_TO_READ = write({
  name: 'tree.lockToRead',
  text: `${HEAD.text} FOR NO KEY UPDATE`,
});

/** The columns of a Row, but for its team and its content. */
export const itemColumns = (of: string) => columnsOf(ROW_FIELDS, of);

export const IN_WORKSPACE = 'c.workspace_id IS NOT DISTINCT FROM $2';

/** Items and all their ancestors. */
export const ITEMS = point(
  3 * MAX_DEPTH,
  selecting(itemColumns('c'), (columns) => ({
    name: 'tree.items',
    text: `
    WITH RECURSIVE path AS (
      SELECT ${columns} FROM ${itemsOf('$3')} WHERE ${IN_WORKSPACE}
      UNION
      SELECT ${columns} FROM path CROSS JOIN LATERAL (${rowOf('path."parentId"')}) AS c
    )
    SELECT * FROM path`,
  })),
);

/** The items of a list, and their order. */
export const inList = (list: string) => `team_id = $1 AND list_id = ${list}`;
export const IN_ORDER = 'ORDER BY team_id, list_id, position';
export const BACKWARDS = 'ORDER BY team_id DESC, list_id DESC, position DESC';

const WITH_CHILD_VERSIONS = sql<{ content: string | null; childVersions: string | null }>(`
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $5::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE ${inList('c.id')} ${IN_ORDER}
          LIMIT $5::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"`);

/**
 * Items without their ancestors, with what their ETags cover (see etagOf()), and the content of some. Of one with more
 * than $5 direct children, "childVersions" is null.
 */
export const WITH_ETAG = point(
  3,
  selecting(join(itemColumns('c'), WITH_CHILD_VERSIONS), (columns) => ({
    name: 'tree.withEtag',
    text: `
    SELECT ${columns}
    FROM unnest($3::uuid[], $4::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (${rowOf('wanted.item')}
      ) AS c
    WHERE ${IN_WORKSPACE}`,
  })),
);

/** Versions of pages, those that are younger than $5 seconds. */
export const VERSIONS = point(1, {
  name: 'tree.versions',
  text: `
    SELECT v.id, v.version, v.content::text AS content
    FROM unnest($3::uuid[], $4::int[]) AS wanted (page, version)
    CROSS JOIN LATERAL (
      SELECT id, version, content FROM page_versions
      WHERE team_id = $1 AND id = wanted.page AND version = wanted.version
        AND until > now() - $5::int * interval '1 second'
    ) AS v
    WHERE $2::uuid IS NOT NULL`,
});

/** The children of a row of `subtree`. */
export const CHILDREN = `
        SELECT id, object FROM collections WHERE ${inList('subtree.id')} ${IN_ORDER}`;

/** Levels of the subtrees of items, their roots included. */
export const HEIGHTS = scan({
  name: 'tree.heights',
  text: `
    WITH RECURSIVE subtree AS (
      SELECT c.id AS root, c.id, c.object, 1 AS level FROM ${itemsOf('$3')}
      WHERE ${IN_WORKSPACE}
      UNION ALL
      SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
      CROSS JOIN LATERAL (${CHILDREN}) AS c
      WHERE subtree.object = 'collection'
    )
    SELECT root, max(level)::int AS height FROM subtree GROUP BY root`,
});

/**
 * Slugs that are taken: a look-up for each. The range with its order says `=` in such a way that only
 * the index by slug will do, also in a table that was never analyzed.
 */
export const TAKEN_SLUGS = point(MAX_LOOKUPS, {
  name: 'tree.takenSlugs',
  text: `
    SELECT wanted.slug FROM unnest($3::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken`,
});

/** The items that have some keys: a look-up for each, as of slugs. */
export const TAKEN_KEYS = point(MAX_LOOKUPS, {
  name: 'tree.takenKeys',
  text: `
    SELECT wanted.key, taken.id FROM unnest($3::text[]) AS wanted (key)
    CROSS JOIN LATERAL (${ofKey('wanted.key', 'id')}) AS taken`,
});

/** The last positions of lists; of the parent null: the top level. */
export const ENDS = point(3, {
  name: 'tree.ends',
  text: `
    SELECT parent.id AS "parentId", (
      SELECT position FROM collections
      WHERE ${inList('coalesce(parent.id, $2)')} ${BACKWARDS} LIMIT 1
    ) AS last
    FROM unnest($3::uuid[]) AS parent (id)`,
});

/** All positions of some lists: those of the items $3, and of the parents $4; $5 at most of each. */
export const ORDERS = point(3, {
  name: 'tree.orders',
  text: `
    SELECT nullif(list.id, $2) AS "parentId", (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE ${inList('list.id')} ${IN_ORDER} LIMIT $5
      ) AS siblings
    ) AS positions
    FROM (
      SELECT c.list_id AS id FROM ${itemsOf('$3')} WHERE ${IN_WORKSPACE}
      UNION
      SELECT coalesce(parent.id, $2) FROM unnest($4::uuid[]) AS parent (id)
    ) AS list`,
});

/** What lies around an index in the list of the item $3: a few positions from $4 on, and the last ones. */
export const WINDOW_OF_ITEM = point(1, {
  name: 'tree.around',
  text: `
    SELECT own.parent_id AS "parentId", ARRAY(
      SELECT position FROM collections WHERE ${inList('own.list_id')} ${IN_ORDER}
      OFFSET $4::int LIMIT $5::int
    ) AS positions, ARRAY(
      SELECT position FROM collections WHERE ${inList('own.list_id')} ${BACKWARDS} LIMIT $6::int
    ) AS tail
    FROM collections own
    WHERE own.team_id = $1 AND own.id = $3 AND own.workspace_id IS NOT DISTINCT FROM $2`,
});

/** The list of the parent $3 (null: the top level) with its ids: $4 of them at most; null: however long. */
export const IDS = scan({
  name: 'tree.ids',
  text: `
    SELECT id, position FROM collections
    WHERE ${inList('coalesce($3::uuid, $2)')} ${IN_ORDER} LIMIT $4::int`,
});

// Long lists are read alone: $2 is the list.

/**
 * Runs of positions in a list that is too long to be read whole: $4 of them from each index of $3 on,
 * which ascend. One walk over the index alone passes all of them: to look at each step would take
 * three times as long. The row 0 has the last $5 positions.
 */
export const WINDOWS = scan({
  name: 'tree.runs',
  text: `
  WITH RECURSIVE walk AS (
    SELECT 0 AS n, '' COLLATE "C" AS position
    UNION ALL
    SELECT walk.n + 1, (
      SELECT position FROM collections
      WHERE ${inList('$2')} AND position >= walk.position ${IN_ORDER}
      OFFSET ($3::int[])[walk.n + 1] - coalesce(($3::int[])[walk.n], 0) LIMIT 1
    ) FROM walk WHERE walk.n < cardinality($3::int[])
  )
  SELECT n, CASE n WHEN 0 THEN ARRAY(
      SELECT position FROM collections WHERE ${inList('$2')} ${BACKWARDS} LIMIT $5::int
    ) ELSE ARRAY(
      SELECT position FROM collections
      WHERE ${inList('$2')} AND position >= walk.position ${IN_ORDER} LIMIT $4::int
    ) END AS positions
  FROM walk`,
});
