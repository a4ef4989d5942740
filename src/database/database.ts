import { createHash } from 'node:crypto';
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
import { TIMEOUTS } from './timeouts.js';

/** What takes part in a transaction receives this; it is the only way to the transaction. */
export type Transaction = PipelinedTransaction;

/** A statement prepared once per connection, under its name. */
export interface PreparedStatement {
  name: string;
  text: string;
  /** Returns many rows: they come in portions, with other callers in between. */
  many?: boolean;
  /** Walks many rows to return few: not on the connections that reads of a few rows share. */
  wide?: boolean;
  /** Writes, and so may wait for a lock. */
  writes?: boolean;
}

/** What sends a statement that only reads: the database, or a transaction. */
export interface Reader {
  query<Row extends pg.QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<readonly Row[]>;
}

/** A prepared statement and its values. */
export type PreparedRead = [statement: PreparedStatement, values: unknown[]];

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
export const CITUS = {
  name: 'database.citus',
  text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
};

/** Runs statements and transactions. Repositories and the tree writer are the only users. */
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
   * Runs one prepared statement outside a transaction: a single round trip, shared with others where
   * it only reads a few rows; one for each portion if it returns `many` rows.
   * @param by on whose behalf, if it returns `many` rows, is `wide` or `writes`
   * @throws DomainError conflict: a lock or a connection was not available in time
   */
  async query<Row extends pg.QueryResultRow>(
    { name, text, many = false, wide = false, writes = false }: PreparedStatement,
    values: unknown[],
    by: OnBehalfOf = { purpose: name },
  ): Promise<readonly Row[]> {
    const { general, reads } = this.pools;
    const query = { name, text, values };
    const portioned = many ? { ...query, rows: PORTION } : query;
    const onGeneralPool = async () =>
      (await general.use(by, () => general.pool.query<Row>(portioned))).rows;
    if (writes) return onGeneralPool().catch(throwBusy);
    const start = performance.now();
    try {
      return many || wide ? await onGeneralPool() : (await reads.query<Row>(query)).rows;
    } catch (error) {
      // The connection was dropped: reading again does no harm.
      if (!isSafeToRetry(error, start)) throw error;
      return onGeneralPool();
    }
  }

  /**
   * Runs statements that only read a few rows, one after the other, in one message; each sees what
   * is committed when its turn comes.
   */
  async read(statements: Statement[]): Promise<Rows[]> {
    const queries = statements.map(([{ name, text }, values]) => ({ name, text, values }));
    const start = performance.now();
    const results = await this.pools.reads.queryAll(queries).catch((error: unknown) => {
      // The shared connection was dropped: reading again does no harm.
      if (!isSafeToRetry(error, start)) throw error;
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

/** A statement that reads are part of. */
export interface Frame {
  name: string;
  /** What stands for the first parameters of the reads, which they share. */
  shared: readonly string[];
  /** Parameters of the statement itself: those of the reads come after them. */
  parameters: number;
  text(reads: string): string;
}

/** Combinations by the names of their parts: there are as many as kinds of commands. */
const combinations = new Map<string, PreparedStatement>();

/**
 * Puts reads together into one statement: one snapshot for all of them, and a fraction of the cost of
 * sending each. They end in no semicolon or comment.
 * @param reads their values without those that they share
 * @returns the values of the reads alone
 */
export function combineReads(frame: Frame, reads: readonly PreparedRead[]): PreparedRead {
  const key = [frame, ...reads.map(([statement]) => statement)].map(({ name }) => name).join(' ');
  let combined = combinations.get(key);
  if (!combined) {
    // PostgreSQL takes names of 63 bytes.
    const name = `${frame.name}.${createHash('sha1').update(key).digest('base64url')}`;
    const wide = reads.some(([statement]) => statement.wide);
    combined = { name, text: frame.text(combinedText(frame, reads)), wide };
    combinations.set(key, combined);
  }
  return [combined, reads.flatMap(([, values]) => values)];
}

function combinedText({ shared, parameters }: Frame, reads: readonly PreparedRead[]): string {
  let offset = parameters - shared.length;
  const texts = reads.map(([{ text }, values], part) => {
    const numbered = text.replace(
      /\$(\d+)/g,
      (_, digits: string) => shared[Number(digits) - 1] ?? `$${Number(digits) + offset}`,
    );
    offset += values.length;
    return `SELECT ${part} AS part, to_json(found) AS row FROM (${numbered}) AS found`;
  });
  return texts.join('\nUNION ALL\n');
}

/** The rows of each of `count` reads, from what their combination returns; times come as text. */
export function separateReads(rows: readonly Rows[number][], count: number): Rows[] {
  const separate: Rows[] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) separate[part]?.push(row);
  return separate;
}
