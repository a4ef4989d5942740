import { opendir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Candidate, isMarkdown, nameOf, SiblingNames } from './file-names.js';
import { withKey } from './page-content.js';
import { RowFile } from './row-file.js';
import type { StagedItem, StagedTree } from './staged-tree.js';
import type { TargetFolder } from './target-folder.js';

/** A collection whose children are being placed. */
interface OpenCollection {
  name: string;
  /** What its folder was called on a disk, once a page below says so. */
  original: string | undefined;
}

/** What is found below a collection, or remembered by a page. */
interface Found {
  /** How the file or folder was called that the item came from. */
  original: string | undefined;
  /** The longest path in the folder; of a page: ''. */
  longest: string;
}

/** An item with the name that its file or folder may get. */
type NamedItem = StagedItem & Candidate & Pick<Found, 'longest'>;

/** A page whose key is to be in its front matter, unless a sync would derive it from the path. */
interface KeyedFile {
  file: string;
  key: string;
}

/** In the folder of the files. No item's name begins with a dot. */
const KEYED = '.keyed';

/**
 * Gives the files of a staged tree their names and places. A collection comes after all below it: its folder may be called
 * as one of its pages remembers. Then it is moved as a whole.
 */
export class TreePlacement {
  private readonly report = { pages: 0, collections: 0 };
  private lists = 0;
  private hasKeyed = false;

  constructor(
    private readonly staged: StagedTree,
    private readonly target: TargetFolder,
    private readonly keyOf: (path: string) => string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @throws Error the disk takes two names for one, or a path is too long for it */
  async run(): Promise<{ pages: number; collections: number }> {
    await this.target.checkPath(await this.place(undefined, this.target.tree, []));
    if (this.hasKeyed) await this.writeKeys(this.target.tree, '');
    return this.report;
  }

  /**
   * @param above the collections around, the outermost one first
   * @returns the longest path in the folder; '' if it is empty
   */
  private async place(
    parent: string | undefined,
    folder: string,
    above: readonly OpenCollection[],
  ): Promise<string> {
    const names = new SiblingNames();
    const siblings = new RowFile<NamedItem>(join(this.target.aside, `siblings-${this.lists++}`));
    for await (const item of this.staged.childrenOf(parent)) {
      this.signal?.throwIfAborted();
      const { name, extension } = item;
      const { original, longest } = await this.look(item, above);
      await siblings.add({ ...item, ...names.add({ name, original, extension }), longest });
    }
    await siblings.flush();
    const keyed = new RowFile<KeyedFile>(join(folder, KEYED));
    let index = 0;
    let longest = '';
    for await (const item of siblings.rows()) {
      this.signal?.throwIfAborted();
      const { id, extension, key, frontMatterKey } = item;
      const file = names.nameOf(item, index++);
      await this.target.move(this.staged.pathOf(id), join(folder, file), item.longest);
      const path = join(file, item.longest);
      if (Buffer.byteLength(path) > Buffer.byteLength(longest)) longest = path;
      this.report[extension === '' ? 'collections' : 'pages']++;
      if (extension !== '.md' || key === undefined || frontMatterKey === 'equal') continue;
      if (frontMatterKey === 'different') await writeKey(join(folder, file), key);
      else {
        await keyed.add({ file, key });
        this.hasKeyed = true;
      }
    }
    await keyed.flush();
    await siblings.remove();
    return longest;
  }

  /** Places what is below a collection. */
  private async look(
    { id, name, extension, path }: StagedItem,
    above: readonly OpenCollection[],
  ): Promise<Found> {
    if (extension === '') {
      const open: OpenCollection = { name, original: undefined };
      const longest = await this.place(id, this.staged.pathOf(id), [...above, open]);
      return { original: open.original, longest };
    }
    const segments = path?.split('/') ?? [];
    // A page that somebody has moved in came from another folder.
    for (const [distance, open] of above.toReversed().entries()) {
      const folder = segments.at(-2 - distance);
      if (folder !== undefined && nameOf(folder, { isFolder: true }) === open.name)
        open.original ??= folder;
    }
    const file = segments.at(-1);
    const original = extension === '.md' && file && isMarkdown(file) ? file : undefined;
    return { original, longest: '' };
  }

  /** @param path of the folder, from the exported one, with a slash at the end */
  private async writeKeys(folder: string, path: string): Promise<void> {
    const keyed = new RowFile<KeyedFile>(join(folder, KEYED));
    for await (const { file, key } of keyed.rows()) {
      this.signal?.throwIfAborted();
      if (this.keyOf(`${path}${file}`) === key) continue;
      await writeKey(join(folder, file), key);
    }
    await keyed.remove();
    for await (const inside of foldersIn(folder))
      await this.writeKeys(join(folder, inside), `${path}${inside}/`);
  }
}

const writeKey = async (file: string, key: string): Promise<void> =>
  writeFile(file, withKey(await readFile(file, 'utf8'), key));

async function* foldersIn(folder: string): AsyncGenerator<string, void, undefined> {
  for await (const entry of await opendir(folder)) if (entry.isDirectory()) yield entry.name;
}
