import { Inject, Injectable } from '@nestjs/common';
import { manyRows, scan } from '@teamspaces/pg-lanes/statements';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Plan } from '../../config/plan-limits.js';
import { Database } from '../../database/database.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { JobLock } from '../../jobs/job-lock.js';
import { PurgeCounts } from '../../jobs/purge-counts.js';
import { REMOVE_CHANGES } from '../../jobs/retention.js';
import { Metrics } from '../../observability/metrics.js';
import type { WorkspaceIds } from '../items/collection.js';
import { maxChanges } from './change-cursor.js';

/** Rows that one transaction removes, at most, beside the rest of their version. */
const PORTION = 1000;
/** Seconds of the log that the first round looks at: longer than a restart takes. */
const FIRST_LOOK = 3600;
/** Seconds that a round looks back beyond the last one: what was written then may have been committed since. */
const OVERLAP = 15;
/** Workspaces whose size is remembered; the size of others is counted again when they grow. */
const MAX_REMEMBERED = 10_000;

/** Seconds; no row is that old. */
const NO_AGE = 2_000_000_000;
const BY_ITSELF = { purpose: 'purge of changes' };

/**
 * Removes the oldest changes of a workspace that has more than its team's plan allows. Cursors from before them are
 * refused. What is too old, Retention removes.
 *
 * To find such workspaces, only new rows are read: of each workspace that grows, the size is counted once, and
 * then again when it may have passed its limit.
 */
@Injectable()
export class ChangesPurge extends BackgroundJob {
  private readonly lock;
  /** Rows of logs, at most, by the id of the workspace, in the order in which they grew. */
  private readonly sizes = new Map<string, number>();
  private lookedAt: number | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly counts: PurgeCounts,
    metrics: Metrics,
  ) {
    super('changesPurge');
    this.lock = new JobLock(database, 'changesPurge');
    metrics.gauge(
      'teamspaces_changes_log_rows',
      'Rows of the largest log of changes among the workspaces that grew, when this instance last looked.',
      'of',
      () => [['largest', Math.max(0, ...this.sizes.values())]],
    );
  }

  async runRound(): Promise<void> {
    const now = performance.now();
    const seconds =
      this.lookedAt === null ? FIRST_LOOK : Math.ceil((now - this.lookedAt) / 1000) + OVERLAP;
    const grown = await this.grown(seconds);
    let isComplete = true;
    for (const log of grown) {
      if (this.isOver) return;
      if (log.plan === null) continue;
      const most = maxChanges(this.config.planLimits[log.plan].pages);
      if (most !== null && !(await this.limit(log, log.rows, most))) isComplete = false;
    }
    // What has failed, or was left to another process, is made up for by the next round.
    if (isComplete) this.lookedAt = now;
  }

  /** @returns false: another process removes rows just now */
  private async limit(log: WorkspaceIds, grownBy: number, most: number): Promise<boolean> {
    const known = this.sizes.get(log.workspaceId);
    const rows = known === undefined ? null : known + grownBy;
    if (rows !== null && rows <= most) {
      this.remember(log, rows);
      return true;
    }
    const size = await this.size(log, most);
    if (size.excess !== null && !(await this.removeExcessOf(log, size.excess))) return false;
    this.remember(log, Math.min(size.rows, most));
    return true;
  }

  private async removeExcessOf(log: WorkspaceIds, version: string): Promise<boolean> {
    while (!this.isOver) {
      const rows = await this.removeUpTo(log, version);
      if (!rows) return rows !== null;
      this.counts.changes.inc({ reason: 'size' }, rows);
    }
    return false;
  }

  private remember({ workspaceId }: WorkspaceIds, rows: number): void {
    this.sizes.delete(workspaceId);
    this.sizes.set(workspaceId, rows);
    const [oldest] = this.sizes.keys();
    if (this.sizes.size > MAX_REMEMBERED && oldest !== undefined) this.sizes.delete(oldest);
  }

  /** The workspaces whose logs got rows in the last seconds. */
  private grown(seconds: number): Promise<readonly GrownLog[]> {
    return this.database.query<GrownLog>(GROWN, [seconds], BY_ITSELF);
  }

  /** Counts the rows of a log from the newest on, in portions, up to the first one past `most`. */
  private async size({ teamId, workspaceId }: WorkspaceIds, most: number): Promise<LogSize> {
    let { version, id } = AFTER_ALL;
    for (let rows = 0; ; ) {
      const portion = Math.min(COUNTED, most + 1 - rows);
      const values = [teamId, workspaceId, version, id, portion];
      const [last] = await this.database.query<CountedRows>(NEWEST, values, BY_ITSELF);
      rows += last?.rows ?? 0;
      if (!last || last.version === null) return { rows, excess: null };
      if (rows > most) return { rows, excess: last.version };
      ({ version, id } = last);
    }
  }

  /**
   * Removes the oldest versions of a log up to one of them, in one short transaction.
   * @returns how many rows; null: another process removes rows
   */
  private removeUpTo(
    { teamId, workspaceId }: WorkspaceIds,
    version: string,
  ): Promise<number | null> {
    const values = [teamId, workspaceId, PORTION, version, NO_AGE];
    return this.lock.remove(() => [REMOVE_CHANGES, values]);
  }
}

/**
 * How many rows workspaces got in the last $1 seconds. By the age of rows, since an index of it is there for
 * the purge: the cost is that of the new rows, whatever the size of the log.
 */
const GROWN = manyRows({
  name: 'changesPurge.grown',
  text: `
    SELECT grown.*, (SELECT t.plan FROM teams t WHERE t.id = grown."teamId") AS plan FROM (
      SELECT team_id AS "teamId", workspace_id AS "workspaceId", count(*)::int AS rows
      FROM tree_changes WHERE created_at > now() - $1::int * interval '1 second'
      GROUP BY team_id, workspace_id
    ) AS grown`,
});

/** Rows of the log of a workspace before the row ($3, $4), the newest first, $5 at most: how many, and the last. */
const NEWEST = scan({
  name: 'changesPurge.newest',
  text: `
    WITH newest AS MATERIALIZED (
      SELECT version, id FROM tree_changes
      WHERE team_id = $1 AND workspace_id = $2 AND (version, id) < ($3::bigint, $4::uuid)
      ORDER BY team_id DESC, workspace_id DESC, version DESC, id DESC LIMIT $5::int
    )
    SELECT version, id, $5::int AS rows FROM (
      SELECT version, id FROM newest OFFSET $5::int - 1
    ) AS last
    UNION ALL
    SELECT NULL, NULL, count(*)::int FROM newest HAVING count(*) < $5::int`,
});

/** Sorts after all rows of a log. */
const AFTER_ALL = { version: '9223372036854775807', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Rows that one statement counts. */
const COUNTED = 50_000;

/** A workspace whose log has grown. */
interface GrownLog extends WorkspaceIds {
  /** null: the team is gone. */
  plan: Plan | null;
  /** Rows that were added. */
  rows: number;
}

/** How large the log of a workspace is. */
interface LogSize {
  /** One more than was asked about, if there are more. */
  rows: number;
  /** All up to this version are too many; null: none are. */
  excess: string | null;
}

type CountedRows = { rows: number } & (
  | { version: string; id: string }
  | { version: null; id: null }
);
