import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * How long the database may take, in milliseconds. A request waits for one thing at a time, and
 * gets a response within ten seconds in any case (http/deadline.ts).
 */
export const TIMEOUTS = {
  /** For a new connection: short, since all who need one wait for the attempt in progress. */
  connect: 3_000,
  /** For a connection of the pool that others use. */
  pool: 8_000,
  /** For one of the connections that large responses are read on. */
  stream: 5_000,
  /** For a lock; and for the batch before its own, which a command waits for in the process. */
  lock: 4_000,
  /**
   * For a change until its COMMIT leaves, all waiting included: it is given up then, while its request
   * can still learn that nothing has happened.
   */
  giveUp: 8_000,
  /** For the locks that the message with COMMIT waits for, all waiting before it included. */
  commit: 8_500,
  /** For a statement. */
  statement: 7_000,
  /** For the result of a statement. Beyond `statement`: only a silent server or network takes so long. */
  answer: 8_000,
  /** Between two statements of a transaction. */
  idle: 8_000,
  /** Statements that return rows in portions may take long, as long as the portions come. */
  portions: 60_000,
  /** What was lost is retried only if it was lost within this time: the caller waits for both. */
  retryWithin: 1_000,
} as const;

/** Part of node-postgres that its types leave out: what a connection asks for when it begins. */
const { getStartupConf } = pg.Client.prototype as unknown as {
  getStartupConf(this: pg.Client): Record<string, string>;
};

/**
 * A pool's option `connectionTimeoutMillis` is for those who wait; a new connection gets this one.
 * Times are written and read in UTC, as Prisma takes for granted, and in ISO 8601, whatever server,
 * database and role prefer. Poolers know these two settings.
 */
export class ServiceClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: TIMEOUTS.connect });
  }

  protected getStartupConf(): Record<string, string> {
    return { ...getStartupConf.call(this), TimeZone: 'UTC', DateStyle: 'ISO' };
  }
}

/** Closes a pool's connections that are in use and say nothing: they would wait for ever. */
export function destroyIdleSockets(pool: pg.Pool): pg.Pool {
  const streamOf = (client: pg.ClientBase) =>
    (client as unknown as { connection: { stream: Socket } }).connection.stream;
  pool.on('connect', (client) => {
    const stream = streamOf(client);
    stream.on('timeout', () => stream.destroy());
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(TIMEOUTS.answer));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
  return pool;
}
