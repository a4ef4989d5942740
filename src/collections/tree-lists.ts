import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, PreparedStatement } from '../database/database.js';
import { notFound } from '../errors/domain-error.js';
import { streamOf } from '../http/json-stream.js';
import {
  ALL,
  type HeldAnswer,
  headersOf,
  readUnder,
  type TreeAnswer,
  valuesOf,
  type Wanted,
} from './tree-answer.js';
import { type ListedItem, NestedJson } from './tree-json.js';
import { LISTS } from './tree-statements.js';

/** A row of LISTS, each before what is below it. The first one is no item. */
interface ListRow extends Pick<ListedItem, 'collection' | 'json'> {
  /** From 1; 0 of the first row. */
  level: number;
  /** Of the first row: the last position shown, where the top level goes on. */
  last: string | null;
}

/** The statement of a list, and its values. */
function readOf(wanted: Wanted): [PreparedStatement, unknown[]] {
  const statement = LISTS[wanted.query.withContent ? 'content' : 'plain'];
  return [statement, valuesOf(wanted)];
}

/**
 * Reads a list and holds it whole.
 * @param most characters of JSON
 * @returns null where it has more
 * @throws DomainError as TreeRepository.read()
 */
export async function holdList(
  database: Database,
  wanted: Wanted,
  most: number,
): Promise<HeldAnswer | null> {
  const { callerId, workspace, query } = wanted;
  const { depth = ALL } = query;
  const json = new NestedJson();
  let text = '[';
  let headers: ReturnType<typeof headersOf> | undefined;
  const by = { callerId, teamId: workspace.teamId };
  for await (const rows of database.large.portions<ListRow>(readOf(wanted), by)) {
    for (const row of rows) {
      if (headers) text += json.add(row, row.level, row.level >= depth);
      else headers = headersOf(wanted, readUnder(row.json, query), row.last);
    }
    if (text.length > most) return null;
    await nextTurn();
  }
  if (!headers) throw notFound('workspace');
  // In one go: chunks and their copy would be three times the memory, which malloc keeps.
  return { body: Buffer.from(text + json.end()), ...headers };
}

/**
 * Reads a list of any size as fast as its caller takes it; it shows one moment all the same.
 * @throws DomainError as TreeRepository.read()
 */
export async function streamList(database: Database, wanted: Wanted): Promise<TreeAnswer> {
  const { callerId, query } = wanted;
  const portions = database.large.forCaller<ListRow>(callerId, readOf(wanted));
  const close = () => portions.return().catch(() => undefined);
  try {
    const first = await portions.next();
    const [head, ...rows] = first.value ?? [];
    if (!head) throw notFound('workspace');
    const headers = headersOf(wanted, readUnder(head.json, query), head.last);
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
