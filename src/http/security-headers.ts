import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

type Headers = Record<string, string>;

/** Of data: only the caller's own cache keeps it, and asks again by its ETag. Documents and assets have values of their own. */
export const CACHE_CONTROL = { 'cache-control': 'private, no-cache' };

/** Responses that a browser shows as pages; all others are data and may load nothing. */
const PAGES = /^\/(?:docs|reference|manual|api-reference)(?:[/?]|$)|^\/(?:\?|$)/;

/**
 * The headers that protect browsers: for data, and for the pages (Swagger UI, the manual, the errors). Those of data
 * include Cache-Control.
 * @param publicUrl where the service is reached; its pages may call it there
 * @param issuer the identity provider that Swagger UI logs in at, or null
 * @returns the headers of a response, by path and query of its request
 */
export function securityHeadersOf(publicUrl: string, issuer: string | null) {
  const isHttps = publicUrl.startsWith('https:');
  const ofData = {
    ...headersOf(isHttps, { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }),
    ...CACHE_CONTROL,
  };
  const ofPages = headersOf(isHttps, {
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
  return (url: string): Headers => (PAGES.test(url) ? ofPages : ofData);
}

/** Adds them to every response. */
export function sendSecurityHeaders(
  fastify: FastifyInstance,
  headersFor: ReturnType<typeof securityHeadersOf>,
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.url));
    done();
  });
}

/**
 * The headers of helmet, computed once: none depends on the request. Without
 * upgrade-insecure-requests, which would keep Swagger UI from working over plain HTTP; HSTS only if
 * the public address is https; popups keep their opener, for a login at an identity provider.
 */
function headersOf(isHttps: boolean, directives: Record<string, string[]>): Headers {
  const options: HelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  };
  const headers: Headers = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return headers;
}

type CorsOptions = NonNullable<Parameters<NestFastifyApplication['enableCors']>[0]>;

/** What pages of the origins in `CORS_ORIGINS` may send and read. */
export function corsOptions(origins: readonly string[]): CorsOptions {
  const options: CorsOptions = {
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
      // Clients of the Model Context Protocol have to send these.
      'Mcp-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
    ],
    exposedHeaders: [
      'ETag',
      'Link',
      'Search-Behind',
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
    delegator: (request, callback) =>
      callback(null, isOtherOptions(request) ? { origin: false } : options),
  };
}

const isOtherOptions = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && !(headers.origin && headers['access-control-request-method']);
