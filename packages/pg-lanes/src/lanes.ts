import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectPools, divide, type PoolOptions, type Pools } from './divided-pools.js';
import { isTransient, timedOut, wasLost } from './driver-errors.js';
import { LaneError } from './errors.js';
import type { GatedPool, OnBehalfOf, PoolStatus } from './gated-pool.js';
import { LargeReads, PORTION } from './large-reads.js';
import type { PipelinedClient } from './pipelined-reads.js';
import {
  BEGIN_SNAPSHOT,
  PipelinedTransaction,
  type Rows,
  type Statement,
} from './pipelined-transaction.js';
import { SharedCommits, type WriteOnBehalfOf } from './shared-commits.js';
import {
  isPointRead,
  type PointRead,
  type PreparedCall,
  type PreparedStatement,
  type ReadStatement,
} from './statements.js';
import { TIMEOUTS } from './timeouts.js';

/** What takes part in a transaction receives this; it is the only way to the transaction. */
export type Transaction = PipelinedTransaction;

/** What sends a statement that only reads: the database, or a transaction. */
export interface Reader {
  query<Row extends pg.QueryResultRow>(
    statement: ReadStatement<Row>,
    values: unknown[],
  ): Promise<readonly Row[]>;
}

export interface LanesOptions extends PoolOptions {
  /** Makes the error that callers get of one of this package. */
  explain(error: LaneError): Error;
  /** Called before a transaction is retried, with the reason. */
  onRetry(error: unknown): void;
}

/**
 * Runs statements and transactions, each on the connections for its kind. A LaneError named below is passed to
 * `explain`, and what that returns is thrown.
 */
export class Lanes {
  private readonly pools: Pools;
  private readonly commits: SharedCommits;
  /** Reads of many rows, and of any number. */
  readonly large: LargeReads;
  private readonly hasTimeouts: boolean;

  /** Throws what callers get of an error. */
  private readonly explain: (error: unknown) => never;
  private readonly onRetry: LanesOptions['onRetry'];

  constructor(options: LanesOptions) {
    const { size, hasSession, hasNoTimeouts } = options;
    this.onRetry = options.onRetry;
    this.explain = (error) => {
      throw error instanceof LaneError ? options.explain(error) : error;
    };
    this.hasTimeouts = !hasNoTimeouts;
    const division = divide(size);
    this.pools = connectPools(options, division);
    this.commits = new SharedCommits(this.pools.writers);
    this.large = new LargeReads(this.pools.general, division, hasSession, this.explain);
  }

  /**
   * Runs one prepared statement outside a transaction. A point read shares its round trip with those of others; of
   * any other kind, one takes a connection of the general pool, and a read of many rows a round trip for each portion.
   * @param by on whose behalf, of any kind but a point read
   * @throws LaneError too_many_reads: a read has waited too long for a connection; busy: a lock, or a
   *   connection to write, was not available in time
   */
  query<Row extends pg.QueryResultRow>(
    statement: PreparedStatement<Row>,
    values: unknown[],
    by?: OnBehalfOf,
  ): Promise<readonly Row[]> {
    if (isPointRead(statement, values)) return this.readPoint<Row>(statement, values);
    const onBehalf = by ?? { purpose: statement.name };
    if (statement.kind !== 'write') {
      return this.readAlone<Row>(statement, values, onBehalf).catch(this.explain);
    }
    const { general } = this.pools;
    const written = general.use(onBehalf, () => runOn<Row>(general.pool, statement, values));
    return written.catch(throwBusy).catch(this.explain);
  }

  /**
   * Runs reads one after the other, in one message if all are point reads; each sees what is committed when its turn
   * comes.
   * @param by as of query()
   */
  async read(reads: PreparedCall[], by?: OnBehalfOf): Promise<Rows[]> {
    const send = async ([statement, values]: PreparedCall): Promise<Rows> => [
      ...(await this.query<Rows[number]>(statement as PreparedStatement<Rows[number]>, values, by)),
    ];
    if (reads.every(([statement, values]) => isPointRead(statement, values))) {
      return Promise.all(reads.map(send));
    }
    const results: Rows[] = [];
    for (const read of reads) results.push(await send(read));
    return results;
  }

  private async readPoint<Row extends pg.QueryResultRow>(
    statement: PointRead<unknown>,
    values: unknown[],
  ): Promise<Row[]> {
    const start = performance.now();
    try {
      return await this.pools.reads.read<Row>(statement, values);
    } catch (error) {
      // The shared connection was dropped: reading again does no harm.
      if (!isSafeToRetry(error, start)) throw error;
      return this.pools.reads.read<Row>(statement, values);
    }
  }

  private async readAlone<Row extends pg.QueryResultRow>(
    statement: ReadStatement<unknown>,
    values: unknown[],
    by: OnBehalfOf,
  ): Promise<Row[]> {
    const { general } = this.pools;
    const run = () => general.read(by, () => runOn<Row>(general.pool, statement, values));
    const start = performance.now();
    try {
      return await run();
    } catch (error) {
      if (!isSafeToRetry(error, start)) throw error;
      return run();
    }
  }

