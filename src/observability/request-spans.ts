import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onClose } from '../http/response-closed.js';

/** A span for each request, named by its route, and the context in which it is handled. */
export function traceRequests(fastify: FastifyInstance): void {
  const tracer = trace.getTracer('teamspaces');
  const contexts = new WeakMap<FastifyRequest, Context>();

  fastify.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = { 'http.request.method': method, 'teamspaces.request_id': request.id };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    request.traceId = span.spanContext().traceId;
    contexts.set(request, trace.setSpan(parent, span));
    onClose(reply.raw, () => {
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
