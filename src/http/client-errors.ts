import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { badRequest, DomainError, MALFORMED_URL, notFound } from '../errors/domain-error.js';
import { toFailure } from '../errors/error-response.js';
import { requestIdOf } from '../observability/logger.js';
import type { Counted } from '../rate-limit/rate-limit.js';
import type { Connections } from './connections.js';
import { HEADERS_TIMEOUT, REQUEST_TIMEOUT } from './limits.js';
import { CACHE_CONTROL } from './security-headers.js';

/** Milliseconds between two checks for those that take longer. */
const CHECK_INTERVAL = 5_000;

/** Options of Fastify: requests that Node would reject with a response of its own reach the service. */
export const NODE_OPTIONS = {
  requestTimeout: REQUEST_TIMEOUT,
  http: {
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT,
    connectionsCheckingInterval: CHECK_INTERVAL,
    // Twice Node's default: for a token that is too long the guard returns 401.
    maxHeaderSize: 32 * 1024,
  },
};

/**
 * The target of a request as a path, for Fastify's rewriteUrl. Nest responds with 404 to any other
 * target (`*`, `ftp://…`) before the service's own hooks have logged and counted the request.
 */
export function pathOf({ url = '/' }: { url?: string | undefined }): string {
  if (url.startsWith('/')) return url;
  return /^https?:\/\//i.test(url) ? url.replace(/^([^?]*\/\/[^/?]+)\?/, '$1/?') : `/${url}`;
}

const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large: they must be at most 32 KiB in all',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the extensions of a chunk are too large: send none',
  ERR_HTTP_REQUEST_TIMEOUT:
    'the request took too long to arrive: send its headers within 15 seconds, and all of it within 60',
};

/**
 * Responds to malformed HTTP (a malformed request line, headers that are too large) with the usual
 * error body, and closes the connection. Complete requests that arrived before on the same
 * connection get their own responses first: they are still being processed, and an error in place
 * of their responses would report a failure that did not happen.
 */
export class BrokenConnections {
  private readonly broken = new WeakSet<Duplex>();

  /** @param count counts a request for the address that it comes from, as limitBroken() does */
  constructor(
    private readonly connections: Connections,
    private readonly publicUrl: string,
    private readonly log: Logger,
    private readonly count: (address: string) => Promise<Counted>,
  ) {}

  /** Fastify's clientErrorHandler. */
  refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    // Each further chunk is an error of its own.
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    const refusal = new DomainError(
      'bad_request',
      BROKEN[error.code ?? ''] ??
        'the request is not valid HTTP: check the client or proxy that sent it',
      { cause: error },
    );
    const [last, earlier] = this.connections.get(socket)?.unsent.reverse() ?? [];
    // A request whose body broke off waits for nothing; the ones before it may.
    const whole = last?.req.complete === false ? earlier : last;
    if (whole) whole.once('finish', () => void this.close(socket, refusal));
    // Its response is being sent: nothing may be written in between.
    else if (last?.headersSent) last.once('finish', () => socket.end());
    else void this.close(socket, refusal);
  }

  /**
   * Never rejects.
   * @param requestId the caller's, if the request could be read that far
   */
  async close(socket: Duplex, error: DomainError, requestId: string = randomUUID()): Promise<void> {
    const { headers, refusal = error } = await this.count((socket as Socket).remoteAddress ?? '');
    if (socket.destroyed || !socket.writable) return;
    const failure = toFailure(refusal, this.publicUrl);
    const { status, cause } = failure;
    this.log.info({ requestId, status, ...(cause !== undefined && { cause }) });
    const text = JSON.stringify(failure.body);
    const fields = {
      ...headers,
      ...failure.headers,
      ...CACHE_CONTROL,
      'Content-Type': 'application/json; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': Buffer.byteLength(text),
      Connection: 'close',
      'X-Request-Id': requestId,
    };
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  }
}

/** Rejects requests that never reach a handler, with the usual error body. */
export function refuseMalformedRequests(fastify: FastifyInstance, broken: BrokenConnections): void {
  const { server } = fastify;
  // Node would return 417 without a body, and close the connection of a CONNECT without a response.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  // BodyGuard asks for the body, and only if it is needed.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    void broken.close(socket, notFound('route'), requestIdOf(request));
  });
  // After the hook that counts unknown callers.
  fastify.addHook('preParsing', (request, _reply, payload, done) =>
    done(problemOf(request), payload),
  );
}

function problemOf({ url, headers, raw }: FastifyRequest): DomainError | null {
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return badRequest('the header Host is required');
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return badRequest('the header Expect must be 100-continue');
  }
  return hasMalformedQuery(url) ? badRequest(MALFORMED_URL) : null;
}

/** A query with a malformed percent-encoding is rejected, as such a path is. */
function hasMalformedQuery(url: string): boolean {
  const query = url.indexOf('?');
  if (query === -1 || !url.includes('%', query)) return false;
  try {
    decodeURIComponent(url.slice(query));
    return false;
  } catch {
    return true;
  }
}
