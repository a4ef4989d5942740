import { randomUUID } from 'node:crypto';
/** The form of ids that are logged as callers send them: short, one word, nothing to escape. */
const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;
/** The id of a request: the caller's X-Request-Id if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers }) {
    const given = headers['x-request-id'];
    return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
//# sourceMappingURL=request-id.js.map