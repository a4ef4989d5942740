import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../database/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import { ChangesPurgeRepository } from './changes-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Rows that one transaction removes, at most, beside the rest of their version. */
const PORTION = 1000;

/**
 * Removes changes from the log that are older than CHANGES_TTL_SECONDS; cursors from before them are
 * refused.
 */
@Injectable()
export class ChangesPurge extends BackgroundJob {
  private readonly removed;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: ChangesPurgeRepository,
    metrics: Metrics,
  ) {
    super('changes', 'changes were not purged', INTERVAL);
    this.removed = metrics.counter(
      'teamspaces_changes_purged_total',
      'Rows of the log of changes that this instance has removed.',
    );
  }

  /** Removes all that is too old, in portions. */
  async runRound(): Promise<void> {
    while (!this.isOver) {
      const rows = await this.changes.removePortion(this.config.changesTtlSeconds, PORTION);
      if (rows === null) return;
      this.removed.inc(rows);
    }
  }
}
