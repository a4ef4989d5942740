import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import { IndexPace } from './index-pace.js';
import { type BehindWorkspace, IndexQueue } from './index-queue.js';
import { IndexWriter } from './index-writer.js';
import {
  anyIndexed,
  clearIndex,
  endLease,
  findBehind,
  findChanged,
  takeLease,
} from './page-indexer.repository.js';

/** Milliseconds by which times of changes may be wrong: they are drawn before the commit, and clocks differ. */
const OVERLAP = 5_000;
/** Milliseconds after which all workspaces are compared with their indexes, whatever the times of changes. */
const COMPARE_INTERVAL = 30_000;
/** Milliseconds after which a workspace with a page that has to wait is looked at again. */
const RETRY = 1_000;

/** Milliseconds that a pause takes at most. */
const MAX_PAUSE = 8_000;

/**
 * Keeps the index of words that search in pages uses: it follows the logs of changes of all workspaces. One instance at a
 * time does it, by a lease; an instance that dies is succeeded within 15 seconds. A lost or doubled round does no
 * harm: a portion is written only if the position of its workspace is where it was read, see index-writer.ts.
 */
@Injectable()
export class PageIndexer extends BackgroundJob {
  private readonly holder = randomUUID();
  private readonly queue = new IndexQueue();
  /** The newest version of each workspace that was found by its time and is in the index. */
  private readonly done = new Map<string, number>();
  private foundAt = Number.NEGATIVE_INFINITY;
  private comparedAt = Number.NEGATIVE_INFINITY;
  private readonly pace = new IndexPace();
  private paused = performance.eventLoopUtilization();

  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    super('pageIndexer');
    metrics.gauge(
      'teamspaces_search_behind_seconds',
      'How old the oldest change is that search in pages does not have in its index; 0 on instances that do not keep it.',
      'of',
      () => [['index', this.secondsBehind()]],
    );
  }

  async runRound(): Promise<void> {
    if (!this.config.searchContent) return this.clear();
    const now = await takeLease(this.database, this.holder);
    if (now === null) return this.giveUp();
    await this.find(now.getTime());
    for (let next = this.next(); next && !this.isOver && !this.isNextDue; next = this.next()) {
      await this.takeTurn(next);
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    if (this.config.searchContent)
      await endLease(this.database, this.holder).catch(() => undefined);
  }

  /** What another instance finds is not known here: with the next lease, all is compared. */
  private giveUp(): void {
    this.queue.clear();
    this.comparedAt = Number.NEGATIVE_INFINITY;
  }

  private next(): BehindWorkspace | null {
    return this.queue.next(this.clock.now());
  }

  /** @param now by the database's clock, in milliseconds, as are all times of changes */
  private async find(now: number): Promise<void> {
    if (now - this.comparedAt >= COMPARE_INTERVAL) {
      this.done.clear();
      for (const workspace of await findBehind(this.database)) this.queue.add(workspace, now);
      this.comparedAt = now;
      this.foundAt = Math.max(this.foundAt, now - COMPARE_INTERVAL);
    }
    for (const found of await findChanged(this.database, new Date(this.foundAt - OVERLAP))) {
      if (this.done.get(found.id) === found.version) continue;
      this.done.set(found.id, found.version);
      this.queue.add(found, found.changedAt.getTime());
    }
    this.foundAt = now;
  }

  private async takeTurn(workspace: BehindWorkspace): Promise<void> {
    // Since the end of the last portion: what others do.
    const multiple = this.pace.next(performance.eventLoopUtilization(this.paused));
    const start = performance.now();
    const progress = await this.writer.writePortion(workspace, workspace.cursor);
    if (progress === null) this.queue.remove(workspace);
    else {
      workspace.cursor = progress.cursor ?? null;
      workspace.since = progress.since ?? workspace.since;
      if (progress.mustWait) workspace.dueAt = this.clock.now() + RETRY;
    }
    const took = performance.now() - start;
    this.paused = performance.eventLoopUtilization();
    if (!this.isOver) await sleep(Math.min(took * multiple, MAX_PAUSE));
  }

  private secondsBehind(): number {
    const { oldest } = this.queue;
    return oldest === null ? 0 : Math.max(0, this.clock.date() - oldest) / 1000;
  }

  /** Search in pages is off: there is no index. */
  private async clear(): Promise<void> {
    while (!this.isOver && !this.isNextDue) {
      const workspace = await anyIndexed(this.database);
      if (workspace === null) return;
      const clear = (tx: Transaction) => clearIndex(tx, workspace);
      await this.database.transaction(clear, { purpose: 'pageIndexer' });
    }
  }
}
