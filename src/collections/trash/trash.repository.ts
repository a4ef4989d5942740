import { Inject, Injectable } from '@nestjs/common';
import { ALL } from '@teamspaces/pg-lanes/list-reads';
import { manyRows, point } from '@teamspaces/pg-lanes/statements';
import { type Author, onItem, onWorkspace, record } from '../../audit/audit-entries.repository.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/identifiers.js';
import { MAX_HELD } from '../../http/limits.js';
import { type Listed, type PageRequest, pageOf } from '../../http/pagination.js';
import { type Deleted, isInTrash } from '../../workspaces/trash/workspace-trash.repository.js';
import type { Workspace } from '../../workspaces/workspace.js';
import type { ObjectKind, WorkspaceIds } from '../items/collection.js';
import { trashedRoot } from '../items/item-sql.js';
import {
  type FoundItem,
  type FoundRow,
  findIn,
  findOnNodes,
  isFound,
} from '../items/items.repository.js';
import type { Deletion } from '../subtrees/subtree-rules.js';

/** A deletion as the trash shows it. */
export interface ListedDeletion extends Deleted {
  /** The deleted item's. */
  id: string;
  name: string;
  title: string;
  slug: string;
  object: ObjectKind;
  /** The parent that the item had; null: top level. */
  parentId: string | null;
  /** What the deletion holds, the item included. */
  pages: number;
  collections: number;
}

/** A deletion that can be restored, and what its team has room for. */
export interface FoundDeletion {
  deletion: Deletion;
  plan: Plan;
  usage: { pages: number; collections: number };
}

type ListedRow = Omit<ListedDeletion, 'expiresAt'>;

type DeletionRow = Deletion & { plan: Plan; usedPages: number; usedCollections: number };

type PurgedRow = Pick<ListedRow, 'id' | 'title' | 'object' | 'pages' | 'collections'>;

/** What one portion holds. */
interface EmptiedRow {
  /** Those that it looked at: others may have restored or purged some of them meanwhile. */
  found: number;
  deletions: number;
  pages: number;
  collections: number;
}

/** Deletions that one statement marks as purged. */
const PORTION = 5000;

/** The trash of workspaces. A deletion that has expired, or was purged, is as good as gone. */
@Injectable()
export class TrashRepository {
  private readonly ttlSeconds: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.ttlSeconds = config.trashTtlSeconds;
  }

  /** The deletions of a workspace, newest first. */
  async list(
    callerId: string,
    ids: WorkspaceIds,
    page: PageRequest,
  ): Promise<Listed<ListedDeletion>> {
    const { teamId, workspaceId } = ids;
    const { limit, after } = page;
    const from = [after?.at ?? null, after?.id ?? null];
    const values = [teamId, workspaceId, this.ttlSeconds, ...from, (limit ?? MAX_HELD) + 1];
    const rows = await this.database.query<ListedRow>(LIST, values, { callerId, teamId });
    if (limit === undefined && rows.length > MAX_HELD) return this.stream(callerId, ids, page);
    const listed = rows.map((row) => this.toListed(row));
    return pageOf(listed, page, ({ deletedAt: at, id }) => ({ at, id }));
  }

  /**
   * All deletions of a workspace as fast as their caller takes them, of one moment, in portions.
   * @throws DomainError rate_limit_exceeded: too many large responses to this caller are in progress
   */
  private async *stream(
    callerId: string,
    { teamId, workspaceId }: WorkspaceIds,
    { after }: PageRequest,
  ): AsyncGenerator<ListedDeletion[], void> {
    const from = [after?.at ?? null, after?.id ?? null];
    const values = [teamId, workspaceId, this.ttlSeconds, ...from, ALL];
    for await (const rows of this.database.large.forCaller<ListedRow>(callerId, [LIST, values])) {
      yield rows.map((row) => this.toListed(row));
    }
  }

  private toListed(row: ListedRow): ListedDeletion {
    return { ...row, expiresAt: new Date(row.deletedAt.getTime() + this.ttlSeconds * 1000) };
  }

  /** The place of a deletion that no workspace was named for; null: there is none of this id. */
  async findPlace(id: string, userId: string): Promise<FoundItem | null> {
    if (!isUuid(id)) return null;
    const find = (await this.database.isDistributed()) ? FIND_PLACE_ON_NODES : FIND_PLACE;
    const [row] = await this.database.query<FoundRow>(find, [id, userId]);
    return isFound(row) ? row : null;
  }

  /** A deletion of a workspace; null: there is none of this id. */
  async find({ teamId, workspaceId }: WorkspaceIds, id: string): Promise<FoundDeletion | null> {
    if (!isUuid(id)) return null;
    const values = [teamId, workspaceId, id, this.ttlSeconds];
    const [row] = await this.database.query<DeletionRow>(FIND, values);
    if (!row) return null;
    const { plan, usedPages, usedCollections, ...deletion } = row;
    return { deletion, plan, usage: { pages: usedPages, collections: usedCollections } };
  }
}

