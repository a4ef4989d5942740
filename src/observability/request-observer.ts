import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it failed, if the response does not say: only for the log. */
    failureCause?: unknown;
    /** Id of the trace that the request belongs to, if tracing is on. */
    traceId?: string;
  }
}

/** Probes come every few seconds: they are logged at level debug, and not counted. */
const PROBES = '/health/';
const UNMATCHED = 'unmatched';

type Fields = Record<string, string | undefined>;

/** Logs and counts every request, once its response is sent or its caller has left. */
export class RequestObserver {
  constructor(
    private readonly log: Logger,
    /** null: nobody reads them. */
    private readonly metrics: Metrics | null,
  ) {}

  /** Observes every request, whether it matches a route or not. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.begin(request, reply);
      done();
    });
  }

  /** For requests that Fastify rejects before it runs any hook. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const start = performance.now();
    reply.header('x-request-id', request.id);
    onClose(reply.raw, () => this.end(request, reply, performance.now() - start));
  }

  private end(request: FastifyRequest, reply: FastifyReply, durationMs: number): void {
    const route = request.routeOptions.url ?? UNMATCHED;
    const status = reply.raw.writableFinished ? reply.raw.statusCode : 'aborted';
    const isProbe = route.startsWith(PROBES);
    if (!isProbe) {
      this.metrics?.observeRequest(request.method, route, String(status), durationMs / 1000);
    }
    const level = status === 500 ? 'error' : isProbe ? 'debug' : 'info';
    if (!this.log.isLevelEnabled(level)) return;
    const { failureCause } = request;
    this.log[level]({
      requestId: request.id,
      traceId: request.traceId,
      userId: (request as { user?: { id?: string } }).user?.id,
      team: teamOf(request),
      method: request.method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      ...(failureCause !== undefined && { [status === 500 ? 'err' : 'cause']: failureCause }),
    });
  }
}

/** The slug of the team that the request names, in its path or its query. */
function teamOf({ params, query }: FastifyRequest): string | undefined {
  return (params as Fields | undefined)?.team_slug ?? (query as Fields | undefined)?.team_slug;
}

/** The form of ids that are logged as callers send them: short, one word, nothing to escape. */
const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;

/** The id of a request: the caller's X-Request-Id if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/**
 * Calls back when a response was sent, or its connection was lost. `on`, not `once`: Node emits the
 * event once anyway. V8 soon allocates the wrapper that `once` creates in the old generation, where it
 * keeps the finished response until a full collection: a third of the CPU time of a small read.
 */
export function onClose(response: ServerResponse, callback: () => void): void {
  response.on('close', callback);
}
