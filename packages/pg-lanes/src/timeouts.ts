/**
 * How long the database may take, in milliseconds. A request waits for one thing at a time. The
 * caller of a change learns the outcome within ten seconds.
 */
export const TIMEOUTS = {
  /** For a new connection: short, since all who need one wait for the attempt in progress. */
  connect: 3_000,
  /** For a connection of the pool that others use, in order to change something. */
  pool: 8_000,
  /** For the same in order to read: nothing is lost by waiting, and others may have sent much at once. */
  read: 30_000,
  /** For one of the connections that large responses are read on. */
  stream: 5_000,
  /** For a lock; and for the batch before its own, which a command waits for in the process. */
  lock: 4_000,
  /**
   * For a change until its COMMIT leaves, all waiting included: it is given up then, while its request
   * can still learn that nothing has happened.
   */
  giveUp: 8_000,
  /** For the locks that the message with COMMIT waits for, all waiting before it included. */
  commit: 8_500,
  /** For a statement. */
  statement: 7_000,
  /** For the result of a statement. Beyond `statement`: only a silent server or network takes so long. */
  answer: 8_000,
  /** Between two statements of a transaction. */
  idle: 8_000,
  /** Statements that return rows in portions may take long, as long as the portions come. */
  portions: 60_000,
  /** What was lost is retried only if it was lost within this time: the caller waits for both. */
  retryWithin: 1_000,
} as const;
