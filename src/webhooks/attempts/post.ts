import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { MAX_ATTEMPT, MAX_CONNECT, MAX_RECEIVED } from '../limits.js';
import { type AllowedHosts, literalOf } from './addresses.js';
import type { BeginLookup, Receivers } from './names.js';

/** A message to send to a webhook. */
export interface Attempt extends Receivers {
  url: string;
  body: string;
  headers: Record<string, string>;
  /** Milliseconds within which it must begin. */
  within: number;
}

/** What came of an attempt: a status, or why there is none. */
export type Outcome =
  | { status: number; retryAfter?: string | undefined }
  | { status: 'unreachable' | 'timeout' | 'tls' };

interface PostOptions {
  allowed: AllowedHosts;
  beginLookup: BeginLookup;
}

/**
 * Sends a body to a webhook's URL. Connects only to addresses that were resolved and checked here: a name
 * may resolve to others a moment later. Follows no redirect, uses no proxy and no connection of others, and
 * verifies the certificate for the name. Never throws.
 * @returns null: it was not its turn in time, and nothing was done
 */
export async function post(
  attempt: Attempt,
  { allowed, beginLookup }: PostOptions,
): Promise<Outcome | null> {
  const target = new URL(attempt.url);
  const lookUp = await beginLookup(target.hostname, attempt, attempt.within);
  if (lookUp === null) return null;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), MAX_ATTEMPT);
  try {
    const addresses = await lookUp(end.signal);
    // A name server may have answered a part of what it was asked, and never the rest.
    if (addresses === null || end.signal.aborted) return { status: 'timeout' };
    const isSafe = addresses.every(({ address }) => allowed.mayConnect(target, address));
    if (addresses.length === 0 || !isSafe) return { status: 'unreachable' };
    return await exchange(target, attempt, lookupOf(addresses), end.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the addresses that were checked, whatever the name resolves to by now. */
const lookupOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses as [LookupAddress];
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

function exchange(
  target: URL,
  { body, headers }: Attempt,
  lookup: LookupFunction,
  end: AbortSignal,
): Promise<Outcome> {
  const isSecure = target.protocol === 'https:';
  const host = literalOf(target.hostname) ?? target.hostname;
  const port = Number(target.port || (isSecure ? 443 : 80));
  return new Promise((resolve) => {
    let phase: 'connecting' | 'handshake' | 'connected' = 'connecting';
    let outcome: Outcome | null = null;
    let isLate = false;
    const socket = connect({ host, port, lookup });
    const limited = new LimitedSocket(socket, MAX_RECEIVED);
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    const secure =
      isSecure &&
      connectTls({
        ...{ socket: limited, host, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] },
        ...(literalOf(target.hostname) === null && { servername: host.replace(/\.$/, '') }),
      });
    const request = (isSecure ? https : http).request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // Of its own: neither connections nor TLS sessions are shared, nor is the proxy of the environment.
      createConnection: () => secure || limited,
    });
    const giveUp = () => {
      isLate = true;
      request.destroy();
    };
    const timer = setTimeout(giveUp, MAX_CONNECT);
    end.addEventListener('abort', giveUp);
    const onConnected = () => {
      phase = 'connected';
      clearTimeout(timer);
    };
    if (secure) secure.once('secureConnect', onConnected);
    socket.once('connect', () => {
      phase = 'handshake';
      if (!secure) onConnected();
    });
    request.on('response', (response) => {
      const { statusCode = 0, headers } = response;
      outcome = { status: statusCode, retryAfter: headers['retry-after'] };
      // Read, so that its sender is not reset in the middle, and thrown away. Whether it closes the connection, too, is
      // not waited for.
      response
        .on('error', () => undefined)
        .on('end', () => request.destroy())
        .resume();
    });
    // For what ends without a response; otherwise the outcome stands.
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isTls = phase === 'handshake' && error.code !== 'ECONNRESET' && !limited.isCut;
      outcome ??= { status: isLate ? 'timeout' : isTls ? 'tls' : 'unreachable' };
    });
    request.on('close', () => {
      clearTimeout(timer);
      end.removeEventListener('abort', giveUp);
      limited.destroy();
      resolve(outcome ?? { status: isLate ? 'timeout' : 'unreachable' });
    });
    request.end(body);
  });
}

/**
 * A connection of which only so many bytes are read, then it is cut. It counts what comes through the socket, below
 * TLS and HTTP: a peer can send much that neither of them tells of.
 */
class LimitedSocket extends Duplex {
  private received = 0;

  /** @param limit bytes */
  constructor(
    private readonly socket: Socket,
    private readonly limit: number,
  ) {
    super({ allowHalfOpen: false });
    let isEnded = false;
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => {
      isEnded = true;
      this.push(null);
    });
    socket.on('error', (error) => this.destroy(error));
    // After an end, what has been read comes first.
    socket.on('close', () => {
      if (!isEnded) this.destroy();
    });
  }

  /** Whether the peer has sent more than it may. */
  get isCut(): boolean {
    return this.received > this.limit;
  }

  private receive(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.isCut) this.destroy(new Error('the peer has sent too much'));
    else if (!this.push(chunk)) this.socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}
