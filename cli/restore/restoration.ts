import { counted } from 'teamspaces';
import { OPERATOR } from 'teamspaces-service/audit/audit-entries.repository';
import type { Item } from 'teamspaces-service/collections/items/collection';
import { alreadyAuthorized } from 'teamspaces-service/collections/items/item-access';
import { restoreSubtree } from 'teamspaces-service/collections/subtrees/subtrees.repository';
import { TrashRepository } from 'teamspaces-service/collections/trash/trash.repository';
import { TreeCommits } from 'teamspaces-service/collections/writer/tree-commits';
import { TreeRowsRepository } from 'teamspaces-service/collections/writer/tree-rows.repository';
import { TreeWriter } from 'teamspaces-service/collections/writer/tree-writer';
import type { Database } from 'teamspaces-service/database/database';
import { NO_ID } from 'teamspaces-service/database/identifiers';
import { DomainError } from 'teamspaces-service/errors/domain-error';
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
    const { title, parentId } = items[0] as Item;
    const size = counted(deletion.pages + deletion.collections, 'item');
    return `Restored ${title} (${size}) ${parentId ? `to its collection ${parentId}` : 'to the top level'}.`;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new Error(`Nothing was restored: ${error.message}.`);
  }
}

/** The writer of trees, as the service has it. */
function writerOf(database: Database, config: WithDatabase): TreeWriter {
  const changes = new TreeRowsRepository(database, config);
  return new TreeWriter(database, new TreeCommits(database, changes), changes);
}
