import type {
  PipelinedTransaction,
  Rows,
  Statement,
} from '@teamspaces/pg-lanes/pipelined-transaction';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import type { Database } from '../database/database.js';

/**
 * Lets one process at a time work: every instance runs the job, and each of its transactions begins with the lock,
 * or ends if another process has it. Rows are removed in portions, the oldest first, each in a short transaction,
 * about one team if they belong to teams: nobody waits for long.
 */
export class JobLock {
  /** Takes the lock until the end of the transaction, if it is free: `taken`. */
  private readonly tryLock: Statement[0];

  constructor(
    private readonly database: Database,
    private readonly name: keyof typeof ADVISORY_LOCKS,
  ) {
    this.tryLock = {
      name: `${name}.tryLock`,
      text: `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[name]}) AS taken`,
    };
  }

  /**
   * Removes a portion by one statement, which returns the number of `rows`.
   * @param remove makes the statement, from what `next` finds
   * @param next finds what the oldest rows belong to; absent: the statement finds them by itself
   * @returns how many rows; 0: nothing is left; null: another process works
   */
  remove(remove: (found: Rows[number]) => Statement, next?: Statement): Promise<number | null> {
    return this.run(next ? [next] : [], async (tx, [rows = [{}]]) => {
      const [found] = rows;
      if (!found) return 0;
      const [removed] = await tx.commit([remove(found)]);
      return Number(removed?.[0]?.rows);
    });
  }

  /**
   * Runs work in a transaction, while no other process does.
   * @param look reads what there is to do, in the message that takes the lock
   * @returns null: another process works
   */
  run<T>(
    look: Statement[],
    work: (tx: PipelinedTransaction, found: Rows[]) => Promise<T | null>,
  ): Promise<T | null> {
    return this.database.pipelined({ purpose: this.name }, async (tx) => {
      const [lock, ...found] = await tx.run([[this.tryLock, []], ...look]);
      return lock?.[0]?.taken ? work(tx, found) : null;
    });
  }
}