  /**
   * Runs one statement that writes rows of a team, as a transaction of its own; where connections are
   * scarce, in one commit with those of other teams.
   * @throws LaneError busy: a lock or a connection was not available in time; outcome_unknown
   */
  write(by: WriteOnBehalfOf, statement: Statement): Promise<Rows> {
    return this.commits.write(by, statement).catch(throwBusy).catch(this.explain);
  }

  /**
   * Runs `work` in a READ COMMITTED transaction and commits it, again from the start where the
   * database asked for it (deadlock, serialization failure), at most eight times. `work` must have no
   * other effects than those on `tx`.
   * @param by on whose behalf
   * @throws LaneError busy: a lock or a connection was not available in time; outcome_unknown
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, by: OnBehalfOf): Promise<T> {
    const attempt = async (tx: Transaction) => {
      const result = await work(tx);
      await tx.commit();
      return result;
    };
    const since = performance.now();
    return this.withRetry(() => this.begin(this.pools.general, by, attempt, since));
  }

  /**
   * Runs `work` in a transaction of few messages, on a connection of the tree's writers; once. What
   * `work` does not commit is undone.
   * @param by on whose behalf
   * @param since when its caller began to wait
   * @throws LaneError as transaction()
   */
  pipelined<T>(
    by: OnBehalfOf,
    work: (tx: Transaction) => Promise<T>,
    since: number = performance.now(),
  ): Promise<T> {
    return this.begin(this.pools.writers, by, work, since).catch(this.explain);
  }

  /**
   * Runs reads that see one moment, on one connection of the general pool: for work that reads, computes and reads
   * more. It may run twice, and must have no other effects.
   * @param by on whose behalf
   * @throws LaneError too_many_reads: it has waited too long for a connection
   */
  async snapshot<T>(by: OnBehalfOf, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const run = async () => {
      const client = asPipelined(await this.pools.general.connectToRead(by));
      return within(client, new PipelinedTransaction(client, undefined, BEGIN_SNAPSHOT), work);
    };
    const start = performance.now();
    return run()
      .catch((error: unknown) => {
        if (!isSafeToRetry(error, start)) throw error;
        return run();
      })
      .catch(this.explain);
  }

  /** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
  private async withRetry<T>(run: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (attempt >= ATTEMPTS || !isTransient(error)) return this.explain(error);
        this.onRetry(error);
        await sleepBeforeRetry(attempt);
      }
    }
  }

  private async begin<T>(
    pool: GatedPool,
    by: OnBehalfOf,
    work: (tx: Transaction) => Promise<T>,
    since: number,
  ): Promise<T> {
    // What the service does by itself, or an operator, has no caller who waits.
    const isForCaller = this.hasTimeouts && (by.callerId ?? by.teamId) !== undefined;
    const left = () => TIMEOUTS.giveUp - (performance.now() - since);
    const connected = isForCaller ? await pool.connect(by, left()) : await pool.connect(by);
    const client = asPipelined(connected);
    const tx = new PipelinedTransaction(client, isForCaller ? since : undefined);
    const running = within(client, tx, work);
    return (isForCaller ? tx.orGivenUp(running, left()) : running).catch(throwBusy);
  }

  /** True while a caller's reads wait for a connection. */
  isWaiting(callerId: string): boolean {
    return this.pools.general.isWaiting(callerId) || this.large.isWaiting(callerId);
  }

  /** How busy the pools are: `pipelined` is that of the tree's writers. */
  poolStatus(): Record<'general' | 'pipelined', PoolStatus> {
    return { general: this.pools.general.status(), pipelined: this.pools.writers.status() };
  }

  /** Closes all connections. */
  async end(): Promise<void> {
    const { reads, writers, general } = this.pools;
    await Promise.all([reads.end(), writers.pool.end(), general.pool.end()]);
  }
}

type TransactionClient = PipelinedClient & pg.PoolClient;

const asPipelined = (client: pg.PoolClient) => client as unknown as TransactionClient;

/** Runs work in a transaction on a connection, which is given back then; what it does not commit is undone. */
async function within<T>(
  client: TransactionClient,
  tx: PipelinedTransaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { pipeline } = client;
  // For the time of the transaction: what else uses a connection of this pool may not be pipelined.
  client.pipeline = true;
  try {
    return await work(tx);
  } finally {
    const broken = await tx.close();
    client.pipeline = pipeline;
    client.release(broken);
  }
}

/** Sends a statement of any kind but a point read. */
async function runOn<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { kind, name, text }: PreparedStatement<unknown>,
  values: unknown[],
): Promise<Row[]> {
  const query = { name, text, values };
  const portioned = kind === 'many' ? { ...query, rows: PORTION } : query;
  return (await pool.query<Row>(portioned)).rows;
}

const isSafeToRetry = (error: unknown, start: number): boolean =>
  wasLost(error) && performance.now() - start < TIMEOUTS.retryWithin;

/** Others had what a change waited for until the end of its time: nothing has happened. */
function throwBusy(error: unknown): never {
  throw timedOut(error) ? new LaneError('busy', error) : error;
}

const ATTEMPTS = 8;

/** Waits before the next attempt: twice as long each time, and at random, so that two do not meet again. */
export const sleepBeforeRetry = (attempt: number): Promise<void> =>
  sleep(Math.random() * 10 * 2 ** attempt);
