import type { Command } from '@commander-js/extra-typings';
import { serviceOf, targetOf, tokenOption, urlOption } from '../service-options.js';
import { addWorkspaces } from './workspaces.command.js';

/**
 * `teamspaces trash`: what was deleted, through the public API.
 * @param addRestore adds the command that restores, which works on the database
 */
export function addTrash(program: Command, addRestore: (trash: Command) => void): void {
  const trash = program
    .command('trash')
    .description('Lists, restores and purges deletions.')
    .summary('list, restore or purge deletions');
  addList(trash);
  addRestore(trash);
  addPurge(trash);
  addWorkspaces(trash);
}

function addList(trash: Command): void {
  const command = trash
    .command('list')
    .summary('list the trash of a workspace')
    .description(
      'Lists the deletions of a workspace that can be restored, newest first, with the time, the id,\n' +
        'the name, the number of pages and collections, and the user who deleted it.',
    )
    .requiredOption('--team <slug>', 'the team')
    .requiredOption('--workspace <slug>', 'the workspace')
    .addOption(tokenOption('with full access to the workspace'))
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces trash list --team acme --workspace handbook',
    )
    .action(async (options) => {
      const target = targetOf(command, '', options);
      const { listTrash } = await import('./trash.js');
      await listTrash(target);
    });
}

function addPurge(trash: Command): void {
  const command = trash
    .command('purge')
    .summary('delete permanently from the trash')
    .description('Permanently deletes an item and everything below it from the trash.')
    .argument('<id>', 'the deleted item, as trash list shows it')
    .addOption(tokenOption('of an editor of the workspace'))
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nExample:\n  TEAMSPACES_TOKEN=… npx teamspaces trash purge 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30',
    )
    .action(async (id, options) => {
      const service = serviceOf(command, options);
      const { purgeFromTrash } = await import('./trash.js');
      await purgeFromTrash(service, id);
    });
}
