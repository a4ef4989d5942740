import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Metrics } from '../../observability/metrics.js';
import { ChangesPurgeRepository } from './changes-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Rows that one transaction removes, at most, beside the rest of their version. */
const PORTION = 1000;

/**
 * Removes changes from the log that are older than CHANGES_TTL_SECONDS; cursors from before them are
 * refused. Every instance does, one at a time.
 */
@Injectable()
export class ChangesPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('changes');
  private readonly removed;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: ChangesPurgeRepository,
    metrics: Metrics,
  ) {
    this.removed = metrics.counter(
      'teamspaces_changes_purged_total',
      'Rows of the log of changes that this instance has removed.',
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.round = this.round
        .then(() => this.purge())
        .catch((error: Error) => this.logger.warn(`changes were not purged: ${error.message}`));
    }, INTERVAL).unref();
  }

  /** A transaction under way ends. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    await this.round;
  }

  /** Removes all that is too old, in portions. */
  async purge(): Promise<void> {
    while (!this.isOver) {
      const rows = await this.changes.removePortion(this.config.changesTtlSeconds, PORTION);
      if (rows === null) return;
      this.removed.inc(rows);
    }
  }
}
