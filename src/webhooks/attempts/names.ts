import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { FairGate } from '@teamspaces/pg-lanes/fair-gate';
import { MAX_LOOKUPS, MAX_LOOKUPS_EACH } from '../limits.js';
import { type AllowedHosts, literalOf } from './addresses.js';

/** On whose behalf a webhook is called. */
export interface Receivers {
  teamId: string;
  makerId: string;
}

/**
 * Begins to look up a host, at its turn.
 * @param within milliseconds that it may wait for its turn
 * @returns null: it had none in time
 */
export type BeginLookup = (
  hostname: string,
  by: Receivers,
  within: number,
) => Promise<Lookup | null>;

/**
 * All addresses of a host, none if it has none. Call it once.
 * @param end gives up
 * @returns null: they did not come in time
 */
export type Lookup = (end: AbortSignal) => Promise<readonly LookupAddress[] | null>;

/** As the system resolves a name. @throws Error: it has no addresses, or nobody knows */
export type SystemLookup = (hostname: string) => Promise<LookupAddress[]>;

/** Where names come from. */
export interface NameSources {
  hostsFile: string;
  /** Addresses of name servers, with ports; null: those of the system. */
  servers: readonly string[] | null;
}

export const SYSTEM_NAMES: NameSources = { hostsFile: '/etc/hosts', servers: null };

/** How name servers are asked: each for 2.5 s, then each again for twice as long. */
const QUERY_TIMEOUTS = { timeout: 2_500, tries: 2 };

/**
 * Resolves the hosts of webhooks. Names that anyone may write are looked up in the hosts file, then by asking name
 * servers: each look-up has its own sockets and ends with its attempt, so that none waits for another one. Names of
 * WEBHOOK_ALLOWED_HOSTS resolve as the system does, with search domains and what else it knows: a few at a time, by
 * turns of makers.
 */
export class Names {
  private readonly turns = new FairGate(MAX_LOOKUPS, 'look-ups by the system');
  private hosts: Hosts = new Map();
  private hostsReadAt = Number.NaN;

  constructor(
    private readonly allowed: AllowedHosts,
    private readonly sources: NameSources,
    private readonly system: SystemLookup = (hostname) => lookup(hostname, { all: true }),
  ) {}

  readonly begin: BeginLookup = async (hostname, by, within) => {
    const literal = literalOf(hostname);
    if (literal !== null) return async () => [{ address: literal, family: isIP(literal) }];
    if (!this.allowed.allowsName(hostname)) return (end) => this.resolve(hostname, end);
    const leave = await this.turn(by, within);
    return leave && ((end) => this.lookUpBySystem(hostname, leave, end));
  };

  /** @returns to be called at the end of the look-up; null: it was not its turn in time */
  private async turn({ teamId, makerId }: Receivers, within: number): Promise<(() => void) | null> {
    const bounds = [teamId, makerId].map((key) => ({ key, most: MAX_LOOKUPS_EACH }));
    return this.turns.enter(makerId, bounds, within).catch(() => null);
  }

  /** @param leave is called when the look-up is really over: it goes on after its attempt */
  private lookUpBySystem(
    hostname: string,
    leave: () => void,
    end: AbortSignal,
  ): Promise<readonly LookupAddress[] | null> {
    const found = this.system(hostname).catch(() => []);
    void found.then(leave);
    const late = new Promise<null>((resolve) => {
      end.addEventListener('abort', () => resolve(null), { once: true });
    });
    return Promise.race([found, late]);
  }

  private async resolve(
    hostname: string,
    end: AbortSignal,
  ): Promise<readonly LookupAddress[] | null> {
    const listed = this.currentHosts().get(hostname.replace(/\.$/, ''));
    if (listed) return listed;
    const resolver = new Resolver(QUERY_TIMEOUTS);
    const { servers } = this.sources;
    if (servers !== null) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    end.addEventListener('abort', cancel);
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => withFamily(found, 4)),
      resolver.resolve6(hostname).then((found) => withFamily(found, 6)),
    ]);
    end.removeEventListener('abort', cancel);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const isSilent = answers.some(
      (answer) => answer.status === 'rejected' && SILENCE.includes(answer.reason.code),
    );
    return found.length === 0 && isSilent ? null : found;
  }

  /** The hosts file as it is now; none if it cannot be read. */
  private currentHosts(): Hosts {
    const { hostsFile } = this.sources;
    try {
      const { mtimeMs } = statSync(hostsFile);
      if (mtimeMs !== this.hostsReadAt) {
        this.hosts = parseHosts(readFileSync(hostsFile, 'utf8'));
        this.hostsReadAt = mtimeMs;
      }
    } catch {
      this.hosts = new Map();
      this.hostsReadAt = Number.NaN;
    }
    return this.hosts;
  }
}

/** Codes of errors: no answer came, or the attempt has ended before. */
const SILENCE = ['ETIMEOUT', 'ECANCELLED'];

const withFamily = (addresses: readonly string[], family: number): LookupAddress[] =>
  addresses.map((address) => ({ address, family }));

/** The addresses of names, in lower case. */
type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

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
