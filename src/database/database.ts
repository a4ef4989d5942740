import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { outcomeUnknown } from '../errors/domain-error.js';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';
import { wasCommitRefused, wasLost } from './database-errors.js';
import { divide } from './division.js';
import type { Occupant, PoolStatus } from './gated-pool.js';
import { LargeReads, PORTION } from './large-reads.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { connectPools, type Pools } from './pools.js';
import { Retries, withRetry } from './retry.js';
import { SharedCommits, type WriteOccupant } from './shared-commits.js';
import { statementName } from './statement-names.js';
import { TIMEOUTS } from './timeouts.js';

/** What takes part in a transaction receives this; it is the only way to the transaction. */
export type Transaction = Prisma.TransactionClient;

/** A statement prepared once per connection, under its name. */
export interface PreparedStatement {
  name: string;
  text: string;
  /** Answers many rows: they come in portions, with other callers in between. */
  many?: boolean;
  /** Writes, and so may wait for a lock. */
  writes?: boolean;
}

const CITUS = {
  name: 'database.citus',
  text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
};

/** Runs statements and transactions. Repositories and the tree writer are the only users. */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pools: Pools;
  private readonly commits: SharedCommits;
  private readonly prisma: PrismaClient;
  /** Reads of many rows, and of any number. */
  readonly large: LargeReads;
  /** Transactions that were run again. */
  readonly retries = new Retries();

  constructor(@Inject(CONFIG) config: Config) {
    const division = divide(config.databasePoolSize);
    this.pools = connectPools(config, division);
    this.commits = new SharedCommits(this.pools.writers);
    const { databasePreparedStatements: hasSession } = config;
    this.large = new LargeReads(this.pools.general, division, hasSession);
    const statementNameGenerator = ({ sql }: { sql: string }) => statementName(sql);
    const adapter = new PrismaPg(this.pools.general.pool, { statementNameGenerator });
    this.prisma = new PrismaClient({ adapter });
  }

  /**
   * Runs one prepared statement outside a transaction: a single round trip, shared with others where
   * it only reads a few rows; one a portion where it answers `many`.
   * @param by on whose behalf, where it answers `many` or `writes`
   */
  async query<Row extends pg.QueryResultRow>(
    { name, text, many = false, writes = false }: PreparedStatement,
    values: unknown[],
    by: Occupant = { purpose: name },
  ): Promise<readonly Row[]> {
    const { general, reads } = this.pools;
    const query = { name, text, values };
    if (many || writes) {
      const portioned = many ? { ...query, rows: PORTION } : query;
      return (await general.use(by, () => general.pool.query<Row>(portioned))).rows;
    }
    const start = performance.now();
    try {
      return (await reads.query<Row>(query)).rows;
    } catch (error) {
      // The shared connection was dropped: reading again does no harm.
      if (!mayAskAgain(error, start)) throw error;
      return (await general.use(by, () => general.pool.query<Row>(query))).rows;
    }
  }

  /** Reads by Prisma's models, outside a transaction. */
  models<T>(by: Occupant, read: (prisma: Transaction) => Promise<T>): Promise<T> {
    return this.pools.general.use(by, () => read(this.prisma));
  }

  /**
   * Runs statements that only read a few rows, one behind the other, in one message; each sees what
   * is committed when its turn comes.
   */
  async read(statements: Statement[]): Promise<Rows[]> {
    const queries = statements.map(([{ name, text }, values]) => ({ name, text, values }));
    const start = performance.now();
    const results = await this.pools.reads.queryAll(queries).catch((error: unknown) => {
      // The shared connection was dropped: reading again does no harm.
      if (!mayAskAgain(error, start)) throw error;
      return this.pools.reads.queryAll(queries);
    });
    return results.map(({ rows }) => rows as Rows);
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
   * @throws DomainError internal_server_error where nobody can know whether it was committed
   */
  write(by: WriteOccupant, statement: Statement): Promise<Rows> {
    return this.commits.write(by, statement);
  }

  /**
   * Runs `work` in a READ COMMITTED transaction, again from the start where the database asked for
   * it (deadlock, serialization failure), at most eight times. `work` must have no other effects
   * than those on `tx`.
   * @param by on whose behalf
   * @throws DomainError internal_server_error where nobody can know whether it was committed
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, by: Occupant): Promise<T> {
    return withRetry(this.retries, () => this.pools.general.use(by, () => this.attempt(work)));
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let isCommitting = false;
    const whole = async (tx: Transaction) => {
      const result = await work(tx);
      isCommitting = true;
      return result;
    };
    try {
      const limits = { maxWait: TIMEOUTS.pool, timeout: TIMEOUTS.portions };
      return await this.prisma.$transaction(whole, limits);
    } catch (error) {
      throw isCommitting && !wasCommitRefused(error) ? outcomeUnknown(error) : error;
    }
  }

  /**
   * Runs `work` in a transaction of few messages; once. What `work` does not commit is undone.
   * @param by on whose behalf
   */
  async pipelined<T>(by: Occupant, work: (tx: PipelinedTransaction) => Promise<T>): Promise<T> {
    const client = await this.pools.writers.connect(by);
    const tx = new PipelinedTransaction(client as unknown as PipelinedClient);
    try {
      return await work(tx);
    } finally {
      client.release(await tx.close());
    }
  }

  /** How busy the pools are: `general` is Prisma's, `pipelined` that of the tree's writers. */
  poolStatus(): Record<'general' | 'pipelined', PoolStatus> {
    return { general: this.pools.general.status(), pipelined: this.pools.writers.status() };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    const { reads, writers, general } = this.pools;
    await Promise.all([reads.end(), writers.pool.end(), general.pool.end()]);
  }
}

const mayAskAgain = (error: unknown, start: number): boolean =>
  wasLost(error) && performance.now() - start < TIMEOUTS.again;
