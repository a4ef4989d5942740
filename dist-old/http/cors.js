/** What pages of the origins in `CORS_ORIGINS` may send and read. */
export function corsOptions(origins) {
    const options = {
        origin: origins.includes('*') ? '*' : [...origins],
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders: [
            'Authorization',
            'Content-Type',
            'If-Match',
            'If-None-Match',
            'Idempotency-Key',
            'X-Request-Id',
            'traceparent',
            'tracestate',
        ],
        exposedHeaders: [
            'ETag',
            'Link',
            'Retry-After',
            'RateLimit',
            'RateLimit-Policy',
            'X-Request-Id',
            'Idempotent-Replayed',
            'WWW-Authenticate',
        ],
        // Browsers repeat the preflight after two hours at most.
        maxAge: 7200,
    };
    // An OPTIONS request that is not a preflight gets 404, like any unknown method.
    return {
        delegator: (request, callback) => callback(null, isOtherOptions(request) ? { origin: false } : options),
    };
}
const isOtherOptions = ({ method, headers }) => method === 'OPTIONS' && !(headers.origin && headers['access-control-request-method']);
//# sourceMappingURL=cors.js.map