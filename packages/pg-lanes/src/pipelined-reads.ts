import pg from 'pg';
import { DISCARD_PLANS, shouldDiscardPlans } from './service-client.js';
import type { PointRead } from './statements.js';

/** Parts of node-postgres that its types leave out. */
export type PipelinedClient = pg.Client & {
  pipeline: boolean;
  connection: { stream: { cork(): void; uncork(): void } };
};

/** Parts of a result that its types leave out: its columns, how each is parsed, and a row without values. */
interface Columns {
  fields: readonly pg.FieldDef[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: object;
}

/** Parts of a query that its types leave out. */
type QueryParts = new (
  text: string,
  values: unknown[],
) => {
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  handleRowDescription(message: Pick<Columns, 'fields'>): void;
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

  /** Runs a read. Those of one turn of the event loop run one after the other, in one message. */
  async read<Row extends pg.QueryResultRow>(
    statement: PointRead<unknown>,
    values: unknown[],
  ): Promise<Row[]> {
    if (!this.isTurnOpen) this.openTurn();
    const connection = this.connections[this.current] as Connection;
    const { rows } = await connection.query<Row>(statement, values);
    if (this.checksRows) assertRows(statement, rows.length);
    return rows;
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
function assertRows({ name, rows: most }: PointRead<unknown>, found: number): void {
  if (found > most) throw new Error(`${name} states ${most} rows at most, and returned ${found}`);
}

/** What was made for the first result of a statement. */
const columnsOf = new WeakMap<PointRead<unknown>, Columns>();

/**
 * Prepares for the columns of a result once per statement, and not for each result: that took up to a tenth of the CPU
 * time of a read.
 */
class PointQuery extends (pg.Query as unknown as QueryParts) {
  constructor(
    private readonly statement: PointRead<unknown>,
    values: unknown[],
  ) {
    super(statement.text, values);
    this.name = statement.name;
  }

  override handleRowDescription(message: Pick<Columns, 'fields'>): void {
    const known = columnsOf.get(this.statement);
    if (known && areEqual(known.fields, message.fields)) {
      this._result.fields = known.fields;
      this._result._parsers = known._parsers;
      this._result._prebuiltEmptyResultObject = known._prebuiltEmptyResultObject;
      this._accumulateRows = true;
      return;
    }
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    columnsOf.set(this.statement, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** A migration may change the columns of a statement. */
function areEqual(known: readonly pg.FieldDef[], fields: readonly pg.FieldDef[]): boolean {
  // By index: this runs for each result.
  for (let n = 0; n < fields.length; n++) {
    const a = known[n];
    const b = fields[n] as pg.FieldDef;
    if (a?.name !== b.name || a.dataTypeID !== b.dataTypeID) return false;
  }
  return known.length === fields.length;
}

/**
 * Does what `client.query(query)` does, but does not copy the configuration descriptor by descriptor:
 * that took a tenth of the CPU time of a small read. Errors have no stack of the caller.
 */
function send<Row extends pg.QueryResultRow>(
  client: pg.Client,
  statement: PointRead<unknown>,
  values: unknown[],
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query = new PointQuery(statement, values) as unknown as pg.QueryConfig;
    client.query<Row>(query, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

class Connection {
  private client: PipelinedClient | null = null;
  private connecting: Promise<PipelinedClient> | null = null;
  private isCorked = false;

  constructor(private readonly config: ReadsConfig) {}

  async query<Row extends pg.QueryResultRow>(
    statement: PointRead<unknown>,
    values: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const client = this.client ?? (await this.connect());
    this.cork(client);
    if (shouldDiscardPlans(client, 1)) client.query(DISCARD_PLANS).catch(() => undefined);
    try {
      return await send<Row>(client, statement, values);
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
