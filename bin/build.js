import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** What `npm run generate` writes, which `npm ci` does, too. */
const GENERATED = ['src/generated/prisma/client.ts', 'clients/typescript/src/schema.ts'];
const SCHEMA = 'prisma/schema.prisma';
const SOURCES = 'src cli cli.ts packages clients tsconfig.json package-lock.json'.split(' ');
const NOT_SOURCES = ['generated', 'schema.ts', 'dist', 'node_modules'];
const STAMP = 'dist/.stamp';
const LOCK = 'dist/.lock';

/** When a file, or the newest source in a folder, was changed; 0 if there is none. */
function changedAt(path) {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const names = fs.readdirSync(path).filter((name) => !NOT_SOURCES.includes(name));
  return Math.max(0, ...names.map((name) => changedAt(join(path, name))));
}

const isOutdated = () => Math.max(...[...SOURCES, SCHEMA].map(changedAt)) >= changedAt(STAMP);

function npmRun(script) {
  // Standard output belongs to the command that waits for the build.
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  fs.rmSync(LOCK);
  console.error(`The build failed (npm run --silent ${script}).`);
  process.exit(1);
}

/** Waits until no other process builds. The lock of a process that has died is removed. */
async function lock() {
  fs.mkdirSync('dist', { recursive: true });
  for (;;) {
    try {
      return fs.writeFileSync(LOCK, `${process.pid}`, { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      process.kill(Number(fs.readFileSync(LOCK, 'utf8')), 0);
    } catch (error) {
      if (error.code === 'ESRCH') fs.rmSync(LOCK, { force: true });
    }
    await sleep(50);
  }
}

/**
 * Builds dist/ in the current folder if a source has changed since the last build. Concurrent calls
 * are serialized. An image has no sources, so nothing is built there.
 */
export async function build() {
  if (!fs.existsSync('src') || !isOutdated()) return;
  if (!fs.existsSync('node_modules')) {
    console.error('There is no node_modules: run npm ci first.');
    process.exit(1);
  }
  if (process.stderr.isTTY) console.error('Building …');
  await lock();
  if (isOutdated()) {
    // The types of clients are made of all sources, which the build does not wait for: only if they are missing.
    if (GENERATED.some((file) => changedAt(SCHEMA) > changedAt(file))) npmRun('generate');
    const began = new Date();
    npmRun('build:service');
    fs.writeFileSync(STAMP, '');
    fs.utimesSync(STAMP, began, began);
  }
  fs.rmSync(LOCK);
}

// node bin/build.js
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build();
