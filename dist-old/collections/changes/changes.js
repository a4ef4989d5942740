import { conflict, DomainError } from '../../errors/domain-error.js';
/** Sorts after all ids: the end of a version. */
export const END_OF_VERSION = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The changes after a cursor are not known any more, or it belongs to another history of the database. */
export const cursorTooOld = () => conflict('this cursor is too old: start again without one, and drop what is not in the response');
/** Requests of one caller that may wait at the same time in one process. */
export const MOST_WAITING = 10;
export const tooManyWaiting = () => new DomainError('rate_limit_exceeded', `at most ${MOST_WAITING} of your requests can wait for changes at the same time: try again when one of them has ended`, { retryAfterSeconds: 1 });
//# sourceMappingURL=changes.js.map