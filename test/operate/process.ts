import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../support/build.js';
import { createTestDatabase } from '../support/database.js';
import { SECRET } from '../support/secret.js';

/** The real process, as an operator starts it. */
export interface ServiceProcess {
  url: string;
  port: number;
  child: ChildProcess;
  databaseUrl: string;
  /** What it has written so far. */
  output(): string;
  /** The JSON lines among it. */
  lines(): LogLine[];
  /** Sends a signal and waits for the end; returns status and milliseconds. */
  end(signal?: NodeJS.Signals): Promise<{ status: number | null; took: number }>;
}

export interface LogLine {
  level: string;
  [field: string]: unknown;
}

const running: { process: ServiceProcess; drop(): Promise<void> }[] = [];

/**
 * Starts the service on a database of its own and waits until it is ready, or only until it runs.
 *
 * @param folder of another build
 * @param command that starts it there
 */
export async function startProcess(
  env: Record<string, string> = {},
  state: 'ready' | 'live' = 'ready',
  folder = '.',
  command: readonly string[] = [process.execPath, 'dist/main.js'],
): Promise<ServiceProcess> {
  if (folder === '.') await build();
  const database = env.DATABASE_URL ? null : await createTestDatabase();
  const databaseUrl = env.DATABASE_URL ?? database?.url ?? '';
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      SHUTDOWN_DELAY_MS: '0',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      AUTH_JWT_SECRET: SECRET,
      RATE_LIMIT_PER_MINUTE: '0',
      TEAMS_PER_OWNER: '0',
      ...env,
    },
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const service: ServiceProcess = {
    url,
    port,
    child,
    databaseUrl,
    output: () => output,
    lines: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogLine),
    end: async (signal = 'SIGTERM') => {
      const start = performance.now();
      child.kill(signal);
      const [status] = await ended;
      return { status, took: performance.now() - start };
    },
  };
  running.push({ process: service, drop: async () => database?.drop() });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${output}`);
    return (await fetch(`${url}/health/${state}`).catch(() => null))?.status === 200;
  });
  return service;
}

/** Ends what startProcess() has started, and drops its databases. */
export async function endProcesses(): Promise<void> {
  for (const { process: service, drop } of running.splice(0)) {
    if (service.child.exitCode === null) await service.end('SIGKILL');
    await drop();
  }
}

/** Waits until something is so, for a minute at most: a wait without an end would outlive its test. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`after a minute it is not so: ${isSo}`);
    await sleep(20);
  }
}

/** Ports of each of jest's workers: two that ask at once must not be told the same one. */
const PORTS = 2_000;
const FIRST_PORT = 10_000 + PORTS * (Number(process.env.JEST_WORKER_ID ?? 0) % 10);
let asked = Math.floor(Math.random() * PORTS);

/** A port on which nothing listens, below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (asked++ % PORTS);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
