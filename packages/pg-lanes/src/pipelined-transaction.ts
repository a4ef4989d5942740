import type pg from 'pg';
import { wasLost } from './driver-errors.js';
import { LaneError } from './errors.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { DISCARD_PLANS, shouldDiscardPlans } from './service-client.js';
import type { Named } from './statements.js';
import { TIMEOUTS } from './timeouts.js';

/** A statement prepared once per connection under its name, and its values. */
export type Statement = [{ name: string; text: string }, unknown[]];

/** An array for each of these properties of rows, for a statement with unnest(). */
export const toArrays = <T, K extends keyof T>(rows: readonly T[], names: readonly K[]): T[K][][] =>
  names.map((name) => rows.map((row) => row[name]));

/** The rows that a statement returns. */
export type Rows = pg.QueryResultRow[];

/** A statement that leaves with the next message, and what an error of it means to the caller. */
interface Queued {
  statement: Statement;
  explain?: ((error: unknown) => unknown) | undefined;
}

/** How a transaction begins. */
const BEGIN: Statement = [{ name: '', text: 'BEGIN' }, []];
/** One that only reads, all of it of the moment of its first statement. */
export const BEGIN_SNAPSHOT: Statement = [
  { name: '', text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
  [],
];

/**
 * A transaction, READ COMMITTED unless it begins in another way, in as few messages as its work allows: BEGIN
 * leaves with the first statements, COMMIT with the last. The statements of a message run one after the other, each sees
 * what those before it did; after one that fails the others fail, and COMMIT rolls back.
 */
export class PipelinedTransaction {
  private state: 'fresh' | 'open' | 'committing' | 'committed' = 'fresh';
  private isGivenUp = false;
  private queue: Queued[] = [];
  private message: Promise<Rows[]> | null = null;

  /** @param since when its caller began to wait; without one, nobody waits for a response */
  constructor(
    private readonly client: PipelinedClient,
    private readonly since?: number,
    private readonly begin: Statement = BEGIN,
  ) {}

  /**
   * Reads rows. Queries that are made without waiting for each other, such as those of one
   * `Promise.all()`, leave in one message, in the order of the calls.
   */
  async query<Row extends pg.QueryResultRow>(
    statement: Named<Row>,
    values: unknown[],
  ): Promise<Row[]> {
    const index = this.queue.push({ statement: [statement, values] }) - 1;
    this.message ??= Promise.resolve().then(() => {
      this.message = null;
      return this.send();
    });
    return (await this.message)[index] as Row[];
  }

  /**
   * Queues a statement whose rows nobody reads: it leaves with the next query, or else with COMMIT.
   * @param explain returns what is thrown if the statement fails: what a constraint means, or the
   *   error itself
   */
  write(statement: Statement[0], values: unknown[], explain?: Queued['explain']): void {
    this.queue.push({ statement: [statement, values], explain });
  }

  /** Runs what is queued, and these statements, in one message. @returns the rows of these */
  run(statements: Statement[]): Promise<Rows[]> {
    return Promise.all(statements.map(([statement, values]) => this.query(statement, values)));
  }

  /**
   * Runs what is queued, and these statements, and commits, in one message.
   * @returns the rows of these
   * @throws LaneError outcome_unknown
   */
  async commit(statements: Statement[] = []): Promise<Rows[]> {
    const rows = await this.run([...statements, COMMIT]);
    this.state = 'committed';
    return rows.slice(0, -1);
  }

  /**
   * Waits for the work of the transaction; if its COMMIT has not left after some milliseconds, no longer:
   * it never does then.
   * @throws LaneError busy: it was given up; or what the work throws
   */
  async orGivenUp<T>(work: Promise<T>, milliseconds: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const givenUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        if (this.state === 'committing' || this.state === 'committed') return;
        this.isGivenUp = true;
        reject(new LaneError('busy', new Error('its COMMIT had not left in time')));
      }, milliseconds);
    });
    return Promise.race([work, givenUp]).finally(() => clearTimeout(timer));
  }

  /** Ends what was not committed. @returns what broke the connection, if anything did */
  async close(): Promise<Error | undefined> {
    if (this.state === 'fresh' || this.state === 'committed') return undefined;
    this.isGivenUp = false;
    this.queue = [{ statement: ROLLBACK }];
    // After a failed commit the server has rolled back already; this shows that it is still there.
    return this.send().then(
      () => undefined,
      (error: Error) => error,
    );
  }

  /** Sends what is queued, in one message. @returns the rows of each statement, without BEGIN's */
  private async send(): Promise<Rows[]> {
    const queue = this.queue.splice(0);
    if (this.isGivenUp) throw new LaneError('busy');
    const isFirst = this.state === 'fresh';
    const isCommit = queue.at(-1)?.statement[0] === COMMIT[0];
    const preface = [...(isFirst ? [this.begin] : []), ...(isCommit ? this.lastWait() : [])];
    queue.unshift(...preface.map((statement) => ({ statement })));
    this.state = isCommit ? 'committing' : 'open';
    const settled = await Promise.allSettled(this.sendAll(queue.map(({ statement }) => statement)));
    const results = settled.map((answer, n) => {
      if (answer.status === 'fulfilled') return answer.value;
      // The first failure is the cause of all others.
      const { reason } = answer;
      if (!wasLost(reason)) throw queue[n]?.explain?.(reason) ?? reason;
      throw isCommit ? new LaneError('outcome_unknown', reason) : reason;
    });
    if (isCommit && results.at(-1)?.command !== 'COMMIT') {
      throw new Error('the transaction was rolled back');
    }
    return results.slice(preface.length).map(({ rows }) => rows as Rows);
  }

  /** A caller that has waited for long waits shorter for the last locks, and learns in time that nothing has happened. */
  private lastWait(): Statement[] {
    if (this.since === undefined) return [];
    const left = TIMEOUTS.commit - (performance.now() - this.since);
    if (left >= TIMEOUTS.lock) return [];
    return [[LAST_WAIT, [`${Math.max(1, Math.floor(left))}ms`]]];
  }

  private sendAll(statements: Statement[]): Promise<pg.QueryResult>[] {
    const { stream } = this.client.connection;
    stream.cork();
    try {
      if (statements[0] === this.begin && shouldDiscardPlans(this.client, statements.length)) {
        this.client.query(DISCARD_PLANS).catch(() => undefined);
      }
      return statements.map(([{ name, text }, values]) =>
        this.client.query(name === '' ? text : { name, text, values }),
      );
    } finally {
      stream.uncork();
    }
  }
}

const LAST_WAIT = {
  name: 'database.lastWait',
  text: "SELECT set_config('lock_timeout', $1, true)",
};
const COMMIT: Statement = [{ name: '', text: 'COMMIT' }, []];
const ROLLBACK: Statement = [{ name: '', text: 'ROLLBACK' }, []];
