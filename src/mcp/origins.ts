import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { forbidden } from '../errors/domain-error.js';
import { MCP_PATH } from './errors.js';

/**
 * Rejects calls of the endpoint from web pages of foreign origins with 403, before anything is verified or read: a page
 * could otherwise reach a service in its visitor's network (DNS rebinding).
 */
export function refuseForeignOrigins(
  fastify: FastifyInstance,
  { corsOrigins, publicUrl }: Pick<Config, 'corsOrigins' | 'publicUrl'>,
): void {
  const known = new Set([...corsOrigins, new URL(publicUrl).origin]);
  fastify.addHook('preParsing', ({ headers: { origin }, routeOptions }, _reply, payload, done) => {
    const isForeign =
      routeOptions.url === MCP_PATH &&
      origin !== undefined &&
      !known.has('*') &&
      !known.has(origin);
    done(isForeign ? forbidden(FOREIGN) : null, payload);
  });
}

const FOREIGN = 'web pages of other origins may not call this: CORS_ORIGINS names those that may';
