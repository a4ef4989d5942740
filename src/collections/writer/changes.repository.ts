import { Inject, Injectable } from '@nestjs/common';
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { type Author, onItem } from '../../audit/audit-entry.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { violatedConstraint } from '../../database/database-errors.js';
import { columns, type Statement } from '../../database/pipelined-transaction.js';
import { notFound } from '../../errors/domain-error.js';
import { isKeyBusy, keyBusy } from '../../idempotency/idempotency-keys.repository.js';
import { limitReached } from '../../teams/errors.js';
import { type Item, MAX_MOVED, type Removal, type WorkspaceIds } from '../items/collection.js';
import * as sql from './change-statements.js';
import type { RunStatements } from './slice.repository.js';
import type { ItemCounts } from './subtree-rules.js';
import * as trash from './trash-statements.js';
import type { Changes, Row, Slice } from './tree-slice.js';

/** The tree writer's writes: the changes of commands, and the removal of a subtree. */
@Injectable()
export class ChangesRepository {
  private readonly pageLimits: string;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const limits = Object.entries(config.planLimits).map(([plan, { pages }]) => [plan, pages]);
    this.pageLimits = JSON.stringify(Object.fromEntries(limits));
  }

  /** Writes and logs what commands changed, the counter last: it is shared by the whole team. */
  statements(slice: Slice, changes: RowChanges, removed: Removed = NONE): Statement[] {
    const statements = [...removed.statements, ...rowStatements(slice, changes)];
    const changed = idsOf(changes);
    if (changed.length > 0) statements.push(this.log(slice, changed));
    const made = countsOf(changes.inserts);
    const pages = made.pages - removed.pages;
    const collections = made.collections - removed.collections;
    if (pages !== 0 || collections !== 0) {
      statements.push(this.count(slice, { pages, collections }));
    }
    return statements;
  }

  /** Logs items as changed by this commit; none: it changed no item, but its version has a row. */
  log(
    { teamId, workspaceId, treeStamp }: Pick<Slice, keyof WorkspaceIds | 'treeStamp'>,
    ids: readonly string[] | string,
  ): Statement {
    const logged = ids.length > 0 ? ids : [workspaceId];
    return [sql.LOG, [teamId, workspaceId, logged, treeStamp]];
  }

  /** Counts items that came; past the plan's limit, violates a constraint: see explain(). */
  count({ teamId, workspaceId }: WorkspaceIds, { pages, collections }: ItemCounts): Statement {
    return [sql.COUNT_ITEMS, [teamId, workspaceId, pages, collections, this.pageLimits]];
  }

  /**
   * Writes what one command changed, and gives the tree a new stamp; violates NOT NULL where the tree
   * is not as the slice has it any more.
   * @returns false where the workspace is gone, and nothing was written
   */
  async writeGuarded(slice: Slice, changes: Changes, stamp: string): Promise<boolean> {
    const { treeStamp } = slice;
    const { inserts, updates, repositioned } = changes;
    const rows = rowStatements(slice, changes);
    const [[statement, values]] = rows as [Statement];
    const isOneStatement = !(await this.database.isDistributed());
    if (isOneStatement && updates.length + repositioned.length === 0) {
      const { pages, collections } = countsOf(inserts);
      const counted = [treeStamp, stamp, pages, collections, this.pageLimits];
      const statement: Statement = [sql.INSERT_GUARDED, [...values, ...counted]];
      return (await this.database.write({ teamId: slice.teamId }, statement)).length > 0;
    }
    if (isOneStatement && statement === sql.UPDATE && rows.length === 1) {
      const guarded: Statement = [sql.UPDATE_GUARDED, [...values, treeStamp, stamp]];
      return (await this.database.write({ teamId: slice.teamId }, guarded)).length > 0;
    }
    const guard: Statement = [sql.GUARD, [slice.teamId, slice.workspaceId, treeStamp, stamp]];
    const by = { teamId: slice.teamId };
    const written = [guard, ...this.statements(slice, changes)];
    const [guarded] = await this.database.pipelined(by, (tx) => tx.commit(written));
    return guarded?.length === 1;
  }

  /** Reads the subtree that a removal takes: of too large a one, one item more than may be deleted. */
  async readRemoved(
    run: RunStatements,
    { teamId, workspaceId }: Slice,
    { id, trashedBy }: Removal,
  ): Promise<RemovedSubtree> {
    const item = [teamId, workspaceId, id];
    const reads: Statement[] = [[sql.SUBTREE, [...item, MAX_MOVED + 1]]];
    if (trashedBy !== null) reads.push([trash.NEIGHBOURS, item]);
    const [[subtree], [neighbours] = []] = (await run(reads)) as [[Subtree], [Neighbours]?];
    return { ...subtree, neighbours: neighbours ?? null };
  }

  /** What a removal of a subtree takes away: its statements are those of the commit. */
  removal(
    slice: Slice,
    { id, trashedBy }: Removal,
    subtree: RemovedSubtree,
    author: Author,
  ): Removed {
    const ids = [slice.teamId, slice.workspaceId];
    const { pages, collections, neighbours } = subtree;
    const statements: Statement[] = [[sql.LOG, [...ids, subtree.ids, slice.treeStamp]]];
    const item = slice.items.get(id) as Row;
    if (trashedBy !== null && neighbours) {
      const { parentId, object, name, position } = item;
      const { before_id, after_id } = neighbours;
      const place = [parentId, object, name, position, before_id, after_id];
      const size = [subtree.height, pages, collections];
      statements.push(
        [trash.INSERT_DELETION, [...ids, id, ...place, ...size, slice.now, trashedBy]],
        [trash.COPY_TO_TRASH, [...ids, id, subtree.ids]],
      );
    }
    const details = { pages, collections, permanent: trashedBy === null };
    const about = onItem(slice.workspaceId, item);
    statements.push(
      [sql.DELETE, [...ids, subtree.ids]],
      recordStatement(slice.teamId, author, [{ action: 'item.deleted', ...about, details }]),
    );
    return { pages, collections, statements };
  }

  /** What a refusal of the database means to the caller, or the error itself. */
  async explain({ teamId }: WorkspaceIds, error: unknown): Promise<unknown> {
    if (isKeyBusy(error)) return keyBusy(error.cause);
    const constraint = violatedConstraint(error);
    if (constraint === 'collections_workspace_fkey') return notFound('workspace');
    const resource = LIMITED_BY[constraint ?? ''];
    if (resource === undefined) return error;
    const [team] = await this.database.query<{ plan: Plan }>(sql.PLAN, [teamId]);
    if (!team) return notFound('team');
    return limitReached({ ...team, limit: this.config.planLimits[team.plan] }, resource);
  }
}

