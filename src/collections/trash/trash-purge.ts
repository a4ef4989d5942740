import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type {
  PipelinedTransaction,
  Rows,
  Statement,
} from '@teamspaces/pg-lanes/pipelined-transaction';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { JobLock } from '../../jobs/job-lock.js';
import { Metrics } from '../../observability/metrics.js';
import { PurgeRequests } from '../../workspaces/trash/workspace-trash.service.js';
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
  REMOVE_WORDS,
} from './trash-purge-statements.js';

/** What the trash of all teams holds. */
interface TrashCount {
  /** Items that can be restored. */
  restorable: number;
  /** Items of what was purged, which are removed in portions. */
  purged: number;
}

/** Items that one transaction removes, at most. */
const PORTION = 500;
/** Teams whose deletions one transaction marks as purged, and deletions of each, at most. */
const TEAMS = 20;
const DELETIONS = 250;

/**
 * Purges the trash: what has expired, what a team's trash has no room for, and what callers have purged.
 * A deletion that is purged is marked first, and is gone for everybody from then on; its rows are
 * removed in short transactions, which nobody waits for.
 */
@Injectable()
export class TrashPurge extends BackgroundJob {
  private readonly lock;
  private readonly removed;
  private counted: TrashCount = { restorable: 0, purged: 0 };

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Config,
    private readonly requests: PurgeRequests,
    metrics: Metrics,
  ) {
    super('trashPurge');
    this.lock = new JobLock(database, 'trashPurge');
    metrics.gauge(
      'teamspaces_trash_items',
      'Items in the trash of all teams, when this instance last looked: restorable, or purged and waiting for their removal.',
      'state',
      () => Object.entries(this.counted),
    );
    this.removed = metrics.counter(
      'teamspaces_trash_purged_items_total',
      'Items that this instance has removed from the trash for good.',
    );
  }

  override onApplicationBootstrap(): void {
    this.requests.onRequest(() => this.wake());
    super.onApplicationBootstrap();
  }

  /** Marks what is overdue, and removes all that is marked. */
  async runRound(): Promise<void> {
    let teams: number | null = TEAMS;
    while (!this.isOver && teams) teams = await this.markOverdue(TEAMS, DELETIONS);
    for (let items: number | null = 0; items !== null && !this.isOver; ) {
      items = await this.removePortion(PORTION);
      if (items !== null) this.removed.inc(items);
    }
    if (!this.isOver) this.counted = (await this.count()) ?? this.counted;
  }

  /**
   * Marks deletions and workspaces as purged: those that have expired, and the oldest ones of teams whose
   * trash holds more than their plan allows.
   * @param teams at most
   * @param each deletions and workspaces of a team, at most
   * @returns how many teams there were; null: another process is purging just now
   */
  private markOverdue(teams: number, each: number): Promise<number | null> {
    const { planLimits, trashTtlSeconds } = this.config;
    const values = [trashTtlSeconds, JSON.stringify(planLimits), teams];
    // Not with the lock: it looks at the trash of all teams, which one process does.
    return this.lock.run([], async (tx) => {
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
  private removePortion(most: number): Promise<number | null> {
    const look: Statement[] = [
      [NEXT, []],
      [NEXT_WORKSPACE, []],
    ];
    return this.lock.run(look, async (tx, found) => {
      const [[next], [workspace]] = found as [Rows, Rows];
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
   * Removes items of its tree that have none below them, rows of its log of changes and of its index, and marks its
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
      [REMOVE_WORDS, [team_id, id, most]],
      [DELETE_WORKSPACE, [team_id, id]],
    ]);
    return Number(removed?.[0]?.items);
  }

  /** @returns null: another process is purging, or counting, just now */
  private count(): Promise<TrashCount | null> {
    // It looks at the trash of all teams, which one process does at a time.
    return this.lock.run([], async (tx) => {
      const [[row]] = (await tx.run([[COUNT, []]])) as [Rows];
      return { restorable: Number(row?.restorable), purged: Number(row?.purged) };
    });
  }
}
