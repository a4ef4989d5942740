import type { Command } from '@commander-js/extra-typings';
import { addCommand, inColumns, inLines, print, printJson, type Row } from 'teamspaces';
import type { Prisma } from 'teamspaces-service/generated/prisma/client';
import { noTeam, withDatabase } from '../with-database.js';
import * as queries from './queries.js';

/** A command that lists or shows records. */
interface Reading {
  /** `member list`: of a team, unless the records are teams. */
  name: string;
  summary: string;
  /** The summary as a sentence, unless there is more to say. */
  description?: string;
  /** What names the record to show; absent: all are listed. */
  argument?: string;
  /** Arguments. */
  example: string;
  /** Reads all records, or those that have this name in a team; of a team, the team itself. */
  read: (db: Prisma.TransactionClient, teamId: string, name: string) => Promise<Row[]>;
}

const COMMANDS: readonly Reading[] = [
  {
    name: 'team list',
    summary: 'list all teams',
    description: 'Lists all teams, with their plan and usage.',
    example: '',
    read: queries.teams,
  },
  {
    name: 'team show',
    summary: 'show a team',
    argument: 'slug',
    example: 'acme',
    read: queries.team,
  },
  {
    name: 'member list',
    summary: 'list the members of a team, highest role first',
    example: '--team acme',
    read: queries.members,
  },
  {
    name: 'member show',
    summary: 'show a member of a team, with their workspace roles',
    argument: 'id|email|subject',
    example: '--team acme ada@example.com',
    read: queries.member,
  },
  {
    name: 'invite list',
    summary: 'list the pending and expired invites to a team, newest first',
    example: '--team acme',
    read: queries.invites,
  },
  {
    name: 'invite show',
    summary: 'show an invite',
    argument: 'id',
    example: '--team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c40',
    read: queries.invite,
  },
  {
    name: 'workspace list',
    summary: 'list the workspaces of a team',
    example: '--team acme',
    read: queries.workspaces,
  },
  {
    name: 'workspace show',
    summary: 'show a workspace, with its own members',
    argument: 'slug',
    example: '--team acme handbook',
    read: queries.workspace,
  },
];

/**
 * `list` and `show` of teams, members, invites and workspaces, from the database: with every team and
 * private workspace, which no token can see. The service may be running.
 */
export function addRecords(program: Command): void {
  addCommand(program, {
    name: 'invite',
    summary: 'list or show invites to a team',
    description: 'Lists and shows invites to a team.',
  });
  addCommand(program, {
    name: 'workspace',
    summary: 'list or show workspaces of a team',
    description: 'Lists and shows workspaces, private ones included.',
  });
  for (const reading of COMMANDS) addReading(program, reading);
}

function addReading(program: Command, { argument, example, read, ...about }: Reading): void {
  const [record = ''] = about.name.split(' ');
  const command = addCommand(program, { description: sentenceOf(about.summary), ...about });
  if (argument) command.argument(`<${argument}>`, `the ${record}`);
  if (record !== 'team') command.requiredOption('--team <slug>', 'the team');
  command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  npx teamspaces ${about.name} ${example}`.trimEnd())
    .action(() =>
      withDatabase(async ({ databaseUrl }) => {
        const [name = ''] = command.args;
        const options = command.opts() as { team?: string; json?: boolean };
        const team = options.team ?? name;
        const rows = await atOneMoment(databaseUrl, async (db) =>
          read(db, team && (await teamIdOf(db, team)), name),
        );
        const found = argument ? oneOf(rows, `The team "${team}" has no ${record}`, name) : rows;
        if (options.json) printJson(found);
        else print(...(Array.isArray(found) ? inColumns(found) : inLines(found)));
      }),
    );
}

/** `list all teams` → `Lists all teams.` */
const sentenceOf = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/^\w+/, (verb) => `${verb}s`);

/** @throws Error there is no such record, or more than one */
function oneOf(rows: readonly Row[], none: string, name: string): Row {
  const [row] = rows;
  if (!row) throw new Error(`${none} "${name}".`);
  if (rows.length === 1) return row;
  const ids = rows.map(({ id }) => id).join(', ');
  throw new Error(`"${name}" is not unique: name one of them by its id: ${ids}.`);
}

/** Runs reads by Prisma's models in one snapshot. */
async function atOneMoment<T>(
  databaseUrl: string,
  read: (db: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { PrismaClient } = await import('teamspaces-service/generated/prisma/client');
  const adapter = new PrismaPg({
    connectionString: databaseUrl,
    application_name: 'teamspaces records',
  });
  const prisma = new PrismaClient({ adapter });
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

async function teamIdOf(db: Prisma.TransactionClient, slug: string): Promise<string> {
  const found = await db.team.findUnique({ where: { slug }, select: { id: true } });
  if (!found) throw noTeam(slug);
  return found.id;
}
