import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts servers; the PATH of a user may lack it. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The file of a program of this machine; null where there is none. */
export function findProgram(name: string): string | null {
  const isThere = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return FOLDERS.map((folder) => join(folder, name)).find(isThere) ?? null;
}

/** `describe` where these programs are installed; else it skips, and prints why. */
export function describeWith(...programs: string[]): jest.Describe {
  const missing = programs.filter((name) => findProgram(name) === null);
  if (missing.length === 0) return describe;
  console.warn(`These tests need ${missing.join(' and ')}, which is not installed: left out.`);
  return describe.skip;
}
