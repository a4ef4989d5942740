import pg from 'pg';

interface DriverCause {
  kind?: string;
  originalCode?: string;
  originalMessage?: string;
  constraint?: { index?: string; foreignKey?: string; fields?: string[] };
}

/**
 * The driver's own account of a failure. Prisma 7 carries it under different roofs: in
 * `meta.driverAdapterError.cause` of a known error, and in `cause` of a raw DriverAdapterError.
 */
function driverCause(error: unknown): DriverCause {
  if (typeof error !== 'object' || error === null) return {};
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: DriverCause } };
    cause?: DriverCause;
  };
  return meta?.driverAdapterError?.cause ?? cause ?? {};
}

/** SQLSTATEs that ask for another try: serialization failure, deadlock. */
const TRY_AGAIN = new Set(['40001', '40P01']);

/** True when running the same transaction again may succeed. */
export function isTransient(error: unknown): boolean {
  const cause = driverCause(error);
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'P2034' ||
    TRY_AGAIN.has(String(code)) ||
    cause.kind === 'TransactionWriteConflict' ||
    TRY_AGAIN.has(cause.originalCode ?? '')
  );
}

/** Why a transaction is run again, as metrics have it. */
export const RETRY_REASONS = ['deadlock', 'serialization', 'connection', 'other'] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

/** @param error of a transaction that is about to be run again */
export function retryReason(error: unknown): RetryReason {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const { originalCode, originalMessage, kind } = driverCause(error);
  // Prisma has one code for both, and may leave out PostgreSQL's own.
  if ([code, originalCode].includes('40P01') || /deadlock detected/.test(originalMessage ?? '')) {
    return 'deadlock';
  }
  const isSerialization =
    [code, originalCode].includes('40001') || kind === 'TransactionWriteConflict';
  if (isSerialization || code === 'P2034') {
    return /deadlock detected/.test(String(message)) ? 'deadlock' : 'serialization';
  }
  return wasLost(error) ? 'connection' : 'other';
}

/**
 * The name of the constraint that a write ran into, or null when it was something else. A distributed
 * database names it in the message only, with the number of a shard behind it.
 */
export function violatedConstraint(error: unknown): string | null {
  const { constraint: direct, message } = (error ?? {}) as {
    constraint?: unknown;
    message?: unknown;
  };
  const { constraint, originalMessage } = driverCause(error);
  const name =
    typeof direct === 'string'
      ? direct
      : (constraint?.index ??
        constraint?.foreignKey ??
        / constraint "(.+?)"/.exec(originalMessage ?? String(message))?.[1] ??
        constraint?.fields?.join(','));
  return name?.replace(/_\d+$/, '') ?? null;
}

/** True when PostgreSQL itself refused a statement, so that its transaction was not committed. */
const wasAnswered = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity !== undefined;

/** True when a statement was refused for its data, or for the sake of others: see wasAnswered(). */
export const wasRefused = (error: unknown): boolean =>
  wasAnswered(error) && /^(22|23|40)/.test((error as pg.DatabaseError).code ?? '');

/** True when a statement waited for a lock as long as it may (lock_timeout). */
export const timedOut = (error: unknown): boolean =>
  [(error as { code?: unknown } | null)?.code, driverCause(error).originalCode].includes('55P03');

const hasCode = (error: unknown, code: string): boolean =>
  (error as { code?: unknown } | null)?.code === code;

/** True when a statement of our own names a table that is not there. */
export const isUndefinedTable = (error: unknown): boolean => hasCode(error, '42P01');

/** True when the role may not do what a statement of our own does. */
export const isForbidden = (error: unknown): boolean => hasCode(error, '42501');

/** True when PostgreSQL names this table in what it refused, or in what it was doing meanwhile. */
export const concerns = (error: unknown, table: string): boolean =>
  error instanceof pg.DatabaseError &&
  (error.table === table || error.where?.includes(`"${table}`) === true);

/**
 * True when the connection was lost, or ended by the server (SQLSTATE class 57P), so that nobody
 * knows what became of a commit on its way.
 */
export const wasLost = (error: unknown): boolean =>
  !wasAnswered(error) || ((error as pg.DatabaseError).code ?? '').startsWith('57P');

/** True when PostgreSQL refused a commit of Prisma's, so that nothing has happened. */
export const wasCommitRefused = (error: unknown): boolean =>
  isTransient(error) || /^(?!57P|08)/.test(driverCause(error).originalCode ?? '08');
