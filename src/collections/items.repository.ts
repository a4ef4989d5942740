import { Injectable } from '@nestjs/common';
import type { AccessContext } from '../access/decide.js';
import type { AccessLevel, TeamRole, Visibility, WorkspaceRole } from '../access/roles.js';
import { Database } from '../database/database.js';
import { isPossibleSlug, isUuid } from '../database/ids.js';
import type { Ancestor, Item, ItemWithChildren, WorkspaceIds } from './collection.js';
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

interface ReadRow extends ItemRow {
  /** Of the item, where they were asked for. */
  ancestors: Ancestor[] | null;
}

/** An item as it is read on its own. */
export type ReadItem = Omit<ItemWithChildren, 'etag'>;

/** Where an item is, and all that decides on who may do what with it. */
export interface FoundItem extends WorkspaceIds {
  teamSlug: string;
  workspaceSlug: string;
  access: AccessContext;
}

/** Where to read, and for whom. */
type Place = WorkspaceIds & { callerId: string };

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
   * The item with its content and its direct children, in order, and with its ancestors where they
   * are asked for: all of one moment.
   * @returns null where the item is gone
   */
  async withChildren(ids: Place, id: string, withAncestors: boolean): Promise<ReadItem | null> {
    return isUuid(id) ? this.read(WITH_CHILDREN, ids, id, withAncestors) : null;
  }

  /** The same, by slug. */
  async withChildrenBySlug(
    ids: Place,
    slug: string,
    withAncestors: boolean,
  ): Promise<ReadItem | null> {
    return isPossibleSlug(slug) ? this.read(WITH_CHILDREN_BY_SLUG, ids, slug, withAncestors) : null;
  }

  /** The direct children, in order, without content. */
  async children({ teamId, callerId }: Place, id: string): Promise<Item[]> {
    const by = { callerId, teamId };
    const rows = await this.database.query<ItemRow>(CHILDREN, [teamId, id], by);
    return rows.map((row) => toItem(row, teamId));
  }

  private async read(
    statement: typeof WITH_CHILDREN,
    { teamId, workspaceId, callerId }: Place,
    key: string,
    withAncestors: boolean,
  ): Promise<ReadItem | null> {
    const values = [teamId, workspaceId, key, withAncestors];
    const [row, ...children] = await this.database.query<ReadRow>(statement, values, {
      callerId,
      teamId,
    });
    if (!row) return null;
    return {
      item: toItem(row, teamId),
      children: children.map((child) => toItem(child, teamId)),
      ancestors: row.ancestors ?? undefined,
    };
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

/** The order says that only the index by siblings will do, whatever the statistics say. */
const childrenOf = (parent: string) => `
    SELECT ${columns('c')}, c.position FROM collections c
    WHERE c.team_id = $1 AND c.list_id = ${parent} ORDER BY c.team_id, c.list_id, c.position`;

const CHILDREN = { name: 'items.children', text: childrenOf('$2'), many: true };

/** The collections that the row of `item` is in, from the top level down, as JSON. */
const ANCESTORS = `
      WITH RECURSIVE path AS (
        SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS slug, 0 AS step
        UNION ALL
        SELECT c.parent_id, c.id, c.name, c.slug, path.step + 1 FROM path
        JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
      )
      SELECT coalesce(
        json_agg(json_build_object('id', id, 'name', name, 'slug', slug) ORDER BY step DESC), '[]')
      FROM path WHERE step > 0`;

const withChildren = (name: string, key: string) => ({
  name,
  text: `
    WITH item AS (
      SELECT ${columns('c')}, content::text AS content FROM collections c
      WHERE team_id = $1 AND workspace_id = $2 AND ${key} = $3
    )
    SELECT item.*, CASE WHEN $4::boolean THEN (${ANCESTORS}
    ) END AS ancestors, NULL AS position FROM item
    UNION ALL
    SELECT ${columns('child')}, NULL, NULL, child.position FROM item
    CROSS JOIN LATERAL (${childrenOf('item.id')}) AS child
    ORDER BY position NULLS FIRST`,
  many: true,
});
const WITH_CHILDREN = withChildren('items.withChildren', 'c.id');
const WITH_CHILDREN_BY_SLUG = withChildren('items.withChildrenBySlug', 'c.slug');
