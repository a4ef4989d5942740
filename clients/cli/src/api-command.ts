import { type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { TeamspacesClient } from 'teamspaces-client';
import { inColumns, print, type Row } from './print.js';
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
  /** The mandatory options `--team` and `--workspace`. */
  team?: string;
  workspace?: string;
  /** `--workspace` as an option that may be left out. */
  optionalWorkspace?: string;
  /** The rights of the token. */
  token: string;
  flag?: readonly [name: string, description: string];
  /** Arguments. */
  example: string;
  run: (target: Target) => Promise<void>;
}

/**
 * Prints a list in columns.
 * @param none the sentence for an empty list
 */
export const list =
  <T>(
    read: (api: TeamspacesClient, target: Target) => AsyncIterable<T> | Promise<T[]>,
    columns: (one: T) => Row,
    none: string,
  ) =>
  async (target: Target): Promise<void> => {
    const rows: Row[] = [];
    const all = await read(await connected(target), target);
    for await (const one of all) rows.push(columns(one));
    print(...(rows.length > 0 ? inColumns(rows) : [none]));
  };

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
  if (about.team) command.requiredOption('--team <slug>', about.team);
  if (about.workspace) command.requiredOption('--workspace <slug>', about.workspace);
  if (about.optionalWorkspace) command.option('--workspace <slug>', about.optionalWorkspace);
  command.addOption(
    new Option(
      '--token <token>',
      `a token ${about.token}; prefer the environment variable: ps shows command lines`,
    ).env('TEAMSPACES_TOKEN'),
  );
  command.addOption(urlOption());
  if (about.flag) command.option(...about.flag);
  command.addHelpText(
    'after',
    `\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces ${about.name} ${about.example}`,
  );
  command.action(() => about.run(targetOf(command, about)));
}

/** Ends the command if the token or the address is not valid. */
function targetOf(command: CommandUnknownOpts, { flag }: ApiCommand): Target {
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
  const [argument = ''] = command.args;
  const isFlag = (option: Option) => option.flags === flag?.[0];
  const key = command.options.find(isFlag)?.attributeName() ?? '';
  return {
    ...{ url: addressOf(command, url), token, team, workspace, argument },
    flag: command.getOptionValue(key) === true,
  };
}

export const urlOption = () =>
  new Option(
    '--url <address>',
    'the service (default: PUBLIC_URL, or http://localhost:<PORT>)',
  ).env('TEAMSPACES_URL');

/** The address of the service. Ends the command if it is not valid. */
export function addressOf(
  command: { error(message: string): never },
  given: string | undefined,
): string {
  const { PUBLIC_URL, PORT } = process.env;
  const url = given || PUBLIC_URL?.trim() || `http://localhost:${PORT?.trim() || 3000}`;
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, '');
  return command.error(
    'error: TEAMSPACES_URL (--url) must be the address of a service, such as http://localhost:3000',
  );
}
