const ETAG: unique symbol = Symbol('etag');
const BEHIND: unique symbol = Symbol('behind');

/** The id of an item, or its record. A record brings its ETag: the call fails if it is out of date. */
export type ItemRef = string | { readonly id: string };

/** The id of a record with `_id`, or the record. */
export type RecordRef = string | { readonly _id: string };

/** The slug of a team or workspace, or its record, which brings its ETag, too. */
export type SlugRef = string | { readonly meta: { readonly slug: string } };

/**
 * Attaches the ETag of its response to a record, and to the results of a search how far they are behind. A copy by spread
 * (`{ ...record }`) keeps the ETag.
 */
export function remember(data: unknown, { headers }: Response): unknown {
  const etag = headers.get('etag');
  const behind = headers.get('search-behind');
  if (Array.isArray(data)) {
    if (behind !== null) Object.assign(data, { [BEHIND]: Number(behind) });
  } else if (etag !== null && typeof data === 'object' && data !== null) {
    Object.assign(data, { [ETAG]: etag });
  }
  return data;
}

/** Has a record remember the ETag that came with a response about it. */
export function passEtag(response: unknown, record: unknown): void {
  const etag = etagOf(response);
  if (etag !== undefined) Object.assign(record as object, { [ETAG]: etag });
}

/**
 * The ETag that a record remembers.
 * @returns undefined for an id, and for a record of a list
 */
export function etagOf(record: unknown): string | undefined {
  return typeof record === 'object' ? (record as { [ETAG]?: string } | null)?.[ETAG] : undefined;
}

/**
 * The age in seconds of the oldest change that may be missing from the results of a search with `in: 'all'`.
 * @returns undefined if no change is missing
 */
export const secondsBehind = (results: readonly unknown[]): number | undefined =>
  (results as { [BEHIND]?: number })[BEHIND];

export function idOf(ref: ItemRef | RecordRef): string {
  if (typeof ref === 'string') return ref;
  return 'id' in ref ? ref.id : ref._id;
}

/**
 * What people see of an item: its title, or the name if it has no other one. Ancestors and deletions have `meta` only
 * if their title is not the name.
 */
export const titleOf = (item: {
  readonly name: string;
  readonly meta?: { readonly title: string };
}): string => item.meta?.title ?? item.name;

export const slugOf = (ref: SlugRef): string => (typeof ref === 'string' ? ref : ref.meta.slug);
