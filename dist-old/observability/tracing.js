/**
 * Starts OpenTelemetry tracing if its own variables ask for it: OTEL_EXPORTER_OTLP_ENDPOINT,
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER (`otlp` or `console`). The packages
 * are loaded only then.
 */
export async function startTracing(env) {
    if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true')
        return null;
    const exporter = env.OTEL_TRACES_EXPORTER ||
        (env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ? 'otlp' : 'none');
    if (exporter !== 'otlp' && exporter !== 'console')
        return null;
    const { startTelemetry } = await import('./telemetry.js');
    return startTelemetry(exporter);
}
//# sourceMappingURL=tracing.js.map