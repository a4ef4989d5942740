import { readFileSync } from 'node:fs';
import { addApiCommands, addTrashRestore } from './commands.js';
import { addCompletion } from './completion.js';
import { runProcess } from './interruption.js';
import { finish, programOf, runProgram } from './program.js';
import { addToken } from './token-command.js';

const { version, description } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

const program = programOf({ description, version });
program.commandsGroup('Content:');
addApiCommands(program);
addTrashRestore(program);
program.commandsGroup('Tokens:');
addToken(program);
program.commandsGroup('Help:');
addCompletion(program);
finish(program);
await runProcess(() => runProgram(program, process.argv.slice(2)));
