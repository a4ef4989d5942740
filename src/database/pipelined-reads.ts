import pg from 'pg';
import { DISCARD_PLANS, shouldDiscardPlans } from './service-client.js';
import type { PointRead } from './statements.js';

/** Parts of node-postgres that its types leave out. */
export type PipelinedClient = pg.Client & {
  pipeline: boolean;
  connection: { stream: { cork(): void; uncork(): void } };
};

/** How to connect, by which kind of client, and what to do with a new connection. */
export interface ReadsConfig extends pg.ClientConfig {
  Client: typeof pg.Client;
  /**
   * False through a pooler: PgBouncer (1.18) gives a connection to PostgreSQL away while a statement that did not
   * wait for the one before it is on its way, and both are lost. Each waits for the response of the one before it then.
   */
  pipeline: boolean;
  /** Fails a read that returns more rows than it states: for tests and development. */
  checksRows: boolean;
  onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** A point read and its values. */
type Read = [statement: PointRead, values: unknown[]];

/**
 * Point reads, many at a time on one connection: a statement leaves without waiting for the
 * answers of those before it, and all that one turn of the event loop asks for leave in one packet,
 * which costs more than all else that Node does for a statement. Each is a transaction of its own.
 * Whatever may wait for a lock, returns many rows or walks many would hold up those after it: not here.
 */
export class PipelinedReads {
  private readonly connections: Connection[];
  private current = 0;
  private isTurnOpen = false;
  private readonly checksRows: boolean;

  /** @param connections that these reads share; each holds a PostgreSQL backend for good */
  constructor(config: ReadsConfig, connections: number) {
    this.checksRows = config.checksRows;
    this.connections = Array.from({ length: connections }, () => new Connection(config));
  }

  /** Runs reads one after the other, in one message. @returns the rows of each */
  async readAll<Row extends pg.QueryResultRow>(reads: readonly Read[]): Promise<Row[][]> {
    if (!this.isTurnOpen) this.openTurn();
    const results = await (this.connections[this.current] as Connection).queryAll(reads);
    if (this.checksRows) assertRows(reads, results);
    return results.map(({ rows }) => rows as Row[]);
  }

  /** All reads of a turn of the event loop take the same connection, those of the next another. */
  private openTurn(): void {
    this.isTurnOpen = true;
    this.current = (this.current + 1) % this.connections.length;
    setImmediate(() => {
      this.isTurnOpen = false;
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.end()));
  }
}

/** @throws Error a statement is no point read, as it says */
function assertRows(reads: readonly Read[], results: readonly pg.QueryResult[]): void {
  for (const [n, [{ name, rows: most }]] of reads.entries()) {
    const found = results[n]?.rows.length ?? 0;
    if (found > most) throw new Error(`${name} states ${most} rows at most, and returned ${found}`);
  }
}

/**
 * Does what `client.query(query)` does, but does not copy the configuration descriptor by descriptor:
 * that took a tenth of the CPU time of a small read. Errors have no stack of the caller.
 */
function send(client: pg.Client, [{ name, text }, values]: Read): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = Object.assign(new pg.Query(text, values), { name }) as unknown as pg.QueryConfig;
    client.query(query, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

class Connection {
  private client: PipelinedClient | null = null;
  private connecting: Promise<PipelinedClient> | null = null;
  private isCorked = false;

  constructor(private readonly config: ReadsConfig) {}

  async queryAll(reads: readonly Read[]): Promise<pg.QueryResult[]> {
    const client = this.client ?? (await this.connect());
    this.cork(client);
    if (shouldDiscardPlans(client, reads.length))
      client.query(DISCARD_PLANS).catch(() => undefined);
    try {
      return await Promise.all(reads.map((read) => send(client, read)));
    } catch (error) {
      // The log is to name the read that failed, and not the socket.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.connecting?.catch(() => undefined);
    await this.client?.end();
  }

  /** Holds back what is written until the end of this turn of the event loop. */
  private cork({ connection: { stream } }: PipelinedClient): void {
    if (this.isCorked) return;
    this.isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }

  private connect(): Promise<PipelinedClient> {
    this.connecting ??= this.open().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  private async open(): Promise<PipelinedClient> {
    const { Client, onConnect, checksRows: _, ...config } = this.config;
    const client = new Client(config) as PipelinedClient;
    // A connection that breaks is dropped, and the next read makes another. The listener stays for
    // good: without one, a backend that is killed would end the process.
    const drop = () => {
      if (this.client === client) this.client = null;
    };
    client.on('error', drop);
    client.on('end', drop);
    await client.connect();
    try {
      await onConnect?.(client);
    } catch (error) {
      void client.end();
      throw error;
    }
    this.client = client;
    return client;
  }
}
