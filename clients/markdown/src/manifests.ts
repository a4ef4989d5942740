import type { ApplyCollectionsRequest } from 'teamspaces-client';
import type { Entry, Naming } from './folder.js';
import type { Keys } from './keys.js';

/** Items that the service takes in one manifest, all levels together. */
const MAX_ITEMS = 1000;
/** A body holds at most 2 MiB; what stands around the items takes less than 1 KiB of it. */
const MAX_BYTES = 2 * 1024 * 1024 - 1024;
/** What an item takes in a body around its key, name, title and content, at most. */
const ITEM_BYTES = 64;

export type ManifestItem = ApplyCollectionsRequest['items'][number];

/** What is sent of an entry in one manifest. */
export interface Part {
  entry: Entry;
  /** Whether the content of the page is sent: without it, what is there stays. */
  hasContent: boolean;
  /** What is below it; null: what is there is left alone. */
  children: readonly Part[] | null;
}

/** Manifests of one list, each of which names all of its entries. */
export interface ListPlan {
  /** The folder that the list is of; null: the one that is synced. */
  folder: Entry | null;
  manifests: readonly Part[][];
}

/** A folder that no manifest can name. */
export class LargeFolderError extends Error {
  constructor(path: string) {
    super(
      `${path === '' ? 'The folder' : path} holds more than ${MAX_ITEMS} files and folders: spread them over folders.`,
    );
    this.name = new.target.name;
  }
}

/**
 * Divides a tree into manifests that the service takes, each folder's after that of the one it is in. What fits is sent
 * together with its parent. A manifest of a list names all of its entries, since it is their order, too; the contents of
 * one that has too many bytes are spread over several.
 * @throws LargeFolderError
 */
export function plansOf(entries: readonly Entry[], keys: Keys): ListPlan[] {
  const plans: ListPlan[] = [];
  divide(null, entries);
  return plans;

  function divide(folder: Entry | null, list: readonly Entry[]): void {
    const names = list.map((entry) => bytesOf(entry, keys));
    const sum = names.reduce((a, b) => a + b, 0);
    if (list.length > MAX_ITEMS || sum > MAX_BYTES) throw new LargeFolderError(folder?.path ?? '');
    const manifests: Part[][] = [];
    const later: Entry[] = [];
    let room = { items: 0, bytes: 0 };
    const begin = () => {
      room = { items: MAX_ITEMS - list.length, bytes: MAX_BYTES - sum };
      manifests.push(list.map((entry) => ({ entry, hasContent: false, children: null })));
    };
    begin();
    for (const [n, entry] of list.entries()) {
      const whole = sizeOf(entry, keys);
      const size = { items: whole.items - 1, bytes: whole.bytes - (names[n] as number) };
      const fits = () => size.items <= room.items && size.bytes <= room.bytes;
      if (entry.entries && !fits()) {
        later.push(entry);
        continue;
      }
      if (!fits()) begin();
      room = { items: room.items - size.items, bytes: room.bytes - size.bytes };
      (manifests.at(-1) as Part[])[n] = wholePart(entry);
    }
    plans.push({ folder, manifests });
    for (const entry of later) divide(entry, entry.entries ?? []);
  }
}

const wholePart = (entry: Entry): Part => ({
  entry,
  hasContent: entry.entries === undefined,
  children: entry.entries?.map(wholePart) ?? null,
});

/** An entry with all below it. */
function sizeOf(entry: Entry, keys: Keys): { items: number; bytes: number } {
  const size = { items: 1, bytes: bytesOf(entry, keys) + (entry.bytes ?? 0) };
  for (const child of entry.entries ?? []) {
    const { items, bytes } = sizeOf(child, keys);
    size.items += items;
    size.bytes += bytes;
  }
  return size;
}

/**
 * What a manifest says of an entry's name. An item that has the title already keeps its name, which somebody may have
 * chosen; another title gives it another name.
 */
export const namingOf = ({ title, present }: Entry): Naming | Pick<Naming, 'title'> =>
  present?.title === title ? present : { title };

/** What an entry takes in a body without its content, at most: it may keep its present title until its content is sent. */
function bytesOf(entry: Entry, keys: Keys): number {
  const naming = Math.max(namingBytes(namingOf(entry)), namingBytes(entry.present ?? {}));
  return ITEM_BYTES + jsonBytes(keys.get(entry.path)) + naming;
}

const namingBytes = ({ name = '', title = '' }: Partial<Naming>): number =>
  jsonBytes(name) + jsonBytes(title);

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
