import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What may come from outside into the log: short, one word, nothing to escape. */
const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;

/** The id of a request: the caller's X-Request-Id where it is well-formed, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
