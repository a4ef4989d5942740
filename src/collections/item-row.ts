import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Item, ObjectKind } from './collection.js';

/** A row of `collections`, as the statements here read it. */
export interface ItemRow {
  id: string;
  workspace_id: string;
  parent_id: string | null;
  object: ObjectKind;
  name: string;
  slug: string;
  version: number;
  /** A number, Unix epoch milliseconds, from statements of many rows: quicker to read by half. */
  created_at: Date | number;
  updated_at: Date | number;
  content?: string | null;
  /** See ETAG. */
  etag?: string | null;
}

/** Columns of an ItemRow but its content. */
export const ITEM_COLUMNS =
  'id, workspace_id, parent_id, object, name, slug, version, created_at, updated_at';

/**
 * The strong ETag of the item `c` with its direct children: it changes with every change of any of
 * them, and with their order. Versions stand for contents, so that no content is read for it.
 */
export const ETAG = `
  '"' || encode(sha256((c.id || ':' || c.version || coalesce((
    SELECT string_agg(';' || child.id || ':' || child.version, '' ORDER BY child.position)
    FROM collections child WHERE child.parent_id = c.id
  ), ''))::bytea), 'hex') || '"'`;

/** Rows looked at before other callers get a turn. */
const AT_ONCE = 1000;

/** Calls `look` for each of many rows, with other callers in between. */
export async function forEachRow<Row>(
  rows: readonly Row[],
  look: (row: Row) => void,
): Promise<void> {
  for (const [n, row] of rows.entries()) {
    if (n % AT_ONCE === AT_ONCE - 1) await nextTurn();
    look(row);
  }
}

export function toItem(row: ItemRow, teamId: string): Item {
  return {
    id: row.id,
    teamId,
    workspaceId: row.workspace_id,
    parentId: row.parent_id,
    object: row.object,
    name: row.name,
    slug: row.slug,
    version: row.version,
    createdAt: new Date(Math.round(Number(row.created_at))),
    updatedAt: new Date(Math.round(Number(row.updated_at))),
    content: row.content ?? null,
  };
}
