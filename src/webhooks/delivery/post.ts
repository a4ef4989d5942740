import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type AllowedHosts, literalOf } from './addresses.js';

/** What came of an attempt: a status, or why there is none. */
export type Outcome =
  | { status: number; retryAfter?: string | undefined }
  | { status: 'unreachable' | 'timeout' | 'tls' };

/** Milliseconds for a whole attempt: names, connection, and the head of the response. */
export const MAX_ATTEMPT = 15_000;
/** Milliseconds to connect, TLS included. */
const MAX_CONNECT = 5_000;
/** Bytes of a response that are read, and thrown away. */
const MAX_RESPONSE = 64 * 1024;

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Names that are looked up at once: getaddrinfo() holds a thread of the pool that verifies tokens, too. */
const MAX_LOOKUPS = 2;
let lookups = 0;
const waiting: (() => void)[] = [];

/** As the system resolves names, its hosts file included. */
export const resolveBySystem: Resolve = async (hostname) => {
  if (lookups === MAX_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve));
  else lookups++;
  try {
    return await lookup(hostname, { all: true });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else lookups--;
  }
};

interface PostOptions {
  allowed: AllowedHosts;
  resolve: Resolve;
  /** Ends the attempt; its outcome means nothing then. */
  signal: AbortSignal;
}

/**
 * Sends a body to a webhook's URL. Connects only to addresses that were resolved and checked here: a name
 * may resolve to others a moment later. Follows no redirect, uses no proxy and no connection of others, and
 * verifies the certificate for the name. Never throws.
 */
export async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  { allowed, resolve, signal }: PostOptions,
): Promise<Outcome> {
  const target = new URL(url);
  const end = new AbortController();
  const abort = () => end.abort();
  signal.addEventListener('abort', abort);
  const timer = setTimeout(abort, MAX_ATTEMPT);
  try {
    const addresses = await addressesOf(target.hostname, resolve, end.signal);
    if (addresses === null) return { status: 'timeout' };
    const isSafe = addresses.every(({ address }) => allowed.mayConnect(target, address));
    if (addresses.length === 0 || !isSafe) return { status: 'unreachable' };
    return await exchange(target, body, headers, lookupOf(addresses), end.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** The addresses of a host, none if it has none; null: they did not come in time. */
async function addressesOf(
  hostname: string,
  resolve: Resolve,
  end: AbortSignal,
): Promise<LookupAddress[] | null> {
  const literal = literalOf(hostname);
  if (literal !== null) return [{ address: literal, family: isIP(literal) }];
  const late = new Promise<null>((resolve) => {
    end.addEventListener('abort', () => resolve(null));
  });
  return Promise.race([resolve(hostname).catch(() => []), late]);
}

/** Returns the addresses that were checked, whatever the name resolves to by now. */
const lookupOf =
  (addresses: LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses as [LookupAddress];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

function exchange(
  target: URL,
  body: string,
  headers: Record<string, string>,
  lookup: LookupFunction,
  end: AbortSignal,
): Promise<Outcome> {
  const isSecure = target.protocol === 'https:';
  const { Agent, request: send } = isSecure ? https : http;
  return new Promise((resolve) => {
    let phase: 'connecting' | 'handshake' | 'connected' = 'connecting';
    let outcome: Outcome | null = null;
    let isLate = false;
    const request = send(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // Of its own: neither connections nor TLS sessions are shared, nor is the proxy of the environment.
      agent: new Agent({ keepAlive: false, ...(isSecure && { maxCachedSessions: 0 }) }),
      lookup,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      ...(isSecure && { rejectUnauthorized: true }),
    });
    const giveUp = () => {
      isLate = true;
      request.destroy();
    };
    const timer = setTimeout(giveUp, MAX_CONNECT);
    end.addEventListener('abort', giveUp);
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        phase = isSecure ? 'handshake' : 'connected';
        if (!isSecure) clearTimeout(timer);
      });
      socket.once('secureConnect', () => {
        phase = 'connected';
        clearTimeout(timer);
      });
    });
    request.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      outcome = { status: statusCode, retryAfter: headers['retry-after'] };
      discard(response);
    });
    // For what ends without a response; otherwise the outcome stands.
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isTls = phase === 'handshake' && error.code !== 'ECONNRESET';
      outcome ??= { status: isLate ? 'timeout' : isTls ? 'tls' : 'unreachable' };
    });
    request.on('close', () => {
      clearTimeout(timer);
      end.removeEventListener('abort', giveUp);
      resolve(outcome ?? { status: isLate ? 'timeout' : 'unreachable' });
    });
    request.end(body);
  });
}

/** Reads a little of a response, so that its sender is not reset in the middle, and throws it away. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE) response.destroy();
  });
}
