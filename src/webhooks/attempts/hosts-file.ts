import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The addresses of names, in lower case. */
export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

/**
 * What a hosts file (hosts(5)) says: lines of an address and its names, `#` begins a comment. A name that stands on
 * several lines has all of their addresses; what is malformed is left out.
 */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of new Set(names.map((each) => each.toLowerCase()))) {
      const addresses = hosts.get(name) ?? [];
      addresses.push({ address, family });
      hosts.set(name, addresses);
    }
  }
  return hosts;
}
