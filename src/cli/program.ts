import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  type Option,
} from '@commander-js/extra-typings';
import { versionOfPackage } from '../observability/version.js';
import { addAudit } from './audit/audit.command.js';
import { addCompletion } from './completion/completion.command.js';
import { addDemo } from './demo/demo.command.js';
import { addDoctor } from './doctor/doctor.command.js';
import { addErase } from './erase/erase.command.js';
import { addExport } from './export/export.command.js';
import { addImport } from './import/import.command.js';
import { Ended } from './interruption.js';
import { addMember } from './member/member.command.js';
import { addMigrate } from './migrate/migrate.command.js';
import { addPlan } from './plan/plan.command.js';
import { messageOf } from './print.js';
import { addRecords } from './records/records.command.js';
import { addRestore } from './restore/restore.command.js';
import { addTeam } from './team/team.command.js';
import { addToken } from './token/token.command.js';
import { addTrash } from './trash/trash.command.js';
import { addVerify } from './verify/verify.command.js';

/** Exit statuses for scripts; after a signal 128 plus its number: 130 for Ctrl-C, 143 for SIGTERM. */
const EXIT_STATUS = { ok: 0, failed: 1, usage: 2 } as const;

const ABOUT = 'Administers a teamspaces service: its database, people and content.';
const AFTER = `
In a checkout, npx teamspaces builds what has changed first. In the image, run node dist/cli.js.

Exit status:
  0    done
  1    failed, or a check found a problem; a message says which
  2    wrong arguments; nothing was done
  130  interrupted (143: terminated)`;

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

/** The command line with all its commands. Each loads its modules when it runs. */
export function createProgram({ out, err }: Output = STREAMS): Command {
  const program: Command = new Command('teamspaces')
    .description(ABOUT)
    .usage('<command> [options]')
    .helpOption('-h, --help', 'show this help')
    .version(versionOfPackage(), '--version', 'show the version')
    .configureHelp({ helpWidth: WIDTH, subcommandTerm })
    .configureOutput({ writeOut: out, writeErr: err })
    .addHelpText('after', AFTER)
    .exitOverride();

  program.commandsGroup('Database:');
  addMigrate(program);
  addVerify(program);
  addDoctor(program);
  program.commandsGroup('People and teams:');
  addToken(program);
  addPlan(program);
  addMember(program);
  addTeam(program);
  addAudit(program);
  addRecords(program);
  addErase(program);
  program.commandsGroup('Content, through the API:');
  addImport(program);
  addExport(program);
  addTrash(program, addRestore);
  addDemo(program);
  program.commandsGroup('Help:');
  addCompletion(program);
  program.helpCommand('help [command]', 'show the help of a command');
  for (const command of allCommands(program)) {
    command.showHelpAfterError(`Run "${nameOf(command)} --help" for its usage.`);
    demandOptions(command);
  }
  return program;
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

/** `import <folder>`, `member add`: as a list of commands shows them. */
const subcommandTerm = (command: CommandUnknownOpts): string =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
    ...command.commands.map((child) => child.name()),
  ].join(' ');

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
export async function run(argv: string[], output: Output = STREAMS): Promise<number> {
  const program = createProgram(output);
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
