import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import type { PipelinedTransaction, Rows } from '../../database/pipelined-transaction.js';
import {
  COUNT,
  DELETE_WORKSPACE,
  MARK,
  MARK_DELETIONS,
  NEXT,
  NEXT_WORKSPACE,
  OVERDUE,
  REMOVE_CHANGES,
  REMOVE_DELETIONS,
  REMOVE_FROM_TREE,
  REMOVE_ITEMS,
  TAKE_TURN,
} from './trash-purge-statements.js';

/** What the trash of all teams holds. */
export interface TrashCount {
  /** Items that can be restored. */
  restorable: number;
  /** Items of what was purged, which are removed in portions. */
  purged: number;
}

const BY_ITSELF = { purpose: 'trash purge' };

/** What the purge does in the database: each method is one short transaction. */
@Injectable()
export class TrashPurgeRepository {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Marks deletions and workspaces as purged: those that have expired, and the oldest ones of teams whose
   * trash holds more than their plan allows.
   * @param teams at most
   * @param each deletions and workspaces of a team, at most
   * @returns how many teams there were; null: another process is purging just now
   */
  markOverdue(teams: number, each: number): Promise<number | null> {
    const { planLimits, trashTtlSeconds } = this.config;
    return this.inTurn(async (tx) => {
      const values = [trashTtlSeconds, JSON.stringify(planLimits), teams];
      const [found] = (await tx.run([[OVERDUE, values]])) as [{ team_id: string; plan: Plan }[]];
      await tx.commit(
        found.map(({ team_id, plan }) => {
          const { pages, workspaces } = planLimits[plan];
          return [MARK, [team_id, trashTtlSeconds, pages, workspaces, randomUUID(), each]];
        }),
      );
      return found.length;
    });
  }

  /**
   * Removes up to `most` items of what was purged in one team, and what has none left.
   * @returns how many items; null: nothing is purged, or another process is purging
   */
  removePortion(most: number): Promise<number | null> {
    return this.inTurn(async (tx) => {
      const [[next], [workspace]] = (await tx.run([
        [NEXT, []],
        [NEXT_WORKSPACE, []],
      ])) as [Rows, Rows];
      if (!next) return workspace ? this.removeFromWorkspace(tx, workspace, most) : null;
      const values = [next.team_id, most];
      const [removed] = await tx.commit([
        [REMOVE_ITEMS, values],
        [REMOVE_DELETIONS, values],
      ]);
      return Number(removed?.[0]?.items);
    });
  }

  /**
   * Removes items of its tree that have none below them, and rows of its log of changes, and marks its
   * deletions as purged: they are removed next. At the end it deletes the workspace.
   */
  private async removeFromWorkspace(
    tx: PipelinedTransaction,
    { team_id, id }: Rows[number],
    most: number,
  ): Promise<number> {
    const [removed] = await tx.commit([
      [REMOVE_FROM_TREE, [team_id, id, most]],
      [MARK_DELETIONS, [team_id, id, most]],
      [REMOVE_CHANGES, [team_id, id, most]],
      [DELETE_WORKSPACE, [team_id, id]],
    ]);
    return Number(removed?.[0]?.items);
  }

  async count(): Promise<TrashCount> {
    const [row] = await this.database.query<{ restorable: string; purged: string }>(COUNT, []);
    return { restorable: Number(row?.restorable), purged: Number(row?.purged) };
  }

  /** Runs work in a transaction, if no other process does; null: one does. */
  private inTurn<T>(work: (tx: PipelinedTransaction) => Promise<T | null>): Promise<T | null> {
    return this.database.pipelined(BY_ITSELF, async (tx) => {
      const [[turn]] = (await tx.run([[TAKE_TURN, []]])) as [Rows];
      return turn?.taken ? work(tx) : null;
    });
  }
}
