import { createHash } from 'node:crypto';
import type { Item } from './collection.js';

/**
 * A strong ETag of an item with its direct children: it changes with every change of any of them,
 * and with their order. Versions stand for contents, so that no content has to be read for it.
 */
export function etagOf(item: Item, children: readonly Item[]): string {
  const hash = createHash('sha1');
  for (const { id, version } of [item, ...children]) hash.update(`${id}:${version};`);
  return `"${hash.digest('base64url')}"`;
}

/** `If-Match`: strong comparison; `*` matches whatever exists. */
export function matches(header: string, etag: string): boolean {
  return tags(header).some((tag) => tag === '*' || tag === etag);
}

/** `If-None-Match`: weak comparison, `W/` makes no difference. */
export function matchesWeakly(header: string, etag: string): boolean {
  return tags(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());
