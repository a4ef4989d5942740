import { BackgroundJob } from './background-job.js';
import type { Database, PreparedStatement } from './database.js';
import type { PipelinedTransaction, Rows } from './pipelined-transaction.js';

/** Milliseconds between two rounds. */
const INTERVAL = 60_000;

interface PurgeOptions {
  /** Of the job in the log. */
  name: string;
  /** What has not happened if a round fails, for the log. */
  failure: string;
  /** Of its transactions. */
  purpose: string;
  /** Takes an advisory lock until the end of the transaction, if it is free: `taken`. */
  takeTurn: PreparedStatement;
}

/**
 * A job that removes rows that have become too old, or too many.
 *
 * - Every instance runs it; the advisory lock lets one of them work at a time, the others skip their round.
 * - Rows go in portions, the oldest first, each in a short transaction about one team: nobody waits for long.
 * - A round ends when nothing is left; what a failed one has left is removed by the next.
 * - A shutdown begins no further portion, and waits for the one in progress.
 */
export abstract class Purge extends BackgroundJob {
  protected constructor(
    protected readonly database: Database,
    private readonly options: PurgeOptions,
  ) {
    super(options.name, options.failure, INTERVAL);
  }

  /**
   * Removes all, in portions.
   * @param portion returns how many rows it has removed; null: there was nothing to remove, or another process works
   * @param onRemoved is called with the number of each portion
   */
  protected async removeAll(
    portion: () => Promise<number | null>,
    onRemoved: (rows: number) => void,
  ): Promise<void> {
    while (!this.isOver) {
      const rows = await portion();
      if (rows === null) return;
      onRemoved(rows);
    }
  }

  /**
   * Runs work in a transaction, while no other process does.
   * @param look reads what there is to do, in the message that takes the lock
   * @returns null: another process works
   */
  protected inTurn<T>(
    look: [PreparedStatement, unknown[]][],
    work: (tx: PipelinedTransaction, found: Rows[]) => Promise<T | null>,
  ): Promise<T | null> {
    const { purpose, takeTurn } = this.options;
    return this.database.pipelined({ purpose }, async (tx) => {
      const [turn, ...found] = await tx.run([[takeTurn, []], ...look]);
      return turn?.[0]?.taken ? work(tx, found) : null;
    });
  }
}
