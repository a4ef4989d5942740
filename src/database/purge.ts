import type {
  PipelinedTransaction,
  Rows,
  Statement,
} from '@teamspaces/pg-lanes/pipelined-transaction';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { BackgroundJob } from './background-job.js';
import type { Database } from './database.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;

interface PurgeOptions {
  /** Of the job in the log. */
  name: string;
  /** What has not happened if a round fails, for the log. */
  failure: string;
  /** Lets one process at a time work. */
  lock: keyof typeof ADVISORY_LOCKS;
}

/**
 * A job that removes rows that have become too old, or too many.
 *
 * - Every instance runs it; the advisory lock lets one of them work at a time, the others skip their round.
 * - Rows go in portions, the oldest first, each in a short transaction, about one team if they belong to teams:
 *   nobody waits for long.
 * - A round ends when nothing is left; what a failed one has left is removed by the next.
 * - A shutdown begins no further portion, and waits for the one in progress.
 */
export abstract class Purge extends BackgroundJob {
  /** Takes the lock until the end of the transaction, if it is free: `taken`. */
  private readonly tryLock: Statement[0];
  protected readonly by: { purpose: string };

  protected constructor(
    protected readonly database: Database,
    { name, failure, lock }: PurgeOptions,
  ) {
    super(name, failure, INTERVAL);
    this.by = { purpose: `purge of ${name}` };
    this.tryLock = {
      name: `${lock}.tryLock`,
      text: `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[lock]}) AS taken`,
    };
  }

  /**
   * Removes all, in portions.
   * @param portion returns how many rows it has removed; null: there was nothing to remove, or another process works
   * @param onRemoved is called with the number of each portion
   */
  protected async removeAll(
    portion: () => Promise<number | null>,
    onRemoved: (rows: number) => void = () => undefined,
  ): Promise<void> {
    while (!this.isOver) {
      const rows = await portion();
      if (rows === null) return;
      onRemoved(rows);
    }
  }

  /**
   * Removes a portion by one statement, which returns the number of `rows`.
   * @param remove makes the statement, from what `next` finds
   * @param next finds what the oldest rows belong to; absent: the statement finds them by itself
   * @returns how many rows; null: nothing is left, or another process works
   */
  protected remove(
    remove: (found: Rows[number]) => Statement,
    next?: Statement,
  ): Promise<number | null> {
    return this.underLock(next ? [next] : [], async (tx, [rows = [{}]]) => {
      const [found] = rows;
      if (!found) return null;
      const [removed] = await tx.commit([remove(found)]);
      return Number(removed?.[0]?.rows) || null;
    });
  }

  /**
   * Runs work in a transaction, while no other process does.
   * @param look reads what there is to do, in the message that takes the lock
   * @returns null: another process works
   */
  protected underLock<T>(
    look: Statement[],
    work: (tx: PipelinedTransaction, found: Rows[]) => Promise<T | null>,
  ): Promise<T | null> {
    return this.database.pipelined(this.by, async (tx) => {
      const [lock, ...found] = await tx.run([[this.tryLock, []], ...look]);
      return lock?.[0]?.taken ? work(tx, found) : null;
    });
  }
}
