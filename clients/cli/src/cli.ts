// What the service's command line shares with that of this package.
export { ADDRESS_FILE, addCommand, addressOf, urlOption } from './api-command.js';
export { addApiCommands } from './commands.js';
export { addCompletion } from './completion.js';
export { Ended, interruption, runProcess } from './interruption.js';
export {
  counted,
  inColumns,
  inLines,
  messageOf,
  outputDrained,
  print,
  printJson,
  printJsonLines,
  type Row,
  textOf,
  warn,
} from './print.js';
export { allCommands, finish, nameOf, type Output, programOf, runProgram } from './program.js';
export { addTokenCommand, emailAddress, type Signing } from './token-command.js';
