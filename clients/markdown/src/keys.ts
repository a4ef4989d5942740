import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Collection } from 'teamspaces-client';
import { type Entry, UnsuitableFilesError } from './folder.js';

/** Characters of a key, at most. */
const MAX_KEY = 512;

/** Which key each file and folder has, by path. */
export type Keys = ReadonlyMap<string, string>;

/** The key that a file or folder has by its path. */
export type KeyOf = (path: string) => string;

/**
 * The keys that files and folders have by their paths: a name and a colon in front of them, composed (NFC). Of a path
 * that is too long for a key, its SHA-256 stands there.
 * @param name the name of the folder if absent
 */
export function keysByPath({ folder, name }: { folder: string; name?: string | undefined }): KeyOf {
  const prefix = name ?? basename(resolve(folder));
  return (path) => {
    const key = `${prefix}:${path}`.normalize();
    return isLong(key) ? `${prefix}:${hash('sha256', path.normalize())}`.normalize() : key;
  };
}

/** The key of each file and folder: by its path, unless its front matter names one. @throws UnsuitableFilesError */
export function keysOf(entries: readonly Entry[], keyOf: KeyOf): Keys {
  const keys = new Map<string, string>();
  const paths = new Map<string, string>();
  const problems: string[] = [];
  const visit = (list: readonly Entry[]): void => {
    for (const { path, entries: inside, key: given } of list) {
      const key = given ?? keyOf(path);
      const problem = problemOfKey(key);
      const other = paths.get(String(key));
      if (problem) problems.push(`${path} ${problem}`);
      else if (other !== undefined) problems.push(`${path} has the key of ${other}`);
      keys.set(path, String(key));
      paths.set(String(key), path);
      if (inside) visit(inside);
    }
  };
  visit(entries);
  if (problems.length > 0) throw new UnsuitableFilesError(problems);
  return keys;
}

/**
 * The same keys as the workspace has them: what was synced from a Mac, before paths were composed, has keys in which
 * letters and accents stand apart.
 */
export function storedKeys(keys: Keys, present: readonly Collection[]): Keys {
  const stored = new Set(present.map(({ key }) => key));
  const used = new Set(keys.values());
  const decomposed = new Map<string, string>();
  for (const { key } of present) {
    if (key !== undefined && !used.has(key)) decomposed.set(key.normalize(), key);
  }
  const asStored = (key: string) => (stored.has(key) ? key : (decomposed.get(key) ?? key));
  return new Map([...keys].map(([path, key]) => [path, asStored(key)]));
}

const isLong = (key: string): boolean => [...key].length > MAX_KEY;

/** Why a value cannot be a key; null: it can. */
export function problemOfKey(key: unknown): string | null {
  if (typeof key !== 'string') return 'has a key in its front matter that is not text';
  if (key === '') return 'has a key of no characters';
  if (isLong(key)) return 'has a key of more than 512 characters';
  if (!key.isWellFormed()) return 'has a key that is not well-formed Unicode';
  return /\p{Cc}/u.test(key) ? 'has a key with control characters' : null;
}
