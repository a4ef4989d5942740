import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { TeamspacesClient } from 'teamspaces-client';
import { inColumns, print, printJson, type Row } from './print.js';
import type { Target } from './service.js';

/** Commands whose names begin with that of the group. */
export interface Group {
  /** `trash` */
  name: string;
  summary: string;
  description: string;
}

/** A command that calls the API. */
export interface ApiCommand extends Group {
  argument?: readonly [name: string, description: string];
  /** The id of an item: it may be left out if the team is given. */
  optionalArgument?: readonly [name: string, description: string];
  /** The mandatory options `--team` and `--workspace`. */
  team?: string;
  workspace?: string;
  /** `--team` and `--workspace` as options that may be left out; a workspace requires its team. */
  optionalTeam?: string;
  optionalWorkspace?: string;
  /** The rights of the token. */
  token: string;
  flag?: readonly [name: string, description: string];
  otherFlag?: readonly [name: string, description: string];
  /** Further options: `--prune`, `--name <name>`. The first choice is the default. */
  options?: readonly (readonly [flags: string, description: string, choices?: readonly string[]])[];
  /** Arguments. */
  example: string;
  run: (target: Target) => Promise<void>;
}

/**
 * Prints a list in columns, or the records as JSON.
 * @param none the sentence for an empty list
 */
export const list = <T>(
  read: (api: TeamspacesClient, target: Target) => AsyncIterable<T> | Promise<T[]>,
  columns: (one: T) => Row,
  none: string,
): Pick<ApiCommand, 'flag' | 'run'> => ({
  flag: JSON_FLAG,
  run: async (target) => {
    const all: T[] = [];
    for await (const one of await read(await connected(target), target)) all.push(one);
    if (target.flag) return printJson(all);
    print(...(all.length > 0 ? inColumns(all.map(columns)) : [none]));
  },
});

export const JSON_FLAG = ['--json', 'print JSON'] as const;

/** Changes something, and prints a sentence that confirms it. */
export const change =
  <T>(
    call: (api: TeamspacesClient, target: Target) => Promise<T>,
    confirmation: (result: T, target: Target) => string,
  ) =>
  async (target: Target): Promise<void> =>
    print(confirmation(await call(await connected(target), target), target));

/** Loads the client, which help does not need. */
async function connected(target: Target): Promise<TeamspacesClient> {
  const { connect } = await import('./service.js');
  return connect(target);
}

/** Adds a command to the program, or to its group, which the program has already. */
export function addCommand(program: Command, { name, summary, description }: Group): Command {
  const names = name.split(' ');
  const group = names.slice(0, -1).reduce(childOf, program as CommandUnknownOpts) as Command;
  return group
    .command(`${names.at(-1)}`)
    .summary(summary)
    .description(description);
}

/** @throws Error there is no such group */
function childOf(command: CommandUnknownOpts, name: string): CommandUnknownOpts {
  const found = command.commands.find((child) => child.name() === name);
  if (!found) throw new Error(`${name} is not a group of commands`);
  return found;
}

/** Adds a command that calls the API. */
export function addApiCommand(program: Command, about: ApiCommand): void {
  const command = addCommand(program, about);
  if (about.argument) command.argument(`<${about.argument[0]}>`, about.argument[1]);
  const { optionalArgument } = about;
  if (optionalArgument) command.argument(`[${optionalArgument[0]}]`, optionalArgument[1]);
  if (about.team) command.requiredOption('--team <slug>', about.team);
  if (about.workspace) command.requiredOption('--workspace <slug>', about.workspace);
  if (about.optionalTeam) command.option('--team <slug>', about.optionalTeam);
  if (about.optionalWorkspace) command.option('--workspace <slug>', about.optionalWorkspace);
  command.addOption(
    new Option(
      '--token <token>',
      `a token ${about.token}; prefer the environment variable: ps shows command lines`,
    ).env('TEAMSPACES_TOKEN'),
  );
  command.addOption(urlOption());
  for (const flag of [about.flag, about.otherFlag]) if (flag) command.option(...flag);
  for (const [flags, description, choices] of about.options ?? []) {
    const option = new Option(flags, description);
    command.addOption(choices ? option.choices(choices).default(choices[0]) : option);
  }
  command.addHelpText(
    'after',
    `\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces ${about.name} ${about.example}`,
  );
  command.action(() => about.run(targetOf(command, about)));
}

/** Ends the command if the token, the address or the place is not valid. */
function targetOf(command: CommandUnknownOpts, about: ApiCommand): Target {
  const { optionalArgument } = about;
  const options = command.opts() as Record<string, string | undefined>;
  const { team = '', workspace = '', token = '', url } = options;
  if (token === '') {
    command.error('error: set TEAMSPACES_TOKEN to a token, or use --token');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    command.error(
      'error: TEAMSPACES_TOKEN (--token) must be one word, as the identity provider gave it',
    );
  }
  if (workspace !== '' && team === '') command.error('error: --workspace requires --team');
  const [argument = ''] = command.args;
  if (optionalArgument && argument === '' && team === '') {
    command.error(`error: <${optionalArgument[0]}> or --team must be given`);
  }
  const isGiven = (flag: ApiCommand['flag']) => {
    const option = command.options.find(({ flags }) => flags === flag?.[0]);
    return command.getOptionValue(option?.attributeName() ?? '') === true;
  };
  return {
    ...{ url: addressOf(command, url), token, team, workspace, argument },
    ...{ flag: isGiven(about.flag), otherFlag: isGiven(about.otherFlag), options },
  };
}

export const urlOption = () =>
  new Option(
    '--url <address>',
    'the service (default: PUBLIC_URL, http://localhost:<PORT>, or the one that was started in DATA_DIR)',
  ).env('TEAMSPACES_URL');

/** The file in DATA_DIR that contains the address of the service that was last started with it. */
export const ADDRESS_FILE = 'url';

/** The address of the service. Ends the command if it is not valid. */
export function addressOf(
  command: { error(message: string): never },
  given: string | undefined,
): string {
  const { PUBLIC_URL, PORT } = process.env;
  const ofPort = PORT?.trim() && `http://localhost:${PORT.trim()}`;
  const url = given || PUBLIC_URL?.trim() || ofPort || started() || 'http://localhost:3000';
  if (/^https?:\/\/[^/?#][^?#]*$/i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  return command.error(
    `error: TEAMSPACES_URL (--url) must be an address that begins with http:// or https:// and has no query, such as http://localhost:3000; it is ${JSON.stringify(url)}`,
  );
}

/** The address that a service has left in DATA_DIR. */
function started(): string | null {
  const file = join(process.env.DATA_DIR?.trim() || '.data', ADDRESS_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
