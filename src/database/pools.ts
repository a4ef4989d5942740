import pg from 'pg';
import type { Config } from '../config/config.js';
import type { Division } from './division.js';
import { GatedPool } from './gated-pool.js';
import { neverDiscardPlans, useGenericPlans } from './generic-plans.js';
import { PipelinedReads } from './pipelined-reads.js';
import { destroyIdleSockets, ServiceClient, TIMEOUTS } from './timeouts.js';

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

/** How to reach the database. */
export interface DatabaseConfig extends Config {
  /** For an operator's command: its transactions may wait, and take, as long as they need. */
  hasNoTimeouts?: true;
}

/** All connections of the process. */
export interface Pools {
  /** For writes about people, and responses of many rows. */
  general: GatedPool;
  /** For transactions in pipeline mode. */
  writers: GatedPool;
  /** For reads of a few rows. */
  reads: PipelinedReads;
}

/** Makes the pools; each connection is made when it is needed. */
export function connectPools(config: DatabaseConfig, division: Division): Pools {
  const connection = connectionOptions(config);
  const pooled = {
    ...connection,
    connectionTimeoutMillis: TIMEOUTS.pool,
    idleTimeoutMillis: 60_000,
  };
  const general = {
    ...pooled,
    max: division.general,
    statement_timeout: TIMEOUTS.portions,
  };
  const writers = {
    ...pooled,
    max: division.writers,
    pipeline: true,
    query_timeout: TIMEOUTS.answer,
    ...(config.hasNoTimeouts && { statement_timeout: 0, lock_timeout: 0, query_timeout: 0 }),
  };
  const generalPool = destroyIdleSockets(listened(new pg.Pool(general)));
  const writerPool = listened(new pg.Pool(writers as pg.PoolConfig));
  return {
    general: new GatedPool(generalPool, 'the general pool', division.generalEach),
    writers: new GatedPool(writerPool, 'the pool of writers', division.writersEach),
    reads: new PipelinedReads({ ...connection, query_timeout: TIMEOUTS.answer }, division.reads),
  };
}

/** How each connection of the service is made, by which kind of client, and what makes it ready. */
export function connectionOptions(config: Config) {
  if (config.databaseUrl === null) throw new Error('createApp() needs a database address');
  const hasSession = config.databasePreparedStatements;
  return {
    connectionString: config.databaseUrl,
    statement_timeout: TIMEOUTS.statement,
    lock_timeout: TIMEOUTS.lock,
    idle_in_transaction_session_timeout: TIMEOUTS.idle,
    // Notices peers that have vanished while nothing was asked.
    keepAlive: true,
    keepAliveInitialDelayMillis: TIMEOUTS.answer,
    application_name: 'teamspaces',
    options: PLANS,
    types: TYPES,
    Client: hasSession ? ServiceClient : withoutSession(ServiceClient),
    ...(hasSession && { onConnect: useGenericPlans }),
  };
}

/**
 * A connection that dies is replaced; without a listener it would end the process. On each client,
 * for good: what ends a connection in pipeline mode may belong to no statement.
 */
function listened(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** What a pooler such as PgBouncer refuses at the start of a connection. */
const OF_A_SESSION = [
  'options',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const;

/**
 * The same kind of client for a pooler in transaction mode (DATABASE_PREPARED_STATEMENTS=off), where
 * each transaction may get another session of PostgreSQL: it names no prepared statement, sets
 * nothing for the session, and keeps no plans. The role's own settings (ALTER ROLE … SET) take the
 * place of what it leaves out: docs/deploy.md.
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
