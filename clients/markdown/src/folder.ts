import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareFiles, isMarkdown, pageTitleOf, titleOf } from './file-names.js';
import { contentOf, type MarkdownContent } from './page-content.js';

/** What an item is called. */
export interface Naming {
  name: string;
  title: string;
}

/** A Markdown file, or a folder of them. */
export interface Entry {
  /** The title of its item. */
  title: string;
  /** From the folder that was read, with slashes, composed (NFC). */
  path: string;
  /** Of a folder: what is in it, in order. A file has none. */
  entries?: Entry[];
  /** Of a file: the size of its page's content as JSON. */
  bytes?: number;
  /** Of a file: what its front matter names as key, if it does. */
  key?: unknown;
  /** Of a file: the title is that of its front matter. */
  isInFrontMatter?: boolean;
  /** In a sync: what its item is called now, if there is one. */
  present?: Naming;
}

/** What reading a folder found. */
export interface Folder {
  entries: Entry[];
  /** Paths of the Markdown files. */
  files: ReadonlySet<string>;
  /** Paths of files that are no Markdown, and of links. */
  leftOut: string[];
  /** The content of the page for one of the files. */
  read: (path: string) => Promise<MarkdownContent>;
}

/** Some files cannot be pages. */
export class UnsuitableFilesError extends Error {
  /** @param problems a sentence for each of them, beginning with its path */
  constructor(readonly problems: readonly string[]) {
    super(`${problems.length} of the files cannot be pages: ${problems[0]}.`);
    this.name = new.target.name;
  }
}

const MAX_CONTENT_BYTES = 1024 * 1024;
/** A byte order mark is kept with the page; what is not UTF-8 is refused rather than changed. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the Markdown files below `root`: files and folders in one order, by number and name. Hidden
 * ones and node_modules are passed over, links are not followed. A folder in which there is
 * something, but no Markdown, is left out; an empty one is not.
 *
 * Paths and titles are composed (NFC): a Mac's disk may give the same ones with letters and accents apart.
 *
 * @throws UnsuitableFilesError; Error: it is no folder, or cannot be read
 */
export async function readFolder(root: string, signal?: AbortSignal): Promise<Folder> {
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(`${root} is not a folder.`);
  const files = new Set<string>();
  /** By path: where a file is on the disk, if the disk calls it otherwise. */
  const onDisk = new Map<string, string>();
  const leftOut: string[] = [];
  const problems: string[] = [];
  const entries = await entriesOf('', '');
  if (problems.length > 0) throw new UnsuitableFilesError(problems);
  return { entries, files, leftOut, read };

  function read(path: string): Promise<MarkdownContent> {
    return readPage(join(root, onDisk.get(path) ?? path), path);
  }

  /** @param parent where the folder is on the disk, from the root; its path is `parentPath` */
  async function entriesOf(parent: string, parentPath: string): Promise<Entry[]> {
    const all = await readdir(join(root, parent), { withFileTypes: true });
    const visible = all
      .map((file) => ({ file, composed: file.name.normalize() }))
      .filter(({ composed }) => !composed.startsWith('.') && composed !== 'node_modules')
      .sort((a, b) => compareFiles(a.composed, b.composed));
    const entries: Entry[] = [];
    /** By path: where what is taken of this folder is on the disk. */
    const taken = new Map<string, string>();
    for (const { file, composed } of visible) {
      signal?.throwIfAborted();
      const place = within(parent, file.name);
      const path = within(parentPath, composed);
      const entry = await entryOf(file, place, path);
      if (entry === null) continue;
      const twin = taken.get(path);
      if (twin) problems.push(`${place} has the name of ${twin} in another Unicode normalization`);
      taken.set(path, place);
      entries.push(entry);
    }
    return entries;
  }

  /** Null where it is left out. */
  async function entryOf(file: Dirent, place: string, path: string): Promise<Entry | null> {
    if (file.isDirectory()) {
      const before = leftOut.length;
      const entries = await entriesOf(place, path);
      if (entries.length === 0 && leftOut.length > before) return null;
      return { title: titleOf(file.name, { isFolder: true }), path, entries };
    }
    if (!file.isFile() || !isMarkdown(file.name)) {
      leftOut.push(path);
      return null;
    }
    files.add(path);
    if (place !== path) onDisk.set(path, place);
    const { problem, title, ...page } = await check(join(root, place), path);
    if (problem) problems.push(`${path} ${problem}`);
    return { path, ...pageTitleOf(file.name, title), ...page };
  }
}

const within = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** The content of a page for a file. @throws Error it is no text in UTF-8 */
async function readPage(file: string, path: string): Promise<MarkdownContent> {
  return contentOf(UTF8.decode(await readFile(file)), path);
}

/** The size of a page, what its front matter names as key and title, and why no page can hold the file. */
async function check(
  file: string,
  path: string,
): Promise<{ bytes: number; key?: unknown; title?: unknown; problem?: string }> {
  try {
    const content = await readPage(file, path);
    const bytes = Buffer.byteLength(JSON.stringify(content));
    const holdsNul = content.markdown.includes('\0');
    if (holdsNul) return { bytes, problem: 'holds a NUL character, which no page can' };
    const { key, title } = content.frontMatter;
    if (bytes <= MAX_CONTENT_BYTES) return { bytes, key, title };
    return { bytes, problem: 'is too large: a page holds at most 1 MiB of JSON' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isNotUtf8 = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    const problem = isNotUtf8 ? 'is not text in UTF-8' : `cannot be read: ${code ?? message}`;
    return { bytes: 0, problem };
  }
}
