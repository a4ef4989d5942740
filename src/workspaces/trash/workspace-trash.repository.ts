import { Inject, Injectable } from '@nestjs/common';
import type { AccessContext } from '../../access/decide.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { PreparedRead, PreparedStatement, Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import type { WorkspaceKey, WorkspaceRecord } from '../workspace.js';
import type { FoundWorkspaceDeletion } from './workspace-trash.js';

type Context = Omit<AccessContext, 'teamRole'>;

/** A row of the list, as readPage() takes it. */
export type ListedRow = Context &
  Pick<WorkspaceRecord, 'id' | 'name' | 'description' | 'slug'> & {
    at: Date;
    pages: number;
    deletedBy: string | null;
    deletedByName: string | null;
  };

/** A row of a workspace in the trash, beside its team. */
export type FoundRow = AccessContext &
  WorkspaceRecord &
  Pick<FoundWorkspaceDeletion, 'pages' | 'collections' | 'isSlugTaken'>;

/** The workspaces in the trash. One that has expired, or was purged, is as good as gone. */
@Injectable()
export class WorkspaceTrashRepository {
  readonly ttlSeconds: number;

  constructor(@Inject(CONFIG) config: Config) {
    this.ttlSeconds = config.trashTtlSeconds;
  }

  /**
   * Reads those that the caller may delete, newest first, for TeamsService.readForAction().
   * @param page as readPage() gives it
   */
  list(page: unknown[], many: boolean): PreparedRead {
    return [{ ...LIST, many }, [...page, this.ttlSeconds]];
  }

  /** Reads one, for TeamsService.readForAction(). */
  byId(id: string): PreparedRead {
    return [FIND, [isUuid(id) ? id : null, this.ttlSeconds]];
  }

  /** One in a transaction; null: there is none of this id. */
  async findIn(
    tx: Transaction,
    { id, teamId }: WorkspaceKey,
    userId: string,
  ): Promise<FoundRow | null> {
    const values = [teamId, null, userId, id, this.ttlSeconds];
    const [row] = await tx.query<FoundRow>(FIND, values);
    return row && row.id !== null ? row : null;
  }

  /** Moves a workspace to the trash: its row, and none of its items. */
  moveToTrash(
    tx: Transaction,
    { id, teamId }: WorkspaceKey,
    deletedBy: string,
    { pages, collections }: { pages: number; collections: number },
  ): void {
    tx.write(MOVE_TO_TRASH, [teamId, id, deletedBy, pages, collections]);
  }

  /** Brings a workspace back whose row the transaction has locked. */
  restore(tx: Transaction, { id, teamId }: WorkspaceKey, slug: string, now: Date): void {
    tx.write(RESTORE, [teamId, id, slug, now]);
  }

  /** Marks a workspace as purged whose row the transaction has locked. */
  purge(tx: Transaction, { id, teamId }: WorkspaceKey): void {
    tx.write(PURGE, [teamId, id]);
  }
}

const isThere = (ttl: string): string =>
  `w.purged_at IS NULL AND w.deleted_at > now() - ${ttl}::int * interval '1 second'`;

const statement = (
  name: string,
  columns: string,
  condition: string,
  order = '',
  joins = '',
): PreparedStatement => ({
  name,
  text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", t.plan, w.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN LATERAL (
      SELECT w.id, w.slug, w.name, w.description, w.visibility,
        w.default_access AS "defaultAccess", wm.role AS "workspaceRole",
        w.deleted_pages AS pages, ${columns}
      FROM workspaces w
      LEFT JOIN workspace_members wm
        ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
      WHERE w.team_id = $1 AND ${condition}
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});

/** decide() says the same; here it makes the pages of the list as long as they were asked for. */
const MAY_DELETE = `(wm.role = 'editor'
        OR w.visibility = 'public' AND tm.role IN ('moderator', 'owner'))`;

const LIST = statement(
  'workspaceTrash.list',
  'w.deleted_at AS at, w.deleted_by AS "deletedBy", p.name AS "deletedByName"',
  `${isThere('$7')} AND ${MAY_DELETE}
        AND ($4::timestamptz IS NULL OR (w.deleted_at, w.id) < ($4, $5::uuid))
      ORDER BY w.deleted_at DESC, w.id DESC LIMIT $6`,
  `
    ORDER BY w.at DESC, w.id DESC`,
  `
      LEFT JOIN users p ON p.id = w.deleted_by`,
);

const FIND = statement(
  'workspaceTrash.find',
  `w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt",
        w.updated_at AS "updatedAt", w.deleted_collections AS collections, EXISTS (
          SELECT FROM workspaces o
          WHERE o.team_id = $1 AND o.slug = w.slug AND o.deleted_at IS NULL
        ) AS "isSlugTaken"`,
  `w.id = $4 AND ${isThere('$5')}`,
);

const MOVE_TO_TRASH = {
  name: 'workspaceTrash.moveToTrash',
  text: `
    UPDATE workspaces SET deleted_at = now(), deleted_by = $3, deleted_pages = $4,
      deleted_collections = $5
    WHERE team_id = $1 AND id = $2`,
};

const RESTORE = {
  name: 'workspaceTrash.restore',
  text: `
    UPDATE workspaces SET slug = $3, updated_at = $4, deleted_at = NULL, deleted_by = NULL,
      deleted_pages = NULL, deleted_collections = NULL
    WHERE team_id = $1 AND id = $2`,
};

const PURGE = {
  name: 'workspaceTrash.purge',
  text: 'UPDATE workspaces SET purged_at = now() WHERE team_id = $1 AND id = $2',
};
