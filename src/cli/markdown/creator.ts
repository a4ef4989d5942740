import { batchesOf, type Draft, draftsOf, entriesOf, withPath } from './batches.js';
import type { ExistingItem, ExistingTree } from './existing-tree.js';
import { type Entry, readPage } from './folder.js';
import { ApiError, type Item, type NewItem, type WorkspaceClient } from './workspace-client.js';

/** Creates what is missing beside what is present; what it finds there stays where it is. */
export class Creator {
  constructor(
    private readonly client: WorkspaceClient,
    private readonly root: string,
    private readonly existing: ExistingTree,
    private readonly created: (entry: Entry) => void,
  ) {}

  /** @throws ApiError, NoAnswerError: some batches may have been created */
  async createAll(entries: readonly Entry[]): Promise<void> {
    await this.fill(null, entries, this.existing.tree);
  }

  private async fill(
    parent: string | null,
    entries: readonly Entry[],
    siblings: readonly ExistingItem[],
  ): Promise<void> {
    const { items, inPlace } = this.existing.match(entries, siblings);
    let missing: Draft[] = [];
    let created = 0;
    /** How many siblings stand before what is missing, without those created here. */
    let before = 0;
    for (const entry of entries) {
      const item = items.get(entry);
      if (!item) {
        missing.push(...draftsOf(entry, (path) => this.existing.isPage(path)));
      } else if (inPlace.has(item)) {
        await this.create(parent, missing, before + created);
        created += missing.length;
        missing = [];
        before = siblings.indexOf(item, before) + 1;
      }
    }
    await this.create(parent, missing);
    for (const [{ entries: inside }, { id, children }] of items) {
      if (inside) await this.fill(id, inside, children);
    }
  }

  /** Creates siblings, the first of them at `index`, or all at the end. */
  private async create(
    parent: string | null,
    drafts: readonly Draft[],
    index?: number,
  ): Promise<void> {
    let done = 0;
    for (const batch of batchesOf(drafts)) {
      const items = await this.send(parent, batch, index === undefined ? index : index + done);
      done += batch.length;
      for (const entry of entriesOf(batch)) this.created(entry);
      for (const [n, { later }] of batch.entries()) {
        if (later.length > 0) await this.create((items[n] as Item).id, later);
      }
    }
  }

  private async send(
    parent: string | null,
    batch: readonly Draft[],
    index: number | undefined,
  ): Promise<Item[]> {
    const items = await this.itemsOf(batch);
    try {
      return await this.client.create({ parent, index, items });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new ApiError(error.status, withPath(error.message, batch));
    }
  }

  /** Reads one file after the other: a batch may hold more than a process may have open. */
  private async itemsOf(drafts: readonly Draft[]): Promise<NewItem[]> {
    const items: NewItem[] = [];
    for (const { entry, children } of drafts) {
      const { name, path, entries } = entry;
      items.push(
        entries
          ? { name, object: 'collection', children: await this.itemsOf(children) }
          : { name, object: 'item', content: await readPage(this.root, path) },
      );
    }
    return items;
  }
}
