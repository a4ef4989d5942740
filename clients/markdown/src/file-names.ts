import filenamify from 'filenamify';

/** Longest title of a collection or page, in code points (the interface's bound). */
const MAX_TITLE = 255;
/** Longest name that 0.2.0 read from a file or folder, in code points. */
const MAX_CUT_NAME = 32;
/** Bytes of a file's or folder's name that every file system takes, in UTF-8. */
const MAX_FILE_NAME = 255;
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
 * The title that a file or folder gives its item: its name without numeric prefix and, of a file, extension, composed
 * (NFC).
 */
export function titleOf(file: string, kind: Kind): string {
  const name = bareName(file.normalize(), kind);
  return BLANK.test(name) ? 'Untitled' : name;
}

/** A file's or folder's name without what says its place and kind. */
function bareName(file: string, { isFolder }: Kind): string {
  const rest = withoutPrefix(file);
  return isFolder ? rest : stemOf(rest);
}

/**
 * The title that a Markdown file gives its page: the `title` of its front matter, or of its name where the front matter
 * has none that the service takes.
 */
export function pageTitleOf(
  file: string,
  frontMatterTitle: unknown,
): { title: string; isInFrontMatter: boolean } {
  const isInFrontMatter = isTitle(frontMatterTitle);
  const title = isInFrontMatter ? frontMatterTitle : titleOf(file, { isFolder: false });
  return { title: title.normalize(), isInFrontMatter };
}

/** True for what the service accepts as a title, however it is composed. */
export const isTitle = (value: unknown): value is string =>
  typeof value === 'string' &&
  [...value.normalize()].length <= MAX_TITLE &&
  !BLANK.test(value) &&
  value.isWellFormed() &&
  !value.includes('\0');

/**
 * True if a file or folder may be called so because an item has this title: an import reads the title from it, or an
 * export writes it for the title, which may be longer than a file's name and have characters that this has not.
 */
export function standsFor(file: string, title: string, kind: Kind): boolean {
  const composed = file.normalize();
  const bare = bareName(composed, kind);
  const room = MAX_FILE_NAME - Buffer.byteLength(composed) + Buffer.byteLength(bare);
  return bare === safe(title, room) || isSameTitle(titleOf(composed, kind), title);
}

/** True for the title that 0.2.0 gave the item of a file or folder: it cut names after 31 code points, with an ellipsis. */
export const isCutFrom = (file: string, title: string, kind: Kind): boolean =>
  // A separated accent is a code point of its own.
  [file, file.normalize()].some((each) => {
    const name = [...bareName(each, kind)];
    const cut = `${name.slice(0, MAX_CUT_NAME - 1).join('')}…`;
    return name.length > MAX_CUT_NAME && isSameTitle(cut, title);
  });

/** True if a file or folder may have given an item its title, in this version or in 0.2.0. */
export const mayBeOf = (file: string, title: string, kind: Kind): boolean =>
  standsFor(file, title, kind) || isCutFrom(file, title, kind);

/** Titles are equal if their NFC forms are: a Mac's disk may separate letters and accents. */
export const isSameTitle = (a: string, b: string): boolean => a.normalize() === b.normalize();

/** An item that is to be written, and how its file or folder was called when it came from a disk. */
export interface Titled {
  title: string;
  /** The one in the front matter of a page's file; null: what is there is no title. */
  frontMatterTitle?: string | null | undefined;
  /** Is used where the file or folder may still have given the item its title. */
  original?: string | undefined;
  /** Of a derived file name; empty for a folder. */
  extension: '.md' | '.json' | '';
}

/** A name that an item's file or folder may get, unless numbers are necessary. */
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

  add(item: Titled): Candidate {
    const original = originalOf(item);
    const isOriginal = original !== null;
    const file = original ?? derived(item, '');
    const candidate = { file, isOriginal };
    this.count++;
    this.areSorted &&= this.mayFollow(candidate);
    this.last = candidate;
    return candidate;
  }

  /** @param index zero-based, among the siblings */
  nameOf(item: Titled & Candidate, index: number): string {
    const { file, isOriginal } = item;
    if (this.areSorted) return file;
    // Four digits and a name that begins with two would look like a date.
    const digits = this.count < 1000 ? Math.max(2, String(this.count).length) : 5;
    const number = `${String(index + 1).padStart(digits, '0')}-`;
    const numbered = `${number}${isOriginal ? withoutPrefix(file) : file}`;
    return Buffer.byteLength(numbered) <= MAX_FILE_NAME ? numbered : derived(item, number);
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
  name !== '' &&
  !name.startsWith('.') &&
  !/[/\\\0]/.test(name) &&
  Buffer.byteLength(name) <= MAX_FILE_NAME;

/**
 * The name that an item's file or folder had on a disk, composed; null: none, or it is that of another title. A file whose
 * front matter has a title of another text keeps its name, whatever the title is now: it never was the title.
 */
function originalOf({ title, frontMatterTitle, original, extension }: Titled): string | null {
  if (original === undefined || !isFileName(original.normalize())) return null;
  const kind = { isFolder: extension === '' };
  const isKept =
    typeof frontMatterTitle === 'string' &&
    (isSameTitle(frontMatterTitle, title) || !standsFor(original, frontMatterTitle, kind));
  return isKept || mayBeOf(original, title, kind) ? original.normalize() : null;
}

/** The name of a file or folder that is written for a title. @param number what stands in front of it */
function derived({ title, extension }: Titled, number: string): string {
  const room = MAX_FILE_NAME - number.length - extension.length;
  return `${number}${safe(title, room)}${extension}`;
}

/** A title as every system allows it for a file's name, composed; cut where it has more than `room` bytes. */
function safe(title: string, room: number): string {
  const name = allowed(title);
  return Buffer.byteLength(name) <= room ? name : allowed(beginOf(name, room));
}

const allowed = (name: string): string =>
  filenamify(name, { replacement: '-', maxLength: Number.POSITIVE_INFINITY }).replace(
    /^[.\s]+/,
    '_',
  );

/** As many code points of a text as have `room` bytes together. */
function beginOf(text: string, room: number): string {
  let begin = '';
  let bytes = 0;
  for (const each of text) {
    bytes += Buffer.byteLength(each);
    if (bytes > room) break;
    begin += each;
  }
  return begin;
}
