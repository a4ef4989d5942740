import filenamify from 'filenamify';

/** Longest name of a collection or page, in code points (the interface's bound). */
const MAX_NAME = 32;
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;
/**
 * A number that says the place among the siblings: `01-`, `2_`, `3. `, `04) `. A version (`2.0`) and
 * a date (`2026-01-31`, `2026-01`) are none.
 */
const PREFIX = /^(?!\d{4}-\d\d(?!\d))\d+\s*(?:[-_)]|\.(?!\d))\s*(?=\S)/;

const collator = new Intl.Collator('en', { numeric: true });
const baseCollator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const isMarkdown = (file: string): boolean => MARKDOWN.test(file);

const stemOf = (file: string): string => file.replace(MARKDOWN, '');

const withoutPrefix = (file: string): string =>
  PREFIX.test(stemOf(file)) ? file.replace(PREFIX, '') : file;

/** Whether a name is a folder's or that of a Markdown file, which has an extension. */
interface Kind {
  isFolder: boolean;
}

/** White space as Unicode and the service have it. */
const BLANK = /^[\p{White_Space}\uFEFF]*$/u;

/** The order of siblings on a disk: by number, then by name; numbers within names count as such. */
export function compareFiles(a: string, b: string): number {
  return collator.compare(stemOf(a), stemOf(b)) || (a < b ? -1 : Number(a > b));
}

/**
 * What a file or folder is called in a workspace: its name without numeric prefix and, of a file,
 * extension, cut with an ellipsis where it is longer than 32 characters.
 */
export function nameOf(file: string, kind: Kind): string {
  const name = [...bareName(file, kind)];
  if (BLANK.test(name.join(''))) return 'Untitled';
  return name.length <= MAX_NAME ? name.join('') : `${name.slice(0, MAX_NAME - 1).join('')}…`;
}

/** A file's or folder's name without what says its place and kind. */
function bareName(file: string, { isFolder }: Kind): string {
  const rest = withoutPrefix(file);
  return isFolder ? rest : stemOf(rest);
}

/**
 * What a page is called for its file: as the front matter's `title` says, if that is a name for which an export may write
 * the file; otherwise as the file. The titles of an ordinary documentation therefore do not become names, and renaming a
 * file renames its page.
 */
export function pageNameOf(file: string, title: unknown): { name: string; isTitled: boolean } {
  const isTitled = isName(title) && standsFor(file, title, { isFolder: false });
  const name = isTitled ? title : nameOf(file.normalize(), { isFolder: false });
  return { name: name.normalize(), isTitled };
}

/** True for what the service accepts as a name, however it is composed. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2 * MAX_NAME &&
  [...value.normalize()].length <= MAX_NAME &&
  !BLANK.test(value) &&
  value.isWellFormed() &&
  !value.includes('\0');

/**
 * True if a file or folder may be called so because an item has this name: an import reads the name from it, or an export
 * writes it for the name, which may have characters that a file's name has not.
 */
export function standsFor(file: string, name: string, kind: Kind): boolean {
  const composed = file.normalize();
  return (
    bareName(composed, kind) === safe(name) ||
    // Names are cut after a number of code points, of which a separated accent is one.
    [file, composed].some((each) => isSameName(nameOf(each, kind), name))
  );
}

/** Names are equal if their NFC forms are: a Mac's disk may separate letters and accents. */
export const isSameName = (a: string, b: string): boolean => a.normalize() === b.normalize();

/** An item that is to be written, and how its file or folder was called when it came from a disk. */
export interface Named {
  name: string;
  /** Is used where it still stands for the name. */
  original?: string | undefined;
  /** Of a derived file name; empty for a folder. */
  extension: '.md' | '.json' | '';
}

/** A name that an item's file or folder may get. */
export interface Candidate {
  file: string;
  /** It is the one that the item had on a disk. */
  isOriginal: boolean;
}

/**
 * Names for the files and folders of siblings: the original ones where they sort that way, otherwise all of them with a
 * number in front. Never a path, and none twice. All siblings are added, in their order, before the first one is named;
 * what is held does not grow with their number.
 */
export class SiblingNames {
  private count = 0;
  private last: Candidate | null = null;
  private areSorted = true;
  /** Whether names that sort alike, folded, are original: in a sorted list, twins stand among these. */
  private alike = new Map<string, boolean>();

  add({ name, original, extension }: Named): Candidate {
    const isOriginal =
      original !== undefined &&
      isFileName(original.normalize()) &&
      standsFor(original, name, { isFolder: extension === '' });
    const file = isOriginal ? original.normalize() : `${safe(name)}${extension}`;
    const candidate = { file, isOriginal };
    this.count++;
    this.areSorted &&= this.mayFollow(candidate);
    this.last = candidate;
    return candidate;
  }

  /** @param index zero-based, among the siblings */
  nameOf({ file, isOriginal }: Candidate, index: number): string {
    if (this.areSorted) return file;
    // Four digits and a name that begins with two would look like a date.
    const digits = this.count < 1000 ? Math.max(2, String(this.count).length) : 5;
    const number = String(index + 1).padStart(digits, '0');
    return `${number}-${isOriginal ? withoutPrefix(file) : file}`;
  }

  /** True if an import takes the name as it is, and sorts it behind the one before. */
  private mayFollow({ file, isOriginal }: Candidate): boolean {
    if (!isOriginal && !keepsItsName(file)) return false;
    if (this.last !== null && compareFiles(this.last.file, file) >= 0) return false;
    if (this.last !== null && !sortAlike(this.last.file, file)) this.alike.clear();
    // Some disks take names that differ in letter case for one.
    const folded = file.toLowerCase();
    const isTwin = this.alike.has(folded) && !(isOriginal && this.alike.get(folded));
    this.alike.set(folded, isOriginal);
    return !isTwin;
  }
}

/** False for a derived name that an import would not take as it is. */
const keepsItsName = (file: string): boolean =>
  withoutPrefix(file) === file && file !== 'node_modules';

/** True where two names differ in letter case or accents at most. */
const sortAlike = (a: string, b: string): boolean =>
  baseCollator.compare(stemOf(a), stemOf(b)) === 0;

/** Names come from callers of the API: they may hold what would lead out of the folder. */
const isFileName = (name: string): boolean =>
  name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;

/** A name as every system allows it for a file, composed. */
const safe = (name: string): string =>
  filenamify(name, { replacement: '-', maxLength: 200 }).replace(/^[.\s]+/, '_');
