import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFile } from '../support/programs.js';
import { freePort, until } from './process.js';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;
/** PostgreSQL does not run as root. */
const NOBODY = 65_534;

/** The programs of the newest PostgreSQL that Debian has installed here, pg_dump among them; or null. */
export function installedPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const [newest] = versions.filter((version) => version >= OLDEST).sort((a, b) => b - a);
  const folder = join(DEBIAN, String(newest), 'bin');
  const isThere = existsSync(join(folder, 'initdb'));
  return isThere && findFile('pg_dump', [join(folder, 'pg_dump')]) ? folder : null;
}

/**
 * A server of the installed PostgreSQL: pg_dump reads no server newer than itself, and the embedded
 * PostgreSQL brings no pg_dump.
 * @param more lines of postgresql.conf; `FOLDER` stands for the server's folder
 */
export async function startInstalledPostgres(programs: string, more = '') {
  const folder = await mkdtemp(join(tmpdir(), 'teamspaces-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const start = (program: string, ...args: string[]) =>
    spawn(join(programs, program), args, {
      stdio: 'ignore',
      cwd: folder,
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
  const data = join(folder, 'data');
  const [status] = await once(
    start('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'),
    'exit',
  );
  if (status !== 0) throw new Error(`initdb ended with ${status}`);
  const settings = [
    ...['fsync = off', "listen_addresses = '127.0.0.1'", `port = ${port}`],
    `unix_socket_directories = '${folder}'`,
    more.replaceAll('FOLDER', folder),
  ];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  const server = start('postgres', '-D', data);
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await until(async () => {
    if (server.exitCode !== null) throw new Error('postgres did not start');
    return run('SELECT 1').then(
      () => true,
      () => false,
    );
  });
  return {
    /** A folder that belongs to PostgreSQL's user. */
    folder,
    /** Creates an empty database, and returns its address. */
    create: async (database: string): Promise<string> => {
      await run(`CREATE DATABASE ${database} TEMPLATE template0`);
      return urlOf(database);
    },
    /** Runs commands as PostgreSQL's user. @throws Error with what they have printed */
    shell: async (commands: string, env: Record<string, string>): Promise<string> => {
      const path = `${programs}:${process.env.PATH}`;
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
        cwd: folder,
        env: { PATH: path, ...env },
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      });
      return stdout;
    },
    stop: async () => {
      if (server.exitCode === null) {
        const exit = once(server, 'exit');
        server.kill('SIGQUIT');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
