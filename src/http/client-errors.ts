import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { toFailure } from '../errors/failure.js';

/**
 * Answers what is not even HTTP (a malformed request line, headers that are too large) in the
 * envelope of all errors, and closes the connection.
 */
export function refuseBrokenConnections(publicUrl: string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const problem = tooLarge ? 'the headers are too large' : 'the request is not valid HTTP';
    const body = JSON.stringify(toFailure(badRequest(problem), publicUrl).body);
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** A query with a `%` that stands for nothing is refused as such a path is, not taken to the letter. */
export function refuseMalformedQueries(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const query = request.url.indexOf('?');
    if (query === -1 || !request.url.includes('%', query)) return done();
    try {
      decodeURIComponent(request.url.slice(query));
      done();
    } catch {
      done(badRequest('the URL is malformed'));
    }
  });
}
