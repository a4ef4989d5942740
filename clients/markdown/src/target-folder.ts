import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** A page's file, or, without a page, a folder. */
export interface FileToWrite {
  /** From the exported folder, with slashes. */
  path: string;
  /** The id under which its text was put aside. */
  page?: string;
}

/**
 * A folder that is written in two steps: texts are put aside first, and get their names when all are
 * there. What is put aside lies on the same disk.
 */
export class TargetFolder {
  /** Where the text of each page was put aside: under a number, as ids come from another machine. */
  private readonly texts = new Map<string, string>();

  private constructor(
    private readonly folder: string,
    private readonly isNew: boolean,
    private readonly aside: string,
  ) {}

  /**
   * @param force the folder may hold something
   * @throws Error it holds something, is no folder, or cannot be written
   */
  static async open(folder: string, { force = false } = {}): Promise<TargetFolder> {
    const path = resolve(folder);
    const found = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error.code === 'ENOTDIR' ? new Error(`${folder} is not a folder.`) : error;
    });
    if (found && found.length > 0 && !force) {
      throw new Error(`${folder} is not empty: name a new folder, or write into it with --force.`);
    }
    if (!found && (await kindOf(path))) throw new Error(`${folder} is a link to nothing.`);
    const unique = `${process.pid}-${Date.now().toString(36)}`;
    const aside = found
      ? join(path, `.export-${unique}`)
      : join(await existingAncestor(path), `.${basename(path)}-${unique}`);
    // Not `recursive`: what is above exists, and in /proc Node would try for ever.
    await mkdir(aside);
    await mkdir(join(aside, 'pages'));
    await mkdir(join(aside, 'tree'));
    return new TargetFolder(path, found === null, aside);
  }

  /** Puts a page's text aside. */
  async put(page: string, text: string): Promise<void> {
    const file = join(this.aside, 'pages', `${this.texts.size}`);
    this.texts.set(page, file);
    await writeFile(file, text);
  }

  /** Changes a text that was put aside. */
  async edit(page: string, change: (text: string) => string): Promise<void> {
    const file = this.texts.get(page) as string;
    await writeFile(file, change(await readFile(file, 'utf8')));
  }

  /**
   * Gives all of it its names: each folder comes before what is in it. A new folder is there whole,
   * or not at all. In one that holds something, files of the same name are replaced.
   *
   * @throws Error a file would take the place of a folder, a folder that of a file, or the disk takes
   *   two names for one: nothing was changed then
   */
  async finish(files: readonly FileToWrite[]): Promise<void> {
    const tree = join(this.aside, 'tree');
    for (const { path, page } of files) {
      if (await kindOf(join(tree, path))) {
        throw new Error(`${path} has the name of another here: the disk takes both for one.`);
      }
      if (page === undefined) await mkdir(join(tree, path));
      else await rename(this.texts.get(page) as string, join(tree, path));
    }
    if (this.isNew) {
      await mkdir(dirname(this.folder), { recursive: true });
      return rename(tree, this.folder);
    }
    for (const { path, page } of files) {
      const kind = await kindOf(join(this.folder, path));
      if (kind !== null && (kind === 'folder') !== (page === undefined)) {
        const wanted = page === undefined ? 'folder' : 'file';
        throw new Error(`${path} is to be a ${wanted}, and something else has this name there.`);
      }
    }
    for (const { path, page } of files) {
      const target = join(this.folder, path);
      if (page !== undefined) await rename(join(tree, path), target);
      else await mkdir(target, { recursive: true });
    }
  }

  /** Takes away what was put aside. */
  async close(): Promise<void> {
    await rm(this.aside, { recursive: true, force: true });
  }
}

async function kindOf(path: string): Promise<'folder' | 'other' | null> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** The nearest folder above that is there: on the disk on which the path will be. */
async function existingAncestor(path: string): Promise<string> {
  const parent = dirname(path);
  return (await kindOf(parent)) || parent === path ? parent : existingAncestor(parent);
}
