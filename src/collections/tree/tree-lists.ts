import type { Database, PreparedRead, PreparedStatement } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { streamOf } from '../../http/json-stream.js';
import type { TreeQuery } from '../items/collection.js';
import { type ListedItem, NestedJson } from './tree-json.js';
import {
  ALL,
  type BufferedTree,
  boundsOf,
  headersOf,
  isWhole,
  type ListRequest,
  parseHead,
  type TreeResponse,
} from './tree-response.js';
import { LISTS, SMALL_PART } from './tree-statements.js';

/** A row of LISTS, each before what is below it. The first one is no item. */
interface ListRow extends Pick<ListedItem, 'collection' | 'json'> {
  /** From 1; 0 of the first row. */
  level: number;
  /** Of the first row: the last position shown, where the top level goes on. */
  last: string | null;
}

/** The statement of a list, and its values. */
function readOf(wanted: ListRequest): [PreparedStatement, unknown[]] {
  const statement = LISTS[wanted.query.withContent ? 'content' : 'plain'];
  const { workspace, query } = wanted;
  const { teamId, id } = workspace;
  return [statement, [teamId, id, ...boundsOf(query), query.parentId ?? id]];
}

/**
 * Reads a part of a tree with its workspace, if it may be small: a list without content whose parent
 * may exist. Whole trees are remembered instead.
 */
export function smallPart(query: TreeQuery): PreparedRead | undefined {
  const { parentId, withContent } = query;
  if (isWhole(query) || withContent || (parentId !== null && !isUuid(parentId))) return undefined;
  return [SMALL_PART, [...boundsOf(query), parentId]];
}

/**
 * The list that came with its workspace; null if none did, or it is not small.
 * @throws DomainError as TreeRepository.read()
 */
export function smallList(wanted: ListRequest): BufferedTree | null {
  const { workspace, query } = wanted;
  const { head, last = null, lines } = workspace;
  if (head === undefined || lines === undefined) return null;
  const headers = headersOf(wanted, parseHead(head, query), last);
  if (lines === null) return null;
  const { depth = ALL } = query;
  const json = new NestedJson();
  let text = '[';
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const begin = line.indexOf('{');
    const level = Number(line.slice(0, begin - 1));
    const collection = line[begin - 1] === 'c' ? '' : null;
    text += json.add({ collection, json: line.slice(begin) }, level, level >= depth);
  }
  return { body: Buffer.from(text + json.end()), ...headers };
}

/**
 * Reads a list and holds it whole.
 * @param most characters of JSON
 * @returns null where it has more
 * @throws DomainError as TreeRepository.read()
 */
export async function readBuffered(
  database: Database,
  wanted: ListRequest,
  most: number,
): Promise<BufferedTree | null> {
  const { callerId, workspace, query } = wanted;
  const { depth = ALL } = query;
  const json = new NestedJson();
  let text = '[';
  let headers: ReturnType<typeof headersOf> | undefined;
  const by = { callerId, teamId: workspace.teamId };
  for await (const rows of database.large.portions<ListRow>(readOf(wanted), by)) {
    for (const row of rows) {
      if (headers) text += json.add(row, row.level, row.level >= depth);
      else headers = headersOf(wanted, parseHead(row.json, query), row.last);
    }
    if (text.length > most) return null;
    await yieldToEventLoop();
  }
  if (!headers) throw notFound('workspace');
  // In one go: chunks and their copy would be three times the memory, which malloc keeps.
  return { body: Buffer.from(text + json.end()), ...headers };
}

/**
 * Reads a list of any size as fast as its caller takes it; it shows one moment all the same.
 * @throws DomainError as TreeRepository.read()
 */
export async function streamList(database: Database, wanted: ListRequest): Promise<TreeResponse> {
  const { callerId, query } = wanted;
  const portions = database.large.forCaller<ListRow>(callerId, readOf(wanted));
  const close = () => portions.return().catch(() => undefined);
  try {
    const first = await portions.next();
    const [head, ...rows] = first.value ?? [];
    if (!head) throw notFound('workspace');
    const headers = headersOf(wanted, parseHead(head.json, query), head.last);
    return { body: streamOf(nested(rows, portions, query.depth), close), ...headers };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* nested(
  first: ListRow[],
  portions: AsyncIterable<ListRow[]>,
  depth = ALL,
): AsyncGenerator<string> {
  const json = new NestedJson();
  yield '[';
  for (const row of first) yield json.add(row, row.level, row.level >= depth);
  for await (const rows of portions) {
    for (const row of rows) yield json.add(row, row.level, row.level >= depth);
  }
  yield json.end();
}
