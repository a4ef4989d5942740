import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { expectsPage } from '@teamspaces/manual-site/missing-page';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppModule } from './app.module.js';
import { VerifiedTokens } from './auth/jwt.strategy.js';
import { prepareCallers } from './auth/token.guard.js';
import type { Config } from './config/config.js';
import { type Clock, SYSTEM_CLOCK } from './config/config.module.js';
import { Database } from './database/database.js';
import { ErrorsFilter } from './errors/error-response.js';
import { leaveBodiesUnread, leaveLongBody } from './http/body.guard.js';
import {
  BrokenConnections,
  NODE_OPTIONS,
  pathOf,
  refuseMalformedRequests,
} from './http/client-errors.js';
import { Connections, closeSlowReaders } from './http/connections.js';
import { enforceDeadline } from './http/deadline.js';
import { corsOptions, securityHeadersOf, sendSecurityHeaders } from './http/security-headers.js';
import { protocolFailure } from './mcp/errors.js';
import { refuseForeignOrigins } from './mcp/origins.js';
import { createLog, NestLog, RequestObserver, requestIdOf } from './observability/logger.js';
import { Metrics } from './observability/metrics.js';
import type { Tracing } from './observability/telemetry.js';
import { serveDocs } from './openapi/docs.js';
import { createDocument } from './openapi/document.js';
import {
  limitBroken,
  limitUnknownCallers,
  limitUnrouted,
  RateLimit,
} from './rate-limit/rate-limit.js';
import { RequestPipe } from './validation/request.pipe.js';

/**
 * Builds the application, ready to listen: adapter, pipe, guard, filter, documents. The process and
 * every test get theirs here.
 * @param config with an address for the database and a secret
 * @param developmentToken filled in on the pages of documentation; only for a service that made its
 * own secret
 * @param clock tests pass one that they move forward
 */
export async function createApp(
  config: Config,
  developmentToken: string | null = null,
  clock: Clock = SYSTEM_CLOCK,
): Promise<NestFastifyApplication> {
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    if (!expectsPage(request)) return false;
    sendMissing(request, reply.headers(securityHeaders('/manual')));
    return true;
  };
  const errors = new ErrorsFilter(config.publicUrl, sendPage, protocolFailure(config));
  const log = createLog(config);
  const tracing = await startTracing(process.env);
  const securityHeaders = securityHeadersOf(
    config.publicUrl,
    config.docsOidcClientId && config.issuer,
  );
  const adapter = new FastifyAdapter({
    ...NODE_OPTIONS,
    trustProxy: trusted(config.trustProxy),
    // As long as a URL may be (maxHeaderSize): an id that could not exist is not found, whatever its
    // length.
    routerOptions: { maxParamLength: 32 * 1024 },
    // What arrives while the service shuts down is answered as ever, and the connection then closed.
    return503OnClosing: false,
    // What Fastify refuses before it has a route gets the same envelope.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      observer.begin(request, reply.headers(securityHeaders(request.url)));
      leaveLongBody(request, reply);
      limitUnrouted(limit, request, reply, (over) => errors.respond(over ?? error, request, reply));
    },
    rewriteUrl: pathOf,
    genReqId: requestIdOf,
    clientErrorHandler: (error, socket) => broken.refuse(error, socket),
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config, clock),
    adapter,
    {
      bodyParser: false,
      logger: new NestLog(log),
      // A service that cannot be built fails its caller: main.ts says why, a test reports it.
      abortOnError: false,
    },
  );
  const fastify = adapter.getInstance();
  fastify.decorate('publicUrl', config.publicUrl);
  const observer = new RequestObserver(log, config.metricsPort === null ? null : app.get(Metrics));
  const connections = app.get(Connections);
  connections.watch(adapter.getHttpServer());
  const limit = app.get(RateLimit);
  const broken = new BrokenConnections(connections, config.publicUrl, log, (address) =>
    limitBroken(limit, address),
  );
  tracing?.watch(fastify);
  observer.watch(fastify);
  prepareCallers(fastify);
  leaveBodiesUnread(fastify);
  sendSecurityHeaders(fastify, securityHeaders);
  const tokens = app.get(VerifiedTokens);
  limitUnknownCallers(
    fastify,
    limit,
    (authorization) => tokens.wasVerified(authorization),
    (error, request) => errors.failureFor(error, request),
  );
  refuseMalformedRequests(fastify, broken);
  refuseForeignOrigins(fastify, config);
  closeSlowReaders(fastify, connections, clock);
  const database = app.get(Database);
  enforceDeadline(
    fastify,
    (...late) => errors.respond(...late),
    (callerId) => database.isWaiting(callerId),
  );
  app.useGlobalPipes(new RequestPipe());
  app.useGlobalFilters(errors);
  if (config.corsOrigins.length > 0) app.enableCors(corsOptions(config.corsOrigins));
  const sendMissing = serveDocs(fastify, config, developmentToken, () =>
    createDocument(app, config),
  );
  return app;
}

/** Proxies whose X-Forwarded-* headers are believed: so many hops, or those addresses. */
function trusted(proxies: Config['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

/**
 * Starts OpenTelemetry tracing if its own variables ask for it: OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER (`otlp` or `console`). The packages
 * are loaded only then.
 */
async function startTracing(env: NodeJS.ProcessEnv): Promise<Tracing | null> {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  const exporter =
    env.OTEL_TRACES_EXPORTER ||
    (env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ? 'otlp' : 'none');
  if (exporter !== 'otlp' && exporter !== 'console') return null;
  const { startTelemetry } = await import('./observability/telemetry.js');
  return startTelemetry(exporter);
}
