import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { withLock } from '../../src/development/process-lock.js';

const PATIENCE_MS = 120_000;

/** Brings dist/ up to date, for tests of whole processes; test files that run at once take turns. */
export async function build(): Promise<void> {
  await mkdir('dist', { recursive: true });
  await withLock('dist/.lock', PATIENCE_MS, () =>
    promisify(execFile)('npm', ['run', '--silent', 'build']),
  );
}