/**
 * Purges a deletion, and records it.
 * @param ttlSeconds for which deletions are there
 * @returns false: there is none of this id
 */
export async function purgeDeletion(
  tx: Transaction,
  caller: Author,
  { teamId, workspaceId }: WorkspaceIds,
  id: string,
  ttlSeconds: number,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const [purged] = await tx.query<PurgedRow>(PURGE, [teamId, workspaceId, id, ttlSeconds]);
  if (!purged) return false;
  const { pages, collections } = purged;
  const details = { pages, collections };
  record(tx, teamId, caller, { action: 'item.purged', ...onItem(workspaceId, purged), details });
  return true;
}

/**
 * Purges a portion of the deletions of a workspace that were there at a time, and records it.
 * @returns false: there are no more
 */
export async function purgePortion(
  tx: Transaction,
  caller: Author,
  workspace: Pick<Workspace, 'id' | 'teamId' | 'name'>,
  until: Date,
): Promise<boolean> {
  const { id, teamId } = workspace;
  const rows = await tx.query<EmptiedRow>(EMPTY, [teamId, id, until, PORTION]);
  const [{ found, ...details }] = rows as [EmptiedRow];
  if (details.deletions > 0) {
    record(tx, teamId, caller, { action: 'trash.emptied', ...onWorkspace(workspace), details });
  }
  return found === PORTION;
}

const LIST = manyRows({
  name: 'trash.list',
  text: `
    SELECT d.id, d.name, coalesce(root.title, d.name) AS title, root.slug, d.object, d.parent_id AS "parentId", d.pages, d.collections,
      d.deleted_at AS "deletedAt", d.deleted_by AS "deletedBy", u.name AS "deletedByName"
    FROM trash_deletions d
    LEFT JOIN LATERAL (${trashedRoot('d')}) AS root ON true
    LEFT JOIN users u ON u.id = d.deleted_by
    WHERE d.team_id = $1 AND d.workspace_id = $2 AND ${isInTrash('d', '$3')}
      AND ($4::timestamptz IS NULL OR (d.deleted_at, d.id) < ($4::timestamptz, $5::uuid))
    ORDER BY d.deleted_at DESC, d.id DESC LIMIT $6`,
});

const FIND_PLACE = point(1, findIn('trash.findPlace', 'trash_deletions'));
const FIND_PLACE_ON_NODES = point(1, findOnNodes('trash.findPlaceOnNodes', 'trash_deletions'));

const FIND = point(1, {
  name: 'trash.find',
  text: `
    SELECT d.id, d.deleted_at AS "deletedAt", d.parent_id AS "parentId", d.position, d.rebalances,
      d.before_id AS "beforeId", d.after_id AS "afterId", d.height, d.pages, d.collections,
      t.plan, u.pages AS "usedPages", u.collections AS "usedCollections"
    FROM trash_deletions d
    JOIN teams t ON t.id = d.team_id
    JOIN team_usage u ON u.team_id = d.team_id
    WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2 AND ${isInTrash('d', '$4')}`,
});

const PURGE = {
  name: 'trash.purge',
  text: `
    UPDATE trash_deletions d SET purged_at = now()
    WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2 AND ${isInTrash('d', '$4')}
    RETURNING d.id, coalesce((SELECT title FROM (${trashedRoot('d')}) AS root), d.name) AS title, d.object,
      d.pages, d.collections`,
};

/** What others restore or purge just now is waited for. */
const EMPTY = {
  name: 'trash.empty',
  text: `
    WITH found AS MATERIALIZED (
      SELECT ARRAY (
        SELECT ctid FROM trash_deletions
        WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL AND deleted_at <= $3
        ORDER BY deleted_at LIMIT $4
      ) AS places
    ), purged AS (
      UPDATE trash_deletions SET purged_at = now()
      WHERE team_id = $1 AND purged_at IS NULL AND ctid = ANY ((SELECT places FROM found)::tid[])
      RETURNING pages, collections
    )
    SELECT (SELECT cardinality(places) FROM found) AS found, count(*)::int AS deletions, coalesce(sum(pages), 0)::int AS pages,
      coalesce(sum(collections), 0)::int AS collections
    FROM purged`,
};
