import { point } from '@teamspaces/pg-lanes/statements';
import { columnsOf, insertFrom, join, omit, selecting, set, sql } from '../../database/fields.js';
import { type Item } from '../items/collection.js';
import {
  ITEM_FIELDS,
  KEPT_FIELDS,
  ofAuthor,
  ofSave,
  type STORED_FIELDS,
  TRASHED_FIELDS,
  writtenTitle,
} from '../items/item.fields.js';
import { childrenOf, itemsOf, ofKey, rowOf } from '../items/item-sql.js';
import { MAX_CHILDREN_WRITTEN } from '../limits.js';
import { BACKWARDS, CHILDREN, IN_ORDER, IN_WORKSPACE, inList } from '../writer/slice-statements.js';

// The SQL that moves and copies subtrees. Parameters $1 and $2 are team_id and workspace_id: see
// slice-statements.ts. The rows never leave the database.

/** The item $3 with all below it, $4 items at most: what `shown` shows of it, its counts and levels. */
const subtree = (shown: string): string => `
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

/** The ids of items as the text of an array: there may be many, which are only sent back. */
export const IDS = `'{' || string_agg(id::text, ',') || '}'`;

/** The subtree of the item $3, $4 items at most. */
export const SUBTREE = { name: 'tree.subtree', text: subtree(`${IDS} AS ids`) };

/** The same, with the parent of each item; as arrays. */
export const SUBTREE_WITH_PARENTS = {
  name: 'tree.subtreeWithParents',
  text: subtree('array_agg(id) AS ids, array_agg(parent_id) AS "parentIds"'),
};

/** A column of the sibling next to the row of `root`, in one direction or the other. */
const sibling = (column: string, comparison: '<' | '>', direction: 'DESC' | 'ASC') => `(
      SELECT c.${column} FROM collections c
      WHERE c.team_id = $1 AND c.list_id = root.list_id AND c.position ${comparison} root.position
      ORDER BY c.team_id ${direction}, c.list_id ${direction}, c.position ${direction} LIMIT 1
    )`;

/** The position of the next sibling of the item $3. */
export const NEXT = {
  name: 'tree.next',
  text: `
    SELECT ${sibling('position', '>', 'ASC')} AS next FROM collections root
    WHERE root.team_id = $1 AND root.id = $3 AND root.workspace_id IS NOT DISTINCT FROM $2`,
};

/** What is written of a row that gets its next version, and stays as it was written. */
const nextVersion = (of: string, author: string) => ({
  version: `${of}.version + 1`,
  updatedAt: '$6::timestamptz',
  updatedBy: `${author}::uuid`,
  writtenBy: ofAuthor(of, 'written_by'),
  writtenSince: ofAuthor(of, 'written_since'),
  authorVersion: `${of}.version + 1`,
});

/** What is written of the item $3 of a subtree, and of the others. */
const root = (of: string, ofRoot: string, ofOthers: string): string =>
  `CASE WHEN ${of}.id = $3 THEN ${ofRoot} ELSE ${ofOthers} END`;

/** The place of a subtree: the item $3 comes to the parent $4 and the position $5. */
const place = (of: string, parentOf = of) => ({
  parentId: root(of, '$4::uuid', `${parentOf}.parent_id`),
  position: root(of, '$5::text', `${of}.position`),
});

/**
 * Deletions of the items $5 at the time $3 by $4, each of a height $6, with $7 pages and $8 collections. Joined with the
 * workspace so that a distributed database runs it on the workspace's own node.
 */
export const INSERT_DELETIONS = {
  name: 'tree.insertDeletions',
  text: `
    INSERT INTO trash_deletions (team_id, workspace_id, id, parent_id, object, name, position,
      rebalances, before_id, after_id, height, pages, collections, deleted_at, deleted_by)
    SELECT w.team_id, w.id, root.id, root.parent_id, root.object, root.name, root.position, w.rebalances,
      ${sibling('id', '<', 'DESC')}, ${sibling('id', '>', 'ASC')},
      n.height, n.pages, n.collections, $3::timestamptz, $4::uuid
    FROM workspaces w, unnest($5::uuid[], $6::int[], $7::int[], $8::int[])
      AS n (id, height, pages, collections)
    CROSS JOIN LATERAL (${rowOf('n.id')}
    ) AS root
    WHERE w.team_id = $1 AND w.id = $2 AND root.workspace_id IS NOT DISTINCT FROM $2`,
};

/** Copies items to the deletions $3: $4 has the ids of those of each, as the text of an array. */
export const COPY_TO_TRASH = {
  name: 'tree.copyToTrash',
  text: `
    ${insertFrom('trash_items', TRASHED_FIELDS, 'c', { deletionId: 'd.id' })}
    FROM unnest($3::uuid[], $4::text[]) AS d (id, items)
    CROSS JOIN LATERAL ${itemsOf('d.items')} WHERE ${IN_WORKSPACE}`,
};

/** Deletes the versions of items, and counts them. */
export const DELETE_VERSIONS = {
  name: 'tree.deleteVersions',
  text: `
    WITH deleted AS (
      DELETE FROM page_versions WHERE team_id = $1 AND $2::uuid IS NOT NULL AND ctid = ANY (ARRAY (
        SELECT v.ctid FROM unnest($3::uuid[]) AS wanted (item)
        CROSS JOIN LATERAL (
          SELECT ctid FROM page_versions WHERE team_id = $1 AND id = wanted.item
          ORDER BY team_id, id, version
        ) AS v
      )) RETURNING 1
    )
    SELECT count(*)::int AS versions FROM deleted`,
};

/** Deletes items that were read while holding the lock. */
export const DELETE = {
  name: 'tree.delete',
  text: `
    DELETE FROM collections WHERE team_id = $1 AND ctid = ANY (ARRAY (
      SELECT c.ctid FROM ${itemsOf('$3', 'ctid, workspace_id')} WHERE ${IN_WORKSPACE}
    ))`,
};

/**
 * The former place of a deletion in the list $3, as the positions on both sides of it: by its position
 * $4 while the workspace's count of rebalances is still $5; otherwise before the sibling $7 that was
 * after it, or after the sibling $6 that was before it; otherwise at the end. A space and a tilde come
 * before and after all characters of positions.
 */
export const FORMER_PLACE = point(1, {
  name: 'tree.formerPlace',
  text: `
    SELECT place.is_valid AS "isPositionValid", (
      SELECT position FROM collections
      WHERE ${inList('$3')} AND position < place.position ${BACKWARDS} LIMIT 1
    ) AS before, (
      SELECT position FROM collections
      WHERE ${inList('$3')} AND position >= place.position ${IN_ORDER} LIMIT 1
    ) AS after
    FROM (
      SELECT rebalances = $5::int AS is_valid, CASE WHEN rebalances = $5::int THEN $4::text
        ELSE coalesce((
          SELECT position FROM collections
          WHERE team_id = $1 AND id = $7::uuid AND list_id IS NOT DISTINCT FROM $3::uuid
        ), (
          SELECT position || ' ' FROM collections
          WHERE team_id = $1 AND id = $6::uuid AND list_id IS NOT DISTINCT FROM $3::uuid
        ), '~') END COLLATE "C" AS position
      FROM workspaces WHERE team_id = $1 AND id = $2
    ) AS place`,
});

const DELETION = `
    SELECT id FROM trash_deletions
    WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2 AND deleted_at = $4
      AND purged_at IS NULL`;

/** Whether the deletion of the item $3 at the time $4 is still there. */
export const FIND_DELETION = point(1, { name: 'tree.findDeletion', text: DELETION });

/** The same; nobody purges it meanwhile. */
export const LOCK_DELETION = { name: 'tree.lockDeletion', text: `${DELETION} FOR UPDATE` };

/**
 * Looks up, as `taken`, the slug of a row that comes into the workspace $2. The range with its order is as
 * in TAKEN_SLUGS.
 */
const lookUpSlug = (of: string) => `LEFT JOIN LATERAL (
      SELECT t.slug FROM collections t
      WHERE t.team_id = $1 AND t.workspace_id = $2 AND t.slug >= ${of}.slug AND t.slug <= ${of}.slug
      ORDER BY t.slug LIMIT 1
    ) AS taken ON true`;

/** The same for the key, as `holder`. */
const lookUpKey = (of: string) =>
  `LEFT JOIN LATERAL (${ofKey(`${of}.key`, 'id')}) AS holder ON true`;

/** Its key, unless it is taken there. */
const freeKey = (key: string, taken: string) => `CASE WHEN NOT ${taken} THEN ${key} END`;

/** Its slug: if it is taken there, with a suffix that $7 makes unpredictable. */
const freeSlug = (slug: string, taken: string, id: string) => `CASE WHEN ${taken}
        THEN rtrim(left(${slug}, 39), '-') || '-' || left(md5($7::text || ${id}), 8)
        ELSE ${slug} END`;

/**
 * Copies the rows of the deletion of $8 back: the item $3 to the parent $4 and the position $5, at the
 * time $6, by $9.
 */
export const COPY_FROM_TRASH = {
  name: 'tree.copyFromTrash',
  text: `
    ${insertFrom('collections', KEPT_FIELDS, 'i', {
      workspaceId: 'd.workspace_id',
      ...place('i'),
      ...nextVersion('i', '$9'),
      slug: freeSlug('i.slug', 'taken.slug IS NOT NULL', 'i.id'),
      key: freeKey('i.key', '(holder.id IS NOT NULL)'),
    })}
    FROM trash_deletions d
    JOIN trash_items i ON i.team_id = $1 AND i.deletion_id = d.id
    ${lookUpSlug('i')}
    ${lookUpKey('i')}
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

