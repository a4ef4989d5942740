import { Agent } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import request from 'supertest';
import { signToken } from '../../clients/cli/src/token.js';
import type { Clock } from '../../src/config/config.module.js';
import type { BackgroundJob } from '../../src/jobs/background-job.js';
import { startInstances } from '../instances/instances.js';
import { until } from '../operate/process.js';
import { startPgBouncer } from '../pooler/pgbouncer.js';
import { createTestDatabase } from './database.js';
import { hear } from './heard.js';
import { INSTANCES, THROUGH_POOLER } from './inside.js';
import { SECRET } from './secret.js';
import { outside, source } from './sources.js';

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
  patch(path: string, body?: unknown): request.Test;
  delete(path: string, body?: unknown): request.Test;
}

/** The real application on a database of its own, listening on a port of its own. */
export interface TestService {
  url: string;
  databaseUrl: string;
  /** Calls with a token of this person. */
  as(person: Person): Caller;
  /** Calls with this Authorization header, or none. */
  with(authorization: string | null): Caller;
  /** Moves the service's clock forward; not where processes of their own run it: see testInside. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Waits until so many commands wait in the queue of a workspace's tree, behind those that are carried out; not
   * where processes of their own run the service.
   */
  queued(workspaceId: string, count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A service inside the test's own process. */
export interface InsideService extends TestService {
  app: NestFastifyApplication;
  /** All background jobs. */
  jobs: BackgroundJob[];
  /** The instance of a provider, by the name of its class. */
  provider<Class>(name: string): Class;
}

/** A running service at `url`. */
interface Running {
  url: string;
  advance?(milliseconds: number): Promise<void>;
  waitingIn?(workspaceId: string): Promise<number>;
  stop(): Promise<void>;
}

type Start = (databaseUrl: string, env: Record<string, string>) => Promise<Running>;

/**
 * Starts the service in the process that hosts services for this worker of jest (service-host.js);
 * under `npm run test:instances`, processes of their own behind a balancer.
 * @param env variables beside the database and the secret, as an operator would set them
 * @param databaseUrl a database that the caller made, for another instance or through a proxy
 */
export const startService = (
  env: Record<string, string> = {},
  databaseUrl?: string,
): Promise<TestService> => serviceOn(start, env, databaseUrl);

/** Starts the service inside the test's own process, for a test that looks inside; see testInside. */
export const startServiceInside = (
  env: Record<string, string> = {},
  databaseUrl?: string,
): Promise<InsideService> => startInside(env, databaseUrl);

/**
 * The same, for a test that records what the service does: it does nothing by itself, however long the test takes.
 * No time passes but by `advance`, and no job runs but the rounds that the test calls: runRound().
 */
export const startStillService = (
  env: Record<string, string> = {},
  databaseUrl?: string,
): Promise<InsideService> => startInside(env, databaseUrl, createStillClock());

interface StillClock extends Clock {
  advance(milliseconds: number): void;
  /** Lets time pass: a shutdown waits for it. */
  release(): void;
}

function createStillClock(): StillClock {
  const start = { now: performance.now(), date: Date.now() };
  let ahead = 0;
  let isReleased = false;
  return {
    now: () => (isReleased ? performance.now() : start.now) + ahead,
    date: () => (isReleased ? Date.now() : start.date) + ahead,
    every: () => () => undefined,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    release: () => {
      isReleased = true;
    },
  };
}

async function startInside(
  env: Record<string, string>,
  databaseUrl: string | undefined,
  still?: StillClock,
): Promise<InsideService> {
  const { createApp } = await source<typeof import('../../src/app.js')>('app.js');
  const { loadConfig } =
    await source<typeof import('../../src/config/config.js')>('config/config.js');
  const { BackgroundJob: Job } =
    await source<typeof import('../../src/jobs/background-job.js')>('jobs/background-job.js');
  const { ModulesContainer } = (await outside.load(
    '@nestjs/core',
  )) as typeof import('@nestjs/core');
  const apps: NestFastifyApplication[] = [];
  const providersOf = (app: NestFastifyApplication) =>
    [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
  const jobsOf = (app: NestFastifyApplication) =>
    providersOf(app).flatMap(({ instance }) => (instance instanceof Job ? [instance] : []));
  const startHere: Start = async (url, settings) => {
    const app = await createApp(loadConfig(environment(url, settings)), null, still);
    apps.push(app);
    if (still) {
      // All jobs that there are: what wakes one, a request or its own start, wakes none.
      for (const job of jobsOf(app)) job.wake = () => undefined;
    }
    await app.listen(0, '127.0.0.1');
    const stop = () => {
      still?.release();
      return app.close();
    };
    const advance = async (milliseconds: number) => still?.advance(milliseconds);
    const waitingIn = async (workspaceId: string) => {
      const writer = providersOf(app).find(({ name }) => name === 'TreeWriter')?.instance;
      return commandsIn((writer as TreeWriter).queue.queues.get(workspaceId));
    };
    return { url: await app.getUrl(), waitingIn, stop, ...(still && { advance }) };
  };
  const service = await serviceOn(startHere, env, databaseUrl);
  const app = apps[0] as NestFastifyApplication;
  const providers = providersOf(app);
  const provider = <Class>(name: string) =>
    providers.find((one) => one.name === name)?.instance as Class;
  return { ...service, app, jobs: jobsOf(app), provider };
}

/** The one writer of trees, as far as queued() looks into it. */
interface TreeWriter {
  queue: { queues: Map<string, { lines: Map<string, unknown[]> }> };
}

const commandsIn = (queue?: { lines: Map<string, unknown[]> }): number =>
  [...(queue?.lines.values() ?? [])].flat().length;

async function serviceOn(
  start: Start,
  env: Record<string, string>,
  databaseUrl: string | undefined,
): Promise<TestService> {
  const database = databaseUrl
    ? { url: databaseUrl, drop: async () => undefined }
    : await createTestDatabase();
  const settings = { LOG_LEVEL: 'fatal', PUBLIC_URL: 'http://localhost:3000', ...env };
  const running = await start(database.url, settings);
  const { url } = running;
  // A connection for each request takes a third more CPU.
  const connections = new Agent({ keepAlive: true });
  const caller = (authorization: string | null): Caller => {
    const send = (test: request.Test, body?: unknown): request.Test => {
      test.agent(connections);
      test.on('response', ({ status, body: { error } = {} }: Heard) => {
        if (status < 500 && error?.code)
          hear({ method: test.method, path: pathOf(test), status, error });
      });
      if (authorization !== null) test.set('authorization', authorization);
      return body === undefined ? test : test.send(body as object);
    };
    const agent = request(url);
    return {
      get: (path) => send(agent.get(path)),
      post: (path, body) => send(agent.post(path), body),
      put: (path, body) => send(agent.put(path), body),
      patch: (path, body) => send(agent.patch(path), body),
      delete: (path, body) => send(agent.delete(path), body),
    };
  };
  return {
    url,
    databaseUrl: database.url,
    as: (person) => caller(`Bearer ${tokenOf(person)}`),
    with: caller,
    advance: async (milliseconds) => {
      if (!running.advance) throw new Error('the clock of this service cannot be moved');
      await running.advance(milliseconds);
    },
    queued: (workspaceId, count) =>
      until(async () => {
        if (!running.waitingIn) throw new Error('nobody can look into the queues of this service');
        return (await running.waitingIn(workspaceId)) === count;
      }),
    stop: async () => {
      connections.destroy();
      await running.stop();
      await database.drop();
    },
  };
}

/** What a response has that this looks at. */
interface Heard {
  status: number;
  body?: { error?: { code: string; message: string } };
}

const pathOf = ({ url }: request.Test): string => new URL(url).pathname;

const start: Start = (databaseUrl, env) => {
  if (INSTANCES > 0) return startInstances(INSTANCES, databaseUrl, env);
  return THROUGH_POOLER ? startPooled(databaseUrl, env) : startHosted(databaseUrl, env);
};

async function startPooled(databaseUrl: string, env: Record<string, string>): Promise<Running> {
  const pooler = await startPgBouncer(databaseUrl);
  const running = await startHosted(pooler.url, { DATABASE_PREPARED_STATEMENTS: 'off', ...env });
  return {
    ...running,
    stop: async () => {
      await running.stop();
      await pooler.stop();
    },
  };
}

async function startHosted(databaseUrl: string, env: Record<string, string>): Promise<Running> {
  const host = await hostOf(process.env.JEST_WORKER_ID ?? '1');
  const body = JSON.stringify(environment(databaseUrl, env));
  const { id, url } = await call<{ id: string; url: string }>(host, { method: 'POST', body });
  const stop = () => call<void>(`${host}/${id}`, { method: 'DELETE' });
  const advance = (milliseconds: number) =>
    call<void>(`${host}/${id}`, { method: 'PUT', body: String(milliseconds) });
  const waitingIn = async (workspace: string) =>
    (await call<{ waiting: number }>(`${host}/${id}`, { headers: { workspace } })).waiting;
  return { url, advance, waitingIn, stop };
}

async function call<Body>(url: string, request: RequestInit): Promise<Body> {
  const response = (await (await fetch(url, request)).json()) as Body & { error?: string };
  if (response.error !== undefined) throw new Error(response.error);
  return response;
}

async function hostOf(worker: string): Promise<string> {
  const port = await (await fetch(`${process.env.TEST_SERVICE_HOSTS}/${worker}`)).text();
  return `http://127.0.0.1:${port}`;
}

const environment = (databaseUrl: string, env: Record<string, string>) => ({
  DATABASE_URL: databaseUrl,
  AUTH_JWT_SECRET: SECRET,
  // Tests ask more than a person does in a minute; test/operate has those of the limit itself.
  RATE_LIMIT_PER_MINUTE: '0',
  // And one person makes the teams of a whole file.
  TEAMS_PER_OWNER: '0',
  ...env,
});
