import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { timedOut, violatedConstraint } from '../../database/database-errors.js';
import { keyBusy } from '../../database/only-once.js';
import { columns, type Statement } from '../../database/pipelined-transaction.js';
import { NEW_PLANS } from '../../database/plan-refresh.js';
import { notFound } from '../../errors/domain-error.js';
import { isAboutKeys } from '../../idempotency/key-statements.js';
import { limitReached } from '../../teams/team.js';
import type { WorkspaceIds } from '../collection.js';
import * as sql from './change-statements.js';
import type { Ask } from './slice.repository.js';
import type { Changes, Slice } from './tree-slice.js';

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

  /** Writes what commands changed, the counter last: it is shared by the whole team. */
  statements(
    { teamId, workspaceId }: WorkspaceIds,
    { inserts, updates, repositioned, isRebalanced }: Omit<Changes, 'removed'>,
    now: Date,
    removedPages = 0,
  ): Statement[] {
    const ids = [teamId, workspaceId];
    const statements: Statement[] = [];
    if (isRebalanced) statements.push([sql.COUNT_REBALANCE, ids]);
    if (updates.length + repositioned.length > 0) {
      const rows = [
        ...updates.map(({ row, savesContent }) => ({
          ...row,
          content: savesContent ? row.content : null,
        })),
        ...repositioned.map((row) => ({ ...row, name: null, content: null, version: null })),
      ];
      statements.push([
        sql.UPDATE,
        [
          ...ids,
          now,
          ...columns(rows, ['id', 'parentId', 'position', 'name', 'content', 'version']),
        ],
      ]);
    }
    if (inserts.length > 0) {
      const names = ['id', 'parentId', 'object', 'name', 'slug', 'position', 'content'] as const;
      statements.push([sql.INSERT, [...ids, now, ...columns(inserts, names)]]);
    }
    const pages = inserts.filter(({ object }) => object === 'item').length - removedPages;
    if (pages !== 0) statements.push([sql.COUNT_PAGES, [...ids, pages, this.pageLimits]]);
    return statements;
  }

  /**
   * Writes what one command changed, and gives the tree a new stamp; violates NOT NULL where the tree
   * is not as the slice has it any more.
   * @returns false where the workspace is gone, and nothing was written
   */
  async writeGuarded(slice: Slice, changes: Changes, stamp: string): Promise<boolean> {
    const { now, treeStamp } = slice;
    const { inserts, updates, repositioned } = changes;
    const written = this.statements(slice, changes, now);
    const [[statement, values]] = written as [Statement];
    const pages = inserts.filter(({ object }) => object === 'item').length;
    const isOneStatement = !(await this.database.isDistributed());
    if (isOneStatement && updates.length + repositioned.length === 0) {
      const counted = [treeStamp, stamp, pages, this.pageLimits];
      const statement: Statement = [sql.INSERT_GUARDED, [...values, ...counted]];
      return (await this.database.write(slice.teamId, statement)).length > 0;
    }
    if (isOneStatement && statement === sql.UPDATE && written.length === 1) {
      const guarded: Statement = [sql.UPDATE_GUARDED, [...values, treeStamp, stamp]];
      return (await this.database.write(slice.teamId, guarded)).length > 0;
    }
    const guard: Statement = [sql.GUARD, [slice.teamId, slice.workspaceId, treeStamp, stamp]];
    const [guarded] = await this.database.pipelined((tx) => tx.commit([guard, ...written]));
    return guarded?.length === 1;
  }

  /** Deletes an item with all below it. @returns how many pages went */
  async remove(ask: Ask, { teamId, workspaceId, items }: Slice, id: string): Promise<number> {
    const mayBeMany = items.get(id)?.object === 'collection';
    const removal: Statement = [sql.REMOVE, [teamId, workspaceId, id]];
    // The foreign key looks for children of each row that goes. A plan for it that was made while the
    // table was nearly empty would walk the whole workspace for each.
    const answers = await ask(mayBeMany ? [[NEW_PLANS, []], removal] : [removal]);
    return answers.at(-1)?.[0]?.pages ?? 0;
  }

  /** What a refusal of the database means to the caller, or the error itself. */
  async explain({ teamId }: WorkspaceIds, error: unknown): Promise<unknown> {
    if (isAboutKeys(error) && timedOut(error)) return keyBusy(error);
    const constraint = violatedConstraint(error);
    if (constraint === 'collections_workspace_fkey') return notFound('workspace');
    if (constraint !== 'team_usage_check') return error;
    const [team] = await this.database.query<{ plan: Plan }>(sql.PLAN, [teamId]);
    if (!team) return notFound('team');
    return limitReached({ ...team, limit: this.config.planLimits[team.plan] }, 'pages');
  }
}
