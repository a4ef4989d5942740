import type { Command } from '@commander-js/extra-typings';
import {
  addApiCommands,
  addCompletion,
  finish,
  type Output,
  programOf,
  runProgram,
} from 'teamspaces';
import { readPackage } from 'teamspaces-service/config/config';
import { addAudit } from './audit/audit.command.js';
import { addDemo } from './demo/demo.command.js';
import { addDoctor } from './doctor/doctor.command.js';
import { addErase } from './erase/erase.command.js';
import { addMember } from './member/member.command.js';
import { addMigrate } from './migrate/migrate.command.js';
import { addPlan } from './plan/plan.command.js';
import { addRecords } from './records/records.command.js';
import { addRestore } from './restore/restore.command.js';
import { addSearch } from './search/search.command.js';
import { addTeam } from './team/team.command.js';
import { addToken } from './token/token.command.js';
import { addVerify } from './verify/verify.command.js';

const ABOUT = {
  description: 'Administers a teamspaces service: its database, people and content.',
  note: 'In a checkout, npx teamspaces builds what has changed first. In the image, run node dist/cli.js.',
};

/** The command line with all its commands. Each loads its modules when it runs. */
export function createProgram(output?: Output): Command {
  const program = programOf({ ...ABOUT, version: readPackage().version }, output);
  program.commandsGroup('Database:');
  addMigrate(program);
  addVerify(program);
  addDoctor(program);
  addSearch(program);
  program.commandsGroup('People and teams:');
  addToken(program);
  addPlan(program);
  addMember(program);
  addTeam(program);
  addAudit(program);
  addRecords(program);
  addErase(program);
  program.commandsGroup('Content, through the API:');
  addApiCommands(program);
  addRestore(program);
  addDemo(program);
  program.commandsGroup('Help:');
  addCompletion(program);
  finish(program);
  return program;
}

/**
 * Runs one command.
 * @param argv the arguments, without node and the script
 * @returns the exit status; errors have been printed
 */
export const run = (argv: string[], output?: Output): Promise<number> =>
  runProgram(createProgram(output), argv, output);
