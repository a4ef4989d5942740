import { PrismaPg } from '@prisma/adapter-pg';
import { inColumns, inLines, print, printJson, type Row } from 'teamspaces';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.js';

type Reads = Prisma.TransactionClient;

/** How a command was called. */
interface Request {
  databaseUrl: string;
  json: boolean;
}

/**
 * Prints records: a table, or a JSON array.
 * @param team its slug; null: the list is of all teams
 * @throws Error there is no such team
 */
export async function list(
  read: (db: Reads, teamId: string) => Promise<Row[]>,
  team: string | null,
  { databaseUrl, json }: Request,
): Promise<void> {
  const rows = await atOneMoment(databaseUrl, async (db) =>
    read(db, team === null ? '' : await teamIdOf(db, team)),
  );
  if (json) printJson(rows);
  else if (rows.length > 0) print(...inColumns(rows));
}

/** What `show` shows. */
export interface Shown {
  /** Reads those that have this name in a team; of a team, the team itself. */
  read: (db: Reads, teamId: string, name: string) => Promise<Row[]>;
  /** `workspace`. */
  record: string;
}

/**
 * Prints one record: a line for each field, or a JSON object.
 * @throws Error there is no such record, or more than one
 */
export async function show(
  { read, record }: Shown,
  team: string,
  name: string,
  { databaseUrl, json }: Request,
): Promise<void> {
  const rows = await atOneMoment(databaseUrl, async (db) =>
    read(db, await teamIdOf(db, team), name),
  );
  const [row] = rows;
  if (!row) throw new Error(`The team "${team}" has no ${record} "${name}".`);
  if (rows.length > 1) {
    const ids = rows.map(({ id }) => id).join(', ');
    throw new Error(`"${name}" is not unique: name one of them by its id: ${ids}.`);
  }
  if (json) printJson(row);
  else print(...inLines(row));
}

/** Runs reads by Prisma's models in one snapshot. */
async function atOneMoment<T>(databaseUrl: string, read: (db: Reads) => Promise<T>): Promise<T> {
  const prisma = new PrismaClient({
    adapter: new PrismaPg({
      connectionString: databaseUrl,
      application_name: 'teamspaces records',
    }),
  });
  try {
    return await prisma.$transaction(read, {
      isolationLevel: 'RepeatableRead',
      timeout: 60_000,
      maxWait: 10_000,
    });
  } finally {
    await prisma.$disconnect();
  }
}

async function teamIdOf(db: Reads, slug: string): Promise<string> {
  const found = await db.team.findUnique({ where: { slug }, select: { id: true } });
  if (!found) throw new Error(`There is no team with the slug "${slug}".`);
  return found.id;
}
