import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Metrics } from '../../observability/metrics.js';
import { PurgeRequests } from '../../workspaces/trash/purge-requests.js';
import { type TrashCount, TrashPurgeRepository } from './trash-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Items that one transaction removes, at most. */
const PORTION = 500;
/** Teams whose deletions one transaction marks as purged, at most. */
const TEAMS = 100;

/**
 * Purges the trash: what has expired, what a team's trash has no room for, and what callers have purged.
 * Every instance does, one at a time. A deletion that is purged is marked first, and is gone for
 * everybody from then on; its rows are removed in short transactions, which nobody waits for.
 */
@Injectable()
export class TrashPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('trash');
  private readonly removed;
  private timer: NodeJS.Timeout | undefined;
  private rounds: Promise<void> | null = null;
  private isWoken = false;
  private isOver = false;
  private counted: TrashCount = { restorable: 0, purged: 0 };

  constructor(
    private readonly trash: TrashPurgeRepository,
    private readonly requests: PurgeRequests,
    metrics: Metrics,
  ) {
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

  onApplicationBootstrap(): void {
    this.requests.handleBy(() => this.wake());
    this.timer = setInterval(() => this.wake(), INTERVAL).unref();
  }

  /** Purges now; to be called after the commit that marked something. Never fails or waits. */
  wake(): void {
    if (this.isOver) return;
    this.isWoken = true;
    this.rounds ??= this.run().finally(() => {
      this.rounds = null;
    });
  }

  /** A transaction under way ends. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    await this.rounds;
  }

  /** Marks what is overdue, and removes all that is marked. */
  async purge(): Promise<void> {
    while (!this.isOver && (await this.trash.markOverdue(TEAMS)) === TEAMS);
    for (;;) {
      const items = this.isOver ? null : await this.trash.removePortion(PORTION);
      if (items === null) break;
      this.removed.inc(items);
    }
    if (!this.isOver) this.counted = await this.trash.count();
  }

  private async run(): Promise<void> {
    while (this.isWoken && !this.isOver) {
      this.isWoken = false;
      await this.purge().catch((error: Error) => {
        if (!this.isOver) this.logger.warn(`the trash was not purged: ${error.message}`);
      });
    }
  }
}
