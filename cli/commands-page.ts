import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { allCommands, nameOf } from 'teamspaces';
import { createProgram } from './program.js';

const HEAD = `# Commands

Run \`npx teamspaces\` in a checkout and \`node dist/cli.js\` in the image. Commands that need a database
use \`DATABASE_URL\`, or the embedded PostgreSQL.

This page is generated from the help texts by \`npm run docs:commands\`.
`;

/** docs/commands.md: every command with its help. */
export function commandsPage(): string {
  const sections = allCommands(createProgram())
    // `member`, `team`, `trash` and `trash workspaces` only hold others.
    .filter((command) => command.parent === null || command.commands.length === 0)
    .map((command) => {
      let help = '';
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      return `\n## ${nameOf(command)}\n\n\`\`\`\n${help.trim()}\n\`\`\`\n`;
    });
  return HEAD + sections.join('');
}

// `npm run docs:commands`
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('../../docs/commands.md', import.meta.url), commandsPage());
}
