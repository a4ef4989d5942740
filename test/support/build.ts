import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Brings dist/ up to date, for tests of whole processes. Test files that run at once take turns, and
 * one build is enough for all.
 */
export async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['bin/build.js'], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}
