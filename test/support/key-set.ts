import { createHmac, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How a provider responds: with its keys, with 503, or never (after the headers: `stalls`); with the
 * keys of the moment when it was asked, but not before it is told to (`waits`).
 */
export type Mood = 'responds' | 'fails' | 'hangs' | 'stalls' | 'waits';

/** A server of a key set, as a provider has one, that can be made to fail. */
export interface KeySetServer {
  url: string;
  keys: object[];
  mood: Mood;
  /** How often it was asked, and how many of these requests have come to an end. */
  fetches: number;
  ended: number;
  /** Sends the responses that wait. */
  release(): void;
  stop(): Promise<void>;
}

export async function startKeySet(keys: object[]): Promise<KeySetServer> {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => {
    set.fetches++;
    response.on('close', () => set.ended++);
    if (set.mood === 'hangs') return;
    if (set.mood === 'fails') return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"keys":');
    const rest = `${JSON.stringify(set.keys)}}`;
    if (set.mood === 'responds') response.end(rest);
    if (set.mood === 'waits') waiting.push(() => response.end(rest));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const set: KeySetServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    keys,
    mood: 'responds',
    fetches: 0,
    ended: 0,
    release: () => {
      for (const send of waiting.splice(0)) send();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return set;
}

/** A public key as a key set lists it. */
export const jwk = (key: KeyObject, more: object): object => ({
  ...key.export({ format: 'jwk' }),
  use: 'sig',
  ...more,
});

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with any header and payload at all (a string is taken as it is), signed with RS256. */
export function rs256(header: unknown, payload: unknown, key: KeyObject): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** The same, signed with HS256. */
export function hs256(header: unknown, payload: unknown, secret: string | Buffer): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
