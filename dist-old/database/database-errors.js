import pg from 'pg';
const codeOf = (error) => error?.code;
/** True when running the same transaction again may succeed: serialization failure, deadlock. */
export const isTransient = (error) => ['40001', '40P01'].includes(String(codeOf(error)));
/** Why a transaction is run again, as metrics have it. */
export const RETRY_REASONS = ['deadlock', 'serialization', 'connection', 'other'];
/** @param error of a transaction that is about to be run again */
export function retryReason(error) {
    if (hasCode(error, '40P01'))
        return 'deadlock';
    if (hasCode(error, '40001'))
        return 'serialization';
    return wasLost(error) ? 'connection' : 'other';
}
/**
 * The name of the constraint that a write ran into, or null when it was something else. A distributed
 * database names it in the message only, with the number of a shard behind it.
 */
export function violatedConstraint(error) {
    const { constraint, message } = (error ?? {});
    const name = typeof constraint === 'string' ? constraint : / constraint "(.+?)"/.exec(String(message))?.[1];
    return name?.replace(/_\d+$/, '') ?? null;
}
/** True when PostgreSQL itself refused a statement, so that its transaction was not committed. */
const wasAnswered = (error) => error instanceof pg.DatabaseError && error.severity !== undefined;
/** True when a statement was refused for its data, or for the sake of others: see wasAnswered(). */
export const wasRefused = (error) => wasAnswered(error) && /^(22|23|40)/.test(error.code ?? '');
const hasCode = (error, code) => codeOf(error) === code;
/** True when a statement waited for a lock as long as it may (lock_timeout). */
export const timedOut = (error) => hasCode(error, '55P03');
/** True when a statement of our own names a table that is not there. */
export const isUndefinedTable = (error) => hasCode(error, '42P01');
/** True when the role may not do what a statement of our own does. */
export const isForbidden = (error) => hasCode(error, '42501');
/** True when PostgreSQL names this table in what it refused, or in what it was doing meanwhile. */
export const concerns = (error, table) => error instanceof pg.DatabaseError &&
    (error.table === table || error.where?.includes(`"${table}`) === true);
/**
 * True when the connection was lost, or ended by the server (SQLSTATE class 57P), so that nobody
 * knows what became of a commit on its way.
 */
export const wasLost = (error) => !wasAnswered(error) || (error.code ?? '').startsWith('57P');
//# sourceMappingURL=database-errors.js.map