import type { Command } from '@commander-js/extra-typings';
import { addCommand, print } from 'teamspaces';
import { withPools } from '../with-database.js';

/** `teamspaces trash restore`: how an operator brings back a deletion of any size. */
export function addRestore(program: Command): void {
  addCommand(program, {
    name: 'trash restore',
    summary: 'restore a deletion of any size',
    description:
      'Restores an item with everything below it, to its former place, in the database of DATABASE_URL.\n' +
      'Unlike a request, it has no limit of items and no timeout. If its parent no longer exists, the\n' +
      'item goes to the end of the top level.',
  })
    .argument('<id>', 'the deleted item, as trash list shows it')
    .addHelpText(
      'after',
      '\nExample:\n  npx teamspaces trash restore 019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c30',
    )
    .action((id) =>
      withPools(
        async (database, config) => {
          const { restoreDeletion } = await import('./restoration.js');
          print(await restoreDeletion(database, config, id));
        },
        { hasNoTimeouts: true },
      ),
    );
}
