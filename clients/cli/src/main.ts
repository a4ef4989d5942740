import { readFileSync } from 'node:fs';
import { addApiCommands } from './commands.js';
import { addCompletion } from './completion.js';
import { finish, programOf, runProgram } from './program.js';

const { version, description } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

const program = programOf({ description, version });
program.commandsGroup('Content:');
addApiCommands(program);
program.commandsGroup('Help:');
addCompletion(program);
finish(program);
process.exit(await runProgram(program, process.argv.slice(2)));
