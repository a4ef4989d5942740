import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from './baselines/hs256.js';
import { built, freePort, SERVICE, startNode, stopChild } from './children.js';
import type { Scenario } from './loader/job.js';
import { startSlowNetwork } from './slow-network.js';

export const SERVERS = ['service', 'light', 'fair'] as const;
export type ServerName = (typeof SERVERS)[number];

/** Milliseconds each way between a server and PostgreSQL, in the rows that have a delay. */
export const DELAY_MS = 1;

/** Connections to PostgreSQL, for each server. */
const POOL_SIZE = '10';
const START_TIMEOUT = 60_000;
const SECRET = randomBytes(32).toString('base64url');

/** A token of a caller, who is known by this subject. */
export const tokenOf = (subject: string): string => signToken(SECRET, subject);

/** The tokens of all callers of a scenario. */
export function tokensFor(scenario: Scenario): Record<string, string> {
  return Object.fromEntries(callersOf(scenario).map((caller) => [caller, tokenOf(caller)]));
}

function callersOf(scenario: Scenario): string[] {
  switch (scenario.kind) {
    case 'calls':
      return scenario.calls.map(({ caller }) => caller);
    case 'cycle':
      return scenario.steps.flatMap(({ calls }) => calls.map(({ caller }) => caller));
    default:
      return scenario.spaces.map(({ caller }) => caller);
  }
}

export interface Server {
  name: ServerName;
  /** The database itself, without a proxy. */
  databaseUrl: string;
  port: number;
  pid: number;
  /** From the start of the process to its first response. */
  startMs: number;
  stop(): Promise<void>;
}

/**
 * Starts the service as in production, or a baseline, on a database; resolves when it responds.
 *
 * @param delay milliseconds each way between the server and PostgreSQL; 0: they are connected directly
 */
export async function startServer(
  name: ServerName,
  databaseUrl: string,
  delay = 0,
): Promise<Server> {
  const network = delay > 0 ? await startSlowNetwork(databaseUrl, delay) : null;
  const port = await freePort();
  const begin = performance.now();
  const script = name === 'service' ? SERVICE : built(`baselines/${name}`);
  const child = startNode(script, {
    NODE_ENV: 'production',
    DATABASE_URL: network?.url ?? databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    AUTH_JWT_SECRET: SECRET,
    WEBHOOK_KEY: SECRET,
    HOST: '127.0.0.1',
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '0',
    // High enough for what the load creates, and still checked.
    TEAMS_PER_OWNER: '1000000',
    LOG_LEVEL: 'fatal',
    SHUTDOWN_DELAY_MS: '0',
  });
  await firstResponse(name, child, port);
  return {
    name,
    databaseUrl,
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - begin,
    stop: async () => {
      await stopChild(child);
      await network?.stop();
    },
  };
}

async function firstResponse(name: string, child: ChildProcess, port: number): Promise<void> {
  const headers = { authorization: `Bearer ${tokenOf('ada')}` };
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline; await sleep(5)) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/teams`, { headers }).catch(() => null);
    if (response?.status === 200) return void (await response.arrayBuffer());
    await response?.arrayBuffer();
  }
  throw new Error(`${name} did not respond within a minute`);
}
