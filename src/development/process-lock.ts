import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ON_LINUX = existsSync('/proc/self/stat');

/**
 * Names a live process so that a number given out again does not pass for it: a container starts
 * counting from 1 at each start. `null` when there is no such process (a zombie is none).
 */
export function processIdentity(pid: number): string | null {
  if (ON_LINUX) {
    const stat = read(`/proc/${pid}/stat`);
    // After the name, which may hold spaces and brackets: the state, …, the start time (22nd field).
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return fields[0] === undefined || fields[0] === 'Z' ? null : `${pid} ${fields[19]}`;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return `${pid} ${psColumn(pid, 'lstart')}`.trim();
}

/** What a process was started with, in one line; '' when it is gone. */
export function processCommand(pid: number): string {
  if (processIdentity(pid) === null) return '';
  if (!ON_LINUX) return psColumn(pid, 'command');
  return (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
}

/**
 * Runs `work` while no other process runs its own under the same `path`. The lock of a process that
 * died is taken over.
 * @throws Error when a live process keeps the lock longer than `timeoutMs`.
 */
export async function withLock<T>(
  path: string,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  const mine = `${processIdentity(process.pid)} ${randomUUID()}`;
  while (!tryLock(path, mine)) {
    const held = read(path);
    if (held !== null && isStale(path, held)) takeAway(path, held);
    else if (Date.now() > deadline) {
      throw new Error(`Process ${held?.split(' ')[0]} has held ${path} for too long.`);
    }
    await sleep(25);
  }
  try {
    return await work();
  } finally {
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

function tryLock(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path: string, content: string): boolean {
  // Created, but not written yet: only a process that died right there leaves it so.
  if (content === '')
    return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 5000;
  return !isAlive(content);
}

/** Moves a stale lock aside; should another process have been quicker, gives its lock back. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const taken = read(aside);
  if (taken !== null && taken !== stale) tryLock(path, taken);
  rmSync(aside, { force: true });
}

/**
 * The processes that use something together, one file each in `folder`. Whoever leaves last turns
 * off the light; those who died without leaving do not count.
 */
export class Users {
  private readonly file: string;

  constructor(private readonly folder: string) {
    this.file = `${process.pid}-${randomUUID()}`;
  }

  join(): void {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, this.file), processIdentity(process.pid) ?? '');
  }

  /** Leaves, and says whether nobody is left. Synchronous: it is also called while exiting. */
  leave(): boolean {
    rmSync(join(this.folder, this.file), { force: true });
    let others = 0;
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : []) {
      if (isAlive(read(join(this.folder, name)) ?? '')) others++;
      else rmSync(join(this.folder, name), { force: true });
    }
    return others === 0;
  }
}

/** `recorded` begins with what processIdentity() said of the process when it was alive. */
function isAlive(recorded: string): boolean {
  const identity = processIdentity(Number.parseInt(recorded, 10));
  return identity !== null && `${recorded} `.startsWith(`${identity} `);
}

function psColumn(pid: number, column: string): string {
  return (
    spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
  );
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
