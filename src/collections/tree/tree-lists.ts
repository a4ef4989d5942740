import { createHash } from 'node:crypto';
import { ALL } from '@teamspaces/pg-lanes/list-reads';
import { type ManyRows, manyRows, type PreparedRead, point } from '@teamspaces/pg-lanes/statements';
import { MAY_READ } from '../../access/access-sql.js';
import type { Database } from '../../database/database.js';
import { sql } from '../../database/fields.js';
import { isUuid } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { listEtagOf } from '../../http/etag.js';
import { type JsonBody, streamOf } from '../../http/json-stream.js';
import { type InWorkspace, inWorkspace } from '../../workspaces/workspaces.repository.js';
import { cursorOfOtherList, expiredCursor } from '../errors.js';
import type { Cursor, ObjectKind, TreeQuery } from '../items/collection.js';
import { ITEM_JSON, listedItem, rowOf } from '../items/item-sql.js';
import { assertCollection } from '../writer/tree-rules.js';
import { NestedJson, type NestedRow } from './tree-json.js';

/** A part of a tree as JSON. */
export interface TreeResponse {
  /** null: the caller has it. */
  body: JsonBody | null;
  etag: string;
  /** Where the top level continues, or null at its end. */
  next: Cursor | null;
}

/** One that is held in memory, and what it was read under. */
export type BufferedTree = TreeResponse & { body: Buffer; treeStamp: string };

/** What a tree was read under. */
interface TreeHead {
  treeStamp: string;
  rebalances: number;
}

/** What is read of a workspace for its tree; with `head`, a part of the tree, too: see SMALL_PART. */
export interface TreeColumns {
  treeStamp: string;
  /** What parseHead() reads. */
  head?: string;
  last?: string | null;
  /** null: it is not small. */
  lines?: string | null;
}

export type WorkspaceTree = TreeColumns & { id: string; teamId: string };

/** A list that a caller asks for. */
export interface ListRequest {
  callerId: string;
  workspace: WorkspaceTree;
  query: TreeQuery;
}

/** A row of LISTS, each before what is below it. The first one is not an item. */
interface ListRow extends NestedRow {
  /** Of the first row: the last position shown, where the top level continues. */
  last: string | null;
}

/**
 * Reads a part of a tree with its workspace, if it may be small: a list without content whose parent
 * may exist. Whole trees are cached instead.
 */
export function smallPart(query: TreeQuery): PreparedRead<InWorkspace<TreeColumns>> | undefined {
  const { parentId, withContent } = query;
  if (isWhole(query) || withContent || (parentId !== null && !isUuid(parentId))) return undefined;
  return [SMALL_PART, [...boundsOf(query), parentId]];
}

/**
 * The list that came with its workspace; null if none did, or it is not small.
 * @throws DomainError as TreeRepository.read()
 */
export function smallList(request: ListRequest): BufferedTree | null {
  const { workspace, query } = request;
  const { head, last = null, lines } = workspace;
  if (head === undefined || lines === undefined) return null;
  const headers = headersOf(request, parseHead(head, query), last);
  if (lines === null) return null;
  const json = new NestedJson(query.depth);
  let text = '[';
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const begin = line.indexOf('{');
    const level = Number(line.slice(0, begin - 1));
    const collection = line[begin - 1] === 'c' ? '' : null;
    text += json.add({ collection, json: line.slice(begin), level });
  }
  return { body: Buffer.from(text + json.end()), ...headers };
}

/**
 * Reads a list into memory.
 * @param most characters of JSON
 * @returns null where it has more
 * @throws DomainError as TreeRepository.read()
 */
export async function readBuffered(
  database: Database,
  request: ListRequest,
  most: number,
): Promise<BufferedTree | null> {
  const { callerId, workspace, query } = request;
  const json = new NestedJson(query.depth);
  let text = '[';
  let headers: ReturnType<typeof headersOf> | undefined;
  const by = { callerId, teamId: workspace.teamId };
  for await (const rows of database.large.portions<ListRow>(readOf(request), by)) {
    for (const row of rows) {
      if (headers) text += json.add(row);
      else headers = headersOf(request, parseHead(row.json, query), row.last);
    }
    if (text.length > most) return null;
    await yieldToEventLoop();
  }
  if (!headers) throw notFound('workspace');
  // In one go: chunks and their copy would be three times the memory, which malloc keeps.
  return { body: Buffer.from(text + json.end()), ...headers };
}

/**
 * Reads a list of any size as fast as its caller takes it, as a consistent snapshot.
 * @throws DomainError as TreeRepository.read()
 */
