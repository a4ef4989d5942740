import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';
import { Purge } from '../database/purge.js';
import { Metrics } from '../observability/metrics.js';

/** Entries that one transaction removes, at most. */
const PORTION = 1000;

/** Removes entries of audit logs that are older than AUDIT_TTL_SECONDS. */
@Injectable()
export class AuditPurge extends Purge {
  private readonly removed;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    database: Database,
    metrics: Metrics,
  ) {
    super(database, {
      name: 'audit',
      failure: 'audit logs were not purged',
      lock: 'auditPurge',
    });
    this.removed = metrics.counter(
      'teamspaces_audit_purged_total',
      'Entries of audit logs that this instance has removed.',
    );
  }

  async runRound(): Promise<void> {
    await this.removeAll(
      () => this.removePortion(PORTION),
      (entries) => this.removed.inc(entries),
    );
  }

  /**
   * Removes the oldest entries of one team, in one short transaction.
   * @returns how many; null: there are no old ones, or another process removes them
   */
  removePortion(max: number): Promise<number | null> {
    const age = this.config.auditTtlSeconds;
    return this.remove(({ teamId }) => [REMOVE, [teamId, age, max]], [NEXT, [age]]);
  }
}

/** The team of the oldest entry of all that are older than $1 seconds. */
const NEXT = {
  name: 'auditPurge.next',
  text: `
    SELECT team_id AS "teamId" FROM audit_entries
    WHERE at <= now() - $1::int * interval '1 second' ORDER BY at LIMIT 1`,
};

/**
 * Entries of a team that are older than $2 seconds, $3 at most, the oldest first: the entry of a purge
 * is there as long as others about its workspace are.
 */
const REMOVE = {
  name: 'auditPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM audit_entries WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM audit_entries
        WHERE team_id = $1 AND at <= now() - $2::int * interval '1 second'
        ORDER BY at, id LIMIT $3
      )) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};
