import { randomBytes } from 'node:crypto';
import { slugify } from 'transliteration';

const MAX = 48;
const SUFFIX = 6;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Six random lower-case letters and digits. */
function randomSuffix(): string {
  return Array.from(randomBytes(SUFFIX), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/**
 * The slug a name asks for, and the one to take where that is not free: transliterated, lower case,
 * hyphens, at most 48 characters; too short, it gets a random suffix at once (decisions, 5.2).
 * @returns `fallbacks`: two, each with another random suffix
 */
export function slugsFor(name: string): { wanted: string; fallbacks: [string, string] } {
  const base = cut(
    slugify(name, { lowercase: true, separator: '-' })
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, ''),
    MAX,
  );
  const stem = cut(base, MAX - SUFFIX - 1);
  const fallback = () => [stem, randomSuffix()].filter(Boolean).join('-');
  const fallbacks: [string, string] = [fallback(), fallback()];
  return { wanted: base.length < 3 ? fallback() : base, fallbacks };
}

const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');
