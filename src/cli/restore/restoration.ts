import { counted } from 'teamspaces';
import { OPERATOR } from '../../audit/audit-entries.repository.js';
import type { Item } from '../../collections/items/collection.js';
import { alreadyAuthorized } from '../../collections/items/item-access.js';
import { restoreSubtree } from '../../collections/subtrees/subtrees.repository.js';
import { TrashRepository } from '../../collections/trash/trash.repository.js';
import { ChangesRepository } from '../../collections/writer/changes.repository.js';
import { TreeCommits } from '../../collections/writer/tree-commits.js';
import { TreeWriter } from '../../collections/writer/tree-writer.js';
import type { Database } from '../../database/database.js';
import { NO_ID } from '../../database/identifiers.js';
import { DomainError } from '../../errors/domain-error.js';
import type { WithDatabase } from '../with-database.js';

/**
 * Restores a deletion as the API does, in one transaction, however many items it has and however long
 * that takes. Others who write in the workspace meanwhile get 409 with Retry-After.
 * @returns a sentence about what was done
 * @throws Error with a sentence: there is no such deletion, or the plan's limit
 */
export async function restoreDeletion(
  database: Database,
  config: WithDatabase,
  id: string,
): Promise<string> {
  try {
    const trash = new TrashRepository(database, config);
    // The operator is not a user, and needs no access.
    const place = await trash.findPlace(id, NO_ID);
    const found = place && (await trash.find(place, id));
    if (!found) throw new Error(`There is no deletion of the item ${id} in any trash.`);
    const { deletion } = found;
    const command = restoreSubtree({ deletion, isUnbounded: true });
    const author = { ...OPERATOR, charge: () => undefined };
    const { items } = await writerOf(database, config).run(
      author,
      alreadyAuthorized(place),
      command,
    );
    const { name, parentId } = items[0] as Item;
    const size = counted(deletion.pages + deletion.collections, 'item');
    return `Restored ${name} (${size}) ${parentId ? `to its collection ${parentId}` : 'to the top level'}.`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new Error(`Nothing was restored: ${error.message}.`);
  }
}

/** The writer of trees, as the service has it. */
function writerOf(database: Database, config: WithDatabase): TreeWriter {
  const changes = new ChangesRepository(database, config);
  return new TreeWriter(database, new TreeCommits(database, changes), changes);
}
