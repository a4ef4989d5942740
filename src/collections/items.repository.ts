import { Injectable } from '@nestjs/common';
import type { AccessContext } from '../access/decide.js';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import { Database } from '../database/database.js';
import { isPossibleSlug, isUuid } from '../database/ids.js';
import type { Ancestor, Item, WorkspaceIds } from './collection.js';
import { ITEM_COLUMNS, type ItemRow, toItem } from './item-row.js';

interface FoundRow extends Pick<ItemRow, 'workspace_id'> {
  team_id: string;
  team_slug: string;
  workspace_slug: string;
  team_role: TeamRole | null;
  workspace_role: WorkspaceRole | null;
  visibility: Visibility;
  default_access: AccessLevel;
}

/** Where an item is, and all that decides on who may do what with it. */
export interface FoundItem extends WorkspaceIds {
  teamSlug: string;
  workspaceSlug: string;
  access: AccessContext;
}

/** Reads of single items: prepared statements. */
@Injectable()
export class ItemsRepository {
  constructor(private readonly database: Database) {}

  /** The place of an item that no workspace was named for; null: no such item. */
  async find(id: string, userId: string): Promise<FoundItem | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.query<FoundRow>(FIND, [id, userId]);
    if (!row) return null;
    return {
      teamId: row.team_id,
      workspaceId: row.workspace_id,
      teamSlug: row.team_slug,
      workspaceSlug: row.workspace_slug,
      access: {
        teamRole: row.team_role,
        workspaceRole: row.workspace_role,
        visibility: row.visibility,
        defaultAccess: row.default_access,
      },
    };
  }

  /**
   * The item with its content and its direct children, in order, as they are at one moment.
   * @returns the item first, or nothing where it is gone
   */
  async withChildren(ids: WorkspaceIds, id: string): Promise<Item[]> {
    return isUuid(id) ? this.items(WITH_CHILDREN, ids, id) : [];
  }

  /** The same, by slug. */
  async withChildrenBySlug(ids: WorkspaceIds, slug: string): Promise<Item[]> {
    return isPossibleSlug(slug) ? this.items(WITH_CHILDREN_BY_SLUG, ids, slug) : [];
  }

  /** The direct children, in order, without content. */
  children(ids: WorkspaceIds, id: string): Promise<Item[]> {
    return this.items(CHILDREN, ids, id);
  }

  /** The collections that an item is in, from the top level down. */
  ancestors({ teamId, workspaceId }: WorkspaceIds, id: string): Promise<readonly Ancestor[]> {
    return this.database.query<Ancestor>(ANCESTORS, [teamId, workspaceId, id]);
  }

  private async items(
    statement: typeof CHILDREN,
    { teamId, workspaceId }: WorkspaceIds,
    key: string,
  ): Promise<Item[]> {
    const rows = await this.database.query<ItemRow>(statement, [teamId, workspaceId, key]);
    return rows.map((row) => toItem(row, teamId));
  }
}

/** By the id alone: a distributed database asks every node. */
const FIND = {
  name: 'items.find',
  text: `
    SELECT c.team_id, c.workspace_id, t.slug AS team_slug, w.slug AS workspace_slug, w.visibility,
      w.default_access, tm.role AS team_role, wm.role AS workspace_role
    FROM collections c
    JOIN workspaces w ON w.team_id = c.team_id AND w.id = c.workspace_id
    JOIN teams t ON t.id = c.team_id
    LEFT JOIN team_members tm ON tm.team_id = c.team_id AND tm.user_id = $2
    LEFT JOIN workspace_members wm
      ON wm.team_id = c.team_id AND wm.workspace_id = c.workspace_id AND wm.user_id = $2
    WHERE c.id = $1`,
};

const columns = (of: string) => ITEM_COLUMNS.map((column) => `${of}.${column}`).join(', ');

const CHILDREN = {
  name: 'items.children',
  text: `
    SELECT ${columns('c')} FROM collections c
    WHERE team_id = $1 AND parent_id = $3 AND workspace_id = $2 ORDER BY position`,
  many: true,
};

const withChildren = (name: string, key: string) => ({
  name,
  text: `
    WITH item AS (
      SELECT ${columns('c')}, content::text AS content FROM collections c
      WHERE team_id = $1 AND workspace_id = $2 AND ${key} = $3
    )
    SELECT item.*, NULL AS position FROM item
    UNION ALL
    SELECT ${columns('c')}, NULL, c.position FROM item
    JOIN collections c ON c.team_id = $1 AND c.parent_id = item.id AND c.workspace_id = $2
    ORDER BY position NULLS FIRST`,
  many: true,
});
const WITH_CHILDREN = withChildren('items.withChildren', 'c.id');
const WITH_CHILDREN_BY_SLUG = withChildren('items.withChildrenBySlug', 'c.slug');

const ANCESTORS = {
  name: 'items.ancestors',
  text: `
    WITH RECURSIVE path AS (
      SELECT parent_id, NULL::uuid AS id, NULL AS name, NULL AS slug, 0 AS step FROM collections
      WHERE team_id = $1 AND workspace_id = $2 AND id = $3
      UNION ALL
      SELECT c.parent_id, c.id, c.name, c.slug, step + 1 FROM path
      JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT id, name, slug FROM path WHERE step > 0 ORDER BY step DESC`,
};
