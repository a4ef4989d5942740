import type { Transaction } from '../database/database.js';
import { violatedConstraint } from '../database/database-errors.js';
import { slugTakenInTeam } from './errors.js';
import { type WorkspaceChanges, type WorkspaceKey, type WorkspaceRecord } from './workspace.js';

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
