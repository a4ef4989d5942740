import { Inject, Injectable } from '@nestjs/common';
import { violatedConstraint } from '@teamspaces/pg-lanes/driver-errors';
import type { Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { arraysOf } from '../../database/fields.js';
import { NO_ID } from '../../database/identifiers.js';
import { archived, busy, notFound } from '../../errors/domain-error.js';
import { isKeyBusy, keyBusy } from '../../idempotency/idempotency-keys.repository.js';
import { limitReached } from '../../teams/errors.js';
import { findWorkspace } from '../../workspaces/workspaces.repository.js';
import { keyTaken } from '../errors.js';
import type { WorkspaceIds } from '../items/collection.js';
import { COALESCED_MINUTES } from '../limits.js';
import {
  CHANGED,
  COUNT_ITEMS,
  COUNT_REBALANCE,
  GUARD,
  INSERT,
  INSERT_GUARDED,
  INSERTED,
  LOG,
  PLACE,
  PLAN,
  UPDATE,
  UPDATE_GUARDED,
  UPDATE_GUARDED_KEEPING,
  UPDATE_KEEPING,
} from './tree-row-statements.js';
import type { AuthoredUpdate, Changes, ItemCounts, Row, Slice } from './tree-slice.js';

/** The tree writer's writes: what commands changed, the log of it, and the team's counters. */
@Injectable()
export class TreeRowsRepository {
  private readonly pageLimits: string;
  private readonly keepsVersions: boolean;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const limits = Object.entries(config.planLimits).map(([plan, { pages }]) => [plan, pages]);
    this.keepsVersions = config.versionsTtlSeconds > 0;
    this.pageLimits = JSON.stringify(Object.fromEntries(limits));
  }

  /** Writes and logs what commands changed, the counters last: they are shared by the whole team. */
  statements(slice: Slice, changes: Changes): Statement[] {
    const statements = this.rows(slice, changes);
    const { pages, collections } = countsOf(changes.inserts);
    if (pages + collections > 0) statements.push(this.count(slice, { pages, collections }));
    return statements;
  }

  /** The same without the counters. */
  rows(slice: Slice, changes: Changes): Statement[] {
    return changeStatements(slice, changes, this.keepsVersions);
  }

  /** Counts items that came or went; past the plan's limit, violates a constraint: see explain(). */
  count({ teamId, workspaceId }: WorkspaceIds, { pages, collections }: ItemCounts): Statement {
    return [COUNT_ITEMS, [teamId, workspaceId, pages, collections, this.pageLimits]];
  }

  /**
   * Writes what one command changed, and gives the tree a new stamp; violates NOT NULL where the tree
   * is not as the slice has it any more.
   * @param stored the response under the command's idempotency key, if it has one
   * @returns false where the workspace is gone, and nothing was written
   */
  async writeGuarded(
    slice: Slice,
    changes: Changes,
    stamp: string,
    stored: readonly Statement[],
  ): Promise<boolean> {
    const { teamId, workspaceId, treeStamp } = slice;
    const { inserts, updates, repositioned, isRebalanced } = changes;
    const by = { teamId };
    if (!isRebalanced && stored.length === 0 && !(await this.database.isDistributed())) {
      if (updates.length === 0) {
        const { pages, collections } = countsOf(inserts);
        const counted = [treeStamp, stamp, pages, collections, this.pageLimits];
        const values = insertValues(slice, inserts, counted);
        return (await this.database.write(by, [INSERT_GUARDED, values])).length > 0;
      }
      if (inserts.length === 0) {
        const values = updateValues(slice, updates, repositioned, [treeStamp, stamp]);
        const keeps = this.keepsVersions && updates.some((update) => begins(slice, update));
        const statement = keeps ? UPDATE_GUARDED_KEEPING : UPDATE_GUARDED;
        return (await this.database.write(by, [statement, values])).length > 0;
      }
    }
    const guard: Statement = [GUARD, [teamId, workspaceId, treeStamp, stamp]];
    const written = [guard, ...stored, ...this.statements(slice, changes)];
    const [guarded] = await this.database.pipelined(by, (tx) => tx.commit(written));
    return guarded?.length === 1;
  }

  /**
   * What a refusal of the database means to the caller, or the error itself.
   * @param sourceId the workspace that a subtree comes from
   */
  async explain(
    { teamId, workspaceId }: WorkspaceIds,
    error: unknown,
    sourceId: string | null = null,
  ): Promise<unknown> {
    if (isKeyBusy(error)) return keyBusy(error.cause);
    const constraint = violatedConstraint(error);
    if (constraint === 'workspaces_archived_check') {
      for (const id of [workspaceId, sourceId ?? workspaceId]) {
        const found = await findWorkspace(this.database, { teamId, id }, NO_ID);
        if (found?.archivedAt) return archived(found.name);
      }
      return busy(error);
    }
    if (constraint === 'collections_workspace_fkey') return notFound('workspace');
    if (constraint === 'collections_workspace_key_key') return keyTaken('');
    const resource = LIMITED_BY[constraint ?? ''];
    if (resource === undefined) return error;
    const [team] = await this.database.query<{ plan: Plan }>(PLAN, [teamId]);
    if (!team) return notFound('team');
    return limitReached({ ...team, limit: this.config.planLimits[team.plan] }, resource);
  }
}

