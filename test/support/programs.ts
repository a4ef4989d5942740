import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { skipped } from './skipped.js';

/** Where Debian puts servers; the PATH of a user may lack it. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Programs that count as missing, separated by commas: what a machine without them would test. */
const HIDDEN = (process.env.TEST_WITHOUT ?? '').split(',');

/** The first of some files that can be run; null: none, or the program `name` counts as missing. */
export function findFile(name: string, files: readonly string[]): string | null {
  const isThere = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return isHidden(name) ? null : (files.find(isThere) ?? null);
}

/** Whether a program counts as missing, wherever it is. */
export const isHidden = (name: string): boolean => HIDDEN.includes(name);

/** The file of a program of this machine; null: it has none. */
export const findProgram = (name: string): string | null =>
  findFile(
    name,
    FOLDERS.map((folder) => join(folder, name)),
  );

/** `describe` if this program is installed; otherwise its tests are skipped, and say why. */
export const describeWith = (program: string, file = findProgram(program)): jest.Describe =>
  withProgram(describe, program, file);

/** The same for a single test. */
export const testWith = (program: string, file = findProgram(program)): jest.It =>
  withProgram(test, program, file);

/**
 * @param file null: it is missing
 * @throws Error with REQUIRE_ALL=1: then nothing may be missing
 */
export function withProgram<Runner extends jest.Describe | jest.It>(
  run: Runner,
  program: string,
  file: string | null,
): Runner {
  if (file !== null) return run;
  if (process.env.REQUIRE_ALL === '1') {
    throw new Error(`REQUIRE_ALL=1, but there is no ${program} here`);
  }
  return skipped(run, `there is no ${program} here`);
}
