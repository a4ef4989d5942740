import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { RawTransaction } from '../database/raw-transaction.js';
import { Turns } from '../database/turns.js';
import { conflict, unprocessable } from '../errors/domain-error.js';
import { UsageRepository } from '../teams/usage.repository.js';
import type { Item, ItemChanges, Move, NewItem } from './collection.js';
import { toItem } from './item-row.js';
import { SiblingsRepository } from './siblings.repository.js';
import {
  assertMatches,
  insertItem,
  loadItem,
  lockWorkspace,
  readItem,
  type Updated,
  type Where,
} from './tree-rows.repository.js';

/**
 * Writes of the tree. What changes its shape locks the workspace's row before it reads anything, so
 * that one such change happens at a time in a workspace; a change of name or content locks the
 * item's row only.
 */
@Injectable()
export class TreeWritesRepository {
  private readonly turns = new Turns();

  constructor(
    private readonly database: Database,
    private readonly siblings: SiblingsRepository,
    private readonly usage: UsageRepository,
  ) {}

  /**
   * Puts a new item at the end of its siblings.
   * @throws DomainError not_found: workspace or parent; unprocessable_entity: the parent is a page,
   *   or too deep; forbidden: plan limit
   */
  create({ teamId, workspaceId }: Where, given: NewItem): Promise<Item> {
    return this.alone(workspaceId, async (tx) => {
      await this.siblings.assertRoom(tx, workspaceId, {
        parentId: given.parentId,
        field: 'parent',
      });
      const position = await this.siblings.lastPosition(tx, workspaceId, given.parentId);
      const row = await insertItem(tx, workspaceId, given, position);
      if (given.object === 'item') await this.usage.change(tx, teamId, 'pages', 1);
      return toItem(row, teamId);
    });
  }

  /**
   * Moves an item: one row is written, whatever the number of siblings.
   * @throws DomainError not_found: item or new parent; conflict: stale parent or ETag;
   *   unprocessable_entity: other object, page as parent, own subtree, too deep
   */
  async move(where: Where, move: Move): Promise<void> {
    await this.alone(where.workspaceId, async (tx) => {
      const item = await loadItem(tx, where, move.id);
      if (move.ifMatch !== undefined) await assertMatches(tx, item, move.ifMatch);
      if (move.expectedParentId !== undefined && move.expectedParentId !== item.parentId) {
        throw conflict('parent is not the current parent of the item: read it again');
      }
      if (move.expectedObject !== undefined && move.expectedObject !== item.object) {
        throw unprocessable(`object must be ${item.object}, which the item is`);
      }
      const target = move.newParentId === undefined ? item.parentId : move.newParentId;
      await this.place(tx, item, target, move.index, 'newParent');
    });
  }

  /**
   * Changes name, content or parent. Answers the item as this change left it.
   * @throws DomainError not_found, conflict (ETag), unprocessable_entity (content on a collection,
   *   and as move())
   */
  async update(where: Where, id: string, changes: ItemChanges): Promise<Updated> {
    const { name = null, parentId, content = null, ifMatch } = changes;
    const change = async (tx: RawTransaction) => {
      const item = await loadItem(tx, where, id);
      if (ifMatch !== undefined) await assertMatches(tx, item, ifMatch);
      if (content !== null && item.object !== 'item') {
        throw unprocessable('content can only be given for a page (object item)');
      }
      if (parentId !== undefined) {
        await this.place(tx, item, parentId, Number.MAX_SAFE_INTEGER, 'parent');
      }
      if (name !== null || content !== null) {
        await tx.$executeRaw`
          UPDATE collections SET name = coalesce(${name}, name),
            content = coalesce(${content}::text::json, content),
            version = version + 1, updated_at = clock_timestamp()
          WHERE id = ${item.id}::uuid`;
      }
      return readItem(tx, item);
    };
    return parentId === undefined
      ? this.database.rawTransaction(change)
      : this.alone(where.workspaceId, change);
  }

  /**
   * Deletes an item with its whole subtree and gives its pages back to the team.
   * @throws DomainError not_found, conflict (ETag)
   */
  async delete(where: Where, id: string, ifMatch: string | undefined): Promise<void> {
    await this.alone(where.workspaceId, async (tx) => {
      const item = await loadItem(tx, where, id);
      if (ifMatch !== undefined) await assertMatches(tx, item, ifMatch);
      const [gone] = await tx.$queryRaw<{ pages: number }[]>`
        WITH RECURSIVE subtree AS (
          SELECT id, object FROM collections WHERE id = ${item.id}::uuid
          UNION ALL
          SELECT c.id, c.object FROM subtree
          JOIN collections c ON c.parent_id = subtree.id
          WHERE subtree.object = 'collection'
        ), gone AS (
          DELETE FROM collections WHERE id IN (SELECT id FROM subtree) RETURNING object
        )
        SELECT count(*) FILTER (WHERE object = 'item')::int AS pages FROM gone`;
      await this.usage.change(tx, where.teamId, 'pages', -(gone?.pages ?? 0));
    });
  }

  /** Runs `work` as the only change of the tree's shape in this workspace. */
  private alone<T>(workspaceId: string, work: (tx: RawTransaction) => Promise<T>): Promise<T> {
    return this.turns.take(workspaceId, () =>
      this.database.rawTransaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        return work(tx);
      }),
    );
  }

  private async place(
    tx: RawTransaction,
    item: Item,
    parentId: string | null,
    index: number,
    field: string,
  ): Promise<void> {
    const { workspaceId } = item;
    const stays = parentId === item.parentId;
    if (!stays) await this.siblings.assertRoom(tx, workspaceId, { parentId, field, moved: item });
    const except = stays ? item.id : null;
    const position = await this.siblings.positionAt(tx, workspaceId, parentId, index, except);
    await tx.$executeRaw`
      UPDATE collections SET parent_id = ${parentId}::uuid, position = ${position},
        version = version + 1, updated_at = clock_timestamp()
      WHERE id = ${item.id}::uuid`;
  }
}
