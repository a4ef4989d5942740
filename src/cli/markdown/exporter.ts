import { cp, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileNames, isMarkdown, nameOf } from './file-names.js';
import { sourcePath, textOf } from './page-content.js';
import type { Item } from './workspace-client.js';

/** A file, or, without a text, a folder. */
export interface FileToWrite {
  /** From the exported folder, with slashes. */
  path: string;
  text?: string;
}

/**
 * The files and folders of a tree, in its order, each folder before what is in it. A page whose
 * content is not that of a Markdown page becomes a `.json` file that holds the content.
 */
export function filesOf(items: readonly Item[], folder: readonly string[] = []): FileToWrite[] {
  const texts = items.map(({ object, content = {} }) =>
    object === 'item' ? textOf(content) : undefined,
  );
  const names = fileNames(
    items.map((item, n) => ({
      name: item.name,
      original: originalOf(item, folder.length, texts[n] ?? undefined),
      extension: item.object === 'collection' ? '' : texts[n] === null ? '.json' : '.md',
    })),
  );
  return items.flatMap((item, n): FileToWrite[] => {
    const segments = [...folder, names[n] as string];
    const path = segments.join('/');
    if (item.object === 'collection') return [{ path }, ...filesOf(item.children ?? [], segments)];
    return [{ path, text: texts[n] ?? `${JSON.stringify(item.content, null, 2)}\n` }];
  });
}

/**
 * How a page's file was called; of a collection, what the first page that came from a folder of this
 * name, this deep, says of it.
 */
function originalOf(item: Item, depth: number, text: string | undefined): string | undefined {
  if (item.object === 'item') {
    const file = sourcePath(item.content)?.split('/').at(-1);
    return text !== undefined && file && isMarkdown(file) ? file : undefined;
  }
  for (const [path, itsDepth] of pagesBelow(item, depth)) {
    const segments = path.split('/');
    const segment = segments[depth];
    if (segments.length === itsDepth + 1 && segment && nameOf(segment) === item.name)
      return segment;
  }
  return undefined;
}

function* pagesBelow(item: Item, depth: number): Generator<[path: string, depth: number]> {
  for (const child of item.children ?? []) {
    const path = sourcePath(child.content);
    if (child.object === 'collection') yield* pagesBelow(child, depth + 1);
    else if (path !== null) yield [path, depth + 1];
  }
}

/**
 * Writes files into a new or empty folder: it is there whole, or not at all. With `force` the folder
 * may hold something; files of the same name are replaced, the others stay.
 *
 * @throws Error the folder holds something, or cannot be written
 */
export async function writeFolder(
  folder: string,
  files: readonly FileToWrite[],
  { force = false, written = (_path: string): void => undefined } = {},
): Promise<void> {
  const target = resolve(folder);
  const isEmpty = await isEmptyOrMissing(target);
  if (!isEmpty && !force) {
    throw new Error(`${folder} is not empty: name a new folder, or write into it with --force.`);
  }
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    for (const { path, text } of files) {
      const file = join(staging, path);
      // «wx»: where the disk takes two names for one, nothing is lost in silence.
      if (text === undefined) await mkdir(file);
      else await writeFile(file, text, { flag: 'wx' });
      written(path);
    }
    if (isEmpty) {
      await rmdir(target).catch(() => undefined);
      await rename(staging, target);
    } else {
      await cp(staging, target, { recursive: true });
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function isEmptyOrMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}
