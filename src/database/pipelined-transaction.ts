import type pg from 'pg';
import { outcomeUnknown } from '../errors/domain-error.js';
import { wasLost } from './database-errors.js';
import { DISCARD_PLANS, shouldDiscardPlans } from './generic-plans.js';
import type { PipelinedClient } from './pipelined-reads.js';

/** A statement prepared once per connection under its name, and its values. */
export type Statement = [{ name: string; text: string }, unknown[]];

/** Rows as columns, which a statement takes apart by unnest(). */
export const columns = <T, K extends keyof T>(rows: readonly T[], names: readonly K[]): T[K][][] =>
  names.map((name) => rows.map((row) => row[name]));

/** The rows that a statement answers. */
export type Rows = pg.QueryResultRow[];

/**
 * A READ COMMITTED transaction in as few messages as its work allows: BEGIN leaves with the first
 * statements, COMMIT with the last. The statements of a message run one behind the other, each sees
 * what those before it did; after one that fails the others fail, and COMMIT rolls back.
 */
export class PipelinedTransaction {
  private state: 'fresh' | 'open' | 'committed' = 'fresh';

  constructor(private readonly client: PipelinedClient) {}

  /** Runs statements in one message. @returns the rows of each */
  async run(statements: Statement[]): Promise<Rows[]> {
    return rowsOf(await this.sendBegun(statements));
  }

  /**
   * Runs the last statements and commits, in one message.
   * @returns the rows of each
   * @throws DomainError internal_server_error where nobody can know whether it was committed
   */
  async commit(statements: Statement[]): Promise<Rows[]> {
    const results = await this.sendBegun([...statements, COMMIT]).catch((error: unknown) => {
      throw wasLost(error) ? outcomeUnknown(error) : error;
    });
    if (results.at(-1)?.command !== 'COMMIT') throw new Error('the transaction was rolled back');
    this.state = 'committed';
    return rowsOf(results.slice(0, -1));
  }

  /** Ends what was not committed. @returns what broke the connection, if anything did */
  async close(): Promise<Error | undefined> {
    if (this.state !== 'open') return undefined;
    // After a failed commit the server has rolled back already; this shows that it is still there.
    return this.send([ROLLBACK]).then(
      () => undefined,
      (error: Error) => error,
    );
  }

  private async sendBegun(statements: Statement[]): Promise<pg.QueryResult[]> {
    if (this.state !== 'fresh') return this.send(statements);
    this.state = 'open';
    return (await this.send([BEGIN, ...statements])).slice(1);
  }

  private async send(statements: Statement[]): Promise<pg.QueryResult[]> {
    const { stream } = this.client.connection;
    const answers: Promise<pg.QueryResult>[] = [];
    const [first] = statements;
    stream.cork();
    try {
      if (first === BEGIN && shouldDiscardPlans(this.client, statements.length)) {
        this.client.query(DISCARD_PLANS).catch(() => undefined);
      }
      for (const [{ name, text }, values] of statements) {
        answers.push(this.client.query(name === '' ? text : { name, text, values }));
      }
    } finally {
      stream.uncork();
    }
    const settled = await Promise.allSettled(answers);
    return settled.map((answer) => {
      // The first failure is the cause of all others.
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }
}

const BEGIN: Statement = [{ name: '', text: 'BEGIN' }, []];
const COMMIT: Statement = [{ name: '', text: 'COMMIT' }, []];
const ROLLBACK: Statement = [{ name: '', text: 'ROLLBACK' }, []];

const rowsOf = (results: pg.QueryResult[]): Rows[] => results.map(({ rows }) => rows as Rows);
