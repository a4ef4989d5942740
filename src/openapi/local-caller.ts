import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * Whether a request comes from somebody who sits at the machine, and from no page but our own. Three
 * ways around that are closed: a neighbour in the network, a page elsewhere that reads this one (it
 * would send an Origin), and a foreign name that resolves to this machine.
 */
export function isAtThisMachine(address = '', headers: IncomingHttpHeaders): boolean {
  const local = address === '::1' || /^(::ffff:)?127\./.test(address);
  return local && headers.origin === undefined && LOOPBACK.test(headers.host ?? '');
}
