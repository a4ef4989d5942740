import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { compareFiles, isMarkdown, nameOf } from './file-names.js';
import { contentOf, type MarkdownContent } from './page-content.js';

/** A Markdown file, or a folder of them. */
export interface Entry {
  /** What it is called in the workspace. */
  name: string;
  /** From the folder that was read, with slashes. */
  path: string;
  /** Of a folder: what is in it, in order. A file has none. */
  entries?: Entry[];
  /** Of a file: the size of its page's content as JSON. */
  bytes?: number;
  /** Of a file: what its front matter names as key, if it does. */
  key?: unknown;
}

/** What reading a folder found. */
export interface Folder {
  entries: Entry[];
  /** Paths of the Markdown files. */
  files: Set<string>;
  /** Paths of files that are no Markdown, and of links. */
  leftOut: string[];
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
/** A byte order mark is part of the text; what is not UTF-8 is refused rather than changed. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the Markdown files below `root`: files and folders in one order, by number and name. Hidden
 * ones and node_modules are passed over, links are not followed. A folder in which there is
 * something, but no Markdown, is left out; an empty one is not.
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
  const leftOut: string[] = [];
  const problems: string[] = [];
  const entries = await entriesOf('');
  if (problems.length > 0) throw new UnsuitableFilesError(problems);
  return { entries, files, leftOut };

  async function entriesOf(parent: string): Promise<Entry[]> {
    const all = await readdir(join(root, parent), { withFileTypes: true });
    const visible = all.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
    const entries: Entry[] = [];
    for (const file of visible.sort((a, b) => compareFiles(a.name, b.name))) {
      signal?.throwIfAborted();
      const path = parent === '' ? file.name : `${parent}/${file.name}`;
      const name = nameOf(file.name, { isFolder: file.isDirectory() });
      if (file.isDirectory()) {
        const before = leftOut.length;
        const inside = await entriesOf(path);
        if (inside.length > 0 || leftOut.length === before)
          entries.push({ name, path, entries: inside });
      } else if (file.isFile() && isMarkdown(file.name)) {
        const { problem, ...page } = await check(root, path);
        if (problem) problems.push(`${path} ${problem}`);
        files.add(path);
        entries.push({ name, path, ...page });
      } else {
        leftOut.push(path);
      }
    }
    return entries;
  }
}

/**
 * The keys that files and folders have by their paths: a name and a colon in front of them.
 * @param name the name of the folder if absent
 */
export function keysByPath({ folder, name }: { folder: string; name?: string | undefined }) {
  const prefix = name ?? basename(resolve(folder));
  return (path: string): string => `${prefix}:${path}`;
}

/** The content of a page for a file of the folder. @throws Error it is no text in UTF-8 */
export async function readPage(root: string, path: string): Promise<MarkdownContent> {
  return contentOf(UTF8.decode(await readFile(join(root, path))), path);
}

/** The size and the key of a page, and why no page can hold the file. */
async function check(
  root: string,
  path: string,
): Promise<{ bytes: number; key?: unknown; problem?: string }> {
  try {
    const content = await readPage(root, path);
    const bytes = Buffer.byteLength(JSON.stringify(content));
    const holdsNul = content.markdown.includes('\0');
    if (holdsNul) return { bytes, problem: 'holds a NUL character, which no page can' };
    if (bytes <= MAX_CONTENT_BYTES) return { bytes, key: content.frontMatter.key };
    return { bytes, problem: 'is too large: a page holds at most 1 MiB of JSON' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isNotUtf8 = code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    const problem = isNotUtf8 ? 'is not text in UTF-8' : `cannot be read: ${code ?? message}`;
    return { bytes: 0, problem };
  }
}
