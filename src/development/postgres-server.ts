import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';

/** A PostgreSQL server as its postmaster.pid describes it. */
export interface Server {
  pid: number;
  port: number;
  /** false while it starts up or shuts down. */
  ready: boolean;
}

/**
 * The live server on the data in `data`, or null. A postmaster.pid whose process number belongs to
 * another program by now (a container starts counting from 1) is removed: PostgreSQL would not start.
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
  const command = commandOf(pid);
  if (command === null) return null;
  if (process.platform === 'win32' || command.includes(folder)) {
    return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  }
  rmSync(file, { force: true });
  return null;
}

/** The command line of a process ('' on Windows); null if there is none, or a zombie. */
function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'win32') return process.kill(pid, 0) ? '' : null;
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8') || null;
    const ps = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return ps.stdout || null;
  } catch {
    return null;
  }
}

/** Stops the server on this data, if any, and waits until it is gone. */
export async function shutDown(data: string): Promise<void> {
  const server = readServer(data);
  if (server === null) return;
  // Fast: ends the sessions and writes everything to disk. Immediate, if that takes too long.
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

const { embeddedUsers, embeddedCreation } = ADVISORY_LOCKS;

/**
 * Connects as a user of the server, until isLastUser() is asked or the session ends, and creates the
 * database `name` if it does not exist.
 */
export async function openSession(adminUrl: string, name: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  // The server may stop first.
  session.on('error', () => undefined);
  await session.connect();
  await session.query('SELECT pg_advisory_lock_shared($1)', [embeddedUsers]);
  await session.query('SELECT pg_advisory_lock($1)', [embeddedCreation]);
  const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await session.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  await session.query('SELECT pg_advisory_unlock($1)', [embeddedCreation]);
  return session;
}

/** Ends the use of a server. True if nobody else uses it; then nobody can begin to before it stops. */
export async function isLastUser(session: pg.Client): Promise<boolean> {
  try {
    await session.query('SELECT pg_advisory_unlock_shared($1)', [embeddedUsers]);
    const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS last', [
      embeddedUsers,
    ]);
    return rows[0].last;
  } catch {
    // The server has stopped, or ended this session.
    return false;
  }
}
