import type { Command } from '@commander-js/extra-typings';
import { addressOf, urlOption } from 'teamspaces';

/** `teamspaces demo`: an organisation to try the service with. */
export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .summary('fill the running service with an organisation to try')
    .description(
      'Fills the running service with the organisation in examples/demo: two teams, people in every\n' +
        'role, private and public workspaces with content, pending invites, and a deletion to restore.\n' +
        'Prints a token for each person, and what to try. If you run it again, it creates only missing\n' +
        'items. For development only: the tokens are signed with the secret of the service.',
    )
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nExample:\n  npm start            # in another terminal\n  npx teamspaces demo',
    )
    .action(async ({ url }) => {
      const address = addressOf(command, url);
      const { runDemo } = await import('./demo.js');
      await runDemo(address);
    });
}
