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
