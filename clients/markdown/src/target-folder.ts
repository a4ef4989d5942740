import { lstat, mkdir, opendir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';

/**
 * A folder that is written in two steps: a tree is made aside, on the same disk, and gets its place when all of it is
 * there.
 */
export class TargetFolder {
  /** The tree, until finish(). */
  readonly tree: string;

  private constructor(
    private readonly folder: string,
    private readonly isNew: boolean,
    /** An empty folder, but for the tree: close() removes it. */
    readonly aside: string,
  ) {
    this.tree = join(aside, 'tree');
  }

  /**
   * @param force the folder may hold something
   * @throws Error it holds something, is no folder, or cannot be written
   */
  static async open(folder: string, { force = false } = {}): Promise<TargetFolder> {
    const path = resolve(folder);
    const isEmpty = await isEmptyFolder(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error.code === 'ENOTDIR' ? new Error(`${folder} is not a folder.`) : error;
    });
    if (isEmpty === false && !force) {
      throw new Error(`${folder} is not empty: name a new folder, or write into it with --force.`);
    }
    const isNew = isEmpty === null;
    if (isNew && (await kindOf(path))) throw new Error(`${folder} is a link to nothing.`);
    const unique = `${process.pid}-${Date.now().toString(36)}`;
    const aside = isNew
      ? join(await existingAncestor(path), `.${basename(path)}-${unique}`)
      : join(path, `.export-${unique}`);
    // Not `recursive`: what is above exists, and in /proc Node would try for ever.
    await mkdir(aside);
    const target = new TargetFolder(path, isNew, aside);
    await mkdir(target.tree);
    return target;
  }

  /**
   * Moves a file or folder into the tree.
   * @param longest path in the folder: of a path that is too long for the disk, nothing could be read or removed
   * @throws Error the disk takes its name for another's, or a path is too long
   */
  async move(from: string, to: string, longest = ''): Promise<void> {
    if (await kindOf(to)) {
      const path = relative(this.tree, to);
      throw new Error(`${path} has the name of another here: the disk takes both for one.`);
    }
    if (longest !== '') await kindOf(join(to, longest));
    await rename(from, to);
  }

  /** @throws Error a path in the tree would be too long in its place */
  async checkPath(path: string): Promise<void> {
    await kindOf(join(this.folder, path));
  }

  /**
   * Puts the tree in its place. A new folder is written completely or not at all. In one that holds something, files of
   * the same name are replaced.
   * @throws Error a file would take the place of a folder, or a folder that of a file: nothing was changed then
   */
  async finish(): Promise<void> {
    if (this.isNew) {
      await mkdir(dirname(this.folder), { recursive: true });
      return rename(this.tree, this.folder);
    }
    await this.check('');
    await this.merge(this.tree, this.folder);
  }

  /** Takes away what was put aside. */
  async close(): Promise<void> {
    await rm(this.aside, { recursive: true, force: true });
  }

  /** @param path of a folder in the tree; with a slash at the end, unless it is the tree itself */
  private async check(path: string): Promise<void> {
    for await (const entry of await opendir(join(this.tree, path))) {
      const inside = `${path}${entry.name}`;
      const kind = await kindOf(join(this.folder, inside));
      if (kind !== null && (kind === 'folder') !== entry.isDirectory()) {
        const wanted = entry.isDirectory() ? 'folder' : 'file';
        throw new Error(`${inside} is to be a ${wanted}, and something else has this name there.`);
      }
      if (entry.isDirectory()) await this.check(`${inside}/`);
    }
  }

  private async merge(from: string, to: string): Promise<void> {
    let moved: number;
    // A folder from which files are taken may not list all of them at once.
    do {
      moved = 0;
      for await (const entry of await opendir(from)) {
        if (entry.isDirectory()) continue;
        await rename(join(from, entry.name), join(to, entry.name));
        moved++;
      }
    } while (moved > 0);
    for await (const { name } of await opendir(from)) {
      await mkdir(join(to, name), { recursive: true });
      await this.merge(join(from, name), join(to, name));
    }
  }
}

/** @throws Error as readdir() */
async function isEmptyFolder(path: string): Promise<boolean> {
  const folder = await opendir(path);
  const first = await folder.read();
  await folder.close();
  return first === null;
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
