import { slugify } from 'transliteration';
import { v7 } from 'uuid';

/**
 * A new id: UUID version 7, so that rows made together lie together. Opaque on the wire.
 * @param at milliseconds since 1970, for ids that must be in order whichever instance makes them
 */
export const newId = (at?: number): string => v7(at === undefined ? undefined : { msecs: at });

/** An id that nothing has; it sorts before all others. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Sorts after all ids. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** False for what cannot be an id: ours are lower-case UUIDs, and the database refuses most else. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** False for a slug that could not exist; also keeps NUL and lone surrogates from the database. */
export const isPossibleSlug = (slug: string): boolean => /^[a-z0-9-]{1,64}$/.test(slug);

const MAX = 48;
/** Characters of a title that its slug is made of: a letter in another script takes microseconds. */
const MAX_READ = 2 * MAX;
const SUFFIX = 8;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random lower-case letters and digits. A slug is not a secret: they need not be unpredictable. */
function randomSuffix(): string {
  let suffix = '';
  for (let n = 0; n < SUFFIX; n++) suffix += LETTERS[Math.floor(Math.random() * LETTERS.length)];
  return suffix;
}

/**
 * The slug a name or title asks for, and the one to take where that is not free: transliterated, lower case,
 * hyphens, at most 48 characters; too short, it gets a random suffix at once.
 */
export function slugsFor(name: string): { wanted: string; fallback: string } {
  const base = cut(
    latin([...name].slice(0, MAX_READ).join(''))
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, ''),
    MAX,
  );
  return { wanted: base.length < 3 ? withSuffix(base) : base, fallback: withSuffix(base) };
}

/** In lower-case Latin letters. What is ASCII is left alone: to look at each letter takes longer. */
const latin = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : slugify(name, { lowercase: true, separator: '-' });

/** A slug with a random suffix, for where it is taken. */
export const withSuffix = (slug: string): string =>
  [cut(slug, MAX - SUFFIX - 1), randomSuffix()].filter(Boolean).join('-');

const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');
