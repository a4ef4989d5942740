import { BlockList, type IPVersion, isIP } from 'node:net';

// Which addresses the service may call. Pure: names are resolved by its callers.

/** What a webhook's URL violates; null: nothing that its text shows. */
export type UrlProblem = 'malformed' | 'scheme' | 'credentials' | 'address';

const familyOf = (address: string): IPVersion => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function listOf(...subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    const family = familyOf(network);
    list.addSubnet(network, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** The IPv4 networks that are not public (IANA's special-purpose registry), and multicast. */
const SPECIAL_IPV4 = listOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
);

/**
 * Public IPv6 addresses: all else is loopback, link-local, unique local, multicast, or contains an IPv4
 * address (`::/96`, mapped, translated by NAT64).
 */
const GLOBAL_IPV6 = listOf('2000::/3');
/** Of these: Teredo and other protocols, documentation, 6to4. */
const SPECIAL_IPV6 = listOf('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** True for an address on the internet. @param address as isIP() accepts it */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_IPV4.check(address, 'ipv4');
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6');
}

/** The hosts of WEBHOOK_ALLOWED_HOSTS, beside those on the internet. */
export class AllowedHosts {
  private readonly networks: BlockList;
  private readonly names: readonly string[];

  /** @param allowed names, `*.` before a name for those below it, addresses and CIDR blocks */
  constructor(allowed: readonly string[]) {
    this.networks = listOf(...allowed.filter(isNetwork));
    this.names = allowed.filter((host) => !isNetwork(host)).map((name) => name.toLowerCase());
  }

  /** What the text of a URL violates: names are not resolved. */
  problemOf(url: string): UrlProblem | null {
    if (!URL.canParse(url)) return 'malformed';
    const target = new URL(url);
    const { protocol, username, password, hostname } = target;
    const isAllowed = this.allowsName(hostname) || this.allowsAddress(literalOf(hostname));
    if (protocol !== 'https:' && !(protocol === 'http:' && isAllowed)) return 'scheme';
    if (username !== '' || password !== '') return 'credentials';
    const literal = literalOf(hostname);
    return literal !== null && !this.mayConnect(target, literal) ? 'address' : null;
  }

  /** True if the service may connect to this address for a URL: by http only to what is allowed. */
  mayConnect({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>, address: string): boolean {
    if (this.allowsAddress(address) || this.allowsName(hostname)) return true;
    return protocol === 'https:' && isPublic(address);
  }

  private allowsAddress(address: string | null): boolean {
    return address !== null && this.networks.check(address, familyOf(address));
  }

  /** True for a name of the list, whatever it resolves to. */
  allowsName(hostname: string): boolean {
    const name = hostname.replace(/\.$/, '');
    return this.names.some((allowed) =>
      allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed,
    );
  }
}

/** The address that a URL's host is, as URL normalizes it; null: it is a name. */
export function literalOf(hostname: string): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}

/** True for an address, alone or with the length of its prefix. */
const isNetwork = (host: string): boolean => isIP(host.split('/', 1)[0] ?? '') !== 0;