/** The ids of the items that changed. */
const idsOf = ({ inserts, updates, repositioned }: RowChanges): string[] => [
  ...inserts.map(({ id }) => id),
  ...updates.map(({ row }) => row.id),
  ...repositioned.map(({ id }) => id),
];

/** Writes rows, updates before inserts. */
function rowStatements(
  { teamId, workspaceId, now }: Slice,
  { inserts, updates, repositioned, isRebalanced }: RowChanges,
): Statement[] {
  const ids = [teamId, workspaceId];
  const statements: Statement[] = [];
  if (isRebalanced) statements.push([sql.COUNT_REBALANCE, ids]);
  if (updates.length + repositioned.length > 0) {
    const rows = [
      ...updates.map(({ row, savesContent }) => (savesContent ? row : withoutContent(row))),
      ...repositioned.map((row) => ({ ...row, name: null, content: null, version: null })),
    ];
    statements.push([
      sql.UPDATE,
      [
        ...ids,
        now,
        ...plainColumns(rows, ['id', 'parentId', 'position']),
        ...columns(rows, ['name', 'content', 'version']),
      ],
    ]);
  }
  if (inserts.length > 0) {
    const names = ['id', 'parentId', 'object', 'name', 'slug', 'position', 'content'] as const;
    statements.push([sql.INSERT, [...ids, now, ...columns(inserts, names)]]);
  }
  return statements;
}

/**
 * Columns as the text of arrays, of ids and positions: none has quotes or backslashes. node-postgres
 * looks for them in each value, which takes longer than all else that is done for a long order.
 */
const plainColumns = <K extends string>(
  rows: readonly Record<K, string | null>[],
  names: readonly K[],
): string[] =>
  names.map((name) => {
    const values = rows.map((row) => (row[name] === null ? 'NULL' : `"${row[name]}"`));
    return `{${values.join(',')}}`;
  });

/** Only what is written of a row, field by field: to copy the others is slow, and orders are long. */
const withoutContent = ({ id, parentId, position, name, version }: Row) => ({
  id,
  parentId,
  position,
  name,
  version,
  content: null,
});

/** Changes of rows; subtrees that go or come back are another matter. */
type RowChanges = Omit<Changes, 'removed' | 'restored' | 'arrived'>;

/** What goes, and the statements that log and remove it. */
export interface Removed extends ItemCounts {
  statements: Statement[];
}

const NONE: Removed = { pages: 0, collections: 0, statements: [] };

/** The row of SUBTREE. */
interface Subtree extends ItemCounts {
  /** The text of an array. */
  ids: string;
  height: number;
}

/** A subtree that is to be removed; `neighbours`: of what goes to the trash. */
interface RemovedSubtree extends Subtree {
  neighbours: Neighbours | null;
}

/** The row of NEIGHBOURS. */
interface Neighbours {
  before_id: string | null;
  after_id: string | null;
}

function countsOf(items: readonly Pick<Item, 'object'>[]): ItemCounts {
  const pages = items.filter(({ object }) => object === 'item').length;
  return { pages, collections: items.length - pages };
}

/** What is past the plan's limit, by the constraint that says so. */
const LIMITED_BY: Record<string, 'pages' | 'collections'> = {
  team_usage_check: 'pages',
  team_usage_collections_check: 'collections',
};