const NAMED = writtenTitle('named');

/**
 * Copies the items $8 of the team, with the ids $9 and the parents $10: the item $3 to the parent $4 and
 * the position $5, at the time $6, with the name $11, the title $14 and the free slug $12, or that of its own. Who
 * copies them, $13, is their author.
 */
export const COPY = {
  name: 'tree.copy',
  text: `
    ${insertFrom('collections', omit(KEPT_FIELDS, 'key'), 'c', {
      id: 'n.id',
      workspaceId: '$2::uuid',
      ...place('c', 'n'),
      name: root('c', 'named.name', 'c.name'),
      title: root('c', NAMED.title, 'c.title'),
      titledName: root('c', NAMED.titledName, 'c.titled_name'),
      slug: `CASE WHEN c.id = $3 AND $12::text IS NOT NULL THEN $12::text
        ELSE ${freeSlug('c.slug', 'taken.slug IS NOT NULL OR c.slug = $12::text', 'n.id')} END`,
      ...{ version: '1', createdAt: '$6::timestamptz', updatedAt: '$6::timestamptz' },
      ...{ createdBy: '$13::uuid', updatedBy: '$13::uuid', writtenBy: '$13::uuid' },
      ...{ writtenSince: '$6::timestamptz', authorVersion: '1' },
    })}
    FROM unnest($8::uuid[], $9::uuid[], $10::uuid[]) AS n (original_id, id, parent_id)
    JOIN collections c ON c.team_id = $1 AND c.id = n.original_id
    CROSS JOIN (SELECT $11::text AS name, $14::text AS title) AS named
    ${lookUpSlug('c')}`,
};