/** What is past the plan's limit, by the constraint that says so. */
const LIMITED_BY: Record<string, 'pages' | 'collections'> = {
  team_usage_check: 'pages',
  team_usage_collections_check: 'collections',
};

export function countsOf(items: readonly Pick<Row, 'object'>[]): ItemCounts {
  const pages = items.filter(({ object }) => object === 'item').length;
  return { pages, collections: items.length - pages };
}

/**
 * Writes rows, updates before inserts, and logs them.
 * @param keepsVersions what a page was before its content is saved is kept as a version
 */
export function changeStatements(
  slice: Slice,
  { inserts, updates, overwritten, repositioned, isRebalanced }: Changes,
  keepsVersions = false,
): Statement[] {
  const statements: Statement[] = [];
  if (isRebalanced) statements.push([COUNT_REBALANCE, [slice.teamId, slice.workspaceId]]);
  const isAnyOverwritten = keepsVersions && overwritten.length > 0;
  if (isAnyOverwritten) {
    for (const contents of overwritten) {
      statements.push([UPDATE_KEEPING, updateValues(slice, contents.map(onlyContent), [])]);
    }
  }
  if (updates.length + repositioned.length > 0) {
    const keeps =
      keepsVersions && (isAnyOverwritten || updates.some((update) => begins(slice, update)));
    const statement = keeps ? UPDATE_KEEPING : UPDATE;
    statements.push([statement, updateValues(slice, updates, repositioned)]);
  }
  if (inserts.length > 0) statements.push([INSERT, insertValues(slice, inserts)]);
  const changed = [...inserts, ...updates.map(({ row }) => row), ...repositioned];
  if (changed.length > 0) {
    statements.push(
      log(
        slice,
        changed.map(({ id }) => id),
      ),
    );
  }
  return statements;
}

/**
 * Whether a content is not the continuation of the one that was there. The statements decide it by the row, which is
 * as the slice has it: here it only saves those that continue the statement that can keep a version.
 */
function begins({ now }: Slice, { row, contentWrite, writtenBy }: AuthoredUpdate): boolean {
  if (contentWrite === null) return false;
  const since = row.savedSince?.getTime() ?? 0;
  const isOwn = row.savedBy === writtenBy && since > now.getTime() - COALESCED_MINUTES * 60_000;
  return contentWrite === 'restore' || !isOwn;
}

/** An update that leaves place and settings as they are: what the batch makes of them is written last. */
const onlyContent = ({ row, ...update }: AuthoredUpdate) => ({
  ...update,
  row: { ...row, position: null },
});

/** An AuthoredUpdate, or what onlyContent() makes of one. */
type WrittenUpdate = Omit<AuthoredUpdate, 'row'> & {
  row: Omit<Row, 'position'> & { position: string | null };
};

/**
 * An array that is too short is filled up with nulls: of what is repositioned, only the place is written.
 * @param guard the parameters of a guarded statement
 */
function updateValues(
  { teamId, workspaceId, now }: Slice,
  updates: readonly WrittenUpdate[],
  repositioned: Changes['repositioned'],
  guard: readonly unknown[] = [],
): unknown[] {
  const rows = updates.map(({ row }) => row);
  const { author, authors } = authorsOf(rows);
  const writers = updates.map(({ writtenBy }) => writtenBy);
  const writes = updates.map(({ contentWrite }) => (contentWrite === 'save' ? null : contentWrite));
  return [
    ...[teamId, workspaceId, now, author, ...guard],
    ...arraysOf(PLACE, [...rows, ...repositioned]),
    ...arraysOf(CHANGED, rows),
    updates.map(({ row, contentWrite }) => contentWrite && row.content),
    authors,
    // Somebody else may have renamed in the same batch what one has saved.
    writers.some((writer) => writer !== null && writer !== author) ? writers : [],
    writes.some((write) => write !== null) ? writes : [],
  ];
}

function insertValues(
  { teamId, workspaceId, now }: Slice,
  inserts: readonly Row[],
  guard: readonly unknown[] = [],
): unknown[] {
  const { author, authors } = authorsOf(inserts);
  return [teamId, workspaceId, now, author, ...guard, ...arraysOf(INSERTED, inserts), authors];
}

/** Who wrote rows: one for all of them, or that of each. A batch is mostly of one. */
function authorsOf(rows: readonly Pick<Row, 'updatedBy'>[]) {
  const authors = rows.map(({ updatedBy }) => updatedBy);
  const [author = null] = authors;
  return authors.some((other) => other !== author)
    ? { author: null, authors }
    : { author, authors: [] };
}

/** Logs items as changed by this commit; none: it changed no item, but its version has a row. */
export const log = (
  { teamId, workspaceId, treeStamp }: Pick<Slice, keyof WorkspaceIds | 'treeStamp'>,
  ids: readonly string[] | string,
): Statement => [LOG, [teamId, workspaceId, ids.length > 0 ? ids : [workspaceId], treeStamp]];
