import { isPossibleId, newId } from '../database/ids.js';
import type { RawTransaction } from '../database/raw-transaction.js';
import { conflict, notFound } from '../errors/domain-error.js';
import { Prisma } from '../generated/prisma/client.js';
import { slugsFor } from '../workspaces/slug.js';
import type { Item, ItemWithChildren, NewItem } from './collection.js';
import { matches } from './etag.js';
import { ETAG, ITEM_COLUMNS, type ItemRow, toItem } from './item-row.js';

// Single rows, read and written within a transaction that changes the tree.

/** The workspace that holds an item, and its team. */
export interface Where {
  teamId: string;
  workspaceId: string;
}

/** An item as a change left it, and its ETag. */
export type Updated = Pick<ItemWithChildren, 'item' | 'etag'>;

const COLUMNS = Prisma.raw(ITEM_COLUMNS);
const ETAG_OF_C = Prisma.raw(ETAG);

/**
 * Taken before anything is read; also keeps the workspace from being deleted meanwhile.
 * @throws DomainError not_found: the workspace was deleted
 */
export async function lockWorkspace(tx: RawTransaction, id: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (rows.length === 0) throw notFound('workspace');
}

/** Its slug is the one that the name asks for, with a random suffix where that is taken. */
export async function insertItem(
  tx: RawTransaction,
  workspaceId: string,
  { parentId, object, name, content }: NewItem,
  position: string,
): Promise<ItemRow> {
  for (;;) {
    const { wanted, fallback } = slugsFor(name);
    const [row] = await tx.$queryRaw<ItemRow[]>`
      INSERT INTO collections (team_id, id, workspace_id, parent_id, object, name, slug, position, content)
      SELECT (SELECT team_id FROM workspaces WHERE id = ${workspaceId}::uuid), ${newId()}::uuid, ${workspaceId}::uuid, ${parentId}::uuid, ${object}, ${name},
        CASE WHEN EXISTS (SELECT FROM collections WHERE workspace_id = ${workspaceId}::uuid AND slug = ${wanted})
          THEN ${fallback} ELSE ${wanted} END,
        ${position}, ${content}::text::json
      ON CONFLICT (team_id, workspace_id, slug) DO NOTHING
      RETURNING ${COLUMNS}, content::text`;
    if (row) return row;
  }
}

/**
 * The item, without content, locked until the transaction ends.
 * @throws DomainError not_found: no such item in the workspace
 */
export async function loadItem(tx: RawTransaction, where: Where, id: string): Promise<Item> {
  const [row] = isPossibleId(id)
    ? await tx.$queryRaw<ItemRow[]>`
        SELECT ${COLUMNS} FROM collections
        WHERE id = ${id}::uuid AND workspace_id = ${where.workspaceId}::uuid FOR NO KEY UPDATE`
    : [];
  if (!row) throw notFound('collection or page');
  return toItem(row, where.teamId);
}

/** The item with its content, as the transaction left it. */
export async function readItem(tx: RawTransaction, { id, teamId }: Item): Promise<Updated> {
  const [row] = (await tx.$queryRaw`
    SELECT ${COLUMNS}, content::text, ${ETAG_OF_C} AS etag
    FROM collections c WHERE id = ${id}::uuid`) as [ItemRow & { etag: string }];
  return { item: toItem(row, teamId), etag: row.etag };
}

/** @throws DomainError conflict: the item, or a direct child, is not as the caller has seen it */
export async function assertMatches(
  tx: RawTransaction,
  item: Item,
  ifMatch: string,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ etag: string }[]>`
    SELECT ${ETAG_OF_C} AS etag FROM collections c WHERE id = ${item.id}::uuid`;
  if (!row || !matches(ifMatch, row.etag)) {
    throw conflict('If-Match is not the current ETag: the item changed since you read it');
  }
}
