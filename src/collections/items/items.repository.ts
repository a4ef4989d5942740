import { Injectable } from '@nestjs/common';
import type { AccessContext } from '../../access/decide.js';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import type { Ancestor, ListedChild, ReadItem, WorkspaceIds } from './collection.js';
import { CHILDREN, FIND, FIND_AND_READ, type SmallItem, WITH_CHILDREN } from './item-statements.js';

/** Where an item is, and all that decides on who may do what with it. */
export interface FoundItem extends WorkspaceIds, AccessContext {
  teamSlug: string;
  workspaceSlug: string;
}

/** A row of WITH_CHILDREN: the item, or a child of it. */
type WithChildrenRow =
  | (Omit<ReadItem, 'children' | 'ancestors'> & { ancestors: Ancestor[] | null })
  | (ListedChild & { itemId: null });

/** Where to read, and for whom. */
type Place = WorkspaceIds & { callerId: string };

/** Reads of single items: prepared statements. */
@Injectable()
export class ItemsRepository {
  constructor(private readonly database: Database) {}

  /** The place of an item that no workspace was named for; null: no such item. */
  async find(id: string, userId: string): Promise<FoundItem | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<FoundItem>(FIND, [id, userId]);
    return row ?? null;
  }

  /** The same, with the item if it is small; a distributed database tells the place alone. */
  async findAndRead(
    id: string,
    userId: string,
    withAncestors: boolean,
  ): Promise<(FoundItem & SmallItem) | null> {
    if (!isUuid(id)) return null;
    if (await this.database.isDistributed()) {
      const found = await this.find(id, userId);
      return found && { ...found, itemId: id, json: null };
    }
    const statement = FIND_AND_READ[withAncestors ? 'ancestors' : 'plain'];
    const [row] = await this.database.query<FoundItem & SmallItem>(statement, [id, userId]);
    return row ?? null;
  }

  /**
   * An item of any size with its content and its direct children, in order, and with its ancestors if
   * they are asked for: all of one moment.
   * @returns null if the item is gone
   */
  async withChildren(
    { teamId, workspaceId, callerId }: Place,
    id: string,
    withAncestors: boolean,
  ): Promise<ReadItem | null> {
    const values = [teamId, workspaceId, id, withAncestors];
    const by = { callerId, teamId };
    const rows = await this.database.query<WithChildrenRow>(WITH_CHILDREN, values, by);
    const [item, ...children] = rows;
    if (!item || item.itemId === null) return null;
    return {
      ...item,
      ancestors: item.ancestors ?? undefined,
      children: children as ListedChild[],
    };
  }

  /** The direct children, in order, without content. */
  children({ teamId, callerId }: Place, id: string): Promise<readonly ListedChild[]> {
    return this.database.query<ListedChild>(CHILDREN, [teamId, id], { callerId, teamId });
  }
}
