import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Brings what is built up to date, and does nothing where it is. `--force` builds all of it.
//
//     node bin/build.js [--force]

/** The packages beside the service; the service needs the types of what it imports. */
const CLIENTS = existsSync('clients')
  ? readdirSync('clients').map((name) => join('clients', name))
  : [];
const CLIENT_SOURCES = CLIENTS.flatMap((folder) =>
  ['src', 'package.json', 'tsconfig.json'].map((name) => join(folder, name)),
);

const SCHEMA = ['prisma/schema.prisma', 'prisma.config.ts'];
/** Says which version of Prisma writes what is generated. */
const LOCKFILE = 'package-lock.json';

/**
 * Written anew by every `npm install`, and by the first `npx teamspaces` of a user, with what it held
 * before: its times say nothing, those of what it is made from do.
 */
const GENERATED = join('src', 'generated');

/** In this order. Each is built anew where a file among its sources is newer than its stamp. */
const PARTS = [
  {
    sources: SCHEMA,
    stamp: 'src/generated/prisma/client.ts',
    command: ['npx', 'prisma', 'generate'],
  },
  {
    sources: CLIENT_SOURCES,
    stamp: 'dist/.built/clients',
    command: ['npm', 'run', '--silent', 'build', '--workspaces'],
  },
  {
    sources: ['src', 'tsconfig.json', 'nest-cli.json', ...CLIENT_SOURCES, ...SCHEMA, LOCKFILE],
    stamp: 'dist/.built/service',
    command: ['npm', 'run', '--silent', 'build:service'],
  },
];

const LOCK = 'dist/.built/lock';
const PATIENCE_MS = 280_000;

/** When something was last written, in a folder also when a file was added or taken away; 0: never. */
function lastChange(path) {
  const own = statSync(path, { throwIfNoEntry: false });
  if (!own?.isDirectory()) return own?.mtimeMs ?? 0;
  const inside = readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => !file.startsWith(GENERATED))
    .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(own.mtimeMs, ...inside);
}

const isOld = ({ sources, stamp }) => Math.max(...sources.map(lastChange)) >= lastChange(stamp);

function build({ stamp, command: [program, ...args] }) {
  const began = new Date();
  // Standard output belongs to the command that is waiting for this.
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    const reason = error ? `: ${error.message}` : '';
    console.error(`The build failed (${[program, ...args].join(' ')})${reason}.`);
    process.exit(1);
  }
  if (!existsSync(stamp)) writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}

/** The lock of the embedded PostgreSQL, before it is built: builds at once would spoil each other. */
async function locked(work) {
  const { transformFile } = await import('@swc/core');
  const { code } = await transformFile('src/development/process-lock.ts', {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  const { withLock } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  mkdirSync('dist/.built', { recursive: true });
  await withLock(LOCK, PATIENCE_MS, work);
}

/**
 * Builds what is older than its sources, in the current folder. An image has no sources, and nothing
 * to build. Several calls at once take turns.
 */
export async function buildWhatIsOld({ force = false } = {}) {
  if (!existsSync('src')) return;
  if (!force && !PARTS.some(isOld)) return;
  if (!existsSync('node_modules')) {
    console.error('There is no node_modules: run npm ci first.');
    process.exit(1);
  }
  if (process.stderr.isTTY) console.error('Building, as there are newer sources …');
  await locked(async () => {
    for (const part of PARTS) if (force || isOld(part)) build(part);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildWhatIsOld({ force: process.argv.includes('--force') });
}
