import type { Entry } from './folder.js';

/** Items that the service takes in one batch, all levels together. */
const MAX_ITEMS = 1000;
/** A body holds at most 2 MiB; what stands around the items takes less than 1 KiB of it. */
const MAX_BYTES = 2 * 1024 * 1024 - 1024;
/** What an item takes in a body beside its content, at most: its name and its keys. */
const ITEM_BYTES = 256;
/** Where in a batch a message of the service points at. */
const PLACE = /^items\[\d+\](?:\.children\[\d+\])*[. ]/;

/** An entry that is to be created, with everything below it. */
export interface Draft {
  entry: Entry;
  /** What is created in the same batch. */
  children: Draft[];
  /** What is created in the folder by later batches, as it does not fit into one. */
  later: Draft[];
  /** How many items this is, itself and `children` included. */
  items: number;
  /** How many bytes they take in a body, at most. */
  bytes: number;
}

/** What is to be created of an entry; nothing where its pages are there already. */
export function draftsOf(entry: Entry, isPage: (path: string) => boolean): Draft[] {
  const { path, entries, bytes = 0 } = entry;
  if (!entries) return isPage(path) ? [] : [{ ...alone(entry), bytes: ITEM_BYTES + bytes }];
  const children = entries.flatMap((inside) => draftsOf(inside, isPage));
  if (children.length === 0 && entries.length > 0) return [];
  const draft = { ...alone(entry), children };
  for (const child of children) {
    draft.items += child.items;
    draft.bytes += child.bytes;
  }
  return [draft];
}

/** Siblings in batches that the service takes. A folder that is too large for one goes in empty. */
export function batchesOf(drafts: readonly Draft[]): Draft[][] {
  const batches: Draft[][] = [];
  let size = { items: MAX_ITEMS, bytes: MAX_BYTES };
  for (const draft of drafts) {
    const next = fits(draft) ? draft : { ...alone(draft.entry), later: draft.children };
    const sum = { items: size.items + next.items, bytes: size.bytes + next.bytes };
    if (fits(sum)) batches.at(-1)?.push(next);
    else batches.push([next]);
    size = fits(sum) ? sum : next;
  }
  return batches;
}

/** All entries of a batch, each folder before what is in it. */
export const entriesOf = (batch: readonly Draft[]): Entry[] =>
  batch.flatMap(({ entry, children }) => [entry, ...entriesOf(children)]);

/** A message about `items[2].children[0]` names the file or folder instead. */
export function withPath(message: string, batch: readonly Draft[]): string {
  const [place = ''] = PLACE.exec(message) ?? [];
  let named: Draft | undefined;
  for (const [index] of place.matchAll(/\d+/g)) named = (named?.children ?? batch)[Number(index)];
  return named ? `${named.entry.path}: ${message.slice(place.length)}` : message;
}

const alone = (entry: Entry): Draft => ({
  entry,
  children: [],
  later: [],
  items: 1,
  bytes: ITEM_BYTES,
});

const fits = ({ items, bytes }: { items: number; bytes: number }): boolean =>
  items <= MAX_ITEMS && bytes <= MAX_BYTES;
