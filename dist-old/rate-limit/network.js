import { isIPv6 } from 'node:net';
/**
 * The key that an address is counted under: itself, or for IPv6 its /64 network, since one
 * subscriber has a whole /64.
 */
export function networkOf(address) {
    if (!isIPv6(address))
        return address;
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
    if (mapped)
        return mapped;
    const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
    const first = head === '' ? [] : head.split(':');
    const last = tail ? tail.split(':') : [];
    const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
    const groups = [...first, ...Array(Math.max(0, zeros)).fill('0'), ...last].slice(0, 4);
    return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
//# sourceMappingURL=network.js.map