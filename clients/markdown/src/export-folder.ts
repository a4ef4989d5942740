import type { Collection, TeamspacesClient } from 'teamspaces-client';
import { writeJson } from './exact-json.js';
import { fileNames, isMarkdown, nameOf } from './file-names.js';
import { keysByPath } from './folder.js';
import { frontMatterKey, sourcePath, textOf, withKey } from './page-content.js';
import { everyItem, pagesIn, readPages } from './page-reader.js';
import { type FileToWrite, TargetFolder } from './target-folder.js';
import { type Place, Workspace } from './workspace.js';

export interface ExportOptions extends Place {
  folder: string;
  /** What keys begin with, as for syncFolder(); the name of the folder if absent. */
  name?: string | undefined;
  /** The folder may hold something: files of the same name are replaced, the others stay. */
  force?: boolean;
  /** Told first with 0, then for each page: how many are read of how many. */
  onProgress?: (done: number, total: number) => void;
}

/** What an export wrote. */
export interface ExportReport {
  pages: number;
  collections: number;
}

/** What naming a page's file, and writing its key, takes to know of its content. */
interface Source {
  path: string | null;
  /** The key in the front matter. */
  key: unknown;
  extension: '.md' | '.json';
}

/**
 * Writes a workspace to a new or empty folder: a new one is there whole, or not at all. A page whose
 * content is not that of a Markdown page becomes a `.json` file that holds the content. Where a sync of the folder
 * would take a page for another one, the page's key is written into its front matter.
 *
 * @throws WorkspaceNotFoundError, TeamspacesError, NoResponseError; Error: the folder holds something,
 *   or cannot be written
 */
export async function exportFolder(
  client: TeamspacesClient,
  options: ExportOptions,
): Promise<ExportReport> {
  const { folder, force = false, onProgress, signal } = options;
  const target = await TargetFolder.open(folder, { force });
  try {
    const workspace = new Workspace(client, options);
    const tree = await workspace.tree();
    const total = pagesIn(tree).length;
    const sources = new Map<string, Source>();
    onProgress?.(0, total);
    for await (const { id, content } of readPages(workspace, tree)) {
      signal?.throwIfAborted();
      const text = textOf(content);
      await target.put(id, text ?? `${writeJson(content)}\n`);
      sources.set(id, {
        ...{ path: sourcePath(content), key: frontMatterKey(content) },
        extension: text === null ? '.json' : '.md',
      });
      onProgress?.(sources.size, total);
    }
    const files = filesOf(tree, sources, '');
    const keys = new Map(everyItem(tree).map(({ id, key }) => [id, key]));
    const keyOf = keysByPath(options);
    for (const { path, page = '' } of files) {
      const [key, source] = [keys.get(page), sources.get(page)];
      const isDerived = key === (source?.key ?? keyOf(path));
      if (key === undefined || source?.extension !== '.md' || isDerived) continue;
      await target.edit(page, (text) => withKey(text, key));
    }
    await target.finish(files);
    return { pages: sources.size, collections: files.length - sources.size };
  } finally {
    await target.close();
  }
}

type Sources = ReadonlyMap<string, Source>;

/** The files and folders of a tree, in its order, each folder before what is in it. */
function filesOf(tree: readonly Collection[], sources: Sources, folder: string): FileToWrite[] {
  // A page that was deleted meanwhile has no source.
  const items = tree.filter(({ id, object }) => object !== 'item' || sources.has(id));
  const names = fileNames(
    items.map((item) => ({
      name: item.name,
      original: originalOf(item, sources),
      extension: sources.get(item.id)?.extension ?? '',
    })),
  );
  return items.flatMap(({ id, object, children = [] }, n): FileToWrite[] => {
    const path = `${folder}${names[n]}`;
    if (object === 'item') return [{ path, page: id }];
    return [{ path }, ...filesOf(children, sources, `${path}/`)];
  });
}

/** How the file or folder was called that an item came from. */
function originalOf(item: Collection, sources: Sources): string | undefined {
  if (item.object === 'item') {
    const { path, extension } = sources.get(item.id) as Source;
    const file = path?.split('/').at(-1);
    return extension === '.md' && file && isMarkdown(file) ? file : undefined;
  }
  // A page that somebody has moved in came from another folder.
  for (const folder of foldersOf(item, sources)) {
    if (nameOf(folder, { isFolder: true }) === item.name) return folder;
  }
  return undefined;
}

/** What the pages below a collection say of how its folder was called. */
function* foldersOf({ children = [] }: Collection, sources: Sources, level = 2): Generator<string> {
  for (const child of children) {
    const folder = sources.get(child.id)?.path?.split('/').at(-level);
    if (folder !== undefined) yield folder;
    yield* foldersOf(child, sources, level + 1);
  }
}
