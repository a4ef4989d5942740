import { type IncomingMessage, request as send } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InterruptedError } from 'teamspaces-mcp/http';
import { MAX_TOOL_RESPONSE } from './limits.js';

/** A request of a caller, on whose behalf the service sends requests to itself. */
export interface OuterRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborted when the caller is gone, or has waited for too long. */
  signal: AbortSignal;
  /** Waits for a turn of the event loop. */
  turn(): Promise<void>;
}

/** Headers of a client's request that the service reads. */
const SENT = ['accept', 'content-type', 'if-match'];
/** Headers that they have from the outer request. */
const SENT_FROM_OUTER = ['authorization', 'traceparent', 'tracestate'];
/** Headers of a response that report what the caller has left. */
const RATE_LIMIT = ['ratelimit', 'ratelimit-policy'];

/**
 * Requests of the service to itself, over connections in memory: each passes every hook, guard and limit, and is logged,
 * as if the caller had sent it over the network.
 */
@Injectable()
export class LocalRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * A fetch for a client of the API. Its requests have the token, the address, the request id and the trace of the outer
   * one. What the outer one was counted for covers them first: a call is counted once. They are not retried, so that a
   * key to recognize a retry would only take room.
   * @throws InterruptedError the response has more than MAX_TOOL_RESPONSE
   */
  fetchFor(outer: OuterRequest): (request: Request) => Promise<Response> {
    return async (request) => {
      const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
      await outer.turn();
      const response = await this.send(request, body, outer);
      const { statusCode: status = 500, headers } = response.message;
      await outer.turn();
      for (const name of RATE_LIMIT) {
        const value = headers[name];
        if (value !== undefined) outer.reply.header(name, value);
      }
      const fields = Object.entries(headers).map(([name, value]) => [name, `${value}`]);
      return new Response(response.text, { status, headers: Object.fromEntries(fields) });
    };
  }

  private send(
    { url, method, headers }: Request,
    body: Buffer | null,
    { request: outer, signal }: OuterRequest,
  ): Promise<{ message: IncomingMessage; text: Buffer }> {
    const isRead = method === 'GET';
    // Nothing is sent, so that nothing is changed.
    if (signal.aborted) return Promise.reject(new InterruptedError('too late', true));
    const [near, far] = duplexPair();
    return new Promise((resolve, reject) => {
      const { pathname, search } = new URL(url);
      const request = send({
        // Only called for a request that can be sent.
        createConnection: () => {
          this.accept(far, outer);
          return near;
        },
        method,
        path: pathname + search,
        headers: {
          ...headersNamed(SENT, (name) => headers.get(name)),
          ...headersNamed(SENT_FROM_OUTER, (name) => outer.headers[name]),
          'x-request-id': outer.id,
          ...(body && { 'content-length': body.length }),
        },
      });
      const giveUp = (error: unknown) => {
        near.destroy();
        far.destroy();
        reject(error);
      };
      const onAbort = () => giveUp(new InterruptedError('too late', isRead));
      signal.addEventListener('abort', onAbort);
      request.on('close', () => signal.removeEventListener('abort', onAbort));
      request.on('error', giveUp);
      request.on('response', (message) => {
        receive(message, isRead).then((text) => resolve({ message, text }), giveUp);
      });
      request.end(body);
    });
  }

  /** Hands the server a connection that comes from the address of the outer request. */
  private accept(connection: Duplex, { ip, charges }: FastifyRequest): void {
    Object.assign(connection, { remoteAddress: ip, paidBy: charges });
    this.host.httpAdapter.getHttpServer().emit('connection', connection);
  }
}

type Value = string | string[] | null | undefined;

/** The headers of these names that there are. */
function headersNamed(names: readonly string[], read: (name: string) => Value) {
  const found = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.filter(([, value]) => typeof value === 'string'));
}

/** The body of a response. @throws InterruptedError it is too large */
async function receive(message: IncomingMessage, isRead: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += (chunk as Buffer).length;
    if (length > MAX_TOOL_RESPONSE) throw new InterruptedError('too large', isRead);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
