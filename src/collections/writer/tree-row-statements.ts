import { point } from '@teamspaces/pg-lanes/statements';
import {
  columnOf,
  id,
  insertFrom,
  omit,
  pick,
  set,
  settingNames,
  unnested,
  type Written,
  word,
} from '../../database/fields.js';
import { countItems } from '../../teams/team-usage.repository.js';
import { ofAuthor, STORED_FIELDS, writtenTitle } from '../items/item.fields.js';
import { isEqualContent, rowOf } from '../items/item-sql.js';
import { COALESCED_MINUTES, MAX_KEPT } from '../limits.js';

// The SQL that the tree writer writes with. Parameters $1 and $2 are team_id and workspace_id: see slice-statements.ts.

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

// $3 is the time of the change, and $4 who made it, if that is the same for all rows. The rows of an update or insert
// come last, an array for each field: from $5 on, or after the parameters of guarded().
const NOW = '$3::timestamptz';
const AUTHOR = '$4::uuid';
const WRITER = `coalesce(n.writer_id, ${AUTHOR})`;

/** Where a row is: written of each. */
export const PLACE = pick(STORED_FIELDS, 'id', 'parentId', 'position');
/** What else is written of a row that has a new version. */
export const CHANGED = pick(
  STORED_FIELDS,
  ...settingNames(STORED_FIELDS),
  'version',
  'contentDigest',
);
/** The rows of an update. `contentWrite`: a ContentWrite but for a save, which is null. */
const updated = (first: number): string =>
  unnested(
    {
      ...{ ...PLACE, ...CHANGED, ...pick(STORED_FIELDS, 'content') },
      ...{ authorId: { kind: id }, writerId: { kind: id }, contentWrite: { kind: word } },
    },
    first,
    'n',
  );

/** @param is what is written of a row that has a new version */
const versioned = (column: string, is: string): string =>
  `CASE WHEN n.version IS NULL THEN c.${column} ELSE ${is} END`;

/** See begins(). */
const BEGINS = `(n.content IS NOT NULL AND (
      n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = ${WRITER}
      AND ${NOW} - c.written_since < interval '${COALESCED_MINUTES} minutes'
    ) IS NOT TRUE)`;

/** Final values of the settings: those of the batch are written with the place, and last. */
const SETTINGS = Object.fromEntries(
  Object.entries({
    ...Object.fromEntries(settingNames(STORED_FIELDS).map((name) => [name, `n.${columnOf(name)}`])),
    ...writtenTitle('n'),
  }).map(([name, is]) => [
    name,
    `CASE WHEN num_nulls(n.version, n.position) = 0 THEN ${is} ELSE c.${columnOf(name)} END`,
  ]),
);

/**
 * Final rows; no version: only the position is new; no position: only the content. The ids were read in this
 * workspace, which is locked or guarded by its stamp: a filter by it would let the planner of a table that was never
 * analyzed count on one row, and compare every row of the team with every one of these.
 *
 * Who wrote the content stays with it, and whether by a save, unless an older release of the service has written the
 * row since.
 * @param begins whether the content is not the continuation of the one that was there
 */
const update = (begins: string, first = 5, from = ''): string => {
  const kept = (column: string) => versioned(column, ofAuthor('c', column));
  const written: Written<typeof STORED_FIELDS> = {
    parentId: 'CASE WHEN n.position IS NULL THEN c.parent_id ELSE n.parent_id END',
    position: 'coalesce(n.position, c.position)',
    ...SETTINGS,
    content: 'coalesce(n.content, c.content)',
    version: 'coalesce(n.version, c.version)',
    contentDigest: 'coalesce(n.content_digest, c.content_digest)',
    updatedAt: versioned('updated_at', NOW),
    updatedBy: versioned('updated_by', `coalesce(n.author_id, ${AUTHOR})`),
    writtenBy: `CASE WHEN ${begins} THEN ${WRITER} ELSE ${kept('written_by')} END`,
    writtenSince: `CASE WHEN ${begins} THEN ${NOW} ELSE ${kept('written_since')} END`,
    authorVersion: versioned('author_version', 'n.version'),
    savedVersion: versioned(
      'saved_version',
      `CASE WHEN n.content_write IS NULL AND (c.saved_version = c.version OR ${begins}) THEN n.version END`,
    ),
  };
  return `
  UPDATE collections c SET ${set(written)}
  FROM ${from}${updated(first)}
  WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL`;
};
export const UPDATE = { name: 'tree.update', text: update(BEGINS) };

/**
 * `kept`: what was there before contents are written, unless the same person began to save it less than ten minutes
 * ago, the contents are equal, or there was none. What a page has too many of goes at once. `OFFSET 0` makes PostgreSQL
 * read a content once, and only where it is compared.
 */
