import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

type CorsOptions = NonNullable<Parameters<NestFastifyApplication['enableCors']>[0]>;

/** What pages of other origins may send and read, where `CORS_ORIGINS` names them. */
export function corsOptions(origins: readonly string[]): CorsOptions {
  const options: CorsOptions = {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
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
    // Browsers ask again after two hours at most.
    maxAge: 7200,
  };
  // An OPTIONS that is no preflight is a request like any other: 404.
  return {
    delegator: (request, callback) =>
      callback(null, isOtherOptions(request) ? { origin: false } : options),
  };
}

const isOtherOptions = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && !(headers.origin && headers['access-control-request-method']);
