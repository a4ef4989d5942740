import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportedKeys, type PlacedEntry } from './exported-keys.js';
import {
  type Candidate,
  isCutFrom,
  isMarkdown,
  isSameTitle,
  mayBeOf,
  pageTitleOf,
  SiblingNames,
  standsFor,
  titleOf,
} from './file-names.js';
import type { KeyOf } from './keys.js';
import { withTitle } from './page-content.js';
import { RowFile } from './row-file.js';
import type { StagedItem, StagedTree } from './staged-tree.js';
import type { TargetFolder } from './target-folder.js';

/** A collection whose children are being placed. */
interface OpenCollection {
  title: string;
  /** What its folder was called on a disk, once a page below says so. */
  original: string | undefined;
}

/** What was placed in a folder. */
interface PlacedList {
  /** The number of the list of it. */
  list: number;
  /** The longest path in the folder. */
  longest: string;
}

/** What is found below a collection, or remembered by a page. */
interface Found {
  /** How the file or folder was called that the item came from. */
  original: string | undefined;
  /** Of a collection. */
  placed?: PlacedList;
}

/** An item with the name that its file or folder may get. */
type NamedItem = StagedItem & Candidate & Pick<Found, 'placed'>;

/**
 * Gives the files of a staged tree their names and places. A collection comes after all below it: its folder may be called
 * as one of its pages remembers. Then it is moved as a whole.
 */
export class TreePlacement {
  private readonly report = { pages: 0, collections: 0 };
  private readonly fileKeys: ExportedKeys;
  private lists = 0;

  constructor(
    private readonly staged: StagedTree,
    private readonly target: TargetFolder,
    keyOf: KeyOf,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.fileKeys = new ExportedKeys(target, keyOf, staged.keys, signal);
  }

  /** @throws Error the disk takes two names for one, or a path is too long for it */
  async run(): Promise<{ pages: number; collections: number }> {
    const { list, longest } = await this.place(undefined, this.target.tree, []);
    await this.target.checkPath(longest);
    if (!this.staged.keys.isEmpty) await this.fileKeys.write(list);
    return this.report;
  }

  /** @param above the collections around, the outermost one first */
  private async place(
    parent: string | undefined,
    folder: string,
    above: readonly OpenCollection[],
  ): Promise<PlacedList> {
    const { keys } = this.staged;
    const list = this.lists++;
    const names = new SiblingNames();
    const siblings = new RowFile<NamedItem>(join(this.target.aside, `siblings-${list}`));
    for await (const item of this.staged.childrenOf(parent)) {
      this.signal?.throwIfAborted();
      const { original, ...found } = await this.look(item, above);
      await siblings.add({ ...item, ...names.add({ ...item, original }), ...found });
    }
    await siblings.flush();
    const entries = this.fileKeys.listOf(list);
    let index = 0;
    let longest = '';
    for await (const item of siblings.rows()) {
      this.signal?.throwIfAborted();
      const { id, extension, key, placed } = item;
      const file = names.nameOf(item, index++);
      await this.target.move(this.staged.pathOf(id), join(folder, file), placed?.longest);
      const path = join(file, placed?.longest ?? '');
      if (Buffer.byteLength(path) > Buffer.byteLength(longest)) longest = path;
      this.report[extension === '' ? 'collections' : 'pages']++;
      if (extension === '.md' && needsTitle(file, item)) await writeTitle(join(folder, file), item);
      if (key !== undefined) keys.take(key);
      const entry = keys.isEmpty ? null : entryOf(file, item);
      if (entry) await entries.add(entry);
    }
    await entries.flush();
    await siblings.remove();
    return { list, longest };
  }

  /** Places what is below a collection. */
  private async look(
    { id, title, extension, path }: StagedItem,
    above: readonly OpenCollection[],
  ): Promise<Found> {
    if (extension === '') {
      const open: OpenCollection = { title, original: undefined };
      const placed = await this.place(id, this.staged.pathOf(id), [...above, open]);
      return { original: open.original, placed };
    }
    const segments = path?.split('/') ?? [];
    // A page that somebody has moved in came from another folder.
    for (const [distance, open] of above.toReversed().entries()) {
      const folder = segments.at(-2 - distance);
      if (folder !== undefined && mayBeOf(folder, open.title, { isFolder: true }))
        open.original ??= folder;
    }
    return { original: extension === '.md' ? originalOf(path) : undefined };
  }
}

/** What a sync may take a key from; null: it takes none from the file. */
function entryOf(
  file: string,
  { extension, key, namedKey, placed }: NamedItem,
): PlacedEntry | null {
  if (placed) return { file, list: placed.list };
  const hasKey = key !== undefined || typeof namedKey === 'string';
  return extension === '.md' && hasKey ? { file, key, namedKey } : null;
}

/** How the file was called from which a page was imported. */
function originalOf(path: string | undefined): string | undefined {
  const file = path?.split('/').at(-1);
  return file && isMarkdown(file) ? file : undefined;
}

/**
 * Whether front matter is to carry a page's title: an import would read another one from its file. What is there and is
 * no title stays. So does the title in the file of a page that 0.2.0 has imported: it read the name of the file, unless
 * an export would have written this name for the title.
 */
function needsTitle(file: string, item: NamedItem): boolean {
  const { title, frontMatterTitle, path, isOriginal } = item;
  if (frontMatterTitle === null) return false;
  if (isSameTitle(pageTitleOf(file, frontMatterTitle).title, title)) return false;
  const isPage = { isFolder: false };
  const wasIgnored =
    isCutFrom(originalOf(path) ?? file, title, isPage) ||
    (frontMatterTitle !== undefined &&
      isSameTitle(titleOf(file, isPage), title) &&
      !standsFor(file, frontMatterTitle, isPage));
  return !(isOriginal && wasIgnored);
}

const writeTitle = async (file: string, { title }: StagedItem): Promise<void> =>
  writeFile(file, withTitle(await readFile(file, 'utf8'), title));
