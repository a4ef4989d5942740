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
  /**
   * A message costs more than a request of the API, so it is handled in several turns, by person: however many messages
   * there are, other requests wait for one turn, and messages of others for one of each person.
   */
  private readonly turns = new SharedTurns();

  constructor(private readonly requests: LocalRequests) {}

  /** Responds to a request, which has a message or not. @throws DomainError bad_request: its body is not JSON */
  async respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const message = await readMessage(request);
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
    const turn = () => this.turns.next(request.user?.id);
    const fetch = this.requests.fetchFor({ request, reply, signal: call.signal, turn });
    // Without a path that a proxy takes off.
    const baseUrl = new URL(request.server.publicUrl).origin;
    const client = createClient({ baseUrl, token: '', fetch, retry: { attempts: 1 } });
    try {
      await turn();
      return await respondTo(headOf(request), message, {
        ...{ client, scope: request.user?.scope ?? 'none', turn },
        onDefect: (error) =>
          this.logger.error(`a tool failed in request ${request.id}`, withoutMessage(error)),
      });
    } finally {
      clearTimeout(timer);
      reply.raw.off('close', end);
      // Requests that nobody waits for anymore, since one beside them has failed.
      end();
    }
  }
}

/** An error for the log: its message may have content. */
function withoutMessage(error: unknown): Error {
  const { name, stack = '' } = error instanceof Error ? error : new Error();
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return Object.assign(new Error(name), { name, stack: [name, ...frames].join('\n') });
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