export async function streamList(database: Database, request: ListRequest): Promise<TreeResponse> {
  const { callerId, query } = request;
  const portions = database.large.forCaller<ListRow>(callerId, readOf(request));
  const close = () => portions.return().catch(() => undefined);
  try {
    const first = await portions.next();
    const [head, ...rows] = first.value ?? [];
    if (!head) throw notFound('workspace');
    const headers = headersOf(request, parseHead(head.json, query), head.last);
    return { body: streamOf(nested(rows, portions, query.depth), close), ...headers };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* nested(
  first: ListRow[],
  portions: AsyncIterable<ListRow[]>,
  depth: number | undefined,
): AsyncGenerator<string> {
  const json = new NestedJson(depth);
  yield '[';
  for (const row of first) yield json.add(row);
  for await (const rows of portions) {
    for (const row of rows) yield json.add(row);
  }
  yield json.end();
}

/** The statement of a list, and its values. */
function readOf({ workspace, query }: ListRequest): [ManyRows, unknown[]] {
  const { teamId, id } = workspace;
  const statement = LISTS[query.withContent ? 'content' : 'plain'];
  return [statement, [teamId, id, ...boundsOf(query), query.parentId ?? id]];
}

export const isWhole = ({ parentId, depth, limit, cursor }: TreeQuery): boolean =>
  parentId === null && [depth, limit, cursor].every((part) => part === undefined);

/** @throws DomainError bad_request: the cursor is of another list; not_found: no such parent */
export function assertPossible({ workspace, query: { cursor, parentId } }: ListRequest): void {
  if (cursor && cursor.list !== listOf(workspace.id, parentId)) throw cursorOfOtherList();
  if (parentId !== null && !isUuid(parentId)) throw notFound('parent');
}

/** Where a list begins, its length and its depth, as parameters of the statements. */
const boundsOf = ({ depth = ALL, limit = ALL, cursor }: TreeQuery): unknown[] => [
  cursor?.position ?? null,
  limit,
  depth,
];

/** @throws DomainError not_found, unprocessable_entity: the parent; bad_request: the cursor */
export function parseHead(head: string, { cursor }: TreeQuery): TreeHead {
  const [treeStamp = '', rebalances = '', parentObject = ''] = head.split(' ');
  if (parentObject === '') throw notFound('parent');
  assertCollection({ object: parentObject as ObjectKind }, 'parent');
  if (cursor && cursor.rebalances !== Number(rebalances)) throw expiredCursor();
  return { treeStamp, rebalances: Number(rebalances) };
}

/** @param last the position of the last item shown, where the list continues; null: it does not */
export const headersOf = (
  { workspace, query }: ListRequest,
  { treeStamp, rebalances }: TreeHead,
  last: string | null,
): Omit<BufferedTree, 'body'> => ({
  treeStamp,
  etag: listEtagOf(treeStamp, query),
  next:
    last === null
      ? null
      : { list: listOf(workspace.id, query.parentId), position: last, rebalances },
});

/** Eight characters that identify a list. */
const listOf = (workspaceId: string, parentId: string | null): string =>
  createHash('sha256')
    .update(`${workspaceId}:${parentId ?? ''}`)
    .digest('base64url')
    .slice(0, 8);

/** What stands for the parameters of a list in a statement. */
interface Places {
  workspace: string;
  /** Position that the list begins after; most items; most levels. */
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

/** The last position shown, where the top level continues. */
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
 * A part of a tree, or one with content, each item before what is below it: of the list $6 (a collection, or
 * the workspace), $4 items after $3, $5 levels. Ids are put in order first; then the join looks up one item at
 * a time, when its row is sent (OFFSET 0 keeps it from being planned in another way), so that a list of any
 * size costs its reader little before the first row. Children are read in their order so that only the index of
 * siblings serves them: see slice-statements.ts.
 *
 * The first row, whose path is empty, is no item: it has the tree's stamp, its rebalances and what the
 * parent is (nothing: it is not there), and, where the top level continues, the last position shown.
 */
const list = (withContent: boolean): ManyRows =>
  manyRows({
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
  });

const LISTS = { plain: list(false), content: list(true) };

/** Items that are read together with the reads of others. */
const MAX_SMALL = 100;

const BESIDE_WORKSPACE: Places = {
  ...{ workspace: 'w.id', from: '$5', limit: '$6', depth: '$7' },
  list: 'coalesce($8::uuid, w.id)',
};

const LINE = `CASE c.object WHEN 'collection' THEN 'c' ELSE 'i' END || ${ITEM_JSON} AS line`;

/**
 * A part of a tree of at most 100 items, in one row with its workspace: `lines` has one for each item,
 * its level, `c` for a collection or `i`, and its JSON; null if there are more, which are not read.
 */
const SMALL_PART = point(
  1,
  inWorkspace(
    'tree.part',
    sql<TreeColumns>('w.tree_stamp AS "treeStamp", part.head, part.last, part.lines'),
    `
    LEFT JOIN LATERAL (
      WITH RECURSIVE ${treeOf(BESIDE_WORKSPACE, `c.id, c.object, ${LINE}`)}
      SELECT ${headOf(BESIDE_WORKSPACE)} AS head,
        CASE WHEN count(*) <= ${MAX_SMALL} THEN ${LAST} END AS last,
        CASE WHEN count(*) <= ${MAX_SMALL} THEN coalesce(
          string_agg(cardinality(shown.path) || shown.line, E'\n' ORDER BY shown.path), '') END AS lines
      FROM (SELECT path, line FROM tree WHERE ${MAY_READ} LIMIT ${MAX_SMALL + 1}) AS shown
    ) AS part ON true`,
  ),
);
