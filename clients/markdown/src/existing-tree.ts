import { posix } from 'node:path';
import type { Collection } from 'teamspaces-client';
import { type Draft, draftOf } from './batches.js';
import { mayBeOf } from './file-names.js';
import type { Entry } from './folder.js';
import { everyItem } from './page-reader.js';

/** Siblings that are to be created side by side. */
export interface Gap {
  parent: string | null;
  /** Zero-based position of the first one; absent: all at the end. */
  index?: number;
  drafts: readonly Draft[];
}

/** Which file each page came from, by the page's id. */
export type Sources = ReadonlyMap<string, string>;

/**
 * What a workspace lacks of a folder. New files and folders stand before the next one that is there;
 * where those are in another order than on the disk, all of it comes last.
 *
 * @returns outOfOrder: paths of the folders in which that is so
 */
export function gapsOf(
  entries: readonly Entry[],
  tree: readonly Collection[],
  sources: Sources,
): { gaps: Gap[]; outOfOrder: string[] } {
  const files = new Set(sources.values());
  const homes = homesOf(tree, sources);
  const homeIds = new Set([...homes.values()].map(({ id }) => id));
  const gaps: Gap[] = [];
  const outOfOrder: string[] = [];
  fill(null, '.', entries, tree);
  return { gaps, outOfOrder };

  /** Goes through a folder whose collection is there. */
  function fill(
    parent: string | null,
    folder: string,
    entries: readonly Entry[],
    siblings: readonly Collection[],
  ): void {
    const indexes = new Map(siblings.map(({ id }, index) => [sources.get(id) ?? id, index]));
    const unknown = siblings.filter(({ id, object }) => object !== 'item' && !homeIds.has(id));
    const found: Gap[] = [];
    let drafts: Draft[] = [];
    let created = 0;
    let last = -1;
    let isInOrder = true;
    for (const entry of entries) {
      const home = entry.entries && (homes.get(entry.path) ?? takeTitled(unknown, entry));
      const index = indexes.get(entry.entries ? (home?.id ?? '') : entry.path);
      if (home) fill(home.id, entry.path, entry.entries ?? [], home.children ?? []);
      else if (index === undefined) drafts.push(...draftsOf(entry));
      if (index === undefined) continue;
      if (drafts.length > 0) found.push({ parent, index: index + created, drafts });
      created += drafts.length;
      drafts = [];
      isInOrder &&= index > last;
      last = index;
    }
    found.push({ parent, drafts });
    if (isInOrder) gaps.push(...found);
    else gaps.push({ parent, drafts: found.flatMap((gap) => gap.drafts) });
    if (!isInOrder) outOfOrder.push(folder);
  }

  /** What is to be created of an entry that is not here; nothing where its pages are elsewhere. */
  function draftsOf(entry: Entry): Draft[] {
    const { path, entries } = entry;
    if (!entries) return files.has(path) ? [] : [draftOf(entry)];
    const home = homes.get(path);
    if (home) {
      fill(home.id, path, entries, home.children ?? []);
      return [];
    }
    const children = entries.flatMap(draftsOf);
    return children.length > 0 || entries.length === 0 ? [draftOf(entry, children)] : [];
  }
}

/** By folder: the collection that most of its pages are in, wherever somebody has moved them. */
function homesOf(tree: readonly Collection[], sources: Sources): Map<string, Collection> {
  const homes = new Map<string, Collection>();
  const most = new Map<string, number>();
  for (const collection of everyItem(tree)) {
    const pages = new Map<string, number>();
    for (const { id } of collection.children ?? []) {
      const folder = posix.dirname(sources.get(id) ?? '');
      // What was in the imported folder itself came to the top level.
      if (folder !== '.') pages.set(folder, (pages.get(folder) ?? 0) + 1);
    }
    for (const [folder, count] of pages) {
      if (count <= (most.get(folder) ?? 0)) continue;
      most.set(folder, count);
      homes.set(folder, collection);
    }
  }
  return homes;
}

/** Takes the first collection of a folder's title, or of one that an export writes so; undefined where there is none. */
function takeTitled(collections: Collection[], { title, path }: Entry): Collection | undefined {
  const folder = posix.basename(path);
  const same = collections.findIndex(({ meta }) => meta.title === title);
  const index =
    same >= 0
      ? same
      : collections.findIndex(({ meta }) => mayBeOf(folder, meta.title, { isFolder: true }));
  return index < 0 ? undefined : collections.splice(index, 1)[0];
}
