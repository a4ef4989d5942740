import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { outcomeUnknown } from '../errors/domain-error.js';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';
import type { Once } from '../idempotency/once.js';
import { wasCommitRefused, wasLost } from './database-errors.js';
import { onlyOnce } from './only-once.js';
import { PATIENCE } from './patience.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { connectPools, type PoolStatus, type Pools, statusOf } from './pools.js';
import { withRetry } from './retry.js';
import { SharedCommits } from './shared-commits.js';

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

/** Rows of a portion: a few milliseconds of reading. */
const PORTION = 500;

const CITUS = {
  name: 'database.citus',
  text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
};

/** Runs statements and transactions. Repositories and the tree writer are the only users. */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pools: Pools;
  private readonly commits: SharedCommits;
  readonly prisma: PrismaClient;

  constructor(@Inject(CONFIG) config: Config) {
    this.pools = connectPools(config);
    this.commits = new SharedCommits(this.pools.writers);
    const statementNameGenerator = ({ sql }: { sql: string }) => statementName(sql);
    const adapter = new PrismaPg(this.pools.general, { statementNameGenerator });
    this.prisma = new PrismaClient({ adapter });
  }

  /**
   * Runs one prepared statement outside a transaction: a single round trip, shared with others where
   * it only reads a few rows; one a portion where it answers `many`. Others who ask for the same at
   * the same moment may hold the same rows: nobody changes them.
   */
  async query<Row extends pg.QueryResultRow>(
    { name, text, many = false, writes = false }: PreparedStatement,
    values: unknown[],
  ): Promise<readonly Row[]> {
    const query = { name, text, values };
    if (many) {
      const portioned = { ...query, rows: PORTION };
      return (await this.pools.general.query<Row>(portioned)).rows;
    }
    if (writes) return (await this.pools.general.query<Row>(query)).rows;
    const start = performance.now();
    try {
      return (await this.pools.reads.query<Row>(query)).rows;
    } catch (error) {
      // The shared connection was dropped: reading again does no harm.
      if (!mayAskAgain(error, start)) throw error;
      return (await this.pools.general.query<Row>(query)).rows;
    }
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
  write(teamId: string, statement: Statement): Promise<Rows> {
    return this.commits.write(teamId, statement);
  }

  /**
   * Runs `work` in a READ COMMITTED transaction, again from the start where the database asked for
   * it (deadlock, serialization failure), at most eight times. `work` must have no other effects
   * than those on `tx`.
   * @param once the key under which it happens once, and its answer is kept; null: any number of times
   * @throws AlreadyDone: it has happened; DomainError conflict: it is happening, and takes too long;
   *   internal_server_error where nobody can know whether it was committed
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, once: Once<T> | null = null): Promise<T> {
    const guarded = once === null ? work : onlyOnce(once, work);
    return withRetry(async () => {
      let isCommitting = false;
      const whole = async (tx: Transaction) => {
        const result = await guarded(tx);
        isCommitting = true;
        return result;
      };
      try {
        const limits = { maxWait: PATIENCE.pool, timeout: PATIENCE.portions };
        return await this.prisma.$transaction(whole, limits);
      } catch (error) {
        throw isCommitting && !wasCommitRefused(error) ? outcomeUnknown(error) : error;
      }
    });
  }

  /** Runs `work` in a transaction of few messages; once. What `work` does not commit is undone. */
  async pipelined<T>(work: (tx: PipelinedTransaction) => Promise<T>): Promise<T> {
    const client = await this.pools.writers.connect();
    const tx = new PipelinedTransaction(client as unknown as PipelinedClient);
    try {
      return await work(tx);
    } finally {
      client.release(await tx.close());
    }
  }

  /** How busy the pools are: `general` is Prisma's, `pipelined` that of the tree's writers. */
  poolStatus(): Record<'general' | 'pipelined', PoolStatus> {
    return { general: statusOf(this.pools.general), pipelined: statusOf(this.pools.writers) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    await Promise.all([this.pools.reads.end(), this.pools.writers.end(), this.pools.general.end()]);
  }
}

const mayAskAgain = (error: unknown, start: number): boolean =>
  wasLost(error) && performance.now() - start < PATIENCE.again;

const names = new Map<string, string>();

/** Names a statement by its text, so that PostgreSQL parses and plans it once per connection. */
function statementName(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `p${createHash('sha1').update(sql).digest('base64url')}`;
    if (names.size < 1000) names.set(sql, name);
  }
  return name;
}
