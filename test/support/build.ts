import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../src/development/process-lock.js';

const PATIENCE_MS = 280_000;
const STAMP = 'dist/.built';

/**
 * Brings dist/ up to date, for tests of whole processes. Test files that run at once take turns, and
 * one build is enough for all.
 */
export async function build(): Promise<void> {
  await mkdir('dist', { recursive: true });
  await withLock('dist/.lock', PATIENCE_MS, async () => {
    const began = new Date();
    if ((await lastChange('src')) < (await changeOf(STAMP))) return;
    await promisify(execFile)('npm', ['run', '--silent', 'build']);
    await writeFile(STAMP, '');
    await utimes(STAMP, began, began);
  });
}

/** When a file in this folder was last written. */
async function lastChange(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  return Math.max(...(await Promise.all(entries.map((entry) => changeOf(join(folder, entry))))));
}

const changeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
