import { slugify } from 'transliteration';
const MAX = 48;
const SUFFIX = 8;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Random lower-case letters and digits. A slug is no secret: they need not be unpredictable. */
function randomSuffix() {
    let suffix = '';
    for (let n = 0; n < SUFFIX; n++)
        suffix += LETTERS[Math.floor(Math.random() * LETTERS.length)];
    return suffix;
}
/**
 * The slug a name asks for, and the one to take where that is not free: transliterated, lower case,
 * hyphens, at most 48 characters; too short, it gets a random suffix at once.
 */
export function slugsFor(name) {
    const base = cut(latin(name)
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, ''), MAX);
    return { wanted: base.length < 3 ? withSuffix(base) : base, fallback: withSuffix(base) };
}
/** In lower-case Latin letters. What is ASCII is left alone: to look at each letter takes longer. */
const latin = (name) => /^[\x20-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : slugify(name, { lowercase: true, separator: '-' });
/** A slug with a random suffix, for where it is taken. */
export const withSuffix = (slug) => [cut(slug, MAX - SUFFIX - 1), randomSuffix()].filter(Boolean).join('-');
const cut = (slug, length) => slug.slice(0, length).replace(/-+$/, '');
//# sourceMappingURL=slug.js.map