import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import type { Metrics } from './metrics.js';

/** Bytes of lines that are written at once, and milliseconds that a line waits at most. */
const WRITTEN_AT_ONCE = 4096;
const MAX_WAIT = 500;

/** Contexts of Nest's own messages at the start: logged at level debug. */
const NEST = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/**
 * The log: one JSON object a line on the standard output; text at a terminal outside production.
 * Lines of a busy service are written several at a time, errors at once.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'production'>): Logger {
  const options = {
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { err: reportedError, cause: reportedCause },
  };
  if (!config.production && process.stdout.isTTY) return pino(options, readableLog(process.stdout));
  return pino(options, bufferedOutput());
}

function bufferedOutput(): DestinationStream {
  const out = destination({ fd: 1, sync: false, minLength: WRITTEN_AT_ONCE });
  let isWaiting = false;
  let isDue = false;
  // During a write flush() does nothing: later lines are written after it.
  const flushNow = () => {
    isDue = true;
    out.flush();
  };
  out.on('drain', () => {
    if (!isDue) return;
    isDue = false;
    out.flush();
  });
  const flush = () => {
    isWaiting = false;
    flushNow();
  };
  return {
    write(line) {
      out.write(line);
      if (URGENT.test(line)) return flushNow();
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(flush, MAX_WAIT).unref();
    },
  };
}

const URGENT = /^{"level":"(?:error|fatal)"/;

/** Nest's own logger, and every `new Logger('context')`, over the log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Logger) {}

  log = (message: unknown, ...rest: unknown[]) =>
    this.say(NEST.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.say('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.say('trace', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.say('warn', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.say('error', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.say('fatal', message, rest);

  /** The last word of `rest` is the context; an Error, or the text of a stack, may come before. */
  private say(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const err = [message, ...rest].find((part) => part instanceof Error);
    const stack = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
    this.target[level](
      { context, ...(err !== undefined && { err }), ...(stack !== undefined && { stack }) },
      message instanceof Error ? message.message : String(message),
    );
  }
}

const COLOURS: Record<string, number> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 };

/** Writes the JSON lines of the log as text for a person at a terminal. */
function readableLog(out: NodeJS.WritableStream): DestinationStream {
  return { write: (line) => void out.write(`${readable(JSON.parse(line))}\n`) };
}

interface Entry {
  time: string;
  level: string;
  msg?: string;
  context?: string;
  err?: { type: string; message: string; stack?: string };
  [field: string]: unknown;
}

function readable({ time, level, msg, context, pid, hostname, err, ...fields }: Entry): string {
  const { method, route, status, durationMs, requestId, userId, ...others } = fields;
  const words = [
    new Date(time).toTimeString().slice(0, 8),
    level === 'info' ? '' : `\u001b[${COLOURS[level] ?? 0}m${level}\u001b[0m`,
    context && `[${context}]`,
    method && `${method} ${route} ${status} ${durationMs} ms`,
    msg,
    ...Object.entries(others).map(([name, value]) => `${name}=${text(value)}`),
    err && `\n  ${err.type}: ${err.message}\n    ${(err.stack ?? '').replaceAll('\n', '\n    ')}`,
  ];
  return words.filter(Boolean).join(' ').trimEnd();
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** An error as it is logged. */
interface ReportedError {
  type: string;
  message: string;
  /** SQLSTATE or Node's code. */
  code?: string;
  constraint?: string;
  /** The frames alone: the message is above. */
  stack?: string;
  cause?: ReportedError;
}

/** Levels of causes; deeper ones are omitted. */
const MAX_CAUSES = 4;

/**
 * An error as it may be logged: named fields only. PostgreSQL puts whole rows into `detail`,
 * which must not carry content into the log.
 */
function reportedError(thrown: unknown, depth = 0): ReportedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { code, constraint } = thrown as { code?: unknown; constraint?: unknown };
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(frames && frames.length > 0 && { stack: frames.map((line) => line.trim()).join('\n') }),
    ...(thrown.cause !== undefined &&
      depth < MAX_CAUSES && { cause: reportedError(thrown.cause, depth + 1) }),
  };
}

/**
 * The same without the frames: refusals are frequent, and their place in the code is not
 * informative.
 */
function reportedCause(thrown: unknown): ReportedError {
  const { stack: _, ...rest } = reportedError(thrown);
  return rest;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it failed, if the response does not say: only for the log. */
    failureCause?: unknown;
    /** Id of the trace that the request belongs to, if tracing is on; otherwise its caller's is logged. */
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
    reply.raw.once('close', () => this.end(request, reply, performance.now() - start));
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
      traceId: request.traceId ?? traceIdOf(request.headers),
      userId: request.user?.id,
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

/** W3C Trace Context: version, trace, parent, flags. Nothing follows in version 00, and ff is not a version. */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Id of the caller's trace; undefined if the header is missing or malformed. */
function traceIdOf({ traceparent }: IncomingMessage['headers']): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
}

/** The form of ids that are logged as callers send them: short, one word, nothing to escape. */
const WELL_FORMED = /^[\w.:/+=@-]{1,128}$/;

/** The id of a request: the caller's X-Request-Id if it is well-formed, otherwise a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
