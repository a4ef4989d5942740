import type { Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import { manyRows, point, write } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import type { Database, Transaction } from '../../database/database.js';
import { LAST_ID } from '../../database/identifiers.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { ITEM_FIELDS } from '../items/item.fields.js';
import { itemsOf, rowOf } from '../items/item-sql.js';
import { REINDEX_SECONDS } from '../limits.js';

// The statements that read and write the index of words, see index-writer.ts.

/** A row of the log of changes. */
export interface LogPlace {
  version: number;
  id: string;
}

/** After all changes of a version. */
export const endOf = (version: number): LogPlace => ({ version, id: LAST_ID });
export const isEnd = ({ id }: LogPlace): boolean => id === LAST_ID;

/** How far the index of a workspace is. */
export interface IndexPosition extends LogPlace {
  /** A load is after this item; null: none is in progress. */
  loadedId: string | null;
  /** When the last load began. */
  since: Date;
  /** How often words were written, or removed by request. */
  writes: number;
}

/** Where a position is moved to. */
export type IndexPlace = Pick<IndexPosition, 'version' | 'id' | 'loadedId'> & {
  /** If a load begins there. */
  since?: Date;
};

/** A workspace and its index. */
export interface IndexState {
  treeVersion: number;
  /** null: it has no index. */
  position: IndexPosition | null;
  /** The first version of its log; null: the log is empty. */
  firstVersion: number | null;
  /** By the database's clock. */
  now: Date;
}

interface StateRow extends Omit<IndexState, 'position'>, Omit<IndexPosition, 'version'> {
  version: number | null;
}

/** @returns null: the workspace is gone */
export async function readState(
  database: Database,
  { teamId, id }: WorkspaceKey,
): Promise<IndexState | null> {
  const [row] = await database.query<StateRow>(STATE, [teamId, id]);
  if (!row) return null;
  const { treeVersion, firstVersion, now, version, ...rest } = row;
  return {
    treeVersion,
    firstVersion,
    now,
    position: version === null ? null : { ...rest, version },
  };
}

const STATE = point(1, {
  name: 'pageIndex.state',
  text: `
    SELECT now(), w.tree_version::float8 AS "treeVersion", s.version::float8 AS version, s.id,
      s.loaded_id AS "loadedId", s.since, s.writes, (
        SELECT version FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
        ORDER BY team_id, workspace_id, version, id LIMIT 1
      )::float8 AS "firstVersion"
    FROM workspaces w
    LEFT JOIN search_positions s ON s.team_id = $1 AND s.workspace_id = $2
    WHERE w.team_id = $1 AND w.id = $2 AND ${IS_ALIVE_BY_ID}`,
});

/** A change of a workspace, and what the index has of it. */
export interface LoggedChange extends LogPlace {
  createdAt: Date;
  /** Of the page's content, as it is stored; null: it is no page of this workspace. */
  size: number | null;
  /** The version of the tree that the index knows the page of; null: it has nothing of it. */
  indexedVersion: number | null;
  /** It was indexed a few seconds ago. */
  isFresh: boolean | null;
}

/** The first changes after a place. */
export const readLog = (
  database: Database,
  { teamId, id }: WorkspaceKey,
  after: LogPlace,
  limit: number,
): Promise<readonly LoggedChange[]> =>
  database.query(LOG, [teamId, id, after.version, after.id, limit]);

/** The first row of the index of the page with this id. */
export const indexed = (id: string, columns: string, workspace = '$2'): string => `
        SELECT ${columns} FROM page_words p
        WHERE p.team_id = $1 AND p.workspace_id = ${workspace}
          AND (p.id, p.part) >= (${id}, 0) AND (p.id, p.part) <= (${id}, 0)
        ORDER BY p.team_id, p.workspace_id, p.id, p.part LIMIT 1`;

const SIZE = 'coalesce(pg_column_size(c.content), 0)';

const LOG = manyRows({
  name: 'pageIndex.log',
  text: `
    SELECT l.version::float8 AS version, l.id, l.created_at AS "createdAt", c.size,
      p.tree_version::float8 AS "indexedVersion",
      p.indexed_at > clock_timestamp() - interval '${REINDEX_SECONDS} seconds' AS "isFresh"
    FROM (
      SELECT version, id, created_at FROM tree_changes
      WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
      ORDER BY team_id, workspace_id, version, id LIMIT $5
    ) AS l
    LEFT JOIN LATERAL (${rowOf('l.id', `c.workspace_id, c.object, ${SIZE} AS size`)}
    ) AS c ON c.workspace_id = $2 AND c.object = 'item'
    LEFT JOIN LATERAL (${indexed('l.id', 'p.tree_version, p.indexed_at')}
    ) AS p ON true
    ORDER BY l.version, l.id`,
});

/** The items of a workspace after an id, by their ids, with the sizes of contents as they are stored; null: no page. */
export const readItemsAfter = (
  database: Database,
  { teamId, id }: WorkspaceKey,
  after: string,
  limit: number,
): Promise<readonly { id: string; size: number | null }[]> =>
  database.query(ITEMS_AFTER, [teamId, id, after, limit]);

const ITEMS_AFTER = manyRows({
  name: 'pageIndex.itemsAfter',
  text: `
    SELECT c.id, CASE WHEN c.object = 'item' THEN ${SIZE} END AS size FROM collections c
    WHERE c.team_id = $1 AND (c.workspace_id, c.id) > ($2, $3::uuid) AND c.workspace_id <= $2
    ORDER BY c.team_id, c.workspace_id, c.id LIMIT $4`,
});

/** A page as the index reads it. */
export interface ReadPage {
  id: string;
  title: string;
  /** JSON text. */
  content: string;
  changedAt: Date;
  /** Rows of the index, the words in them, and whether they are all that it can have; null: none. */
  rows: number | null;
  words: number | null;
  isSetAside: boolean | null;
}

/** Those of these pages that are in the workspace. */
export const readPages = (
  database: Pick<Database, 'query'> | Transaction,
  { teamId, id }: WorkspaceKey,
  ids: readonly string[],
): Promise<readonly ReadPage[]> => database.query(PAGES, [teamId, id, ids]);

const PAGES = manyRows({
  name: 'pageIndex.pages',
  text: `
    SELECT c.id, ${ITEM_FIELDS.title.read('c')} AS title, coalesce(c.content::text, '{}') AS content,
      c.updated_at AS "changedAt", p.rows::int AS rows, p.words::int AS words, p."isSetAside"
    FROM ${itemsOf('$3')}
    CROSS JOIN LATERAL (
      SELECT max(part) + 1 AS rows, sum(count) AS words, bool_or(is_set_aside) AS "isSetAside"
      FROM (
        SELECT part, count, is_set_aside FROM page_words
        WHERE team_id = $1 AND workspace_id = $2 AND id >= c.id AND id <= c.id
        ORDER BY team_id, workspace_id, id, part
      ) AS p
    ) AS p
    WHERE c.workspace_id = $2 AND c.object = 'item'`,
});

/** Makes the position of a workspace, from which its index begins. */
export async function insertPosition(
  database: Database,
  { teamId, id }: WorkspaceKey,
  { version, id: itemId, loadedId }: IndexPlace,
): Promise<void> {
  await database.query(INSERT_POSITION, [teamId, id, version, itemId, loadedId]);
}

const INSERT_POSITION = write({
  name: 'pageIndex.insertPosition',
  text: `
    INSERT INTO search_positions (team_id, workspace_id, version, id, loaded_id)
    SELECT w.team_id, w.id, $3::bigint, $4::uuid, $5::uuid FROM workspaces w
    WHERE w.team_id = $1 AND w.id = $2
    ON CONFLICT DO NOTHING`,
});

/**
 * Locks the position of a workspace and moves it, if nothing was written since it was read: what was read before another
 * instance, or a request, wrote words is not written.
 * @returns where it is then; null: something was written
 */
export async function movePosition(
  tx: Transaction,
  { teamId, id }: WorkspaceKey,
  from: IndexPosition,
  to: IndexPlace,
): Promise<IndexPosition | null> {
  const since = to.since ?? from.since;
  const values = [teamId, id, from.writes, to.version, to.id, to.loadedId, since];
  const [moved] = await tx.query<Pick<IndexPosition, 'writes'>>(MOVE, values);
  return moved ? { ...from, ...to, ...moved } : null;
}

const MOVE = {
  name: 'pageIndex.move',
  text: `
    UPDATE search_positions
    SET version = $4::bigint, id = $5::uuid, loaded_id = $6::uuid,
      since = $7::timestamptz, writes = writes + 1
    WHERE team_id = $1 AND workspace_id = $2 AND writes = $3::int
    RETURNING writes`,
};

/**
 * Locks the position of a workspace for a transaction of a request: what the index has read before is not written after it.
 */
export const claimPosition = ({ teamId, id }: WorkspaceKey): Statement => [CLAIM, [teamId, id]];

const CLAIM = {
  name: 'pageIndex.claim',
  text: `
    UPDATE search_positions SET writes = writes + 1
    WHERE team_id = $1 AND workspace_id = $2 RETURNING writes`,
};

/**
 * Deletes the words of pages that leave their workspace.
 * @param ids as an array, or its text
 */
export const forgetWords = (
  workspace: WorkspaceKey,
  ids: readonly string[] | string,
): Statement[] => [claimPosition(workspace), deleteWords(workspace, ids)];

/** A page as the index has it. */
export interface IndexedPage extends Pick<ReadPage, 'id' | 'changedAt'> {
  /** The version of the tree in which, or after which, it was read. */
  treeVersion: number;
  /** Of its content. */
  bytes: number;
  isSetAside: boolean;
}

/** Deletes the words of these pages, by a transaction that has locked the position. */
export const deleteWords = (
  { teamId, id }: WorkspaceKey,
  ids: readonly string[] | string,
): Statement => [DELETE_WORDS, [teamId, id, ids]];

/**
 * The rows are found by the key, and deleted by their places. The workspace is not named again: the planner takes it for
 * few rows of its team, and would walk all rows of the largest one for each page.
 */
const DELETE_WORDS = {
  name: 'pageIndex.deleteWords',
  text: `
    DELETE FROM page_words WHERE team_id = $1 AND ctid = ANY (ARRAY (
      SELECT p.ctid FROM unnest($3::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT ctid FROM page_words
        WHERE team_id = $1 AND workspace_id = $2 AND id >= wanted.item AND id <= wanted.item
        ORDER BY team_id, workspace_id, id, part
      ) AS p
    ))`,
};

/** Deletes the words of all pages after an id, up to another one, by a transaction that has locked the position. */
export const deleteWordsBetween = (
  { teamId, id }: WorkspaceKey,
  after: string,
  last: string,
): Statement => [DELETE_WORDS_BETWEEN, [teamId, id, after, last]];

const DELETE_WORDS_BETWEEN = {
  name: 'pageIndex.deleteWordsBetween',
  text: `
    DELETE FROM page_words
    WHERE team_id = $1 AND workspace_id = $2 AND id > $3::uuid AND id <= $4::uuid`,
};

/** Writes a row of a page that has none of this part. */
export const insertWords = (
  { teamId, id }: WorkspaceKey,
  page: IndexedPage,
  part: number,
  lexemes: readonly string[],
): Statement => [
  INSERT_WORDS,
  [teamId, id, ...columnsOf(page), part, lexemes.length, arrayOf(lexemes)],
];

const columnsOf = ({ id, treeVersion, changedAt, bytes, isSetAside }: IndexedPage): unknown[] => [
  id,
  treeVersion,
  changedAt,
  bytes,
  isSetAside,
];

/** The text of an array, as PostgreSQL reads it: node-postgres takes ten times as long. */
const arrayOf = (lexemes: readonly string[]): string =>
  lexemes.length === 0
    ? '{}'
    : `{"${lexemes.map((lexeme) => lexeme.replace(/["\\]/g, '\\$&')).join('","')}"}`;

const INSERT_WORDS = {
  name: 'pageIndex.insertWords',
  text: `
    INSERT INTO page_words (team_id, workspace_id, id, tree_version, changed_at, bytes, is_set_aside,
      part, count, words) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, array_to_tsvector($10::text[]))`,
};

/** Writes what is new of a page whose words the index has: of all its rows. */
export const touchWords = ({ teamId, id }: WorkspaceKey, page: IndexedPage): Statement => [
  TOUCH,
  [teamId, id, ...columnsOf(page)],
];

const TOUCH = {
  name: 'pageIndex.touch',
  text: `
    UPDATE page_words p
    SET tree_version = $4, changed_at = $5, bytes = $6, is_set_aside = $7, indexed_at = now()
    WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3`,
};

/**
 * Adds those of these lexemes that no row of the page has, if there are any, as a row of its own.
 * @param added the lexeme that all rows have but the first one
 */
export const addWords = (
  { teamId, id }: WorkspaceKey,
  page: IndexedPage,
  part: number,
  lexemes: readonly string[],
  added: string,
): Statement => [ADD_WORDS, [teamId, id, ...columnsOf(page), part, arrayOf(lexemes), added]];

const ADD_WORDS = {
  name: 'pageIndex.addWords',
  text: `
    INSERT INTO page_words (team_id, workspace_id, id, tree_version, changed_at, bytes, is_set_aside,
      part, count, words)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, cardinality(missing.lexemes),
      array_to_tsvector(missing.lexemes || $10::text)
    FROM (
      SELECT ARRAY (
        SELECT unnest($9::text[]) EXCEPT
        SELECT unnest(tsvector_to_array(p.words)) FROM page_words p
        WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3
      ) AS lexemes
    ) AS missing WHERE cardinality(missing.lexemes) > 0`,
};
