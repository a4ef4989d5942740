import { posix } from 'node:path';
import type { Collection } from 'teamspaces-client';
import { mayBeOf } from './file-names.js';
import type { Entry } from './folder.js';
import type { KeyOf, Keys } from './keys.js';

/**
 * The same keys, except that a folder whose path is not the key of a collection gets the key of the collection that an
 * export may have written it for. A folder has no front matter that could name its key, and an export writes `01-guides`
 * for `guides` if siblings need numbers.
 *
 * Such a collection has a title that the folder may have given it, and a key that no file or folder has. It is the one that most
 * of the folder's pages are in; otherwise the first one beside it whose key begins as the keys of this sync do.
 */
export function withKeysOfFolders(
  keys: Keys,
  entries: readonly Entry[],
  tree: readonly Collection[],
  { present, keyOf }: { present: readonly Collection[]; keyOf: KeyOf },
): Keys {
  const all = new Map(keys);
  const used = new Set(keys.values());
  const byId = new Map(present.map((item) => [item.id, item]));
  const byKey = new Map(present.map((item) => [item.key, item]));
  const prefix = keyOf('');
  visit(entries, tree);
  return all;

  function visit(list: readonly Entry[], siblings: readonly Collection[]): void {
    for (const { path, entries: inside } of list) {
      if (!inside) continue;
      let home = byKey.get(all.get(path));
      if (!home) {
        const isMatch = (item: Collection) => isFree(item) && mayBeOfFolder(path, item);
        const beside = siblings.filter(({ key }) => key?.startsWith(prefix));
        home = [...homesOf(inside), ...beside].find(isMatch);
        if (home?.key === undefined) continue;
        used.add(home.key);
        all.set(path, home.key);
      }
      visit(inside, home.children ?? []);
    }
  }

  /** The collections that pages of a folder are in, those with most of them first. */
  function homesOf(inside: readonly Entry[]): Collection[] {
    const pages = new Map<string | undefined, number>();
    for (const { path, entries } of inside) {
      const parent = entries ? undefined : byKey.get(all.get(path))?.parent;
      pages.set(parent, (pages.get(parent) ?? 0) + 1);
    }
    const ids = [...pages].sort(([, a], [, b]) => b - a).map(([id]) => id);
    return ids.flatMap((id) => byId.get(id ?? '') ?? []);
  }

  function isFree({ object, key }: Collection): boolean {
    return object === 'collection' && key !== undefined && !used.has(key);
  }
}

const mayBeOfFolder = (path: string, { meta }: Collection): boolean =>
  mayBeOf(posix.basename(path), meta.title, { isFolder: true });
