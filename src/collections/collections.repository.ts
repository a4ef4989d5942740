import { Injectable } from '@nestjs/common';
import type { WorkspaceFacts } from '../access/decide.js';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import { Database } from '../database/database.js';
import { isPossibleId } from '../database/ids.js';
import type { Item, ItemWithChildren } from './collection.js';
import { ETAG, forEachRow, ITEM_COLUMNS, type ItemRow, toItem } from './item-row.js';

interface FoundRow extends ItemRow {
  team_id: string;
  team_slug: string;
  workspace_slug: string;
  team_role: TeamRole | null;
  workspace_role: WorkspaceRole | null;
  visibility: Visibility;
  default_access: AccessLevel;
}

/** An item and all that decides on it. */
export interface FoundItem {
  item: Item;
  /** Of a page; null for a collection, whose children make it. */
  etag: string | null;
  teamSlug: string;
  workspaceSlug: string;
  facts: WorkspaceFacts;
}

/** Reads of single items: prepared statements, roles included. */
@Injectable()
export class CollectionsRepository {
  constructor(private readonly database: Database) {}

  /** The item with its content, and the user's place, in one round trip; null: no such item. */
  async find(id: string, userId: string): Promise<FoundItem | null> {
    if (!isPossibleId(id)) return null;
    const [row] = await this.database.query<FoundRow>(FIND, [id, userId]);
    if (!row) return null;
    return {
      item: toItem(row, row.team_id),
      etag: row.etag ?? null,
      teamSlug: row.team_slug,
      workspaceSlug: row.workspace_slug,
      facts: {
        teamRole: row.team_role,
        workspaceRole: row.workspace_role,
        visibility: row.visibility,
        defaultAccess: row.default_access,
      },
    };
  }

  /** The item with its direct children, as they are at one moment; null: it is gone. */
  async withChildren({ id, teamId }: Item): Promise<ItemWithChildren | null> {
    const rows = await this.database.query<ItemRow>(WITH_CHILDREN, [id]);
    const items: Item[] = [];
    await forEachRow(rows, (row) => items.push(toItem(row, teamId)));
    const [item, ...children] = items;
    const etag = rows[0]?.etag;
    return item && etag ? { item, children, etag } : null;
  }

  /** The direct children, in order, without content. */
  async children({ id, teamId }: Item): Promise<Item[]> {
    const children: Item[] = [];
    const rows = await this.database.query<ItemRow>(CHILDREN, [id]);
    await forEachRow(rows, (row) => children.push(toItem(row, teamId)));
    return children;
  }
}

const FIND = {
  name: 'collections.find',
  text: `
    SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version,
      c.created_at, c.updated_at, c.content::text AS content,
      CASE c.object WHEN 'item' THEN ${ETAG} END AS etag,
      w.team_id, w.slug AS workspace_slug, w.visibility, w.default_access, t.slug AS team_slug,
      tm.role AS team_role, wm.role AS workspace_role
    FROM collections c
    JOIN workspaces w ON w.id = c.workspace_id
    JOIN teams t ON t.id = w.team_id
    LEFT JOIN team_members tm ON tm.team_id = t.id AND tm.user_id = $2
    LEFT JOIN workspace_members wm ON wm.workspace_id = w.id AND wm.user_id = $2
    WHERE c.id = $1`,
};

const CHILDREN_OF_1 = `
  SELECT ${ITEM_COLUMNS}, position FROM collections WHERE parent_id = $1`;

const CHILDREN = {
  name: 'collections.children',
  text: `${CHILDREN_OF_1} ORDER BY position`,
  many: true,
};

const WITH_CHILDREN = {
  name: 'collections.withChildren',
  text: `
    SELECT ${ITEM_COLUMNS}, NULL AS position, content::text AS content, ${ETAG} AS etag
    FROM collections c WHERE id = $1
    UNION ALL
    SELECT children.*, NULL, NULL FROM (${CHILDREN_OF_1}) AS children
    ORDER BY position NULLS FIRST`,
  many: true,
};
