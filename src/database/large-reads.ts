import type pg from 'pg';
import { DomainError } from '../errors/domain-error.js';
import type { Division } from './division.js';
import { GateTimeout } from './fair-gate.js';
import type { GatedPool, OnBehalfOf } from './gated-pool.js';
import { streamRows } from './row-stream.js';
import { TIMEOUTS } from './timeouts.js';

/** Rows of a portion: a few milliseconds of reading. */
export const PORTION = 500;

/** A statement that returns many rows, and its values. */
type Read = [statement: { name: string; text: string }, values: unknown[]];

/** Reads of many rows, and of any number: their readers may stop before the end. */
export class LargeReads {
  constructor(
    private readonly general: GatedPool,
    private readonly division: Division,
    /** False behind a pooler: statements have no names. */
    private readonly hasSession: boolean,
  ) {}

  /** The rows of one prepared statement, for a reader that takes them at once. */
  async *portions<Row>([statement, values]: Read, by: OnBehalfOf): AsyncGenerator<Row[], void> {
    const { name, text } = statement;
    const query = { ...(this.hasSession && { name }), text, values, rows: PORTION };
    yield* releasing(await this.general.connect(by), (client) => streamRows<Row>(client, query));
  }

  /**
   * The rows of a statement for a caller's response, as fast as the caller takes them, however long
   * that is; the statement has no name, since it is planned in no time beside what it reads.
   * @throws DomainError rate_limit_exceeded: as many are in progress as may be, of all or of this
   *   caller, for five seconds
   */
  async *forCaller<Row>(callerId: string, [{ text }, values]: Read): AsyncGenerator<Row[], void> {
    yield* releasing(await this.connectFor(callerId), async function* (client) {
      await client.query(BEGIN);
      yield* streamRows<Row>(client, { text, values });
      await client.query('COMMIT');
    });
  }

  private async connectFor(callerId: string): Promise<pg.PoolClient> {
    const { streams, streamsEach } = this.division;
    const queue = `streams ${callerId}`;
    const bounds = [
      { key: 'streams', most: streams },
      { key: queue, most: streamsEach },
    ];
    try {
      return await this.general.connectWithin(queue, bounds, TIMEOUTS.stream);
    } catch (error) {
      if (!(error instanceof GateTimeout)) throw error;
      throw new DomainError(
        'rate_limit_exceeded',
        'too many responses of more than 8 MiB are being sent: read those that are under way to their end, then try again',
        { cause: error, retryAfterSeconds: 5 },
      );
    }
  }
}

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
 * reader is closed by the service (http/connections.ts), not by PostgreSQL.
 */
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 0';
