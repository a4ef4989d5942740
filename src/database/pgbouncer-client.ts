import pg from 'pg';
import { neverDiscardPlans } from './generic-plans.js';

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
export function withoutSession(Client: typeof pg.Client): typeof pg.Client {
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
