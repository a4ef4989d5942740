import { Injectable } from '@nestjs/common';
import { isPossibleId } from '../database/ids.js';
import type { RawTransaction } from '../database/raw-transaction.js';
import { notFound, unprocessable } from '../errors/domain-error.js';
import { Prisma } from '../generated/prisma/client.js';
import { type Item, MAX_DEPTH, type ObjectKind } from './collection.js';
import { LONGEST_POSITION, positionBetween, positionsBetween } from './ordering.js';

/** Past the end means the end; a larger number would not fit the database's integer. */
const FARTHEST = 2_000_000_000;

/** Neighbours on each side that a rebalancing takes at first; doubled until their keys are short. */
const NEIGHBOURS = 32;

/**
 * Places among siblings, within a transaction that holds the workspace's lock: no two of these
 * methods run at once in a workspace.
 */
@Injectable()
export class SiblingsRepository {
  /**
   * Makes sure that `parentId` can take a new item, or `moved` with all that is below it.
   * @throws DomainError not_found: no such parent here; unprocessable_entity: it is a page, it lies
   *   in the moved item's own subtree, or the nesting would grow too deep
   */
  async assertRoom(
    tx: RawTransaction,
    workspaceId: string,
    { parentId, field, moved }: { parentId: string | null; field: string; moved?: Item },
  ): Promise<void> {
    if (parentId === null) return;
    const path = isPossibleId(parentId) ? await this.pathTo(tx, workspaceId, parentId) : [];
    const [parent] = path;
    if (!parent) throw notFound(field);
    if (parent.object !== 'collection') {
      throw unprocessable(`${field} must be a collection, not a page`);
    }
    if (moved && path.some(({ id }) => id === moved.id)) {
      throw unprocessable(`${field} must not be the item itself or lie in its own subtree`);
    }
    const height = moved?.object === 'collection' ? await this.height(tx, moved) : 1;
    if (path.length + height > MAX_DEPTH) {
      throw unprocessable(`${field} is too deep: nesting goes at most ${MAX_DEPTH} levels deep`);
    }
  }

  /** A position behind all siblings. */
  async lastPosition(
    tx: RawTransaction,
    workspaceId: string,
    parentId: string | null,
  ): Promise<string> {
    return this.positionAt(tx, workspaceId, parentId, FARTHEST, null);
  }

  /**
   * A position that puts an item at `index` among the siblings under `parentId`; an item that is
   * one of them already (`except`) does not count.
   */
  async positionAt(
    tx: RawTransaction,
    workspaceId: string,
    parentId: string | null,
    index: number,
    except: string | null,
  ): Promise<string> {
    const slot = () => this.slot(tx, siblingsOf(workspaceId, parentId, except), index);
    const { before, after } = await slot();
    const position = positionBetween(before, after);
    if (position.length <= LONGEST_POSITION) return position;
    await this.rebalance(tx, workspaceId, parentId, before ?? after ?? position);
    const roomy = await slot();
    return positionBetween(roomy.before, roomy.after);
  }

  private async slot(
    tx: RawTransaction,
    siblings: Prisma.Sql,
    index: number,
  ): Promise<{ before: string | null; after: string | null }> {
    if (index < FARTHEST) {
      const rows = await tx.$queryRaw<{ position: string }[]>`
        SELECT position FROM collections WHERE ${siblings}
        ORDER BY parent_id, position OFFSET ${Math.max(index - 1, 0)}::int LIMIT 2`;
      const [first, second] = rows;
      if (index === 0) return { before: null, after: first?.position ?? null };
      if (first) return { before: first.position, after: second?.position ?? null };
    }
    const [last] = await tx.$queryRaw<{ position: string }[]>`
      SELECT position FROM collections WHERE ${siblings}
      ORDER BY parent_id DESC, position DESC LIMIT 1`;
    return { before: last?.position ?? null, after: null };
  }

  /**
   * Spreads the siblings around `centre` evenly over the room between their neighbours, taking in
   * more of them until all positions are short. Keeps what it did for list cursors to be carried
   * over, for a week.
   */
  private async rebalance(
    tx: RawTransaction,
    workspaceId: string,
    parentId: string | null,
    centre: string,
  ): Promise<void> {
    const siblings = siblingsOf(workspaceId, parentId, null);
    for (let reach = NEIGHBOURS; ; reach *= 2) {
      const rows = await tx.$queryRaw<{ position: string }[]>`
        (SELECT position FROM collections WHERE ${siblings} AND position <= ${centre}
          ORDER BY parent_id DESC, position DESC LIMIT ${reach + 1}::int)
        UNION ALL
        (SELECT position FROM collections WHERE ${siblings} AND position > ${centre}
          ORDER BY parent_id, position LIMIT ${reach + 1}::int)`;
      const below = rows.filter(({ position }) => position <= centre).length;
      const above = rows.length - below;
      const old = rows.map(({ position }) => position).sort(byCodeUnit);
      const lower = below > reach ? (old.shift() ?? null) : null;
      const upper = above > reach ? (old.pop() ?? null) : null;
      const fresh = positionsBetween(lower, upper, old.length);
      const isEverything = lower === null && upper === null;
      if (!isEverything && fresh.some((position) => position.length > LONGEST_POSITION / 2)) {
        continue;
      }
      await tx.$executeRaw`
        UPDATE collections SET position = fresh.position
        FROM unnest(${old}::text[], ${fresh}::text[]) AS fresh (old, position)
        WHERE ${siblings} AND collections.position = fresh.old COLLATE "C"`;
      return;
    }
  }

  /** The collection and its ancestors, nearest first; empty: no such item in the workspace. */
  private pathTo(
    tx: RawTransaction,
    workspaceId: string,
    id: string,
  ): Promise<{ id: string; object: ObjectKind }[]> {
    return tx.$queryRaw`
      WITH RECURSIVE path AS (
        SELECT id, parent_id, object, 1 AS step FROM collections
        WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
        UNION ALL
        SELECT c.id, c.parent_id, c.object, path.step + 1 FROM path
        JOIN collections c ON c.id = path.parent_id
      )
      SELECT id, object FROM path ORDER BY step`;
  }

  /** Levels of the subtree, its root included. */
  private async height(tx: RawTransaction, { id }: Item): Promise<number> {
    const [row] = await tx.$queryRaw<{ height: number }[]>`
      WITH RECURSIVE subtree AS (
        SELECT id, object, 1 AS level FROM collections WHERE id = ${id}::uuid
        UNION ALL
        SELECT c.id, c.object, subtree.level + 1 FROM subtree
        JOIN collections c ON c.parent_id = subtree.id
        WHERE subtree.object = 'collection'
      )
      SELECT max(level)::int AS height FROM subtree`;
    return row?.height ?? 1;
  }
}

/**
 * The siblings under a parent, without the item `except`. Order them by parent_id and position:
 * PostgreSQL does not see that «IS NULL» makes parent_id constant, and would sort the top level
 * instead of walking the index. `except` is left out by its position for the same reason: a walk
 * over the index alone costs half of one that looks at each row.
 */
function siblingsOf(workspaceId: string, parentId: string | null, except: string | null) {
  const parent =
    parentId === null ? Prisma.sql`parent_id IS NULL` : Prisma.sql`parent_id = ${parentId}::uuid`;
  const others =
    except === null
      ? Prisma.empty
      : Prisma.sql`AND position <> (SELECT position FROM collections WHERE id = ${except}::uuid)`;
  return Prisma.sql`workspace_id = ${workspaceId}::uuid AND ${parent} ${others}`;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
