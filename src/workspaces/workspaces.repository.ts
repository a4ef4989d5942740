import { violatedConstraint } from '@teamspaces/pg-lanes/driver-errors';
import { type ListRead, listRead } from '@teamspaces/pg-lanes/list-reads';
import { type Named, point } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE, IS_ALIVE_BY_ID, isListed } from '../access/access-sql.js';
import type { AccessContext } from '../access/decide.js';
import type { Reader, Transaction } from '../database/database.js';
import {
  type Columns,
  columnsOf,
  insertInto,
  join,
  jsonOf,
  omit,
  pick,
  setSettings,
  settingValuesOf,
  sql,
  valuesOf,
} from '../database/fields.js';
import { TEAM } from '../teams/team.fields.js';
import { slugTakenInTeam } from './errors.js';
import { WORKSPACE } from './workspace.fields.js';
import type { FoundWorkspace, WorkspaceKey, WorkspaceRecord } from './workspace.js';

/** A row of LIST: there may be many, and PostgreSQL writes their JSON. */
export interface FoundListed {
  /** What workspace.wire.ts makes of a single one, up to `access` and the closing brace. */
  json: string;
}

/** A workspace as a statement of inWorkspace() finds it, with what else that statement reads. */
export type InWorkspace<Columns> = Columns & AccessContext & WorkspaceKey;

/** A workspace by its id: slugs may change within a transaction. @returns null: it is gone */
export async function findWorkspace(
  reader: Reader,
  { teamId, id }: WorkspaceKey,
  userId: string,
): Promise<FoundWorkspace | null> {
  const values = [teamId, null, userId, id];
  const [row] = await reader.query<FoundWorkspace | { id: null }>(FIND_BY_ID, values);
  return row && row.id !== null ? row : null;
}

/**
 * Waits for the workspace's row and holds it until the transaction ends: no content is written
 * meanwhile. Take the membership lock of the team before it. It leaves with the next query.
 */
export const lockWorkspace = (tx: Transaction, { id, teamId }: WorkspaceKey): void =>
  tx.write(LOCK, [teamId, id]);

/** Those of these slugs that workspaces of the team have. */
export async function takenSlugs(
  tx: Transaction,
  teamId: string,
  slugs: string[],
): Promise<string[]> {
  const rows = await tx.query<{ slug: string }>(TAKEN_SLUGS, [teamId, slugs]);
  return rows.map(({ slug }) => slug);
}

/** @throws DomainError conflict: the slug is taken in the team */
export function insertWorkspace(tx: Transaction, workspace: WorkspaceRecord): void {
  tx.write(CREATE, valuesOf(WORKSPACE, workspace), explainSlug(workspace.slug));
}

/**
 * Writes the settings of a workspace, all of them: its caller has the membership lock, and has read them.
 * @throws DomainError conflict: the slug is taken in the team
 */
export function updateWorkspace(tx: Transaction, workspace: WorkspaceRecord): void {
  const { id, teamId, slug, updatedAt } = workspace;
  const values = [teamId, id, updatedAt, ...settingValuesOf(WORKSPACE, workspace)];
  tx.write(UPDATE, values, explainSlug(slug));
}

/** Archives a workspace whose row the transaction has locked: its tree keeps its stamp from then on. */
export const setArchived = (tx: Transaction, workspace: WorkspaceRecord): void => {
  const { id, teamId, archivedAt, updatedAt } = workspace;
  tx.write(SET_ARCHIVED, [teamId, id, archivedAt, updatedAt]);
};

/** How many pages and collections it has. */
export async function countItems(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
): Promise<{ pages: number; collections: number }> {
  const rows = await tx.query<{ pages: number; collections: number }>(COUNT_ITEMS, [teamId, id]);
  return rows[0] as { pages: number; collections: number };
}

const explainSlug = (slug: string | undefined) => (error: unknown) =>
  violatedConstraint(error) === 'workspaces_team_slug_key' ? slugTakenInTeam(slug) : error;

const KEY = 't.id AS "teamId", w.id';

export const DECISIVE = ['visibility', 'defaultAccess', 'archivedAt', 'deletedAt'] as const;

/** What decides on access to the workspace `w`; `tm` has the caller's role in the team. @param role in the workspace */
export const accessColumns = (role = 'wm.role'): Columns<AccessContext> =>
  join(
    columnsOf(pick(WORKSPACE, ...DECISIVE), 'w'),
    sql<Pick<AccessContext, 'workspaceName' | 'teamRole' | 'workspaceRole'>>(
      `w.name AS "workspaceName", tm.role AS "teamRole", ${role} AS "workspaceRole"`,
    ),
  );

