import type { Entry } from './folder.js';
import { longestIncreasingSubsequence } from './longest-increasing-subsequence.js';
import { type Source, type SourceFolder, sourceFoldersOf } from './source-folders.js';
import type { Node } from './workspace-reader.js';

/** A collection or page that is there, and which file the page came from. */
export type ExistingItem = Node<Source>;

/** What an import has to create, and how many pages it finds there. */
export interface Missing {
  pages: number;
  collections: number;
  present: number;
}

/** What stands for the entries of a folder among siblings. */
export interface Matched {
  items: ReadonlyMap<Entry, ExistingItem>;
  /** Those that stand in the order of the entries; the others are elsewhere among the siblings. */
  inPlace: ReadonlySet<ExistingItem>;
}

/** What a workspace holds already of a folder. */
export class ExistingTree {
  /** The files that are pages, wherever somebody has moved them. */
  private readonly paths = new Set<string>();
  /** Files that are more than one page. */
  readonly duplicates: string[] = [];
  private readonly sourceFolders: ReadonlyMap<string, SourceFolder>;

  constructor(readonly tree: readonly ExistingItem[]) {
    this.sourceFolders = sourceFoldersOf(tree);
    this.collect(tree);
  }

  /** Pages stand for their files, collections for the folders that the pages in them came from. */
  match(entries: readonly Entry[], siblings: readonly ExistingItem[]): Matched {
    const pages = new Map(siblings.map((item) => [item.seen?.path, item]));
    const folders = this.foldersAmong(siblings);
    const items = new Map<Entry, ExistingItem>();
    const ranks = new Map<ExistingItem, number>();
    for (const [rank, entry] of entries.entries()) {
      const item = entry.entries ? folders(entry) : pages.get(entry.path);
      if (!item) continue;
      items.set(entry, item);
      ranks.set(item, rank);
    }
    const matched = siblings.filter((item) => ranks.has(item));
    const rankOf = (item: ExistingItem) => ranks.get(item) as number;
    return { items, inPlace: new Set(longestIncreasingSubsequence(matched, rankOf)) };
  }

  /** True where a file is a page already, wherever that is. */
  isPage(path: string): boolean {
    return this.paths.has(path);
  }

  /** Finds a folder's collection: the one with its pages; else the next of its name without any. */
  private foldersAmong(
    siblings: readonly ExistingItem[],
  ): (entry: Entry) => ExistingItem | undefined {
    const collections = siblings.filter(({ object }) => object === 'collection');
    const sourceOf = ({ id }: ExistingItem) => this.sourceFolders.get(id)?.path;
    const byPath = grouped(collections, sourceOf);
    const byName = grouped(collections, (one) =>
      sourceOf(one) === undefined ? one.name : undefined,
    );
    return (entry) => {
      const [best] = (byPath.get(entry.path) ?? []).sort(
        (a, b) => this.closeness(b, entry) - this.closeness(a, entry),
      );
      return best ?? byName.get(entry.name)?.shift();
    };
  }

  /** Pages in the collection itself say more than its name, and that more than pages deeper down. */
  private closeness({ id, name }: ExistingItem, entry: Entry): number {
    const { pages = 0, isDirect = false } = this.sourceFolders.get(id) ?? {};
    const weight = isDirect ? 2 : Number(name === entry.name);
    return weight + pages / (pages + 1);
  }

  /** What there is to create. A folder is missing where something in it is, or where it is empty. */
  missing(entries: readonly Entry[], siblings: readonly ExistingItem[]): Missing {
    const { items } = this.match(entries, siblings);
    const missing: Missing = { pages: 0, collections: 0, present: 0 };
    for (const entry of entries) {
      if (!entry.entries) {
        missing[this.paths.has(entry.path) ? 'present' : 'pages']++;
        continue;
      }
      const item = items.get(entry);
      const inside = this.missing(entry.entries, item?.children ?? []);
      missing.pages += inside.pages;
      missing.collections += inside.collections;
      missing.present += inside.present;
      const isNeeded = inside.pages + inside.collections > 0 || entry.entries.length === 0;
      if (!item && isNeeded) missing.collections++;
    }
    return missing;
  }

  /** Paths of the folders whose files and folders stand in another order than on the disk. */
  outOfOrder(entries: readonly Entry[], siblings: readonly ExistingItem[], path = '.'): string[] {
    const { items, inPlace } = this.match(entries, siblings);
    const below = [...items].flatMap(([entry, { children }]) =>
      this.outOfOrder(entry.entries ?? [], children, entry.path),
    );
    return inPlace.size === items.size ? below : [path, ...below];
  }

  private collect(items: readonly ExistingItem[]): void {
    for (const { seen, children } of items) {
      if (seen?.path) {
        if (this.paths.has(seen.path)) this.duplicates.push(seen.path);
        this.paths.add(seen.path);
      }
      this.collect(children);
    }
  }
}

/** In their order, by their keys; what has none is left out. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
