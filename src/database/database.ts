import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { type Prisma, PrismaClient } from '../generated/prisma/client.js';
import { isTransient } from './database-errors.js';
import { type RawTransaction, runRawTransaction, statementName } from './raw-transaction.js';

/** What takes part in a transaction receives this; it is the only way to the transaction. */
export type Transaction = Prisma.TransactionClient;

/** A statement prepared once per connection, under its name. */
export interface PreparedStatement {
  name: string;
  text: string;
  /** Answers many rows: they come in portions, with other callers in between. */
  many?: boolean;
}

/** Rows of a portion: a few milliseconds of reading. */
const PORTION = 500;

const ATTEMPTS = 8;

/**
 * One pool, shared by Prisma and by prepared statements. Repositories are its only users.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  readonly prisma: PrismaClient;

  constructor(@Inject(CONFIG) config: Config) {
    if (config.databaseUrl === null) throw new Error('createApp() needs a database address');
    this.pool = new pg.Pool({
      connectionString: config.databaseUrl,
      max: config.databasePoolSize,
      connectionTimeoutMillis: 30_000,
      idleTimeoutMillis: 60_000,
      statement_timeout: 60_000,
      lock_timeout: 20_000,
      idle_in_transaction_session_timeout: 30_000,
      application_name: 'teamspaces',
    });
    // A connection that dies while idle is replaced; without a listener it would end the process.
    this.pool.on('error', () => undefined);
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(this.pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
    });
  }

  /**
   * Runs one prepared statement outside a transaction: a single round trip, or one a portion where
   * it answers `many` rows.
   */
  async query<Row extends pg.QueryResultRow>(
    { name, text, many = false }: PreparedStatement,
    values: unknown[],
  ): Promise<Row[]> {
    const result = await this.pool.query<Row>({
      name,
      text,
      values,
      ...(many && { rows: PORTION }),
    });
    return result.rows;
  }

  /**
   * Runs `work` in a READ COMMITTED transaction, again from the start where the database asked for
   * it (deadlock, serialization failure), at most eight times. `work` must have no other effects
   * than those on `tx`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return again(() => this.prisma.$transaction(work, { maxWait: 30_000, timeout: 60_000 }));
  }

  /**
   * transaction() for raw SQL only. Without Prisma in between a statement takes a third of the time:
   * for what is called often, or holds a lock that others wait for.
   */
  rawTransaction<T>(work: (tx: RawTransaction) => Promise<T>): Promise<T> {
    return again(() => runRawTransaction(this.pool, work));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pool.end();
  }
}

/** Repeats what failed for a reason that may be gone by now, after a pause that grows. */
async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error;
      await new Promise((wake) => setTimeout(wake, Math.random() * 10 * 2 ** attempt));
    }
  }
}
