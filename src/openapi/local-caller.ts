import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** What a proxy adds. One on this machine passes on requests of others, and may rewrite Host. */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

/**
 * Whether a request comes from somebody who sits at the machine, and from no page but our own. Four
 * ways around that are closed: a neighbour in the network, a page elsewhere that reads this one (it
 * would send an Origin), a foreign name that resolves to this machine, and a proxy on it.
 */
export function isAtThisMachine(address = '', headers: IncomingHttpHeaders): boolean {
  const local = address === '::1' || /^(::ffff:)?127\./.test(address);
  if (OF_PROXIES.some((name) => headers[name] !== undefined)) return false;
  return local && headers.origin === undefined && LOOPBACK.test(headers.host ?? '');
}
