import pg from 'pg';
import type { Rows, Statement } from './pipelined-transaction.js';
import { DISCARD_PLANS, shouldDiscardPlans } from './service-client.js';

/** Parts of a connection of node-postgres that its types leave out: its messages, and what it has prepared. */
interface Connection {
  parse(statement: { name: string; text: string }): void;
  bind(values: { portal: string; statement: string; values: unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string }): void;
  sync(): void;
  on(event: 'parseComplete', listener: () => void): void;
  off(event: 'parseComplete', listener: () => void): void;
  parsedStatements: Record<string, string>;
  /** What was sent to be prepared, until PostgreSQL has prepared it. */
  submittedNamedStatements: Record<string, string>;
}

/** Parts of a query that its types leave out; it takes the results of several statements. */
type QueryParts = new (
  config: pg.QueryConfig & { queryMode: 'extended' },
  values: undefined,
  callback: (error: Error | null, results: pg.QueryResult | pg.QueryResult[]) => void,
) => {
  /** Through a pooler, there are no names: see service-client. */
  name: string | undefined;
  prepare(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
};

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils;

/**
 * Commits statements in one message, as a transaction of their own: without BEGIN and COMMIT, PostgreSQL commits at the
 * Sync, which comes after the last one, what it has got since the one before. They run one after the other, each sees
 * what those before it did; if one fails, those after it do not run, and nothing is committed. For a write of a few
 * statements, BEGIN and COMMIT would take a tenth of its time.
 * @param client in pipeline mode, on which nothing else waits for a response
 * @returns the rows of each
 */
export async function commitList(client: pg.ClientBase, statements: Statement[]): Promise<Rows[]> {
  if (shouldDiscardPlans(client, statements.length)) {
    client.query(DISCARD_PLANS).catch(() => undefined);
  }
  const results = await new Promise<pg.QueryResult | pg.QueryResult[]>((resolve, reject) => {
    const list = new StatementList(statements, (error, found) =>
      error ? reject(error) : resolve(found),
    );
    client.query(list as unknown as pg.Submittable);
  }).catch((error: Error) => {
    // The log is to name the write that failed, and not the socket.
    Error.captureStackTrace(error);
    throw error;
  });
  return [results].flat().map(({ rows }) => rows);
}

class StatementList extends (pg.Query as unknown as QueryParts) {
  private readonly statements: { name: string; text: string; values: unknown[] }[];
  /** Those that PostgreSQL is to prepare first, in their order. */
  private preparing: { name: string; text: string }[] = [];
  private onPrepared: (() => void) | null = null;

  constructor(statements: Statement[], callback: ConstructorParameters<QueryParts>[2]) {
    // A span has the names and texts of all.
    const [names, texts] = (['name', 'text'] as const).map((part) =>
      statements.map(([statement]) => statement[part]),
    ) as [string[], string[]];
    super(
      { name: names.join(', '), text: texts.join(';'), queryMode: 'extended' },
      undefined,
      callback,
    );
    // What cannot be a value fails here, where nothing was sent.
    this.statements = statements.map(([{ name, text }, values]) => ({
      ...{ name, text },
      values: values.map((value) => prepareValue(value)),
    }));
  }

  override prepare(connection: Connection): void {
    const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection;
    for (const { name: given, text, values } of this.statements) {
      const name = this.name === undefined ? '' : given;
      if (name === '' || (parsed[name] ?? submitted[name]) === undefined) {
        this.preparing.push({ name, text });
        if (name !== '') submitted[name] = text;
        connection.parse({ name, text });
      }
      connection.bind({ portal: '', statement: name, values });
      connection.describe({ type: 'P', name: '' });
      connection.execute({ portal: '' });
    }
    connection.sync();
    if (this.preparing.length > 0) this.notePrepared(connection);
  }

  /** The same as node-postgres does for the only statement of a query. */
  private notePrepared(connection: Connection): void {
    const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection;
    this.onPrepared = () => {
      const { name, text } = this.preparing.shift() ?? { name: '', text: '' };
      if (name === '') return;
      parsed[name] = text;
      delete submitted[name];
    };
    connection.on('parseComplete', this.onPrepared);
  }

  override handleError(error: Error, connection: Connection): void {
    this.end(connection);
    super.handleError(error, connection);
  }

  override handleReadyForQuery(connection: Connection): void {
    this.end(connection);
    super.handleReadyForQuery(connection);
  }

  /** What follows a statement that failed was not prepared. */
  private end(connection: Connection): void {
    if (this.onPrepared) connection.off('parseComplete', this.onPrepared);
    for (const { name } of this.preparing.splice(0))
      delete connection.submittedNamedStatements[name];
  }
}
