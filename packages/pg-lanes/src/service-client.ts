import pg from 'pg';
import { TIMEOUTS } from './timeouts.js';

/** How to reach the database. */
export interface Address {
  /** Such as `postgresql://user:password@host:5432/database`. */
  connectionString: string;
  /** What PostgreSQL calls the process. */
  applicationName: string;
  /** False through a pooler in transaction mode, such as PgBouncer. */
  hasSession: boolean;
}

/** How each connection is made, by which kind of client, and what makes it ready. */
export function connectionOptions({ connectionString, applicationName, hasSession }: Address) {
  return {
    connectionString,
    statement_timeout: TIMEOUTS.statement,
    lock_timeout: TIMEOUTS.lock,
    idle_in_transaction_session_timeout: TIMEOUTS.idle,
    // Notices peers that have vanished while nothing was asked.
    keepAlive: true,
    keepAliveInitialDelayMillis: TIMEOUTS.answer,
    application_name: applicationName,
    options: PLANS,
    types: TYPES,
    Client: hasSession ? ServiceClient : withoutSession(ServiceClient),
    ...(hasSession && { onConnect: useGenericPlans }),
  };
}

const TIMESTAMPTZ = 1184;

/** Times are read by JavaScript's own parser, which takes half as long as that of node-postgres. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    Number(oid) === TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text)
      : pg.types.getTypeParser(oid, format),
};

/** Our statements find their rows by keys: whatever reads or sorts a table whole is a mistake. */
const PLANS = '-c enable_seqscan=off -c enable_sort=off -c jit=off';

/** Part of node-postgres that its types leave out: what a connection asks for when it begins. */
const { getStartupConf } = pg.Client.prototype as unknown as {
  getStartupConf(this: pg.Client): Record<string, string>;
};

/**
 * A pool's option `connectionTimeoutMillis` is for those who wait; a new connection gets this one.
 * Times are written and read in UTC, as Prisma takes for granted, and in ISO 8601, whatever server,
 * database and role prefer. Poolers know these two settings.
 */
class ServiceClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: TIMEOUTS.connect });
  }

  protected getStartupConf(): Record<string, string> {
    return { ...getStartupConf.call(this), TimeZone: 'UTC', DateStyle: 'ISO' };
  }
}

/** What a pooler such as PgBouncer refuses at the start of a connection. */
const OF_A_SESSION = [
  'options',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const;

/**
 * The same kind of client for a pooler in transaction mode, where
 * each transaction may get another session of PostgreSQL: it names no prepared statement, sets
 * nothing for the session, and keeps no plans. The role's own settings (ALTER ROLE … SET) take the
 * place of what it leaves out.
 */
function withoutSession(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    constructor(config?: string | pg.ClientConfig) {
      super(typeof config === 'object' ? withoutSettings(config) : config);
      neverDiscardPlans(this);
    }

    override query(...[query, ...rest]: unknown[]): never {
      const send = super.query as (...given: unknown[]) => never;
      return send.call(this, unnamed(query), ...rest);
    }
  } as typeof pg.Client;
}

function withoutSettings(config: pg.ClientConfig): pg.ClientConfig {
  const left: pg.ClientConfig = { ...config };
  for (const setting of OF_A_SESSION) delete left[setting];
  return left;
}

/** A statement is a plain object, or a pg.Query, which is sent once and may be changed. */
function unnamed(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  if (!('submit' in query)) return { ...query, name: undefined };
  query.name = undefined;
  return query;
}

/** Statements after which a connection discards its plans for the first and for the last time. */
const FIRST = 16;
const LAST = 65_536;

const connections = new WeakMap<object, { statements: number; next: number }>();

/** Makes PostgreSQL plan all statements of a connection again, those of foreign keys included. */
export const DISCARD_PLANS = 'DISCARD PLANS';

/**
 * True when a connection should discard its plans: after 16, 32, 64, … statements. A plan that was made
 * while the tables were nearly empty takes any index whose first column fits, since all cost the same
 * then, and scans whole workspaces with it later. Autovacuum brings better plans after a minute or two;
 * until then, in a database that grew from nothing to 4,000 items, a move took 71 ms instead of 16, a
 * delete 94 instead of 14, a save 62 instead of 22 (medians). It costs a dozen refreshes in the life of a
 * connection.
 */
export function shouldDiscardPlans(connection: object, statements: number): boolean {
  let known = connections.get(connection);
  if (!known) {
    known = { statements: 0, next: FIRST };
    connections.set(connection, known);
  }
  known.statements += statements;
  if (known.statements < known.next || known.next > LAST) return false;
  known.next = known.statements * 2;
  return true;
}

/** For connections whose statements are planned each time. */
function neverDiscardPlans(connection: object): void {
  connections.set(connection, { statements: 0, next: Number.POSITIVE_INFINITY });
}

/**
 * Lets PostgreSQL keep one plan for each statement instead of planning each time, which is a third of
 * the cost of a small one. Not where the tables are distributed: Citus plans by the values, which
 * tell the node.
 */
async function useGenericPlans(client: pg.ClientBase): Promise<void> {
  await client.query(KEEP);
}

const KEEP_TEXT = `
  SELECT set_config('plan_cache_mode', CASE
    WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN 'auto'
    ELSE 'force_generic_plan' END, false)`;

const KEEP = { text: KEEP_TEXT, query_timeout: TIMEOUTS.connect } as pg.QueryConfig;
