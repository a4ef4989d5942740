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
import { AuditPurgeRepository } from './audit-purge.repository.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Entries that one transaction removes, at most. */
const PORTION = 1000;

/**
 * Removes entries of audit logs that are older than AUDIT_TTL_SECONDS. Every instance does, one at a time.
 */
@Injectable()
export class AuditPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('audit');
  private readonly removed;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly entries: AuditPurgeRepository,
    metrics: Metrics,
  ) {
    this.removed = metrics.counter(
      'teamspaces_audit_purged_total',
      'Entries of audit logs that this instance has removed.',
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.round = this.round
        .then(() => this.purge())
        .catch((error: Error) => this.logger.warn(`audit logs were not purged: ${error.message}`));
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
      const removed = await this.entries.removePortion(this.config.auditTtlSeconds, PORTION);
      if (removed === null) return;
      this.removed.inc(removed);
    }
  }
}
