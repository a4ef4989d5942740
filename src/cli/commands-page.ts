import { allCommands, createProgram, nameOf } from './program.js';

const HEAD = `# Commands

\`npx teamspaces\` in a checkout, \`node dist/cli.js\` in the image. \`npm run NAME -- …\` does the same
for the commands that have a script in \`package.json\`; without the \`--\` npm takes the options for its
own. Commands that need the database take \`DATABASE_URL\`, or use the embedded one.

This page is made of the help texts, by \`npm run docs:commands\`.
`;

/** docs/commands.md: every command with its help. */
export function commandsPage(): string {
  const sections = allCommands(createProgram())
    // `member` and `team` only hold others.
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
