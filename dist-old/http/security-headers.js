import helmet from 'helmet';
/** Responses that a browser shows as pages; all others are data and may load nothing. */
const PAGES = /^\/(?:docs|reference|manual|api-reference)(?:[/?]|$)|^\/(?:\?|$)/;
/** The headers that protect browsers: for data, and for the pages (Swagger UI, the manual, the errors). */
export class SecurityHeaders {
    ofData;
    ofPages;
    /**
     * @param publicUrl where the service is reached; its pages may call it there
     * @param issuer the identity provider that Swagger UI logs in at, or null
     */
    constructor(publicUrl, issuer) {
        const isHttps = publicUrl.startsWith('https:');
        this.ofData = headersOf(isHttps, { defaultSrc: ["'none'"], frameAncestors: ["'none'"] });
        this.ofPages = headersOf(isHttps, {
            defaultSrc: ["'self'"],
            baseUri: ["'self'"],
            connectSrc: ["'self'", ...[publicUrl, issuer ?? publicUrl].map((url) => new URL(url).origin)],
            fontSrc: ["'self'", 'data:'],
            formAction: ["'self'"],
            frameAncestors: ["'none'"],
            imgSrc: ["'self'", 'data:'],
            objectSrc: ["'none'"],
            // Swagger UI styles its elements one by one.
            styleSrc: ["'self'", "'unsafe-inline'"],
        });
    }
    /** @param url path and query of the request */
    for(url) {
        return PAGES.test(url) ? this.ofPages : this.ofData;
    }
    /** Adds them to every response. */
    sendFrom(fastify) {
        fastify.addHook('onRequest', (request, reply, done) => {
            reply.headers(this.for(request.url));
            done();
        });
    }
}
/**
 * The headers of helmet, computed once: none depends on the request. Without
 * upgrade-insecure-requests, which would keep Swagger UI from working over plain HTTP; HSTS only if
 * the public address is https; popups keep their opener, for a login at an identity provider.
 */
function headersOf(isHttps, directives) {
    const options = {
        contentSecurityPolicy: { useDefaults: false, directives },
        crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
        strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
        xFrameOptions: { action: 'deny' },
    };
    const headers = {};
    const response = {
        setHeader: (name, value) => {
            headers[name.toLowerCase()] = value;
        },
        removeHeader: () => undefined,
    };
    helmet(options)({}, response, (error) => {
        if (error)
            throw error;
    });
    return headers;
}
//# sourceMappingURL=security-headers.js.map