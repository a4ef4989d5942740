import { setTimeout as sleep } from 'node:timers/promises';
import {
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type pg from 'pg';
import { CONFIG } from '../config/config.module.js';
import { busy } from '../errors/domain-error.js';
import {
  isTransient,
  type RetryReason,
  retryReason,
  timedOut,
  wasLost,
} from './database-errors.js';
import { connectPools, type DatabaseConfig, divide, type Pools } from './divided-pools.js';
import type { GatedPool, OnBehalfOf, PoolStatus } from './gated-pool.js';
import { LargeReads, PORTION } from './large-reads.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { SharedCommits, type WriteOnBehalfOf } from './shared-commits.js';
import {
  isPointRead,
  type PointRead,
  type PreparedCall,
  type PreparedStatement,
  point,
  type ReadStatement,
} from './statements.js';
import { TIMEOUTS } from './timeouts.js';

/** What takes part in a transaction receives this; it is the only way to the transaction. */
export type Transaction = PipelinedTransaction;

/** What sends a statement that only reads: the database, or a transaction. */
export interface Reader {
  query<Row extends pg.QueryResultRow>(
    statement: ReadStatement,
    values: unknown[],
  ): Promise<readonly Row[]>;
}

/** Reports retried transactions. One that is retried over and over takes its locks in a wrong order. */
export class Retries {
  private readonly logger = new Logger('database');
  private count: (reason: RetryReason) => void = () => undefined;

  /** @param count is called for each */
  countBy(count: (reason: RetryReason) => void): void {
    this.count = count;
  }

  /** To be called before a transaction is retried. @param error why */
  note(error: unknown): void {
    const reason = retryReason(error);
    this.count(reason);
    const line = `a transaction is retried: ${reason}`;
    if (reason === 'deadlock') this.logger.warn(line);
    else this.logger.debug(line);
  }
}

/** Finds a row on Citus. */
export const CITUS = point(1, {
  name: 'database.citus',
  text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
});

/** Runs statements and transactions. */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pools: Pools;
  private readonly commits: SharedCommits;
  /** Reads of many rows, and of any number. */
  readonly large: LargeReads;
  /** Transactions that were retried. */
  readonly retries = new Retries();

  private readonly hasTimeouts: boolean;

  constructor(@Inject(CONFIG) config: DatabaseConfig) {
    this.hasTimeouts = !config.hasNoTimeouts;
    const division = divide(config.databasePoolSize);
    this.pools = connectPools(config, division);
    this.commits = new SharedCommits(this.pools.writers);
    const { databasePreparedStatements: hasSession } = config;
    this.large = new LargeReads(this.pools.general, division, hasSession);
  }

  /**
   * Runs one prepared statement outside a transaction. A point read shares its round trip with those of others; of
   * any other kind, one takes a connection of the general pool, and a read of many rows a round trip for each portion.
   * @param by on whose behalf, of any kind but a point read
   * @throws DomainError rate_limit_exceeded: a read has waited too long for a connection; conflict: a lock, or a
   *   connection to write, was not available in time
   */
  query<Row extends pg.QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
    by?: OnBehalfOf,
  ): Promise<readonly Row[]> {
    if (isPointRead(statement, values)) return this.readPoint<Row>(statement, values);
    const onBehalf = by ?? { purpose: statement.name };
    if (statement.kind !== 'write') return this.readAlone<Row>(statement, values, onBehalf);
    const { general } = this.pools;
    return general
      .use(onBehalf, () => runOn<Row>(general.pool, statement, values))
      .catch(throwBusy);
  }

  /**
   * Runs reads one after the other, in one message if all are point reads; each sees what is committed when its turn
   * comes.
   * @param by as of query()
   */
  async read(reads: PreparedCall[], by?: OnBehalfOf): Promise<Rows[]> {
    const send = async ([statement, values]: PreparedCall): Promise<Rows> => [
      ...(await this.query(statement, values, by)),
    ];
    if (reads.every(([statement, values]) => isPointRead(statement, values))) {
      return Promise.all(reads.map(send));
    }
    const results: Rows[] = [];
    for (const read of reads) results.push(await send(read));
    return results;
  }

  private async readPoint<Row extends pg.QueryResultRow>(
    statement: PointRead,
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
    statement: ReadStatement,
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

  /** True on Citus, which takes fewer kinds of statements; asked once. */
  isDistributed(): Promise<boolean> {
    this.distributed ??= this.query(CITUS, []).then(
      ({ length }) => length > 0,
      (error: unknown) => {
        this.distributed = null;
        throw error;
      },
    );
    return this.distributed;
  }
  private distributed: Promise<boolean> | null = null;

  /**
   * Runs one statement that writes rows of a team, as a transaction of its own; where connections are
   * scarce, in one commit with those of other teams.
   * @throws DomainError conflict: a lock or a connection was not available in time;
   *   internal_server_error where nobody can know whether it was committed
   */
  write(by: WriteOnBehalfOf, statement: Statement): Promise<Rows> {
    return this.commits.write(by, statement).catch(throwBusy);
  }

  /**
   * Runs `work` in a READ COMMITTED transaction and commits it, again from the start where the
   * database asked for it (deadlock, serialization failure), at most eight times. `work` must have no
   * other effects than those on `tx`.
   * @param by on whose behalf
   * @throws DomainError conflict: a lock or a connection was not available in time;
   *   internal_server_error where nobody can know whether it was committed
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, by: OnBehalfOf): Promise<T> {
    const attempt = async (tx: Transaction) => {
      const result = await work(tx);
      await tx.commit();
      return result;
    };
    const since = performance.now();
    return withRetry(this.retries, () => this.begin(this.pools.general, by, attempt, since));
  }

  /**
   * Runs `work` in a transaction of few messages, on a connection of the tree's writers; once. What
   * `work` does not commit is undone.
   * @param by on whose behalf
   * @param since when its caller began to wait
   * @throws DomainError as transaction()
   */
  pipelined<T>(
    by: OnBehalfOf,
    work: (tx: Transaction) => Promise<T>,
    since: number = performance.now(),
  ): Promise<T> {
    return this.begin(this.pools.writers, by, work, since);
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
    const client = connected as unknown as PipelinedClient & pg.PoolClient;
    const { pipeline } = client;
    // For the time of the transaction: what else uses a connection of this pool may not be pipelined.
    client.pipeline = true;
    const tx = new PipelinedTransaction(client, isForCaller ? since : undefined);
    const running = work(tx).finally(async () => {
      const broken = await tx.close();
      client.pipeline = pipeline;
      client.release(broken);
    });
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

  async onApplicationShutdown(): Promise<void> {
    const { reads, writers, general } = this.pools;
    await Promise.all([reads.end(), writers.pool.end(), general.pool.end()]);
  }
}

/** Sends a statement of any kind but a point read. */
async function runOn<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { kind, name, text }: PreparedStatement,
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
  throw timedOut(error) ? busy(error) : error;
}

const ATTEMPTS = 8;

/** Waits before the next attempt: twice as long each time, and at random, so that two do not meet again. */
export const sleepBeforeRetry = (attempt: number): Promise<void> =>
  sleep(Math.random() * 10 * 2 ** attempt);

/** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
async function withRetry<T>(retries: Retries, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error;
      retries.note(error);
      await sleepBeforeRetry(attempt);
    }
  }
}

@Global()
@Module({ providers: [Database], exports: [Database] })
export class DatabaseModule {}
