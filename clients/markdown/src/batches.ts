import type { Entry } from './folder.js';

/** Items that the service takes in one batch, all levels together. */
const MAX_ITEMS = 1000;
/** A body holds at most 2 MiB; what stands around the items takes less than 1 KiB of it. */
const MAX_BYTES = 2 * 1024 * 1024 - 1024;
/** What an item takes in a body beside its title and content, at most. */
const ITEM_BYTES = 64;
/** Where in a batch a message of the service points at. */
const PLACE = /^items\[\d+\](?:\.children\[\d+\])*[. ]/;

/** An entry that is to be created, with what is created below it in the same batch. */
export interface Draft {
  entry: Entry;
  children: readonly Draft[];
  /** What later batches create in the folder, as it does not fit into one. */
  later: readonly Draft[];
  /** How many items this is, itself and `children` included. */
  items: number;
  /** How many bytes they take in a body, at most. */
  bytes: number;
}

export function draftOf(entry: Entry, children: readonly Draft[] = []): Draft {
  const own = ITEM_BYTES + Buffer.byteLength(JSON.stringify(entry.title)) + (entry.bytes ?? 0);
  const draft = { entry, children, later: [], items: 1, bytes: own };
  for (const { items, bytes } of children) {
    draft.items += items;
    draft.bytes += bytes;
  }
  return draft;
}

/** Siblings in batches that the service takes. A folder that is too large for one goes in empty. */
export function batchesOf(drafts: readonly Draft[]): Draft[][] {
  const batches: Draft[][] = [];
  let size = { items: MAX_ITEMS, bytes: MAX_BYTES };
  for (const draft of drafts) {
    const next = fits(draft) ? draft : { ...draftOf(draft.entry), later: draft.children };
    const sum = { items: size.items + next.items, bytes: size.bytes + next.bytes };
    if (fits(sum)) batches.at(-1)?.push(next);
    else batches.push([next]);
    size = fits(sum) ? sum : next;
  }
  return batches;
}

/** A message about `items[2].children[0]` names the file or folder instead. */
export function withPath(message: string, batch: readonly Draft[]): string {
  const [place = ''] = PLACE.exec(message) ?? [];
  let named: Draft | undefined;
  for (const [index] of place.matchAll(/\d+/g)) named = (named?.children ?? batch)[Number(index)];
  return named ? `${named.entry.path}: ${message.slice(place.length)}` : message;
}

const fits = ({ items, bytes }: { items: number; bytes: number }): boolean =>
  items <= MAX_ITEMS && bytes <= MAX_BYTES;
