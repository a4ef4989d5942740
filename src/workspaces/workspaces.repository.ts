import { violatedConstraint } from '@teamspaces/pg-lanes/driver-errors';
import { type ListRead, listRead } from '@teamspaces/pg-lanes/list-reads';
import { type Named, point } from '@teamspaces/pg-lanes/statements';
import type { AccessContext } from '../access/decide.js';
import type { Reader, Transaction } from '../database/database.js';
import { jsonTime } from '../database/time.js';
import { slugTakenInTeam } from './errors.js';
import type {
  FoundWorkspace,
  WorkspaceChanges,
  WorkspaceKey,
  WorkspaceRecord,
} from './workspace.js';

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
  const { teamId, id, name, slug, description } = workspace;
  const { visibility, defaultAccess, treeStamp, createdAt } = workspace;
  const settings = [name, slug, description, visibility, defaultAccess];
  tx.write(CREATE, [teamId, id, ...settings, treeStamp, createdAt], explainSlug(slug));
}

/**
 * Changes what `changes` names.
 * @throws DomainError conflict: the slug is taken in the team
 */
export function updateWorkspace(
  tx: Transaction,
  { id, teamId }: WorkspaceKey,
  changes: WorkspaceChanges,
  now: Date,
): void {
  const { name, slug, description, visibility, defaultAccess } = changes;
  const settings = [name, slug, description, visibility, defaultAccess];
  tx.write(UPDATE, [teamId, id, ...settings, now], explainSlug(slug));
}

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

const TEAM = 't.id AS "teamId", tm.role AS "teamRole", w.id';
const CONTEXT = 'w.visibility, w.default_access AS "defaultAccess"';

/** By id, an index that leaves out the deleted ones must not look useful: the planner would read a team's workspaces. */
const ALIVE = {
  slug: 'w.slug = $4 AND w.deleted_at IS NULL',
  id: 'w.id = $4 AND num_nulls(w.deleted_at) = 1',
};

/**
 * A statement for WorkspacesService.readForAction(). $1 is compared in every table: it runs on the one node that has the team.
 * @param columns to read beside the access to the workspace `w`
 * @param joins where they come from; parameters from $5 on
 */
export const inWorkspace = (
  name: string,
  columns: string,
  joins = '',
  order = '',
  by: 'slug' | 'id' = 'slug',
): Named => ({
  name,
  text: `
    SELECT ${TEAM}, ${CONTEXT}, wm.role AS "workspaceRole", ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND ${ALIVE[by]}
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});

/**
 * SQL: whether the user may know of the workspace `w`, as decide() says. Nothing is read of one that is hidden, so that
 * the time until 404 tells nothing.
 */
export const MAY_SEE = "(wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')";

const RECORD = `t.plan, w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances,
      w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;
/** For WorkspacesService.readForAction(): the workspace. */
export const FIND = point(1, inWorkspace('workspaces.find', RECORD));
const FIND_BY_ID = point(1, inWorkspace('workspaces.findById', RECORD, '', '', 'id'));

const JSON_TEXT = `format(
    '{"_id":"%s","name":%s,"description":%s,"defaultAccess":"%s","meta":{"title":%2$s,"description":%3$s,"slug":"%5$s"},'
      '"Visibility":"%s","version":"%s","createdAt":%sZ","updatedAt":%sZ"',
    w.id, to_json(w.name), to_json(w.description), w.default_access, w.slug, w.visibility, w.tree_stamp,
    ${jsonTime('w.created_at')}, ${jsonTime('w.updated_at')})`;

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
export const inEachWorkspace = (name: string, columns: string): ListRead =>
  listRead({
    name,
    rows: `
      SELECT w.*, w.created_at AS at, wm.role AS "workspaceRole"
      FROM workspaces w${OWN_ROLE}
      WHERE w.team_id = $1 AND w.deleted_at IS NULL`,
    condition: ` AND ${isListed('row')}`,
    parameters: 3,
    text: (found) => `
    SELECT ${TEAM}, ${CONTEXT}, w."workspaceRole", ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (${found}
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY w.at, w.id`,
  });

/** False for a private workspace that the user has no role in. */
const isListed = (of: string): string =>
  `(${of}.visibility = 'public' OR ${of}."workspaceRole" IS NOT NULL)`;

export const LIST = inEachWorkspace(
  'workspaces.list',
  `CASE WHEN ${isListed('w')} THEN ${JSON_TEXT} END AS json`,
);

const LOCK = {
  name: 'workspaces.lock',
  text: 'SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR UPDATE',
};

const TAKEN_SLUGS = {
  name: 'workspaces.takenSlugs',
  text: 'SELECT slug FROM workspaces WHERE team_id = $1 AND slug = ANY ($2::text[]) AND deleted_at IS NULL',
};

const CREATE = {
  name: 'workspaces.create',
  text: `
    INSERT INTO workspaces (team_id, id, name, slug, description, visibility, default_access,
      tree_stamp, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
};

const UPDATE = {
  name: 'workspaces.update',
  text: `
    UPDATE workspaces SET name = coalesce($3, name), slug = coalesce($4, slug),
      description = coalesce($5, description), visibility = coalesce($6, visibility),
      default_access = coalesce($7, default_access), updated_at = $8
    WHERE team_id = $1 AND id = $2`,
};

const COUNT_ITEMS = {
  name: 'workspaces.countItems',
  text: `
    SELECT count(*) FILTER (WHERE object = 'item')::int AS pages,
      count(*) FILTER (WHERE object = 'collection')::int AS collections
    FROM collections WHERE team_id = $1 AND workspace_id = $2`,
};
