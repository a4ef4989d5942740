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
  content?: string | null;
}

/** Columns of an ItemRow but its content. */
export const ITEM_COLUMNS = [
  'id',
  'workspace_id',
  'parent_id',
  'object',
  'name',
  'slug',
  'version',
  'created_at',
  'updated_at',
];

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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    content: row.content ?? null,
  };
}
