import diagnostics from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes, } from '@opentelemetry/resources';
import { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor, } from '@opentelemetry/sdk-trace-node';
import { traceStatements } from '../database/statement-spans.js';
import { traceRequests } from './request-spans.js';
/** Milliseconds that the end of the process waits for the last spans. */
const FLUSH = 1_000;
/**
 * Sets up OpenTelemetry. Sampler, resource, batches, addresses and headers come from the standard
 * OTEL_* variables, which its packages read themselves.
 */
export function startTelemetry(exporter) {
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
    traceStatements();
    diagnostics.subscribe('undici:request:create', passOn);
    return {
        watch(fastify) {
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
function passOn(message) {
    if (trace.getActiveSpan() === undefined)
        return;
    const { request } = message;
    const headers = {};
    propagation.inject(context.active(), headers);
    for (const [name, value] of Object.entries(headers))
        request.addHeader(name, value);
}
//# sourceMappingURL=telemetry.js.map