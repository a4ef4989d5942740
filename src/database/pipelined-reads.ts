import pg from 'pg';
import { keepPlans, needsNewPlans, REFRESH } from './plan-refresh.js';

/** Connections that these reads share; each holds a PostgreSQL backend for good. */
export const READ_CONNECTIONS = 2;

/** node-postgres keeps the stream of a connection to itself. */
export type PipelinedClient = pg.Client & {
  connection: { stream: { cork(): void; uncork(): void } };
};

/**
 * Reads of a few rows, many at a time on one connection: a statement leaves without waiting for the
 * answers of those before it, and all that one turn of the event loop asks for leave in one packet,
 * which costs more than all else that Node does for a statement. Each is a transaction of its own.
 * Whatever may wait for a lock, or answers many rows, would hold up those behind it: not here.
 */
export class PipelinedReads {
  private readonly lanes: Lane[];
  private next = 0;

  constructor(config: pg.ClientConfig) {
    this.lanes = Array.from({ length: READ_CONNECTIONS }, () => new Lane(config));
  }

  /** Runs statements one behind the other, in one message. */
  queryAll(queries: pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    this.next = (this.next + 1) % this.lanes.length;
    return (this.lanes[this.next] as Lane).queryAll(queries);
  }

  async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const [result] = await this.queryAll([query]);
    return result as pg.QueryResult<Row>;
  }

  async end(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.end()));
  }
}

class Lane {
  private client: PipelinedClient | null = null;
  private connecting: Promise<PipelinedClient> | null = null;
  private isCorked = false;

  constructor(private readonly config: pg.ClientConfig) {}

  async queryAll(queries: pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    const client = this.client ?? (await this.connect());
    this.cork(client);
    if (needsNewPlans(client, queries.length)) client.query(REFRESH).catch(() => undefined);
    return Promise.all(queries.map((query) => client.query(query)));
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
    const config = { ...this.config, pipeline: true } as pg.ClientConfig;
    const client = new pg.Client(config) as PipelinedClient;
    // A connection that breaks is dropped, and the next read makes another. The listener stays for
    // good: without one, a backend that is killed would end the process.
    const drop = () => {
      if (this.client === client) this.client = null;
    };
    client.on('error', drop);
    client.on('end', drop);
    await client.connect();
    await keepPlans(client);
    this.client = client;
    return client;
  }
}
