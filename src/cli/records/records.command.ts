import type { Command } from '@commander-js/extra-typings';
import { withDatabase } from '../with-database.js';
import * as queries from './queries.js';
import type { list, Shown } from './records.js';

/**
 * `list` and `show` of teams, members, invites and workspaces, from the database: with every team and
 * private workspace, which no token can see. The service may be running.
 */
export function addRecords(program: Command): void {
  const team = groupOf(program, 'team');
  addTeamList(team);
  addShow(team, {
    read: queries.team,
    record: 'team',
    summary: 'show a team',
    argument: 'slug',
    of: null,
    example: 'acme',
  });
  const member = groupOf(program, 'member');
  addList(member, 'list the members of a team, highest role first', queries.members);
  addShow(member, {
    read: queries.member,
    record: 'member',
    summary: 'show a member of a team, with their workspace roles',
    argument: 'id|email|subject',
    of: 'team',
    example: '--team acme ada@example.com',
  });
  const invite = groupOf(program, 'invite')
    .summary('list or show invites to a team')
    .description('Lists and shows invites to a team.');
  addList(invite, 'list the pending and expired invites to a team, newest first', queries.invites);
  addShow(invite, {
    read: queries.invite,
    record: 'invite',
    summary: 'show an invite',
    argument: 'id',
    of: 'team',
    example: '--team acme 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c40',
  });
  const workspace = groupOf(program, 'workspace')
    .summary('list or show workspaces of a team')
    .description('Lists and shows workspaces, private ones included.');
  addList(workspace, 'list the workspaces of a team', queries.workspaces);
  addShow(workspace, {
    read: queries.workspace,
    record: 'workspace',
    summary: 'show a workspace, with its own members',
    argument: 'slug',
    of: 'team',
    example: '--team acme handbook',
  });
}

/** The command of this name, which another module may have added. */
function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name) as Command | undefined;
  return known ?? program.command(name);
}

const JSON_OPTION = ['--json', 'print JSON'] as const;

function addTeamList(group: Command): void {
  group
    .command('list')
    .summary('list all teams')
    .description('Lists all teams, with their plan and usage.')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  npx teamspaces team list')
    .action(({ json = false }) =>
      withDatabase(async ({ databaseUrl }) => {
        const { list } = await import('./records.js');
        await list(queries.teams, null, { databaseUrl, json });
      }),
    );
}

function addList(group: Command, summary: string, read: Parameters<typeof list>[0]): void {
  group
    .command('list')
    .summary(summary)
    .description(`${sentence(summary)}.`)
    .requiredOption('--team <slug>', 'the team')
    .option(...JSON_OPTION)
    .addHelpText('after', `\nExample:\n  npx teamspaces ${group.name()} list --team acme`)
    .action(({ team, json = false }) =>
      withDatabase(async ({ databaseUrl }) => {
        const { list } = await import('./records.js');
        await list(read, team, { databaseUrl, json });
      }),
    );
}

interface ShowOptions extends Shown {
  summary: string;
  /** What names the record. */
  argument: string;
  /** `team`: the record is one of a team's. */
  of: 'team' | null;
  /** Arguments. */
  example: string;
}

function addShow(group: Command, { summary, argument, of, example, ...shown }: ShowOptions): void {
  const command = group
    .command('show')
    .summary(summary)
    .description(`${sentence(summary)}.`)
    .argument(`<${argument}>`, `the ${group.name()}`)
    .option(...JSON_OPTION);
  const run = (team: string, name: string, json = false) =>
    withDatabase(async ({ databaseUrl }) => {
      const { show } = await import('./records.js');
      await show(shown, team, name, { databaseUrl, json });
    });
  command.addHelpText('after', `\nExample:\n  npx teamspaces ${group.name()} show ${example}`);
  if (of === null) {
    command.action((slug, { json }) => run(slug, slug, json));
  } else {
    command.requiredOption('--team <slug>', 'the team').action((name, { team, json }) => {
      return run(team, name, json);
    });
  }
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/^(\w+)/, (verb) => `${verb}s`);
