import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { processCommand, processIdentity } from './process-lock.js';

/** A PostgreSQL server as its postmaster.pid describes it. */
export interface Server {
  pid: number;
  port: number;
  /** false while it starts up or shuts down. */
  ready: boolean;
}

/**
 * The live server on the data in `data`, or null. What a dead one left behind is removed where
 * PostgreSQL would stumble over it: its number may belong to another process by now.
 */
export function readServer(data: string): Server | null {
  const file = join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid, folder] = [Math.abs(Number(lines[0])), lines[1]];
  // A file that is just being written has no second line yet.
  if (!pid || !folder) return null;
  if (process.platform === 'win32' ? processIdentity(pid) : processCommand(pid).includes(folder)) {
    return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  }
  rmSync(file, { force: true });
  return null;
}

/** Stops the server on this data, if any, and waits until it is gone. */
export async function shutDown(data: string): Promise<void> {
  const server = readServer(data);
  if (server === null) return;
  // Fast: ends the sessions, writes everything down. Immediate, should that take too long.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(server.pid, signal);
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(10)) {
      if (readServer(data)?.pid !== server.pid) return;
    }
  }
  throw new Error(`PostgreSQL (process ${server.pid}) does not stop.`);
}

/** A port on 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Creates the database `name` unless it is there. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
