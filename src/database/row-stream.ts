import type { Socket } from 'node:net';
import pg from 'pg';
import { TIMEOUTS } from './timeouts.js';

/** A statement and its values, as node-postgres takes them. */
export interface RowQuery extends pg.QueryConfig {
  /** Rows that PostgreSQL sends before it is asked for more. */
  rows?: number;
}

/**
 * The rows of a statement, as many at a time as have arrived. While the reader is busy with them,
 * nothing is taken from the connection, so that PostgreSQL waits, too: what is in memory is one row
 * and what the socket reads in one go. A reader that stops early leaves the connection unusable.
 */
export async function* streamRows<Row>(
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