/**
 * Moves the items $8 of the team here: the item $3 to the parent $4 and the position $5, at the time $6, by $9. Their
 * versions stay with them.
 */
export const TRANSFER = {
  name: 'tree.transfer',
  text: `
    UPDATE collections c SET ${set<typeof STORED_FIELDS>({
      workspaceId: '$2',
      ...place('c'),
      ...nextVersion('c', '$9'),
      slug: freeSlug('c.slug', 'n.is_taken', 'c.id'),
      key: freeKey('c.key', 'n.is_key_taken'),
      savedVersion: ofSave('c', 'version + 1'),
    })}
    FROM (
      SELECT c.id, taken.slug IS NOT NULL AS is_taken, holder.id IS NOT NULL AS is_key_taken
      FROM ${itemsOf('$8', 'id, slug, key')}
      ${lookUpSlug('c')}
      ${lookUpKey('c')}
    ) AS n
    WHERE c.team_id = $1 AND c.id = n.id`,
};

/** Children of a written item that are read with it, under the lock; of more, none: see respondWithWritten(). */
export const MAX_CHILDREN_READ = 250;

/** The columns of ITEM_WITH_CHILDREN; null: it has no children. */
const SHOWN = join(
  columnsOf(ITEM_FIELDS, 'c'),
  sql<Pick<Item, 'content'> & ShownChildren>(
    'c.content::text AS content, below.count::int AS count, below.marks, shown.children',
  ),
);
export interface ShownChildren {
  /** At most one more than MAX_CHILDREN_WRITTEN. */
  count: number;
  children: string | null;
  marks: string | null;
}

/**
 * An item with its content, the first MAX_CHILDREN_READ of its direct children in one text, and its ETag's part of all,
 * if they are not more than MAX_CHILDREN_WRITTEN.
 */
export const ITEM_WITH_CHILDREN = selecting(SHOWN, (columns) => ({
  name: 'tree.shown',
  text: `
    SELECT ${columns}
    FROM collections c
    CROSS JOIN LATERAL (
      SELECT count(*), string_agg(child.mark, '') AS marks
      FROM (${childrenOf('$1', '$3', ` LIMIT ${MAX_CHILDREN_WRITTEN + 1}`)}
      ) AS child
    ) AS below
    CROSS JOIN LATERAL (
      SELECT string_agg(child.json, ',') AS children
      FROM (${childrenOf('$1', '$3', ` LIMIT ${MAX_CHILDREN_READ}`)}
      ) AS child
    ) AS shown
    WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2`,
}));
