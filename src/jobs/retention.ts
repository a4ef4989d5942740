import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Rows, Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { Database } from '../database/database.js';
import { KEPT_HOURS } from '../idempotency/idempotent-write.js';
import { BackgroundJob, FailureLog } from './background-job.js';
import { JobLock } from './job-lock.js';
import { PurgeCounts } from './purge-counts.js';

/** What is removed from a table by its age alone. */
interface Rule {
  /** The column that rows age by; an index begins with it. */
  time: string;
  /** Seconds after which a row goes. */
  age: (config: Config) => number;
  /** Rows that one transaction removes, at most. */
  portion: number;
  /** What the rows of one transaction share. */
  of: keyof typeof REMOVALS;
  /** How the rows of one team are sorted, where not by time alone. */
  order?: string;
  /** Lets one process at a time remove rows; its name begins those of the statements. */
  lock: keyof typeof ADVISORY_LOCKS;
  /** Name in the log, and what has not happened if a round fails. */
  log: string;
  failure: string;
  count?: (counts: PurgeCounts, rows: number) => void;
}

const HOUR = 3600;

const RULES = {
  // Expired keys count as absent anyway.
  idempotency_keys: {
    time: 'created_at',
    age: () => KEPT_HOURS * HOUR,
    portion: 1000,
    of: 'all',
    lock: 'keysPurge',
    log: 'idempotency',
    failure: 'keys were not cleared',
  },
  // Limits count the mails of a day.
  mail_sends: {
    time: 'sent_at',
    age: () => 24 * HOUR,
    portion: 1000,
    of: 'all',
    lock: 'sentMailsPurge',
    log: 'mail',
    failure: 'sent mails were not cleared',
  },
  audit_entries: {
    time: 'at',
    age: ({ auditTtlSeconds }) => auditTtlSeconds,
    portion: 1000,
    of: 'team',
    // The entry of a purge is there as long as others about its workspace are.
    order: 'at, id',
    lock: 'auditPurge',
    log: 'audit',
    failure: 'audit logs were not purged',
    count: ({ audit }, rows) => audit.inc(rows),
  },
  // By when they were overwritten. What a page has too many of went with the write.
  page_versions: {
    time: 'until',
    age: ({ versionsTtlSeconds }) => versionsTtlSeconds,
    portion: 500,
    of: 'team',
    lock: 'versionsPurge',
    log: 'versions',
    failure: 'versions of pages were not purged',
    count: ({ versions }, rows) => versions.inc({ reason: 'age' }, rows),
  },
  // Cursors from before what was removed are refused. The portion is beside the rest of its last version.
  tree_changes: {
    time: 'created_at',
    age: ({ changesTtlSeconds }) => changesTtlSeconds,
    portion: 1000,
    of: 'workspace',
    lock: 'changesPurge',
    log: 'changes',
    failure: 'changes were not purged',
    count: ({ changes }, rows) => changes.inc({ reason: 'age' }, rows),
  },
} as const satisfies Record<string, Rule>;

type TableName = keyof typeof RULES;

/** Removes rows that have become too old: one job, and one rule for each table. */
@Injectable()
export class Retention extends BackgroundJob {
  private readonly tables: Record<TableName, RetainedTable>;

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: Config,
    private readonly counts: PurgeCounts,
  ) {
    super('retention');
    const tables = (Object.entries(RULES) as [TableName, Rule][]).map(([name, rule]) => [
      name,
      {
        rule,
        removal: REMOVALS[rule.of](name, rule),
        lock: new JobLock(database, rule.lock),
        failures: new FailureLog(new Logger(rule.log), rule.failure),
      },
    ]);
    this.tables = Object.fromEntries(tables);
  }

  /**
   * Tables take turns with their portions. A round that takes long ends when the next one is due, which asks
   * all tables again: one with a backlog delays the others by its portion only.
   */
  async runRound(): Promise<void> {
    let left: readonly TableName[] = Object.keys(RULES) as TableName[];
    do {
      const removed: TableName[] = [];
      for (const name of left) {
        if (!this.isOver && (await this.takeTurn(name))) removed.push(name);
      }
      left = removed;
    } while (left.length > 0 && !this.isNextDue);
  }

  /** @returns whether more may be left; what has failed in one table is left to the next round */
  private async takeTurn(name: TableName): Promise<boolean> {
    const { failures } = this.tables[name];
    try {
      const rows = await this.removePortion(name);
      if (!rows) failures.end();
      return Boolean(rows);
    } catch (error) {
      if (!this.isOver) failures.note(error);
      return false;
    }
  }

  /**
   * Removes the oldest rows of a table, in one short transaction.
   * @param max rows, at most
   * @returns how many; 0: there are no old ones; null: another process removes them
   */
  async removePortion(name: TableName, max: number = RULES[name].portion): Promise<number | null> {
    const { rule, removal, lock } = this.tables[name];
    const { next, remove } = removal;
    const age = rule.age(this.config);
    const rows = await lock.remove((found) => remove(found, age, max), next && [next, [age]]);
    if (rows) rule.count?.(this.counts, rows);
    return rows;
  }
}

