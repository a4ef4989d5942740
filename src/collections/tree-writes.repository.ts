import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { isPossibleId, newId } from '../database/ids.js';
import { Turns } from '../database/turns.js';
import { conflict, notFound, unprocessable } from '../errors/domain-error.js';
import { Prisma } from '../generated/prisma/client.js';
import { UsageRepository } from '../teams/usage.repository.js';
import { slugsFor } from '../workspaces/slug.js';
import type { Item, ItemChanges, ItemWithChildren, Move, NewItem } from './collection.js';
import { matches } from './etag.js';
import { ETAG, ITEM_COLUMNS, type ItemRow, toItem } from './item-row.js';
import { SiblingsRepository } from './siblings.repository.js';

/** An item as a change left it, and its ETag. */
type Updated = Pick<ItemWithChildren, 'item' | 'etag'>;

interface Where {
  teamId: string;
  workspaceId: string;
}

const COLUMNS = Prisma.raw(ITEM_COLUMNS);
const ETAG_OF_C = Prisma.raw(ETAG);

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
    const { wanted, fallback } = slugsFor(given.name);
    return this.alone(workspaceId, async (tx) => {
      await this.siblings.assertRoom(tx, workspaceId, {
        parentId: given.parentId,
        field: 'parent',
      });
      const position = await this.siblings.lastPosition(tx, workspaceId, given.parentId);
      const [row] = await tx.$queryRaw<ItemRow[]>`
        INSERT INTO collections (id, workspace_id, parent_id, object, name, slug, position, content)
        SELECT ${newId()}::uuid, ${workspaceId}::uuid, ${given.parentId}::uuid, ${given.object}, ${given.name},
          CASE WHEN EXISTS (SELECT FROM collections WHERE workspace_id = ${workspaceId}::uuid AND slug = ${wanted})
            THEN ${fallback} ELSE ${wanted} END,
          ${position}, ${given.content}::text::json
        RETURNING ${COLUMNS}, content::text`;
      if (given.object === 'item') await this.usage.change(tx, teamId, 'pages', 1);
      return toItem(row as ItemRow, teamId);
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
    const change = async (tx: Transaction) => {
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
      const [row] = (await tx.$queryRaw`
        SELECT ${COLUMNS}, content::text, ${ETAG_OF_C} AS etag
        FROM collections c WHERE id = ${item.id}::uuid`) as [ItemRow & { etag: string }];
      return { item: toItem(row, where.teamId), etag: row.etag };
    };
    return parentId === undefined
      ? this.database.transaction(change)
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
  private alone<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.turns.take(workspaceId, () =>
      this.database.transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        return work(tx);
      }),
    );
  }

  private async place(
    tx: Transaction,
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

/** Taken before anything is read; also keeps the workspace from being deleted meanwhile. */
async function lockWorkspace(tx: Transaction, id: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (rows.length === 0) throw notFound('workspace');
}

async function loadItem(tx: Transaction, where: Where, id: string): Promise<Item> {
  const [row] = isPossibleId(id)
    ? await tx.$queryRaw<ItemRow[]>`
        SELECT ${COLUMNS} FROM collections
        WHERE id = ${id}::uuid AND workspace_id = ${where.workspaceId}::uuid FOR NO KEY UPDATE`
    : [];
  if (!row) throw notFound('collection or page');
  return toItem(row, where.teamId);
}

async function assertMatches(tx: Transaction, item: Item, ifMatch: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ etag: string }[]>`
    SELECT ${ETAG_OF_C} AS etag FROM collections c WHERE id = ${item.id}::uuid`;
  if (!row || !matches(ifMatch, row.etag)) {
    throw conflict('If-Match is not the current ETag: the item changed since you read it');
  }
}
