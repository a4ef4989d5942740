import { randomBytes } from 'node:crypto';
import { slugify } from 'transliteration';
/** The slug that a name asks for; with a random end if it is taken or too short. */
export async function freeSlug(name, isTaken) {
    const wanted = slugify(name, { lowercase: true, separator: '-' })
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 48)
        .replace(/^-+|-+$/g, '');
    const fallback = `${wanted.slice(0, 41)}-${randomBytes(3).toString('hex')}`.replace(/^-+/, '');
    return wanted.length < 3 || (await isTaken(wanted)) ? fallback : wanted;
}