const kept = (first = 5, from = '') => `
  kept AS (
    INSERT INTO page_versions AS made
      (team_id, id, version, since, until, author_id, bytes, content, ordinal, total_bytes)
    SELECT c.team_id, c.id, c.version,
      CASE WHEN c.author_version = c.version THEN coalesce(c.written_since, c.updated_at)
        ELSE c.updated_at END,
      ${NOW}, ${ofAuthor('c', 'written_by')},
      octet_length(present.text), c.content, coalesce(newest.ordinal, 0) + 1,
      coalesce(newest.total_bytes, 0) + octet_length(present.text)
    FROM ${from}${updated(first)}
    CROSS JOIN LATERAL (${rowOf('n.id')}
    ) AS c
    CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS present
    LEFT JOIN LATERAL (
      SELECT ordinal, total_bytes FROM page_versions WHERE team_id = $1 AND id = n.id
      ORDER BY team_id DESC, id DESC, version DESC LIMIT 1
    ) AS newest ON true
    WHERE ${BEGINS} AND present.text <> '{}' AND NOT ${isEqualContent('present.text', 'n.content::text')}
    RETURNING made.id, made.version, made.ordinal, made.total_bytes
  ), trimmed AS (
    DELETE FROM page_versions v USING kept
    WHERE v.team_id = $1 AND v.id = kept.id AND v.version < kept.version AND (
      v.ordinal <= kept.ordinal - ${MAX_KEPT.versions}
      OR v.total_bytes - v.bytes < kept.total_bytes - ${MAX_KEPT.bytes}
    )
  )`;
const IS_KEPT = `(EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR ${BEGINS} AND c.content::text = '{}')`;

/** A distributed database takes no data-modifying WITH but in a SELECT. */
export const UPDATE_KEEPING = {
  name: 'tree.updateKeeping',
  text: `
    WITH ${kept()}, updated AS (${update(IS_KEPT)} RETURNING c.id)
    SELECT count(*) FROM updated`,
};

/** What is written of a new row beside its own fields. */
const NEW = {
  ...{ teamId: 'w.team_id', workspaceId: 'w.id', version: '1', createdAt: NOW, updatedAt: NOW },
  ...{ createdBy: 'author.id', updatedBy: 'author.id', writtenBy: 'author.id', writtenSince: NOW },
  ...{ authorVersion: '1', savedVersion: 'NULL' },
} satisfies Written<typeof STORED_FIELDS>;
export const INSERTED = omit(
  STORED_FIELDS,
  'titledName',
  ...(Object.keys(NEW) as (keyof typeof NEW)[]),
);

/** Joined with the workspace so that a distributed database runs it on the workspace's own node. */
const insert = (workspace: string, first = 5) => `
  ${insertFrom('collections', STORED_FIELDS, 'n', { ...NEW, ...writtenTitle('n') })}
  FROM ${workspace} w, ${unnested({ ...INSERTED, authorId: { kind: id } }, first, 'n')}
    CROSS JOIN LATERAL (SELECT coalesce(n.author_id, ${AUTHOR}) AS id) AS author
  WHERE w.team_id = $1 AND w.id = $2`;
export const INSERT = { name: 'tree.insert', text: insert('workspaces') };

export const COUNT_ITEMS = {
  name: 'tree.countItems',
  text: countItems('$3', '$4', '$5', 'workspaces'),
};

/** Logs items as changed by the tree's present version. @param stamp the one that it had before */
const logged = (workspace: string, ids: string, stamp: string) => `
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
  SELECT w.team_id, w.id, w.tree_version, n.id, ${stamp}::uuid
  FROM ${workspace} w, ${ids} AS n (id) WHERE w.team_id = $1 AND w.id = $2`;
export const LOG = { name: 'tree.log', text: logged('workspaces', 'unnest($3::uuid[])', '$4') };

/**
 * What a command on its own needs, all in one statement: a new stamp for a tree that must be as it
 * was read, and the rows. Returns no row, and writes none, if the workspace is gone.
 */
const guarded = (first: number) => `
  guarded AS (
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = $5::uuid THEN $6::uuid END
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
  ), logged AS (${logged('guarded', `unnest($${first}::uuid[])`, '$5')})`;
export const INSERT_GUARDED = {
  name: 'tree.insertGuarded',
  text: `
    WITH ${guarded(10)}, counted AS (${countItems('$7', '$8', '$9', 'guarded')})
    ${insert('guarded', 10)} RETURNING collections.id`,
};
export const UPDATE_GUARDED = {
  name: 'tree.updateGuarded',
  text: `WITH ${guarded(7)} ${update(BEGINS, 7, 'guarded,')} RETURNING c.id`,
};
export const UPDATE_GUARDED_KEEPING = {
  name: 'tree.updateGuardedKeeping',
  text: `
    WITH ${guarded(7)}, ${kept(7, 'guarded, ')}
    ${update(IS_KEPT, 7, 'guarded,')} RETURNING c.id`,
};

export const PLAN = point(1, {
  name: 'tree.plan',
  text: 'SELECT plan FROM teams WHERE id = $1',
});