const NAMED_BY = {
  slug: `w.slug = $4 AND ${IS_ALIVE}`,
  id: `w.id = $4 AND ${IS_ALIVE_BY_ID}`,
};

/**
 * A statement for WorkspacesService.readForAction(). $1 is compared in every table: it runs on the one node that has the team.
 * @param columns to read beside the access to the workspace `w`
 * @param joins where they come from; parameters from $5 on
 */
export const inWorkspace = <Row>(
  name: string,
  columns: Columns<Row>,
  joins = '',
  order = '',
  by: 'slug' | 'id' = 'slug',
): Named<InWorkspace<Row>> => ({
  name,
  text: `
    SELECT ${KEY}, ${accessColumns()}, ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND ${NAMED_BY[by]}
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});

/** The fields that inWorkspace() does not read by itself, and the plan. */
const RECORD = join(
  columnsOf(omit(WORKSPACE, 'id', 'teamId', ...DECISIVE), 'w'),
  columnsOf(pick(TEAM, 'plan'), 't'),
);
/** For WorkspacesService.readForAction(): the workspace. */
export const FIND = point(1, inWorkspace('workspaces.find', RECORD));
const FIND_BY_ID = point(1, inWorkspace('workspaces.findById', RECORD, '', '', 'id'));

/**
 * Joins the role of the user $3 in each workspace `w` of the team $1. It is looked up for each: another join may compare
 * each workspace with each role. The range of both columns means `=`, and only the primary key serves it.
 */
export const OWN_ROLE = `
      LEFT JOIN LATERAL (
        SELECT m.role FROM workspace_members m
        WHERE m.team_id = $1 AND (m.workspace_id, m.user_id) >= (w.id, $3)
          AND (m.workspace_id, m.user_id) <= (w.id, $3) OFFSET 0
      ) AS wm ON true`;

/**
 * A statement for WorkspacesService.listEachForAction(): the workspaces of a team, oldest first, without the
 * private ones that the user has no role in, which a short list has, too: decide() leaves them out.
 * @param columns to read beside the access to the workspace `w`
 */
export const inEachWorkspace = <Row>(
  name: string,
  columns: Columns<Row>,
): ListRead<InWorkspace<Row>> =>
  listRead({
    name,
    rows: `
      SELECT w.*, w.created_at AS at, wm.role
      FROM workspaces w${OWN_ROLE}
      WHERE w.team_id = $1 AND ${IS_ALIVE}`,
    condition: ` AND ${isListed('row', 'row')}`,
    parameters: 3,
    text: (found) => `
    SELECT ${KEY}, ${accessColumns('w.role')}, ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (${found}
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY w.at, w.id`,
  });

export const LIST = inEachWorkspace(
  'workspaces.list',
  sql<FoundListed>(`CASE WHEN ${isListed('w', 'w')} THEN ${jsonOf(WORKSPACE, 'w')} END AS json`),
);

const LOCK = {
  name: 'workspaces.lock',
  text: 'SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR UPDATE',
};

const TAKEN_SLUGS = {
  name: 'workspaces.takenSlugs',
  text: 'SELECT slug FROM workspaces WHERE team_id = $1 AND slug = ANY ($2::text[]) AND deleted_at IS NULL',
};

const CREATE = { name: 'workspaces.create', text: insertInto('workspaces', WORKSPACE) };

const UPDATE = {
  name: 'workspaces.update',
  text: `
    UPDATE workspaces SET updated_at = $3, ${setSettings(WORKSPACE, 4)}
    WHERE team_id = $1 AND id = $2`,
};

/** The constraint workspaces_archived_check refuses every other stamp from then on. */
const SET_ARCHIVED = {
  name: 'workspaces.setArchived',
  text: `
    UPDATE workspaces SET archived_at = $3, updated_at = $4,
      archived_stamp = CASE WHEN num_nulls($3::timestamptz) = 0 THEN tree_stamp END
    WHERE team_id = $1 AND id = $2`,
};

const COUNT_ITEMS = {
  name: 'workspaces.countItems',
  text: `
    SELECT count(*) FILTER (WHERE object = 'item')::int AS pages,
      count(*) FILTER (WHERE object = 'collection')::int AS collections
    FROM collections WHERE team_id = $1 AND workspace_id = $2`,
};
