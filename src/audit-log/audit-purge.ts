import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { BackgroundJob } from '../database/background-job.js';
import { Metrics } from '../observability/metrics.js';
import { AuditPurgeRepository } from './audit-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Entries that one transaction removes, at most. */
const PORTION = 1000;

/** Removes entries of audit logs that are older than AUDIT_TTL_SECONDS. */
@Injectable()
export class AuditPurge extends BackgroundJob {
  private readonly removed;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly entries: AuditPurgeRepository,
    metrics: Metrics,
  ) {
    super('audit', 'audit logs were not purged', INTERVAL);
    this.removed = metrics.counter(
      'teamspaces_audit_purged_total',
      'Entries of audit logs that this instance has removed.',
    );
  }

  /** Removes all that is too old, in portions. */
  async runRound(): Promise<void> {
    while (!this.isOver) {
      const removed = await this.entries.removePortion(this.config.auditTtlSeconds, PORTION);
      if (removed === null) return;
      this.removed.inc(removed);
    }
  }
}
