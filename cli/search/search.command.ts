import type { Command } from '@commander-js/extra-typings';
import { counted, print } from 'teamspaces';
import { withDatabase } from '../with-database.js';

const EXAMPLES = `
Examples:
  npx teamspaces search rebuild
  npx teamspaces search rebuild --team acme --workspace handbook`;

/** `teamspaces search rebuild`: the running service does the work. */
export function addSearch(program: Command): void {
  const command = program
    .command('search')
    .description('Maintains the index of search in pages.')
    .summary('rebuild the index of search in pages')
    .command('rebuild')
    .summary('write the index of search in pages again')
    .description(
      'Requests that the index of search in pages is written again, from the pages; the running service\n' +
        'does so in the background. Meanwhile, pages are found as before, and searches have the header\n' +
        'Search-Behind until the index of their workspaces is complete: teamspaces doctor shows how many\n' +
        'are left. Use it if verify reports pages whose words are missing, and after an upgrade of Node\n' +
        'with a new version of Unicode.',
    )
    .option('--team <slug>', 'only the workspaces of this team')
    .option('--workspace <slug>', 'only this workspace of the team')
    .addHelpText('after', EXAMPLES)
    .action(({ team, workspace }) => {
      if (workspace !== undefined && team === undefined) {
        return command.error('error: --workspace requires --team');
      }
      return withDatabase(async ({ databaseUrl }) => {
        const { requestRebuild } = await import('./rebuild.js');
        const { workspaces, isKept } = await requestRebuild(databaseUrl, { team, workspace });
        if (workspaces === 0) {
          print(
            'No index was found: the running service creates it, unless SEARCH_CONTENT is off.',
          );
          return;
        }
        const end = isKept ? '' : ' No instance keeps the index at present: start the service.';
        print(`The index of ${counted(workspaces, 'workspace')} will be written again.${end}`);
      });
    });
}
