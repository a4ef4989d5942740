import { type Collection, type CreateCollectionsRequest, TeamspacesError } from 'teamspaces-client';
import { batchesOf, type Draft, withPath } from './batches.js';
import type { Gap } from './existing-tree.js';
import type { Workspace } from './workspace.js';

interface Creating {
  /** The content of a file's page. */
  read: (path: string) => Promise<Record<string, unknown>>;
  /** Told after each batch: how many items it had. */
  onCreated: (items: number) => void;
}

/**
 * Creates siblings in batches, one after the other, gap by gap.
 * @throws TeamspacesError: its message names the file; NoResponseError
 */
export async function createAll(
  workspace: Workspace,
  gaps: readonly Gap[],
  { read, onCreated }: Creating,
): Promise<void> {
  for (const gap of gaps) await fill(gap);

  async function fill({ parent, index, drafts }: Gap): Promise<void> {
    let next = index;
    for (const batch of batchesOf(drafts)) {
      const created = await send(parent, batch, next);
      if (next !== undefined) next += batch.length;
      onCreated(batch.reduce((sum, { items }) => sum + items, 0));
      for (const [n, { later }] of batch.entries()) {
        await fill({ parent: (created[n] as Collection).id, drafts: later });
      }
    }
  }

  async function send(
    parent: string | null,
    batch: readonly Draft[],
    index: number | undefined,
  ): Promise<Collection[]> {
    const items = await itemsOf(batch);
    try {
      const body = { parent, ...(index !== undefined && { index }), items };
      return await workspace.create(body, batch[0]?.entry.path ?? '');
    } catch (error) {
      if (error instanceof TeamspacesError) error.message = withPath(error.message, batch);
      throw error;
    }
  }

  /** Reads one file after the other: a batch may hold more than a process may have open. */
  async function itemsOf(drafts: readonly Draft[]): Promise<CreateCollectionsRequest['items']> {
    const items: CreateCollectionsRequest['items'] = [];
    for (const { entry, children } of drafts) {
      const { name, path, entries } = entry;
      items.push(
        entries
          ? { name, object: 'collection', children: await itemsOf(children) }
          : { name, object: 'item', content: await read(path) },
      );
    }
    return items;
  }
}
