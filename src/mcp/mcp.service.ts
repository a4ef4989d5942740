import { Injectable, Logger } from '@nestjs/common';
import { withValues } from '@teamspaces/json-text/json-reader';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createClient } from 'teamspaces-client';
import { respondTo } from 'teamspaces-mcp/http';
import { ofJson } from '../errors/json-error.js';
import { inPortions, SharedTurns } from '../event-loop.js';
import { outsideDeadline } from '../http/deadline.js';
import { MAX_CALL_TIME } from './limits.js';
import { LocalRequests } from './local-requests.js';

/** Messages of models' clients: what they call runs through the API itself. */
@Injectable()
export class McpService {
  private readonly logger = new Logger('mcp');
  /** A message costs more than a request of the API: however many there are, other requests wait for one at a time. */
  private readonly turns = new SharedTurns();

  constructor(private readonly requests: LocalRequests) {}

  /** Responds to a message, or to what is none. @throws DomainError bad_request: the body is not JSON */
  async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const message = await readMessage(request);
    await this.turns.next();
    // A tool may send several requests, each with a deadline of its own.
    const response = await outsideDeadline(request, () => this.call(message, request, reply));
    const text = await response.text();
    reply.status(response.status).headers(Object.fromEntries(response.headers)).send(text);
  }

  private async call(
    message: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Response> {
    const call = new AbortController();
    const end = () => call.abort();
    const timer = setTimeout(end, MAX_CALL_TIME).unref();
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
    const { publicUrl } = request.server;
    const fetch = this.requests.fetchFor({ request, reply, signal: call.signal });
    const client = createClient({ baseUrl: publicUrl, token: '', fetch, retry: { attempts: 1 } });
    const onDefect = (error: unknown) => this.logger.error('a tool failed', error);
    try {
      const scope = request.user?.scope ?? 'none';
      return await respondTo(headOf(request), message, { client, scope, onDefect });
    } finally {
      clearTimeout(timer);
      reply.raw.off('close', end);
    }
  }
}

/** @throws DomainError bad_request */
async function readMessage({ body }: FastifyRequest): Promise<unknown> {
  try {
    return await inPortions(withValues(body));
  } catch (error) {
    throw ofJson(error);
  }
}

/** A request as the protocol reads it: its method and its own headers. All responses are JSON, whatever is accepted. */
function headOf({ method, headers, server }: FastifyRequest): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  const fields = Object.fromEntries(own.map(([name, value]) => [name, `${value}`]));
  return new Request(server.publicUrl, {
    method,
    headers: {
      ...fields,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
}
