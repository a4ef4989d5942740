import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from 'teamspaces-client';
import { writeJson } from './exact-json.js';
import { KeyClaims } from './exported-keys.js';
import { isTitle } from './file-names.js';
import { problemOfKey } from './keys.js';
import { fileOf, sourcePath } from './page-content.js';
import { RowFile } from './row-file.js';

/** What naming an item's file or folder requires, and where it stands among its siblings. */
export interface StagedItem {
  id: string;
  title: string;
  position: string;
  extension: '.md' | '.json' | '';
  /** The item's key; absent: it has none. */
  key?: string;
  /** Of a Markdown page: what its front matter names as key; null: something that is no key. */
  namedKey?: string | null;
  /** Of a Markdown page: the title in its front matter; null: something that is no title. */
  frontMatterTitle?: string | null;
  /** Where a page's file was when it was imported. */
  path?: string;
}

/** Characters of the longest path that is remembered: longer ones are not from a disk. */
const MAX_PATH = 4096;

/**
 * A workspace's tree on disk, by ids: a file for each page, an empty folder for each collection, and for each list of
 * siblings a file of rows. Memory does not grow with the tree, but with the number of items that change while it is read.
 */
export class StagedTree {
  /** Pages that are there. */
  pages = 0;
  readonly keys = new KeyClaims();
  /** Of items that came more than once: which of their rows counts. */
  private readonly revisions = new Map<string, number>();

  private constructor(private readonly folder: string) {}

  /** @param folder exists, and is empty */
  static async create(folder: string): Promise<StagedTree> {
    await mkdir(join(folder, 'items'));
    await mkdir(join(folder, 'lists'));
    return new StagedTree(folder);
  }

  /** The file of a page, or the folder of a collection. Ids come from another machine: none leads out of the folder. */
  pathOf(id: string): string {
    return join(this.folder, 'items', nameOf(id));
  }

  /** Applies a page of the feed of changes. */
  async apply(changes: readonly Change[], signal?: AbortSignal): Promise<void> {
    const lists = new Map<string | undefined, RowFile<StagedRow>>();
    for (const { id, item } of changes) {
      signal?.throwIfAborted();
      if (!item) {
        await this.remove(id);
        continue;
      }
      const list = lists.get(item.parent) ?? this.listOf(item.parent);
      lists.set(item.parent, list);
      await list.add(await this.put(item));
    }
    for (const list of lists.values()) await list.flush();
  }

  /** The children of a collection in their order; undefined: the top level. */
  async *childrenOf(parent: string | undefined): AsyncGenerator<StagedItem, void, undefined> {
    for await (const row of this.listOf(parent).sorted(byPosition)) {
      if (row.revision === (this.revisions.get(row.id) ?? 0)) yield row;
    }
  }

  private listOf(parent: string | undefined): RowFile<StagedRow> {
    return new RowFile(join(this.folder, 'lists', parent === undefined ? 'top' : nameOf(parent)));
  }

  private async put(item: ChangedItem): Promise<StagedRow> {
    const { id, meta, position, object, key, content = {} } = item;
    const isPage = object === 'item';
    const file = isPage ? fileOf(content) : null;
    const isNew = isPage
      ? await this.create(id, file?.text ?? `${writeJson(content)}\n`)
      : await created(mkdir(this.pathOf(id)));
    if (isNew && isPage) this.pages++;
    if (!isNew) this.revise(id);
    const path = isPage ? sourcePath(content) : null;
    const named = namedBy(file?.frontMatter ?? {});
    const keys = { ...(key !== undefined && { key }), ...named };
    this.keys.note(keys);
    return {
      ...{ id, title: meta.title, position, revision: this.revisions.get(id) ?? 0, ...keys },
      extension: !isPage ? '' : file === null ? '.json' : '.md',
      ...(path !== null && path.length <= MAX_PATH && { path }),
    };
  }

  /** @returns false: the page was there already */
  private async create(id: string, text: string): Promise<boolean> {
    const path = this.pathOf(id);
    const isNew = await created(writeFile(path, text, { flag: 'wx' }));
    if (!isNew) await writeFile(path, text);
    return isNew;
  }

  private async remove(id: string): Promise<void> {
    const path = this.pathOf(id);
    const isPage = await rm(path).then(
      () => true,
      () => false,
    );
    if (isPage) this.pages--;
    else await rm(path, { recursive: true, force: true });
    this.revise(id);
  }

  private revise(id: string): void {
    this.revisions.set(id, (this.revisions.get(id) ?? 0) + 1);
  }
}

type ChangedItem = NonNullable<Change['item']>;
type StagedRow = StagedItem & { revision: number };

const nameOf = (id: string): string => `i${encodeURIComponent(id)}`;

const byPosition = (a: StagedRow, b: StagedRow): number =>
  a.position < b.position ? -1 : Number(a.position > b.position);

/** The key and the title that front matter names. */
function namedBy({
  key,
  title,
}: Record<string, unknown>): Pick<StagedItem, 'namedKey' | 'frontMatterTitle'> {
  const isKey = typeof key === 'string' && problemOfKey(key) === null;
  return {
    ...(key !== undefined && key !== null && { namedKey: isKey ? key : null }),
    ...(title !== undefined &&
      title !== null && { frontMatterTitle: isTitle(title) ? title : null }),
  };
}

/** False if something of this name existed already. */
async function created(creating: Promise<unknown>): Promise<boolean> {
  try {
    await creating;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