interface RetainedTable {
  rule: Rule;
  removal: Removal;
  lock: JobLock;
  failures: FailureLog;
}

/** How a portion of rows is found and removed. */
interface Removal {
  /** Finds what the oldest row of all that are older than $1 seconds belongs to; absent: rows have no team. */
  next?: Statement[0];
  remove(found: Rows[number], age: number, max: number): Statement;
}

/** An index serves now(), not clock_timestamp(). */
const isOld = ({ time }: Rule, age: string) =>
  `${time} <= now() - ${age}::int * interval '1 second'`;

const REMOVALS = {
  /**
   * Rows that belong to no team. Skips what requests replace just now. It reads no more of the table than it deletes,
   * since rows that are locked keep their place (ctid).
   */
  all: (table: string, rule: Rule): Removal => {
    const statement = {
      name: `${rule.lock}.remove`,
      text: `
    WITH removed AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table}
        WHERE ${isOld(rule, '$1')}
        ORDER BY ${rule.time} LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
    };
    return { remove: (_, age, max) => [statement, [age, max]] };
  },

  /** Rows of the team that has the oldest one, the oldest first. */
  team: (table: string, rule: Rule): Removal => {
    const next = {
      name: `${rule.lock}.next`,
      text: `
    SELECT team_id AS "teamId" FROM ${table}
    WHERE ${isOld(rule, '$1')} ORDER BY ${rule.time} LIMIT 1`,
    };
    const statement = {
      name: `${rule.lock}.remove`,
      text: `
    WITH removed AS (
      DELETE FROM ${table} WHERE team_id = $1 AND ctid = ANY (ARRAY (
        SELECT ctid FROM ${table}
        WHERE team_id = $1 AND ${isOld(rule, '$2')}
        ORDER BY ${rule.order ?? rule.time} LIMIT $3
      )) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
    };
    return { next, remove: ({ teamId }, age, max) => [statement, [teamId, age, max]] };
  },

  /** Whole versions of the workspace that has the oldest row. */
  workspace: (table: string, rule: Rule): Removal => {
    const next = {
      name: `${rule.lock}.next`,
      text: `
    SELECT team_id AS "teamId", workspace_id AS "workspaceId", version FROM ${table}
    WHERE ${isOld(rule, '$1')} ORDER BY ${rule.time} LIMIT 1`,
    };
    return {
      next,
      remove: ({ teamId, workspaceId, version }, age, max) => [
        REMOVE_CHANGES,
        [teamId, workspaceId, max, version, age],
      ],
    };
  },
};

/**
 * Whole versions of a workspace, the oldest first, $3 rows and the rest of the last version: those that
 * are older than $5 seconds, and all up to the version $4.
 */
export const REMOVE_CHANGES = {
  name: 'changesPurge.remove',
  text: `
    WITH removed AS (
      DELETE FROM tree_changes WHERE team_id = $1 AND workspace_id = $2 AND version <= (
        SELECT max(version) FILTER (
          WHERE version <= $4::bigint OR created_at <= now() - $5::int * interval '1 second'
        ) FROM (
          SELECT version, created_at FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
          ORDER BY team_id, workspace_id, version, id LIMIT $3
        ) AS oldest
      ) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};
