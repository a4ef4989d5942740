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
  created_at: Date;
  updated_at: Date;
  /** JSON text of a page; only where a statement reads it. */
  content?: string | null;
}

/** An item, with its content if the statement has read it. */
export const toItem = (row: ItemRow, teamId: string): Item => ({
  id: row.id,
  teamId,
  workspaceId: row.workspace_id,
  parentId: row.parent_id,
  object: row.object,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  content: row.content ?? null,
});
