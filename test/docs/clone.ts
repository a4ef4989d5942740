import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What is no part of a fresh clone. What is built is copied, too: a build takes its time. */
const LEFT_OUT =
  /^(node_modules|dist\/\.lock|\.git|\.data|artifacts|clients\/[^/]+\/node_modules)$/;

/** A folder with a copy of the project as it is after `npm ci`. Whoever asks for it removes it. */
export function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teamspaces-clone-'));
  const source = resolve('.');
  const filter = (path: string) => !LEFT_OUT.test(path.slice(source.length + 1));
  cpSync(source, folder, { recursive: true, filter, preserveTimestamps: true });
  linkModules(join(source, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Links to what is installed, except the packages of this project: those are the ones of the copy. */
function linkModules(source: string, copy: string): void {
  mkdirSync(copy);
  cpSync(join(source, '.bin'), join(copy, '.bin'), { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const target = entry.isSymbolicLink() ? readlinkSync(from) : from;
    if (entry.name !== '.bin') symlinkSync(target, join(copy, entry.name));
  }
}
