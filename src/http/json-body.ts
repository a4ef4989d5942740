import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keepSource } from './json-source.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the bytes of the body, in hexadecimal; only where an Idempotency-Key came along. */
    bodyDigest?: string;
  }
}

/** Largest request body. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** A body that could not be read. The guard refuses it, once it is known who is calling. */
export class UnreadableBody {
  constructor(readonly problem: string) {}
}

/**
 * Makes JSON the only body that is read. Our own parser, because Fastify's strips keys named
 * `constructor` without a word and refuses `__proto__`, and a page's content must come back whole.
 * JSON.parse makes them own properties; nothing here copies them by assignment.
 */
export function acceptOnlyJson(fastify: FastifyInstance): void {
  const options = { parseAs: 'buffer' as const, bodyLimit: MAX_BODY_BYTES };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', options, (request, body, done) => {
    keepDigest(request, body);
    done(null, parse(body));
  });
  fastify.addContentTypeParser<Buffer>('*', options, (_request, _body, done) =>
    done(null, new UnreadableBody('the Content-Type must be application/json')),
  );
}

/** What an Idempotency-Key stands for includes the body, byte by byte. No body is an empty one. */
function keepDigest(request: FastifyRequest, body: Buffer): void {
  if (request.headers['idempotency-key'] === undefined || body.length === 0) return;
  request.bodyDigest = createHash('sha256').update(body).digest('hex');
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) return new UnreadableBody('the body must be UTF-8');
  const text = body.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    keepSource(value, text);
    return value;
  } catch {
    return new UnreadableBody('the body must be valid JSON');
  }
}
