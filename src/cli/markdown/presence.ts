import type { Entry } from './folder.js';
import { sourcePath } from './page-content.js';
import type { Item } from './workspace-client.js';

/** What an import needs to know of a collection or page that is there. */
export interface Present {
  id: string;
  name: string;
  object: Item['object'];
  /** Of a page that was imported: its file. */
  path: string | null;
  children: Present[];
}

/** A tree without the contents. */
export const presenceOf = (items: readonly Item[]): Present[] =>
  items.map(({ id, name, object, content, children }) => ({
    id,
    name,
    object,
    path: sourcePath(content),
    children: presenceOf(children ?? []),
  }));

/** The files that are pages already, wherever somebody has moved them. */
export function pathsOf(items: readonly Present[], paths = new Set<string>()): Set<string> {
  for (const { path, children } of items) {
    if (path !== null) paths.add(path);
    pathsOf(children, paths);
  }
  return paths;
}

/** The siblings that stand for files, by their paths, and for folders, by their names. */
export function match(
  entries: readonly Entry[],
  siblings: readonly Present[],
): Map<Entry, Present> {
  const pages = new Map(siblings.map((item) => [item.path, item]));
  const collections = siblings.filter(({ object }) => object === 'collection');
  const matched = new Map<Entry, Present>();
  for (const entry of entries) {
    let item = entry.entries ? undefined : pages.get(entry.path);
    if (entry.entries) {
      // Folders of one name follow each other as their collections do.
      const at = collections.findIndex(({ name }) => name === entry.name);
      if (at >= 0) [item] = collections.splice(at, 1);
    }
    if (item) matched.set(entry, item);
  }
  return matched;
}

/** What an import has to create, and how many pages it finds there. */
export interface Missing {
  pages: number;
  collections: number;
  present: number;
}

/** A folder is missing where something in it is, or where it is empty. */
export function missingOf(
  entries: readonly Entry[],
  siblings: readonly Present[],
  paths: ReadonlySet<string>,
): Missing {
  const matched = match(entries, siblings);
  const missing: Missing = { pages: 0, collections: 0, present: 0 };
  for (const entry of entries) {
    if (!entry.entries) {
      missing[paths.has(entry.path) ? 'present' : 'pages']++;
      continue;
    }
    const item = matched.get(entry);
    const inside = missingOf(entry.entries, item?.children ?? [], paths);
    missing.pages += inside.pages;
    missing.collections += inside.collections;
    missing.present += inside.present;
    const isNeeded = inside.pages + inside.collections > 0 || entry.entries.length === 0;
    if (!item && isNeeded) missing.collections++;
  }
  return missing;
}

/** Paths of the folders whose files and folders stand in another order than on the disk. */
export function outOfOrder(
  entries: readonly Entry[],
  siblings: readonly Present[],
  path = '.',
): string[] {
  const matched = match(entries, siblings);
  const places = new Map(siblings.map(({ id }, place) => [id, place]));
  let last = -1;
  let isSorted = true;
  for (const { id } of matched.values()) {
    const place = places.get(id) ?? -1;
    isSorted &&= place > last;
    last = place;
  }
  const below = [...matched].flatMap(([entry, { children }]) =>
    outOfOrder(entry.entries ?? [], children, entry.path),
  );
  return isSorted ? below : [path, ...below];
}
