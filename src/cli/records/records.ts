import { connect } from '../../database/connection.js';
import { print, printJson } from '../print.js';
import { type Query, TEAM_ID } from './queries.js';
import { inColumns, inLines, type Row } from './text.js';

/** How a command was called. */
interface Request {
  databaseUrl: string;
  /** Slug of the team; null: the list is of all teams. */
  team: string | null;
  json: boolean;
}

/** Prints the rows of a statement: a table, or a JSON array. @throws Error there is no such team */
export async function list(text: string, request: Request): Promise<void> {
  const rows = await read(text, request, []);
  if (request.json) printJson(rows);
  else if (rows.length > 0) print(...inColumns(rows));
}

/**
 * Prints one record: a line for each field, or a JSON object.
 * @param name what names it in its team; null: it is the team
 * @throws Error there is no such record, or more than one
 */
export async function show(
  { text, record }: Query,
  name: string | null,
  request: Request & { team: string },
): Promise<void> {
  const rows = await read(text, request, name === null ? [] : [name]);
  const [row] = rows;
  if (!row) throw new Error(`The team "${request.team}" has no ${record} "${name}".`);
  if (rows.length > 1) {
    const ids = rows.map(({ id }) => id).join(', ');
    throw new Error(`"${name}" is not unique: name one of them by its id: ${ids}.`);
  }
  if (request.json) printJson(row);
  else print(...inLines(row));
}

async function read(text: string, { databaseUrl, team }: Request, more: string[]): Promise<Row[]> {
  const client = await connect(databaseUrl, 'records');
  try {
    if (team === null) return (await client.query<Row>(text)).rows;
    const [found] = (await client.query<{ id: string }>(TEAM_ID, [team])).rows;
    if (!found) throw new Error(`There is no team with the slug "${team}".`);
    return (await client.query<Row>(text, [found.id, ...more])).rows;
  } finally {
    await client.end();
  }
}
