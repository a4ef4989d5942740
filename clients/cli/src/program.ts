import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  type Option,
} from '@commander-js/extra-typings';
import { Ended } from './interruption.js';
import { messageOf } from './print.js';

/** Exit statuses for scripts; after a signal 128 plus its number: 130 for Ctrl-C, 143 for SIGTERM. */
const EXIT_STATUS = { ok: 0, failed: 1, usage: 2 } as const;

const EXITS = `
Exit status:
  0    done
  1    failed, or a check found a problem; a message says which
  2    wrong arguments; nothing was done
  130  interrupted (143: terminated; 141: the reader of the output went away)`;

/** Columns of help texts; a fixed number, so that they are the same everywhere. */
const WIDTH = 96;

/** Where help and messages go. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

const STREAMS: Output = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

/** What the program says of itself. */
interface About {
  description: string;
  version: string;
  /** A paragraph after the commands. */
  note?: string;
}

/** The program `teamspaces`, which has no commands yet. */
export function programOf({ description, version, note }: About, output = STREAMS): Command {
  const program: Command = new Command('teamspaces')
    .description(description)
    .usage('<command> [options]')
    .helpOption('-h, --help', 'show this help')
    .version(version, '--version', 'show the version')
    .configureHelp({ helpWidth: WIDTH, subcommandTerm })
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .addHelpText('after', note ? `\n${note}\n${EXITS}` : EXITS)
    .exitOverride();
  return program;
}

/** `import <folder>`, `member add`: as a list of commands shows them. */
const subcommandTerm = (command: CommandUnknownOpts): string =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
    ...command.commands.map((child) => child.name()),
  ].join(' ');

/**
 * Adds the command `help`, and completes the commands: their errors say where their help is, and
 * mandatory options are checked.
 */
export function finish(program: Command): void {
  program.helpCommand('help [command]', 'show the help of a command');
  for (const command of allCommands(program)) {
    command.showHelpAfterError(`Run "${nameOf(command)} --help" for its usage.`);
    demandOptions(command);
  }
}

/**
 * Checks the mandatory options of a command after commander has looked for unknown ones: `--emial`
 * is reported as unknown, not `--email` as missing. All are named at once.
 */
function demandOptions(command: CommandUnknownOpts): void {
  const mandatory = command.options.filter((option) => option.mandatory);
  if (mandatory.length === 0) return;
  const words = mandatory.map((option) => option.flags);
  const names = command.registeredArguments.map((argument) => ` <${argument.name()}>`);
  command.usage(`${words.join(' ')} [options]${names.join('')}`);
  for (const option of mandatory) option.mandatory = false;
  command.hook('preAction', () => {
    const isMissing = (option: Option) =>
      command.getOptionValue(option.attributeName()) === undefined;
    const missing = mandatory.filter(isMissing).map((option) => option.flags);
    if (missing.length > 0) command.error(`error: ${missing.join(' and ')} must be given`);
  });
}

/** A command and those below it. */
export const allCommands = (command: CommandUnknownOpts): CommandUnknownOpts[] => [
  command,
  ...command.commands.flatMap(allCommands),
];

/** `teamspaces member add` */
export const nameOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/**
 * Runs one command.
 * @param argv the arguments, without node and the script
 * @returns the exit status; errors have been printed
 */
export async function runProgram(
  program: Command,
  argv: string[],
  output = STREAMS,
): Promise<number> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT_STATUS.ok;
  } catch (error) {
    // Commander has printed the error; requested help is not an error.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT_STATUS.ok : EXIT_STATUS.usage;
    }
    if (error instanceof Ended) return error.status;
    output.err(`${messageOf(error)}\n`);
    return EXIT_STATUS.failed;
  }
}
