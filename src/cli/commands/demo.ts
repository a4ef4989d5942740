import type { Command } from '@commander-js/extra-typings';
import { addressOf, urlOption } from '../service-options.js';

/** `teamspaces demo`: an organisation to try the service with. */
export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .summary('fill the running service with an organisation to try')
    .description(
      'Fills the running service with an organisation: two teams, people in every role, private and\n' +
        'public workspaces with content, invites that wait. Prints a token for each person, and what\n' +
        'to try. The same again changes nothing, and completes what was interrupted. For development\n' +
        'only: the tokens are signed with the secret of the service.',
    )
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nExample:\n  npm start            # in another terminal\n  npx teamspaces demo',
    )
    .action(async ({ url }) => {
      const address = addressOf(command, url);
      const { runDemo } = await import('../demo/demo.js');
      await runDemo(address);
    });
}
