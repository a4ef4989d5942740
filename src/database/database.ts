import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { outcomeUnknown } from '../errors/domain-error.js';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';
import type { Once } from '../idempotency/once.js';
import { wasCommitRefused, wasLost } from './database-errors.js';
import { onlyOnce } from './only-once.js';
import { closeSilent, PATIENCE, QuickClient } from './patience.js';
import { type PipelinedClient, PipelinedReads, READ_CONNECTIONS } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { keepPlans, needsNewPlans, REFRESH } from './plan-refresh.js';
import { withoutSession } from './pooled-client.js';
import { withRetry } from './retry.js';

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

const TIMESTAMPTZ = 1184;

/** Times are read by JavaScript's own parser, which takes half as long as that of node-postgres. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    Number(oid) === TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text)
      : pg.types.getTypeParser(oid, format),
};

/** Our statements find their rows by keys: whatever reads or sorts a table whole is a mistake. */
const PLANS = '-c enable_seqscan=off -c enable_sort=off -c jit=off';

/**
 * DATABASE_POOL_SIZE connections: two for pipelined reads, the others shared out between a pool for
 * transactions in pipeline mode and one for Prisma, which cannot work in that mode. Repositories and
 * the tree writer are the only users.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly writers: pg.Pool;
  private readonly reads: PipelinedReads;
  readonly prisma: PrismaClient;

  constructor(@Inject(CONFIG) config: Config) {
    if (config.databaseUrl === null) throw new Error('createApp() needs a database address');
    const hasSession = config.databasePreparedStatements;
    const connection = {
      connectionString: config.databaseUrl,
      statement_timeout: PATIENCE.statement,
      lock_timeout: PATIENCE.lock,
      idle_in_transaction_session_timeout: PATIENCE.idle,
      // Notices peers that have vanished while nothing was asked.
      keepAlive: true,
      keepAliveInitialDelayMillis: PATIENCE.answer,
      application_name: 'teamspaces',
      options: PLANS,
      types: TYPES,
      Client: hasSession ? QuickClient : withoutSession(QuickClient),
      ...(hasSession && { onConnect: keepPlans }),
    };
    const left = config.databasePoolSize - READ_CONNECTIONS;
    // Writers of the tree are many, and each waits for the disk: they get three fifths.
    const writers = Math.max(1, Math.ceil(left * 0.6));
    const others = Math.max(1, left - writers);
    const pooled = {
      ...connection,
      connectionTimeoutMillis: PATIENCE.pool,
      idleTimeoutMillis: 60_000,
    };
    this.reads = new PipelinedReads({ ...connection, query_timeout: PATIENCE.answer });
    const general = { ...pooled, max: others, statement_timeout: PATIENCE.portions };
    this.pool = closeSilent(listened(new pg.Pool(general)));
    const pipelined = { ...pooled, max: writers, pipeline: true, query_timeout: PATIENCE.answer };
    this.writers = listened(new pg.Pool(pipelined as pg.PoolConfig));
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(this.pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
    });
  }

  /**
   * Runs one prepared statement outside a transaction: a single round trip, shared with others where
   * it only reads a few rows; one a portion where it answers `many`.
   */
  async query<Row extends pg.QueryResultRow>(
    { name, text, many = false, writes = false }: PreparedStatement,
    values: unknown[],
  ): Promise<Row[]> {
    const query = { name, text, values };
    if (many) {
      const portioned = { ...query, rows: PORTION };
      return (await this.pool.query<Row>(portioned)).rows;
    }
    if (writes) return (await this.pool.query<Row>(query)).rows;
    const start = performance.now();
    try {
      return (await this.reads.query<Row>(query)).rows;
    } catch (error) {
      // The shared connection was dropped: reading again does no harm.
      if (!mayAskAgain(error, start)) throw error;
      return (await this.pool.query<Row>(query)).rows;
    }
  }

  /**
   * Runs statements that only read a few rows, one behind the other, in one message; each sees what
   * is committed when its turn comes.
   */
  async read(statements: Statement[]): Promise<Rows[]> {
    const queries = statements.map(([{ name, text }, values]) => ({ name, text, values }));
    const start = performance.now();
    const results = await this.reads.queryAll(queries).catch((error: unknown) => {
      // The shared connection was dropped: reading again does no harm.
      if (!mayAskAgain(error, start)) throw error;
      return this.reads.queryAll(queries);
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
   * Runs one statement that writes, as a transaction of its own.
   * @throws DomainError internal_server_error where nobody can know whether it was committed
   */
  async write([{ name, text }, values]: Statement): Promise<Rows> {
    const client = await this.writers.connect();
    let broken: Error | undefined;
    try {
      if (needsNewPlans(client, 1)) client.query(REFRESH).catch(() => undefined);
      return (await client.query({ name, text, values })).rows as Rows;
    } catch (error) {
      if (!wasLost(error)) throw error;
      broken = error as Error;
      throw outcomeUnknown(error);
    } finally {
      client.release(broken);
    }
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
    const client = await this.writers.connect();
    const tx = new PipelinedTransaction(client as unknown as PipelinedClient);
    try {
      return await work(tx);
    } finally {
      client.release(await tx.close());
    }
  }

  /** How busy the pools are: `general` is Prisma's, `pipelined` that of the tree's writers. */
  poolStatus(): Record<'general' | 'pipelined', PoolStatus> {
    return { general: statusOf(this.pool), pipelined: statusOf(this.writers) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    await Promise.all([this.reads.end(), this.writers.end(), this.pool.end()]);
  }
}

/** Connections of a pool, and callers that wait for one. */
export interface PoolStatus {
  total: number;
  idle: number;
  waiting: number;
}

const statusOf = ({ totalCount, idleCount, waitingCount }: pg.Pool): PoolStatus => ({
  total: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

/**
 * A connection that dies is replaced; without a listener it would end the process. On each client,
 * for good: what ends a connection in pipeline mode may belong to no statement.
 */
function listened(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
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
