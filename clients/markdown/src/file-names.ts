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

export const isMarkdown = (file: string): boolean => MARKDOWN.test(file);

const stemOf = (file: string): string => file.replace(MARKDOWN, '');

const withoutPrefix = (file: string): string =>
  PREFIX.test(stemOf(file)) ? file.replace(PREFIX, '') : file;

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
export function nameOf(file: string, { isFolder }: { isFolder: boolean }): string {
  const rest = withoutPrefix(file);
  const name = [...(isFolder ? rest : stemOf(rest))];
  if (BLANK.test(name.join(''))) return 'Untitled';
  return name.length <= MAX_NAME ? name.join('') : `${name.slice(0, MAX_NAME - 1).join('')}…`;
}

/** An item that is to be written, and how its file or folder was called when it came from a disk. */
export interface Named {
  name: string;
  /** Is used where it still stands for the name. */
  original?: string | undefined;
  /** Of a derived file name; empty for a folder. */
  extension: '.md' | '.json' | '';
}

/**
 * Names for the files and folders of siblings, in their order: the original ones where they sort
 * that way, otherwise all of them with a number in front. Never a path, and none twice.
 */
export function fileNames(siblings: readonly Named[]): string[] {
  const names = siblings.map(({ name, original, extension }) =>
    original !== undefined &&
    isFileName(original) &&
    nameOf(original, { isFolder: extension === '' }) === name
      ? { file: original, isOriginal: true }
      : { file: `${safe(name)}${extension}`, isOriginal: false },
  );
  if (names.every(({ isOriginal, file }) => isOriginal || keepsItsName(file))) {
    const files = names.map(({ file }) => file);
    const areSorted = files.every(
      (file, n) => n === 0 || compareFiles(files[n - 1] as string, file) < 0,
    );
    if (areSorted && !haveTwins(names)) return files;
  }
  // Four digits and a name that begins with two would look like a date.
  const digits = names.length < 1000 ? Math.max(2, String(names.length).length) : 5;
  return names.map(({ file, isOriginal }, n) => {
    const number = String(n + 1).padStart(digits, '0');
    return `${number}-${isOriginal ? withoutPrefix(file) : file}`;
  });
}

/** False for a derived name that an import would not take as it is. */
const keepsItsName = (file: string): boolean =>
  withoutPrefix(file) === file && file !== 'node_modules';

/** True where a derived name is another's, but for letter case: some disks take them for one. */
function haveTwins(names: readonly { file: string; isOriginal: boolean }[]): boolean {
  const folded = new Map<string, boolean>();
  return names.some(({ file, isOriginal }) => {
    const key = file.normalize().toLowerCase();
    const isTwin = folded.has(key) && !(isOriginal && folded.get(key));
    folded.set(key, isOriginal);
    return isTwin;
  });
}

/** Names come from callers of the API: they may hold what would lead out of the folder. */
const isFileName = (name: string): boolean =>
  name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= 255;

const safe = (name: string): string =>
  filenamify(name, { replacement: '-', maxLength: 200 }).replace(/^[.\s]+/, '_');
