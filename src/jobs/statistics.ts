import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { BackgroundJob } from './background-job.js';
import { JobLock } from './job-lock.js';

/**
 * Analyzes tables that have grown before autovacuum has come by, after a restore for example: without statistics,
 * PostgreSQL takes a large table for a small one, and reads all of it. Smaller tables are read completely within
 * milliseconds. Connections drop the plans that they keep for a table when it is analyzed.
 *
 * A role that does not own the tables may not analyze them: then autovacuum alone does.
 */
@Injectable()
export class Statistics extends BackgroundJob {
  private readonly lock;

  constructor(database: Database) {
    super('statistics');
    this.lock = new JobLock(database, 'statistics');
  }

  /** Each table is tried once in a round, in a transaction of its own: one that fails keeps no other from its turn. */
  async runRound(): Promise<void> {
    const names = await this.lock.run([[FIND, []]], async (_tx, [tables = []]) =>
      tables.map(({ name }) => String(name)),
    );
    const failed: string[] = [];
    for (const name of names ?? []) {
      if (this.isOver) return;
      await this.lock
        .run([], (tx) => tx.commit([[analyze(name), []]]))
        .catch((error: Error) => failed.push(`${name} (${error.message})`));
    }
    if (failed.length > 0) throw new Error(failed.join(', '));
  }
}

/**
 * Tables of a megabyte or more that were never analyzed, and that this role may analyze: of others PostgreSQL would
 * warn in its log each time. A standby takes no ANALYZE.
 */
const FIND = {
  name: 'statistics.find',
  text: `
    SELECT format('%I.%I', current_schema(), c.relname) AS name FROM pg_class c
    WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      AND c.relkind = 'r' AND c.reltuples = -1 AND pg_relation_size(c.oid) >= 1024 * 1024
      AND pg_has_role(c.relowner, 'USAGE') AND NOT pg_is_in_recovery()
      AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
      )
    ORDER BY c.relname`,
};

/** Passes over a table that autovacuum is working on: waiting for it would end its work. Not prepared. */
const analyze = (name: string) => ({ name: '', text: `ANALYZE (SKIP_LOCKED) ${name}` });
