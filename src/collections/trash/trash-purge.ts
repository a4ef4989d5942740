import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../database/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import { PurgeRequests } from '../../workspaces/trash/purge-requests.js';
import { type TrashCount, TrashPurgeRepository } from './trash-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
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
  private readonly removed;
  private counted: TrashCount = { restorable: 0, purged: 0 };

  constructor(
    private readonly trash: TrashPurgeRepository,
    private readonly requests: PurgeRequests,
    metrics: Metrics,
  ) {
    super('trash', 'the trash was not purged', INTERVAL);
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
    this.requests.handleBy(() => this.wake());
    super.onApplicationBootstrap();
  }

  /** Marks what is overdue, and removes all that is marked. */
  async runRound(): Promise<void> {
    let teams: number | null = TEAMS;
    while (!this.isOver && teams) teams = await this.trash.markOverdue(TEAMS, DELETIONS);
    for (;;) {
      const items = this.isOver ? null : await this.trash.removePortion(PORTION);
      if (items === null) break;
      this.removed.inc(items);
    }
    if (!this.isOver) this.counted = await this.trash.count();
  }
}
