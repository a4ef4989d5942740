import pLimit from 'p-limit';
import type { ExistingItem, ExistingTree } from './existing-tree.js';
import { type Entry, readPage } from './folder.js';
import { ApiError, type Item, type WorkspaceClient } from './workspace-client.js';

/** Requests at once: collections are filled side by side, each of them in order. */
const PARALLEL = 4;

/** Creates what is missing beside what is present; what it finds there stays where it is. */
export class Creator {
  private readonly limit = pLimit(PARALLEL);
  private failure: unknown = null;

  constructor(
    private readonly client: WorkspaceClient,
    private readonly root: string,
    private readonly existing: ExistingTree,
    private readonly created: (entry: Entry) => void,
  ) {}

  /**
   * Ends when every request that it sent has ended, so that the next look sees what they did.
   *
   * @throws ApiError, NoAnswerError: the first thing that went wrong
   */
  async createAll(entries: readonly Entry[]): Promise<void> {
    await this.fill(null, entries, this.existing.tree);
    if (this.failure !== null) throw this.failure;
  }

  private async fill(
    parent: string | null,
    entries: readonly Entry[],
    siblings: readonly ExistingItem[],
  ): Promise<void> {
    const { items, inPlace, unplaced } = this.existing.match(entries, siblings);
    const isInPlace = (entry: Entry) => inPlace.has(items.get(entry) as ExistingItem);
    const lastInPlace = entries.findLastIndex(isInPlace);
    const order = siblings.map(({ id }) => id).filter((id) => id !== unplaced?.id);
    const below: Promise<void>[] = [];
    /** Where among its siblings the entry before this one is. */
    let behind = -1;
    for (const [n, entry] of entries.entries()) {
      const item = items.get(entry);
      let id = item?.id;
      if (isInPlace(entry)) {
        behind = order.indexOf(id as string, behind + 1);
      } else if (item === undefined || item === unplaced) {
        // Last, unless what comes behind it is there already.
        const index = n < lastInPlace ? behind + 1 : null;
        const isThere = index === null && order.length === siblings.length - 1;
        if (item && !isThere) await this.move(entry, item.id, index ?? order.length);
        else if (!item && this.isMissing(entry)) id = await this.create(entry, parent, index);
        if (this.failure !== null) break;
        if (id !== undefined) {
          behind = index ?? order.length;
          order.splice(behind, 0, id);
        }
      }
      if (id !== undefined && entry.entries) {
        below.push(this.fill(id, entry.entries, item?.children ?? []));
      }
    }
    await Promise.all(below);
  }

  /** Creates an item, last or at `index`; answers its id. */
  private create(
    entry: Entry,
    parent: string | null,
    index: number | null,
  ): Promise<string | undefined> {
    return this.attempt(entry, async () => {
      const { id } = await this.send(entry, parent);
      this.created(entry);
      if (index !== null) await this.client.place(id, index);
      return id;
    });
  }

  private async move(entry: Entry, id: string, index: number): Promise<void> {
    await this.attempt(entry, () => this.client.place(id, index));
  }

  /** Runs `work` when it is its turn. Answers nothing once the import has failed. */
  private attempt<T>({ path }: Entry, work: () => Promise<T>): Promise<T | undefined> {
    return this.limit(async () => {
      if (this.failure !== null) return undefined;
      try {
        return await work();
      } catch (error) {
        this.failure ??= error instanceof ApiError ? error.about(path) : error;
        return undefined;
      }
    });
  }

  private async send({ name, path, entries }: Entry, parent: string | null): Promise<Item> {
    if (entries) return this.client.create({ name, object: 'collection', parent });
    const content = await readPage(this.root, path);
    return this.client.create({ name, object: 'item', parent, content });
  }

  private isMissing(entry: Entry): boolean {
    const { pages, collections } = this.existing.missing([entry], []);
    return pages + collections > 0;
  }
}
