const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
/**
 * Headers that a proxy adds. A proxy on this machine forwards requests of others, and may rewrite
 * Host.
 */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];
/**
 * Whether a request comes from this machine, and not from a page of another origin. Four ways
 * around that are closed: a neighbour in the network, a page elsewhere that reads this one (it
 * would send an Origin), a foreign name that resolves to this machine, and a proxy on it.
 */
export function isAtThisMachine(address = '', headers) {
    const local = address === '::1' || /^(::ffff:)?127\./.test(address);
    if (OF_PROXIES.some((name) => headers[name] !== undefined))
        return false;
    return local && headers.origin === undefined && LOOPBACK.test(headers.host ?? '');
}
//# sourceMappingURL=local-caller.js.map