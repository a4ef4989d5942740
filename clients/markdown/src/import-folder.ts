import {
  type Collection,
  type CreateCollectionsRequest,
  type TeamspacesClient,
  TeamspacesError,
} from 'teamspaces-client';
import { batchesOf, type Draft, withPath } from './batches.js';
import { type Gap, gapsOf } from './existing-tree.js';
import { readFolder } from './folder.js';
import { fileOf, sourcePath } from './page-content.js';
import { readPages } from './page-reader.js';
import { type Place, Workspace } from './workspace.js';

/** What an import creates and finds. */
export interface ImportPlan {
  /** Pages that are to be created. */
  pages: number;
  collections: number;
  /** Files that are pages already. */
  present: number;
  /** Files that are no Markdown, and links. */
  leftOut: string[];
  /** Files that are pages already, with another content than the file. */
  different: string[];
  /** Folders that are in another order in the workspace, as somebody has moved things. */
  outOfOrder: string[];
  /** Files that are more than one page. */
  duplicates: string[];
}

export interface ImportOptions extends Place {
  folder: string;
  /** Makes the plan, and creates nothing. */
  dryRun?: boolean;
  /** Told once, before anything is created. */
  onPlan?: (plan: ImportPlan) => void;
  /** Told after each request that created something: how many items there are of how many. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Creates what is not there yet of a folder of Markdown files, and changes nothing else. A page is
 * known by the path that its content names: so an interrupted import continues where it stopped.
 *
 * @throws UnsuitableFilesError, WorkspaceNotFoundError, TeamspacesError, NoResponseError; Error: no
 *   folder, no right to write, no room in the team's plan
 */
export async function importFolder(
  client: TeamspacesClient,
  options: ImportOptions,
): Promise<ImportPlan> {
  const { folder, dryRun = false, signal, onPlan, onProgress } = options;
  const { entries, files, leftOut, read } = await readFolder(folder, signal);
  const workspace = new Workspace(client, options);
  const room = await workspace.room();
  const tree = await workspace.tree();
  const sources = new Map<string, string>();
  const present = new Set<string>();
  const [different, duplicates]: [string[], string[]] = [[], []];
  for await (const { id, content } of readPages(workspace, tree)) {
    const path = sourcePath(content)?.normalize();
    if (path === undefined) continue;
    sources.set(id, path);
    if (!files.has(path)) continue;
    if (present.has(path)) duplicates.push(path);
    present.add(path);
    const isSame = fileOf(await read(path))?.text === fileOf(content)?.text;
    if (!isSame) different.push(path);
  }
  const { gaps, outOfOrder } = gapsOf(entries, tree, sources);
  const total = gaps.flatMap(({ drafts }) => drafts).reduce((sum, { items }) => sum + items, 0);
  const pages = files.size - present.size;
  const found = { present: present.size, leftOut, different, outOfOrder, duplicates };
  const plan = { pages, collections: total - pages, ...found };
  if (pages > room) {
    throw new Error(
      `The team's plan has room for ${room} more pages, and ${pages} are to be imported.`,
    );
  }
  onPlan?.(plan);
  if (dryRun) return plan;
  let done = 0;
  await createAll(workspace, gaps, {
    read: async (path) => ({ ...(await read(path)) }),
    onCreated: (items) => {
      done += items;
      onProgress?.(done, total);
    },
  });
  return plan;
}

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
async function createAll(
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
      const { title, path, entries } = entry;
      items.push(
        entries
          ? { title, object: 'collection', children: await itemsOf(children) }
          : { title, object: 'item', content: await read(path) },
      );
    }
    return items;
  }
}
