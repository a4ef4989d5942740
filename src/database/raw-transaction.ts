import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Prisma } from '../generated/prisma/client.js';

/**
 * A transaction for raw SQL. Prisma's transactions are ones, too: a method that takes this can be
 * called within either.
 */
export interface RawTransaction {
  /** Answers the rows. */
  $queryRaw<Rows>(sql: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  /** Answers the number of rows that were changed. */
  $executeRaw(sql: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
}

/** Runs `work` in a READ COMMITTED transaction on a connection of its own; once. */
export async function runRawTransaction<T>(
  pool: pg.Pool,
  work: (tx: RawTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The next statement fails if the connection dies; without a listener the process would, too.
  const ignore = () => undefined;
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(statementsOn(client));
    // Where a failure of a statement was caught by `work`, PostgreSQL answers with ROLLBACK.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement failed');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

function statementsOn(client: pg.PoolClient): RawTransaction {
  const run = (sql: TemplateStringsArray | Prisma.Sql, values: unknown[]) => {
    const statement = sql instanceof Prisma.Sql ? sql : Prisma.sql(sql, ...values);
    const { text } = statement;
    return client.query({ name: statementName(text), text, values: statement.values });
  };
  return {
    async $queryRaw<Rows>(sql: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
      return (await run(sql, values)).rows as Rows;
    },
    async $executeRaw(sql, ...values) {
      return (await run(sql, values)).rowCount ?? 0;
    },
  };
}

const names = new Map<string, string>();

/** Names a statement by its text, so that PostgreSQL parses and plans it once per connection. */
export function statementName(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `p${createHash('sha1').update(sql).digest('base64url')}`;
    if (names.size < 1000) names.set(sql, name);
  }
  return name;
}
