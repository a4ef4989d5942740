import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, type DomainError, MALFORMED_URL, notFound } from '../errors/domain-error.js';
import { toFailure } from '../errors/failure.js';

/** Longest that a request, and its headers, may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT = 60_000;
const HEADERS_TIMEOUT = 15_000;
/** Milliseconds between two looks for those that take longer. */
const LOOK = 5_000;

/** Options of Fastify: what Node would refuse with an answer of its own comes through to us. */
export const NODE_OPTIONS = {
  requestTimeout: REQUEST_TIMEOUT,
  http: {
    requireHostHeader: false,
    headersTimeout: HEADERS_TIMEOUT,
    connectionsCheckingInterval: LOOK,
    // Twice Node's default: a token that is too long is answered 401 by the guard.
    maxHeaderSize: 32 * 1024,
  },
};

const BROKEN: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large: they must be at most 32 KiB in all',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the extensions of a chunk are too large: send none',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive: send it within 60 seconds',
};

/**
 * Answers what is not even HTTP (a malformed request line, headers that are too large) in the
 * envelope of all errors, and closes the connection.
 */
export function refuseBrokenConnections(publicUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    close(
      socket,
      badRequest(
        BROKEN[error.code ?? ''] ??
          'the request is not valid HTTP: check the client or proxy that sent it',
      ),
      publicUrl,
    );
  };
}

function close(socket: Duplex, error: DomainError, publicUrl: string): void {
  const { status, body } = toFailure(error, publicUrl);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    `X-Request-Id: ${randomUUID()}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Refuses what a handler of ours never sees, in the envelope of all errors. */
export function refuseMalformedRequests(fastify: FastifyInstance, publicUrl: string): void {
  const { server } = fastify;
  // Node would answer 417 without a body, and hang up on CONNECT without a word.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    close(socket, notFound('route'), publicUrl);
  });
  fastify.addHook('onRequest', (request, _reply, done) => done(problemOf(request) ?? undefined));
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

/** A query with a `%` that stands for nothing is refused as such a path is, not taken to the letter. */
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
