/** Probes come every few seconds: they are logged at level debug, and not counted. */
const PROBES = '/health/';
const UNMATCHED = 'unmatched';
/** Logs and counts every request, once its response is sent or its caller has left. */
export class RequestObserver {
    log;
    metrics;
    constructor(log, 
    /** null: nobody reads them. */
    metrics) {
        this.log = log;
        this.metrics = metrics;
    }
    /** Observes every request, whether it matches a route or not. */
    watch(fastify) {
        fastify.addHook('onRequest', (request, reply, done) => {
            this.begin(request, reply);
            done();
        });
    }
    /** For requests that Fastify rejects before it runs any hook. */
    begin(request, reply) {
        const start = performance.now();
        reply.header('x-request-id', request.id);
        reply.raw.once('close', () => this.end(request, reply, performance.now() - start));
    }
    end(request, reply, durationMs) {
        const route = request.routeOptions.url ?? UNMATCHED;
        const status = reply.raw.writableFinished ? reply.raw.statusCode : 'aborted';
        const isProbe = route.startsWith(PROBES);
        if (!isProbe) {
            this.metrics?.observeRequest(request.method, route, String(status), durationMs / 1000);
        }
        const level = status === 500 ? 'error' : isProbe ? 'debug' : 'info';
        if (!this.log.isLevelEnabled(level))
            return;
        const { failureCause } = request;
        this.log[level]({
            requestId: request.id,
            traceId: request.traceId,
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
function teamOf({ params, query }) {
    return params?.team_slug ?? query?.team_slug;
}
//# sourceMappingURL=request-observer.js.map