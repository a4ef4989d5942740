import type { Socket } from 'node:net';
import pg from 'pg';
import type { Division } from './divided-pools.js';
import { LaneError } from './errors.js';
import { GateTimeout } from './fair-gate.js';
import type { GatedPool, OnBehalfOf } from './gated-pool.js';
import type { ManyRows } from './statements.js';
import { TIMEOUTS } from './timeouts.js';

/** Rows of a portion: a few milliseconds of reading. */
export const PORTION = 500;

/** A statement that returns many rows, and its values. */
type Read<Row> = [statement: ManyRows<Row>, values: unknown[]];

/** Reads of many rows, and of any number: their readers may stop before the end. */
export class LargeReads {
  constructor(
    private readonly general: GatedPool,
    private readonly division: Division,
    /** False through a pooler: statements have no names. */
    private readonly hasSession: boolean,
    private readonly explain: (error: unknown) => never,
  ) {}

  /**
   * The rows of one prepared statement, for a reader that takes them at once.
   * @throws LaneError too_many_reads
   */
  async *portions<Row>(
    [statement, values]: Read<Row>,
    by: OnBehalfOf,
  ): AsyncGenerator<Row[], void> {
    const { name, text } = statement;
    const query = { ...(this.hasSession && { name }), text, values, rows: PORTION };
    const connected = this.general.connectToRead(by).catch(this.explain);
    yield* releasing(await connected, (client) => streamRows<Row>(client, query));
  }

  /**
   * The rows of a statement for a caller's response, as fast as the caller takes them, however long
   * that is; the statement has no name, since it is planned in no time beside what it reads.
   * @throws LaneError too_many_streams: as many are in progress as may be, of all or of this
   *   caller, for five seconds
   */
  async *forCaller<Row>(
    callerId: string,
    [{ text }, values]: Read<Row>,
  ): AsyncGenerator<Row[], void> {
    yield* releasing(await this.connectFor(callerId).catch(this.explain), async function* (client) {
      await client.query(BEGIN);
      yield* streamRows<Row>(client, { text, values });
      await client.query('COMMIT');
    });
  }

  /** True while a large response waits for a connection. */
  isWaiting(callerId: string): boolean {
    return this.general.isWaiting(queueOf(callerId));
  }

  private async connectFor(callerId: string): Promise<pg.PoolClient> {
    const { streams, streamsEach } = this.division;
    const queue = queueOf(callerId);
    const bounds = [
      { key: 'streams', most: streams },
      { key: queue, most: streamsEach },
    ];
    try {
      return await this.general.connectWithin(queue, bounds, TIMEOUTS.stream);
    } catch (error) {
      throw error instanceof GateTimeout ? new LaneError('too_many_streams', error) : error;
    }
  }
}

const queueOf = (callerId: string): string => `streams ${callerId}`;

/** Gives a connection back; where it was not read to the end, it is closed. */
async function* releasing<Row>(
  client: pg.PoolClient,
  read: (client: pg.PoolClient) => AsyncGenerator<Row[], void>,
): AsyncGenerator<Row[], void> {
  let isWhole = false;
  try {
    yield* read(client);
    isWhole = true;
  } finally {
    client.release(!isWhole);
  }
}

/**
 * In one message, and for this transaction alone, so that a pooler does not pass the setting on: a slow
 * reader is closed by the server that sends the response, not by PostgreSQL.
 */
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 0';

/** A statement and its values, as node-postgres takes them. */
interface RowQuery extends pg.QueryConfig {
  /** Rows that PostgreSQL sends before it is asked for more. */
  rows?: number;
}

/**
 * The rows of a statement, as many at a time as have arrived. While the reader is busy with them,
 * nothing is taken from the connection, so that PostgreSQL waits, too: what is in memory is one row
 * and what the socket reads in one go. A reader that stops early leaves the connection unusable.
 */
async function* streamRows<Row>(
  client: pg.ClientBase,
  given: RowQuery,
): AsyncGenerator<Row[], void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let rows: Row[] = [];
  let failure: Error | null = null;
  let isOver = false;
  let wake: () => void = () => undefined;
  const query = new pg.Query(given) as unknown as pg.Query & NodeJS.EventEmitter;
  query.on('row', (row: Row) => {
    rows.push(row);
    wake();
  });
  query.on('error', (error: Error) => {
    failure = error;
    isOver = true;
    wake();
  });
  query.on('end', () => {
    isOver = true;
    wake();
  });
  client.query(query);
  while (!isOver || rows.length > 0) {
    if (rows.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    const arrived = rows;
    rows = [];
    stream.pause();
    // Nobody listens to the server now: it is not silent.
    stream.setTimeout(0);
    yield arrived;
    stream.setTimeout(TIMEOUTS.answer);
    stream.resume();
  }
  if (failure) throw failure;
}
