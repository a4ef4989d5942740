import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import request from 'supertest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { signToken } from '../../src/development/token.js';
import { createTestDatabase } from './database.js';

export const SECRET = 'a secret of tests, 32 bytes at least';

/** A person with a token; each test names its own. */
export interface Person {
  sub: string;
  email: string;
  name: string;
}

/** Someone new, whom nobody has seen before. */
export function somebody(name = 'Ada'): Person {
  const sub = `${name.toLowerCase()}-${Math.random().toString(36).slice(2, 10)}`;
  return { sub, email: `${sub}@example.com`, name };
}

export const tokenOf = (person: Person): string => signToken(SECRET, person);

/** One request, as somebody. */
export interface Caller {
  get(path: string): request.Test;
  post(path: string, body?: unknown): request.Test;
  put(path: string, body?: unknown): request.Test;
  delete(path: string, body?: unknown): request.Test;
}

/** The real application on a database of its own, listening on a port of its own. */
export interface TestService {
  app: NestFastifyApplication;
  url: string;
  databaseUrl: string;
  /** Calls with a token of this person. */
  as(person: Person): Caller;
  /** Calls with this Authorization header, or none. */
  with(authorization: string | null): Caller;
  stop(): Promise<void>;
}

/**
 * @param env variables beside the database and the secret, as an operator would set them
 * @param databaseUrl a database that the caller made, for another instance or through a proxy
 */
export async function startService(
  env: Record<string, string> = {},
  databaseUrl?: string,
): Promise<TestService> {
  const database = databaseUrl
    ? { url: databaseUrl, drop: async () => undefined }
    : await createTestDatabase();
  const config = loadConfig({
    DATABASE_URL: database.url,
    AUTH_JWT_SECRET: SECRET,
    LOG_LEVEL: 'fatal',
    // Tests ask more than a person does in a minute; test/operate has those of the limit itself.
    RATE_LIMIT_PER_MINUTE: '0',
    PUBLIC_URL: 'http://localhost:3000',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const caller = (authorization: string | null): Caller => {
    const send = (test: request.Test, body?: unknown): request.Test => {
      if (authorization !== null) test.set('authorization', authorization);
      return body === undefined ? test : test.send(body as object);
    };
    const agent = request(url);
    return {
      get: (path) => send(agent.get(path)),
      post: (path, body) => send(agent.post(path), body),
      put: (path, body) => send(agent.put(path), body),
      delete: (path, body) => send(agent.delete(path), body),
    };
  };
  return {
    app,
    url,
    databaseUrl: database.url,
    as: (person) => caller(`Bearer ${tokenOf(person)}`),
    with: caller,
    stop: async () => {
      await app.close();
      await database.drop();
    },
  };
}
