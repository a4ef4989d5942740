import { listRead } from '@teamspaces/pg-lanes/list-reads';
import { type Named, type PreparedRead, point } from '@teamspaces/pg-lanes/statements';
import { MAY_MANAGE } from '../../access/access-sql.js';
import type { Transaction } from '../../database/database.js';
import { columnsOf, join, omit, pick, selecting, sql } from '../../database/fields.js';
import { isUuid } from '../../database/identifiers.js';
import { TEAM } from '../../teams/team.fields.js';
import { WORKSPACE } from '../workspace.fields.js';
import type { FoundWorkspace, WorkspaceKey, WorkspaceRecord } from '../workspace.js';
import { accessColumns, DECISIVE, OWN_ROLE } from '../workspaces.repository.js';

// The workspaces in the trash. One that has expired, or was purged, is as good as gone.

/** What a list of deletions shows of each. */
export interface Deleted {
  deletedAt: Date;
  /** null: it is not known who. */
  deletedBy: string | null;
  deletedByName: string | null;
  /** From then on it is gone for good. */
  expiresAt: Date;
}

/** A row of LIST. `slug`: the one that it had; another workspace may have it now. */
export type ListedRow = Pick<
  WorkspaceRecord,
  'id' | 'name' | 'description' | 'slug' | 'visibility'
> &
  Pick<Deleted, 'deletedBy' | 'deletedByName'> & {
    /** When it was deleted. */
    at: Date;
    /** In its tree. */
    pages: number;
    /** Whether the caller may delete it. */
    isShown: boolean;
  };

/** A workspace in the trash, and what its restoration depends on. */
export type DeletedWorkspace = FoundWorkspace & {
  /** In its tree. */
  pages: number;
  collections: number;
  /** True: another workspace has its slug now. */
  isSlugTaken: boolean;
};

/**
 * Reads one, for TeamsService.readForAction().
 * @param ttl seconds for which deleted workspaces are there
 */
export const deletedWorkspace = (id: string, ttl: number): PreparedRead<DeletedWorkspace> => [
  FIND,
  [isUuid(id) ? id : null, ttl],
];

/** One in a transaction; null: there is none of this id. */
export async function findDeleted(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  userId: string,
  ttl: number,
): Promise<DeletedWorkspace | null> {
  const values = [teamId, null, userId, id, ttl];
  const [row] = await tx.query<DeletedWorkspace | { id: null }>(FIND, values);
  return row && row.id !== null ? row : null;
}

/** Moves a workspace to the trash: its row, and none of its items. */
export function moveToTrash(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  deletedBy: string,
  { pages, collections }: { pages: number; collections: number },
): void {
  tx.write(MOVE_TO_TRASH, [teamId, id, deletedBy, pages, collections]);
}

/** Brings a workspace back whose row the transaction has locked. */
export function restoreWorkspace(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  slug: string,
  now: Date,
): void {
  tx.write(RESTORE, [teamId, id, slug, now]);
}

/** Marks a workspace as purged whose row the transaction has locked. */
export const purgeWorkspace = (tx: Transaction, { id, teamId }: WorkspaceKey): void =>
  tx.write(PURGE, [teamId, id]);

/**
 * Whether what was deleted is in the trash.
 * @param of its row
 * @param ttl the parameter with the TTL in seconds
 */
export const isInTrash = (of: string, ttl: string): string =>
  `${of}.purged_at IS NULL AND ${of}.deleted_at > now() - ${ttl}::int * interval '1 second'`;

const statement = (name: string, columns: string, found: string, order = ''): Named => ({
  name,
  text: `
    SELECT t.id AS "teamId", ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN LATERAL (${found}
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});

const SHOWN = pick(WORKSPACE, 'id', 'slug', 'name', 'description', 'visibility');

/** Those that the caller may delete, newest first, for TeamsService.listForAction(); $4: the TTL. */
export const LIST = listRead<ListedRow>({
  name: 'workspaceTrash.list',
  rows: `
      SELECT ${columnsOf(SHOWN, 'w')}, w.deleted_pages AS pages, w.deleted_at AS at, w.deleted_by AS "deletedBy", ${MAY_MANAGE} AS "isShown"
      FROM workspaces w${OWN_ROLE}
      WHERE w.team_id = $1 AND ${isInTrash('w', '$4')}`,
  condition: ' AND row."isShown"',
  parameters: 4,
  text: (found) =>
    statement(
      '',
      'tm.role AS "teamRole", w.*',
      `
      SELECT found.*, p.name AS "deletedByName" FROM (${found}
      ) AS found
      LEFT JOIN LATERAL (SELECT name FROM users WHERE id = found."deletedBy" OFFSET 0) AS p ON true`,
      ' ORDER BY w.at DESC, w.id DESC',
    ).text,
  isDescending: true,
});

const FOUND = join(
  join(accessColumns('w.role'), columnsOf(omit(WORKSPACE, 'teamId', ...DECISIVE), 'w')),
  join(
    columnsOf(pick(TEAM, 'plan'), 't'),
    sql<Pick<DeletedWorkspace, 'pages' | 'collections' | 'isSlugTaken'>>(
      'w.deleted_pages AS pages, w.deleted_collections AS collections, w."isSlugTaken"',
    ),
  ),
);
const FIND = point(
  1,
  selecting(join(sql<WorkspaceKey>('w.id'), FOUND), (columns) =>
    statement(
      'workspaceTrash.find',
      columns,
      `
      SELECT w.*, wm.role, EXISTS (
          SELECT FROM workspaces o
          WHERE o.team_id = $1 AND o.slug = w.slug AND o.deleted_at IS NULL
        ) AS "isSlugTaken"
      FROM workspaces w
      LEFT JOIN workspace_members wm
        ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
      WHERE w.team_id = $1 AND w.id = $4 AND ${isInTrash('w', '$5')}`,
    ),
  ),
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
