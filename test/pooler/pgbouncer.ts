import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, until } from '../operate/process.js';
import { findProgram } from '../support/programs.js';

/** Connections to PostgreSQL, far fewer than the service opens: transactions have to share them. */
export const SERVER_CONNECTIONS = 4;
/** PgBouncer does not run as root. */
const NOBODY = 65_534;

export interface Pooler {
  /** The address of the database, through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** The setting that makes it accept connections with DATABASE_PREPARED_STATEMENTS=on (docs/deploy.md). */
export const IGNORED =
  'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout\n';

/**
 * Starts PgBouncer in transaction mode in front of the server of `databaseUrl`.
 * @param more settings than its defaults
 */
export async function startPgBouncer(databaseUrl: string, more = ''): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'teamspaces-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings(new URL(databaseUrl), port) + more);
  const isRoot = process.getuid?.() === 0;
  const child = spawn(findProgram('pgbouncer') ?? 'pgbouncer', [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = `${output}${data}`.slice(-4000);
    });
  }
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer did not start:\n${output}`);
    return isUp(url.href);
  });
  return {
    url: url.href,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing but the mode and the addresses: what PgBouncer does by itself must do. */
function settings({ hostname, port, username, password, pathname }: URL, listen: number): string {
  const login = `user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
`;
}

async function isUp(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
