import pg from 'pg';

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** True when retrying the same transaction may succeed: serialization failure, deadlock. */
export const isTransient = (error: unknown): boolean =>
  ['40001', '40P01'].includes(String(codeOf(error)));

/** Why a transaction is retried, as metrics have it. */
export const RETRY_REASONS = ['deadlock', 'serialization', 'connection', 'other'] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

/** @param error of a transaction that is about to be retried */
export function retryReason(error: unknown): RetryReason {
  if (hasCode(error, '40P01')) return 'deadlock';
  if (hasCode(error, '40001')) return 'serialization';
  return wasLost(error) ? 'connection' : 'other';
}

/**
 * The name of the constraint that a write ran into, or null when it was something else. A distributed
 * database names it in the message only, followed by the number of a shard.
 */
export function violatedConstraint(error: unknown): string | null {
  const { constraint, message } = (error ?? {}) as { constraint?: unknown; message?: unknown };
  const name =
    typeof constraint === 'string' ? constraint : / constraint "(.+?)"/.exec(String(message))?.[1];
  return name?.replace(/_\d+$/, '') ?? null;
}

/** True when PostgreSQL itself refused a statement, so that its transaction was not committed. */
const wasAnswered = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity !== undefined;

/** True when a statement was refused for its data, or for the sake of others: see wasAnswered(). */
export const wasRefused = (error: unknown): boolean =>
  wasAnswered(error) && /^(22|23|40)/.test((error as pg.DatabaseError).code ?? '');

/** True when PostgreSQL refused values for what they are: malformed, or beyond one of its own limits. */
export const refusesData = (error: unknown): boolean =>
  wasAnswered(error) && /^(22|54)/.test((error as pg.DatabaseError).code ?? '');

const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code;

/**
 * True when a statement waited for a lock as long as it may (lock_timeout), or for several, one after
 * the other, as long as a statement may take (statement_timeout).
 */
export const timedOut = (error: unknown): boolean =>
  hasCode(error, '55P03') || hasCode(error, '57014');

/** True when a statement of our own names a table that is not there. */
export const isUndefinedTable = (error: unknown): boolean => hasCode(error, '42P01');

/** True when the role may not do what a statement of our own does. */
export const isForbidden = (error: unknown): boolean => hasCode(error, '42501');

/**
 * True when a pooler refused the parameters of a session, or confused the prepared statements of
 * several: DATABASE_PREPARED_STATEMENTS must be off then.
 */
export const refusesSessions = (error: unknown): boolean =>
  ['26000', '42P05'].includes(String(codeOf(error))) ||
  // PgBouncer has this code for whatever it refuses.
  (hasCode(error, '08P01') &&
    /startup parameter|prepared statement/.test(String((error as Error).message)));

/** True when PostgreSQL names this table in what it refused, or in what it was doing meanwhile. */
export const concerns = (error: unknown, table: string): boolean =>
  error instanceof pg.DatabaseError &&
  (error.table === table || error.where?.includes(`"${table}`) === true);

/**
 * True when the connection was lost, or ended by the server (SQLSTATE class 57P) or by a pooler, so that nobody
 * knows what became of a commit on its way.
 */
export const wasLost = (error: unknown): boolean =>
  !wasAnswered(error) ||
  ((error as pg.DatabaseError).code ?? '').startsWith('57P') ||
  wasEndedByPooler(error);

/** PgBouncer says so if it has lost PostgreSQL, or a connection waited too long: `server connection closed`. */
const wasEndedByPooler = (error: unknown): boolean =>
  hasCode(error, '08P01') &&
  (error as pg.DatabaseError).severity === 'FATAL' &&
  !refusesSessions(error);
