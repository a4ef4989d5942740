import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import request from 'supertest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { signToken } from '../../src/development/token.js';
import { startInstances } from '../instances/instances.js';
import { startPgBouncer } from '../pooler/pgbouncer.js';
import { createTestDatabase } from './database.js';
import { INSTANCES, THROUGH_POOLER } from './inside.js';
import { SECRET } from './secret.js';

export { SECRET };

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
  /** The application inside the test's process; throws where there are several: see testInside. */
  readonly app: NestFastifyApplication;
  url: string;
  databaseUrl: string;
  /** Calls with a token of this person. */
  as(person: Person): Caller;
  /** Calls with this Authorization header, or none. */
  with(authorization: string | null): Caller;
  stop(): Promise<void>;
}

/** What answers at `url`. */
interface Running {
  url: string;
  app?: NestFastifyApplication;
  stop(): Promise<void>;
}

/**
 * Starts the service inside the test's process; under `npm run test:instances`, processes of
 * their own behind a balancer.
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
  const settings = { LOG_LEVEL: 'fatal', PUBLIC_URL: 'http://localhost:3000', ...env };
  const running = await start(database.url, settings);
  const { url } = running;
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
    get app() {
      if (!running.app) throw new Error('several instances have no inside: use testInside');
      return running.app;
    },
    url,
    databaseUrl: database.url,
    as: (person) => caller(`Bearer ${tokenOf(person)}`),
    with: caller,
    stop: async () => {
      await running.stop();
      await database.drop();
    },
  };
}

function start(databaseUrl: string, env: Record<string, string>): Promise<Running> {
  if (INSTANCES > 0) return startInstances(INSTANCES, databaseUrl, env);
  return THROUGH_POOLER ? startPooled(databaseUrl, env) : startInside(databaseUrl, env);
}

async function startPooled(databaseUrl: string, env: Record<string, string>): Promise<Running> {
  const pooler = await startPgBouncer(databaseUrl);
  const running = await startInside(pooler.url, { DATABASE_PREPARED_STATEMENTS: 'off', ...env });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      await pooler.stop();
    },
  };
}

async function startInside(databaseUrl: string, env: Record<string, string>): Promise<Running> {
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: SECRET,
    // Tests ask more than a person does in a minute; test/operate has those of the limit itself.
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl(), stop: () => app.close() };
}
