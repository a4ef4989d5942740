import diagnostics from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { traceStatements } from '@teamspaces/pg-lanes/statement-spans';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Active tracing. */
export interface Tracing {
  /** A span for each request, within the caller's trace, if the request names one. */
  watch(fastify: FastifyInstance): void;
}

/** Milliseconds that the end of the process waits for the last spans. */
const FLUSH = 1_000;

/**
 * Sets up OpenTelemetry. Sampler, resource, batches, addresses and headers come from the standard
 * OTEL_* variables, which its packages read themselves.
 */
export function startTelemetry(exporter: 'otlp' | 'console'): Tracing {
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'teamspaces' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      exporter === 'otlp'
        ? new BatchSpanProcessor(new OTLPTraceExporter())
        : new SimpleSpanProcessor(new ConsoleSpanExporter()),
    ],
  });
  provider.register();
  traceStatements('teamspaces');
  diagnostics.subscribe('undici:request:create', passOn);
  return {
    watch(fastify: FastifyInstance) {
      traceRequests(fastify);
      fastify.addHook('onClose', async () => {
        diagnostics.unsubscribe('undici:request:create', passOn);
        const flushed = provider.shutdown().catch(() => undefined);
        await Promise.race([flushed, sleep(FLUSH, undefined, { ref: false })]);
      });
    },
  };
}

/** Propagates the trace to servers that fetch() calls, such as the identity provider. */
function passOn(message: unknown): void {
  if (trace.getActiveSpan() === undefined) return;
  const { request } = message as { request: { addHeader(name: string, value: string): void } };
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  for (const [name, value] of Object.entries(headers)) request.addHeader(name, value);
}

/** A span for each request, named by its route, and the context in which it is handled. */
function traceRequests(fastify: FastifyInstance): void {
  const tracer = trace.getTracer('teamspaces');
  const contexts = new WeakMap<FastifyRequest, Context>();

  fastify.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = { 'http.request.method': method, 'teamspaces.request_id': request.id };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    request.traceId = span.spanContext().traceId;
    const own = trace.setSpan(parent, span);
    contexts.set(request, own);
    // Requests that the service sends to itself for this one have its headers.
    propagation.inject(own, request.headers);
    reply.raw.once('close', () => {
      const { url: route } = request.routeOptions;
      if (route) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    done();
  });

  // Not earlier: reading a body loses the context of the hooks before it.
  fastify.addHook('preValidation', (request, _reply, done) => {
    context.with(contexts.get(request) ?? ROOT_CONTEXT, done);
  });
}
