import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../database/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import type { WorkspaceIds } from '../collection.js';
import { mostChanges } from './changes.js';
import { ChangesPurgeRepository } from './changes-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Rows that one transaction removes, at most, beside the rest of their version. */
const PORTION = 1000;
/** Seconds of the log that the first round looks at: longer than a restart takes. */
const FIRST_LOOK = 3600;
/** Seconds that a round looks back beyond the last one: what was written then may have been committed since. */
const OVERLAP = 15;
/** Workspaces whose size is remembered; the size of others is counted again when they grow. */
const MOST_REMEMBERED = 10_000;

/**
 * Removes changes from the log: what is older than CHANGES_TTL_SECONDS, and the oldest of a workspace that has
 * more than its team's plan allows. Cursors from before them are refused.
 *
 * To find such workspaces, only new rows are read: of each workspace that grows, the size is counted once, and
 * then again when it may have passed its limit.
 */
@Injectable()
export class ChangesPurge extends BackgroundJob {
  private readonly removed;
  /** Rows of logs, at most, by the id of the workspace, in the order in which they grew. */
  private readonly sizes = new Map<string, number>();
  private lookedAt: number | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly changes: ChangesPurgeRepository,
    metrics: Metrics,
  ) {
    super('changes', 'changes were not purged', INTERVAL);
    this.removed = metrics.counter(
      'teamspaces_changes_purged_total',
      'Rows of the log of changes that this instance has removed, by reason: age, or size of the log.',
      ['reason'],
    );
    // From the start, so that the first removal shows as a change.
    for (const reason of ['age', 'size'] as const) this.removed.inc({ reason }, 0);
    metrics.gauge(
      'teamspaces_changes_log_rows',
      'Rows of the largest log of changes among the workspaces that grew, when this instance last looked.',
      'of',
      () => [['largest', Math.max(0, ...this.sizes.values())]],
    );
  }

  /** Removes all that is too old, and what is too much, in portions. */
  async runRound(): Promise<void> {
    while (!this.isOver) {
      const rows = await this.changes.removePortion(this.config.changesTtlSeconds, PORTION);
      if (rows === null) break;
      this.removed.inc({ reason: 'age' }, rows);
    }
    if (!this.isOver) await this.removeExcess();
  }

  private async removeExcess(): Promise<void> {
    const now = performance.now();
    const seconds =
      this.lookedAt === null ? FIRST_LOOK : Math.ceil((now - this.lookedAt) / 1000) + OVERLAP;
    const grown = await this.changes.grown(seconds);
    for (const log of grown) {
      if (this.isOver) return;
      const most = mostChanges(this.config.planLimits[log.plan].pages);
      if (most !== null) await this.limit(log, log.rows, most);
    }
    // Not before: a round that fails is made up for by the next one.
    this.lookedAt = now;
  }

  private async limit(log: WorkspaceIds, grownBy: number, most: number): Promise<void> {
    const known = this.sizes.get(log.workspaceId);
    const rows = known === undefined ? null : known + grownBy;
    if (rows !== null && rows <= most) return this.remember(log, rows);
    const size = await this.changes.size(log, most);
    if (size.excess !== null) await this.removeUpTo(log, size.excess);
    this.remember(log, Math.min(size.rows, most));
  }

  private async removeUpTo(log: WorkspaceIds, version: string): Promise<void> {
    while (!this.isOver) {
      const rows = await this.changes.removeUpTo(log, version, PORTION);
      if (rows === null) return;
      this.removed.inc({ reason: 'size' }, rows);
    }
  }

  private remember({ workspaceId }: WorkspaceIds, rows: number): void {
    this.sizes.delete(workspaceId);
    this.sizes.set(workspaceId, rows);
    const [oldest] = this.sizes.keys();
    if (this.sizes.size > MOST_REMEMBERED && oldest !== undefined) this.sizes.delete(oldest);
  }
}
