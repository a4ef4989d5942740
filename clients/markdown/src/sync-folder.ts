import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Collection, type TeamspacesClient, TeamspacesError } from 'teamspaces-client';
import { isSameTitle, standsFor } from './file-names.js';
import { type Entry, type Folder, type Naming, readFolder } from './folder.js';
import { withKeysOfFolders } from './folder-keys.js';
import { type Keys, keysByPath, keysOf, storedKeys } from './keys.js';
import { type ManifestItem, namingOf, type Part, plansOf } from './manifests.js';
import { everyItem, readPages } from './page-reader.js';
import { type Place, Workspace } from './workspace.js';

/** What a sync did, or would do. */
export interface SyncReport {
  created: number;
  /** Items with another title or content. */
  updated: number;
  /** Items with another parent, or another place among their siblings. */
  moved: number;
  unchanged: number;
  /** Items that went to the trash, all levels counted. */
  pruned: number;
  /** Files that are not Markdown, and links. */
  leftOut: string[];
}

export interface SyncOptions extends Place {
  folder: string;
  /** What keys begin with; the name of the folder if absent. */
  name?: string | undefined;
  /** Moves what has a key and is not in the folder to the trash, whatever program gave it the key. */
  prune?: boolean;
  /** Compares, and changes nothing. */
  dryRun?: boolean;
  /** Told after each manifest: how many were applied of how many. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Makes a workspace equal to a folder of Markdown files, any number of times. An item is known by its key: `name`, a
 * colon and its path, or what the front matter of the file names as `key`; a folder that an export
 * has numbered, also by its title. Items without a key are left alone.
 *
 * What is large is sent in several manifests. One of a list names all that is there already, and creates a page only
 * with its content, so that each page is created or changed once. With `prune` all manifests are sent a second time, when
 * everything is where it belongs, so that nothing is deleted that has only moved.
 *
 * @throws UnsuitableFilesError, LargeFolderError, WorkspaceNotFoundError, TeamspacesError, NoResponseError; Error: no
 *   folder, no right to write
 */
export async function syncFolder(
  client: TeamspacesClient,
  options: SyncOptions,
): Promise<SyncReport> {
  const { folder, prune = false, dryRun = false, signal, onProgress } = options;
  const found = await readFolder(folder, signal);
  const keyOf = keysByPath(options);
  const keysInFolder = keysOf(found.entries, keyOf);
  const workspace = new Workspace(client, options);
  await workspace.room();
  const tree = await workspace.tree();
  const present = everyItem(tree);
  const stored = storedKeys(keysInFolder, present);
  const keys = withKeysOfFolders(stored, found.entries, tree, { present, keyOf });
  const entries = withPresentTitles(found.entries, keys, present);
  const plans = plansOf(entries, keys);
  const { leftOut, read } = found;
  const report = { created: 0, updated: 0, moved: 0, unchanged: 0, pruned: 0, leftOut };
  if (dryRun) {
    return { ...report, ...(await compare({ workspace, tree, entries, keys, read }, prune)) };
  }
  if (entries.length === 0) {
    throw new Error(`${folder} has no Markdown files: a sync needs one at least.`);
  }
  const ids = new Map<string, string>();
  const isSpread = plans.some(({ manifests }) => manifests.length > 1);
  /** Keys of the pages whose contents were sent. */
  const sent = new Set<string | undefined>();
  const passes = prune ? 2 : 1;
  const total = passes * plans.reduce((sum, { manifests }) => sum + manifests.length, 0);
  let done = 0;
  for (const { folder: parent, manifests } of plans) {
    for (const parts of manifests) {
      const due = parts.flatMap(dueOf);
      if (due.length > 0) {
        const { ids: found, ...counts } = await send(parent, due, false);
        for (const [key, id] of Object.entries(found)) ids.set(key, id);
        report.created += counts.created;
        report.moved += counts.moved;
        report.updated += counts.updated;
        report.unchanged += counts.unchanged;
      }
      onProgress?.(++done, total);
    }
  }
  // Several manifests of a list name an item: one may move it, and another change it.
  if (isSpread) report.unchanged = countUntouched(present, everyItem(await workspace.tree()));
  if (!prune) return report;
  for (const { folder: parent, manifests } of plans) {
    // Each of them names what is in some of the folders.
    for (const parts of manifests) {
      const { pruned } = await send(parent, parts.map(withoutContents), true);
      report.pruned += pruned;
      onProgress?.(++done, total);
    }
  }
  return report;

  function countUntouched(before: readonly Collection[], after: readonly Collection[]): number {
    const times = new Map(before.map(({ id, updatedAt }) => [id, updatedAt]));
    const synced = new Set(ids.values());
    return after.filter(({ id, updatedAt }) => synced.has(id) && times.get(id) === updatedAt)
      .length;
  }

  /**
   * A page whose content is sent later keeps its title until then; one that is not there is created then.
   * @returns the part, or none
   */
  function dueOf(part: Part): Part[] {
    const { entry, hasContent } = part;
    const key = keys.get(entry.path);
    if (hasContent) sent.add(key);
    if (entry.entries || sent.has(key)) return [part];
    const { present } = entry;
    return present ? [{ ...part, entry: { ...entry, title: present.title } }] : [];
  }

  async function send(parent: Entry | null, parts: readonly Part[], prunes: boolean) {
    signal?.throwIfAborted();
    const items = await itemsOf(parts);
    const id = parent && (ids.get(keys.get(parent.path) ?? '') ?? null);
    try {
      return await workspace.apply({ parent: id, items, ...(prunes && { prune: true }) });
    } catch (error) {
      if (error instanceof TeamspacesError) error.message = withPath(error.message, parts);
      throw error;
    }
  }

  async function itemsOf(parts: readonly Part[]): Promise<ManifestItem[]> {
    const items: ManifestItem[] = [];
    for (const { entry, hasContent, children } of parts) {
      const item = { key: keys.get(entry.path) as string, ...namingOf(entry) };
      if (entry.entries) {
        items.push({ ...item, ...(children && { children: await itemsOf(children) }) });
      } else {
        const content = hasContent && { content: { ...(await read(entry.path)) } };
        items.push({ ...item, object: 'item', ...content });
      }
    }
    return items;
  }
}

const withoutContents = (part: Part): Part => ({
  ...part,
  hasContent: false,
  children: part.children?.map(withoutContents) ?? null,
});

/** Where in a manifest a message of the service points at. */
const PLACE = /^items\[\d+\](?:\.children\[\d+\])*[. ]/;

/** A message about `items[2].children[0]` names the file or folder instead. */
function withPath(message: string, parts: readonly Part[]): string {
  const [place = ''] = PLACE.exec(message) ?? [];
  let named: Part | undefined;
  for (const [index] of place.matchAll(/\d+/g)) named = (named?.children ?? parts)[Number(index)];
  return named ? `${named.entry.path}: ${message.slice(place.length)}` : message;
}

/**
 * Entries with the titles that their items have already, where an export writes them so: a file's name has not all
 * characters that an item's title may have, and a folder has no front matter that could say the rest.
 */
function withPresentTitles(
  entries: readonly Entry[],
  keys: Keys,
  present: readonly Collection[],
): Entry[] {
  const namings = new Map(present.map(({ key, name, meta }) => [key, { name, title: meta.title }]));
  const titled = (list: readonly Entry[]): Entry[] =>
    list.map((entry) => {
      const present = namings.get(keys.get(entry.path));
      const inside = entry.entries && { entries: titled(entry.entries) };
      if (!present) return { ...entry, ...inside };
      return { ...entry, ...inside, title: presentTitle(entry, present), present };
    });
  return titled(entries);
}

function presentTitle({ title, path, entries, isInFrontMatter }: Entry, present: Naming): string {
  const isFolder = entries !== undefined;
  const isExported = standsFor(posix.basename(path), present.title, { isFolder });
  const isKept = isSameTitle(title, present.title) || (isExported && !isInFrontMatter);
  return isKept ? present.title : title;
}

/** A folder, and the workspace that it is compared with. */
interface Comparison extends Pick<Folder, 'entries' | 'read'> {
  workspace: Workspace;
  tree: readonly Collection[];
  keys: Keys;
}

/** What a sync would do, from what is there now. */
async function compare(
  { workspace, tree, entries, keys, read }: Comparison,
  prune: boolean,
): Promise<Omit<SyncReport, 'leftOut'>> {
  const byKey = new Map(
    everyItem(tree).flatMap((item) => (item.key === undefined ? [] : [[item.key, item] as const])),
  );
  const contents = new Map<string, object>();
  for await (const { id, content } of readPages(workspace, tree)) contents.set(id, content);
  const counts = { created: 0, updated: 0, moved: 0, unchanged: 0, pruned: 0 };
  const named = new Set(keys.values());
  await visit(entries, undefined, tree);
  if (prune) counts.pruned = tree.reduce((sum, item) => sum + countPruned(item, false), 0);
  return counts;

  async function visit(
    list: readonly Entry[],
    parent: string | undefined,
    siblings: readonly Collection[],
  ): Promise<void> {
    const present = new Map(siblings.map(({ id }, n) => [id, n]));
    const found = list.map(({ path }) => byKey.get(keys.get(path) ?? ''));
    const inPlace = longestRun(found.map((item) => present.get(item?.id ?? '') ?? null));
    for (const [n, entry] of list.entries()) {
      const item = found[n];
      const isSame =
        item !== undefined &&
        item.meta.title === entry.title &&
        (entry.entries !== undefined ||
          isDeepStrictEqual({ ...(await read(entry.path)) }, contents.get(item.id)));
      const isMoved = item !== undefined && !(item.parent === parent && inPlace.has(n));
      if (item === undefined) counts.created++;
      else {
        counts.updated += Number(!isSame);
        counts.moved += Number(isMoved);
        counts.unchanged += Number(isSame && !isMoved);
      }
      if (entry.entries) await visit(entry.entries, item?.id ?? '', item?.children ?? []);
    }
  }

  /**
   * Items that would go to the trash: those that have a key and are not in the folder, with all below them but what
   * moves to its place first.
   * @param isInside of one that goes
   */
  function countPruned({ key, children = [] }: Collection, isInside: boolean): number {
    const goes = key === undefined ? isInside : !named.has(key);
    return children.reduce((sum, child) => sum + countPruned(child, goes), Number(goes));
  }
}

/** The indices of a longest increasing run of numbers; nulls are in none. */
function longestRun(values: readonly (number | null)[]): Set<number> {
  const best: { length: number; previous: number }[] = [];
  let last = -1;
  for (const [n, value] of values.entries()) {
    let previous = -1;
    for (let m = 0; value !== null && m < n; m++) {
      const before = values[m] ?? null;
      const isLonger = (best[m]?.length ?? 0) > (best[previous]?.length ?? 0);
      if (before !== null && before < value && isLonger) previous = m;
    }
    best.push({ length: value === null ? 0 : (best[previous]?.length ?? 0) + 1, previous });
    if ((best[n]?.length ?? 0) > (best[last]?.length ?? 0)) last = n;
  }
  const run = new Set<number>();
  for (let n = last; n >= 0; n = best[n]?.previous ?? -1) run.add(n);
  return run;
}
