import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Whether a program is there; for configurations of jest, which are not TypeScript. Else says what is left out. */
export function isInstalled(name, tests) {
  const isThere = FOLDERS.some((folder) => existsSync(join(folder, name)));
  if (!isThere) console.warn(`There is no ${name} here: ${tests} are left out.`);
  return isThere;
}
