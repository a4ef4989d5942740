import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a folder holds: the texts of its files by path; `null` for a folder. */
export type Files = Record<string, string | null>;

const made: string[] = [];

/** A new folder with these files; removeFolders() takes it away. */
export async function aFolder(files: Files = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'teamspaces-test-'));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await mkdir(text === null ? file : dirname(file), { recursive: true });
    if (text !== null) await writeFile(file, text);
  }
  return root;
}

/** All that is in a folder, empty folders included. */
export async function filesIn(root: string): Promise<Files> {
  const files: Files = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isFile()) files[name] = await readFile(path, 'utf8');
    else if ((await readdir(path)).length === 0) files[name] = null;
  }
  return files;
}

export async function removeFolders(): Promise<void> {
  for (const root of made.splice(0)) await rm(root, { recursive: true, force: true });
}
