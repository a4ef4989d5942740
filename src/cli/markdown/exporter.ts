import { writeJson } from './exact-json.js';
import { fileNames, isMarkdown } from './file-names.js';
import { sourcePath, textOf } from './page-content.js';
import { type Source, type SourceFolder, sourceFoldersOf } from './source-folders.js';
import { type FileToWrite, TargetFolder } from './target-folder.js';
import type { WorkspaceClient } from './workspace-client.js';
import { type Node, readWorkspace } from './workspace-reader.js';

/** What naming a page's file takes to know of its content. */
interface Written extends Source {
  extension: '.md' | '.json';
}

/** How an export goes on. */
export interface ExportOptions {
  /** The folder may hold something: files of the same name are replaced, the others stay. */
  force?: boolean;
  /** Rejects when the export is to end before it is done. */
  interrupted?: Promise<never>;
  /** Told once: how many pages there are. */
  counted?(pages: number): void;
  /** Told for each page. */
  written?(): void;
}

/**
 * Writes a workspace to a new or empty folder. A page whose content is not that of a Markdown page
 * becomes a `.json` file that holds the content.
 *
 * @throws Error the folder holds something, or cannot be written; what `interrupted` rejects with
 */
export async function exportWorkspace(
  client: WorkspaceClient,
  folder: string,
  { force = false, interrupted, counted, written }: ExportOptions = {},
): Promise<{ pages: number; collections: number }> {
  const target = await TargetFolder.open(folder, { force });
  try {
    const look = async ({ id, content }: { id: string; content: object }): Promise<Written> => {
      const text = textOf(content);
      await target.put(id, text ?? `${writeJson(content)}\n`);
      written?.();
      return { path: sourcePath(content), extension: text === null ? '.json' : '.md' };
    };
    const reading = readWorkspace(client, look, counted);
    const tree = await (interrupted ? Promise.race([reading, interrupted]) : reading);
    const files = filesOf(tree, sourceFoldersOf(tree));
    await target.finish(files);
    const pages = files.filter(({ page }) => page !== undefined).length;
    return { pages, collections: files.length - pages };
  } finally {
    await target.close();
  }
}

/** The files and folders of a tree, in its order, each folder before what is in it. */
function filesOf(
  items: readonly Node<Written>[],
  sourceFolders: ReadonlyMap<string, SourceFolder>,
  folder: readonly string[] = [],
): FileToWrite[] {
  const names = fileNames(
    items.map((item) => ({
      name: item.name,
      original: originalOf(item, sourceFolders),
      extension: item.seen?.extension ?? '',
    })),
  );
  return items.flatMap(({ id, object, children }, n): FileToWrite[] => {
    const segments = [...folder, names[n] as string];
    const path = segments.join('/');
    if (object === 'item') return [{ path, page: id }];
    return [{ path }, ...filesOf(children, sourceFolders, segments)];
  });
}

/** How the file or folder was called that the item came from. */
function originalOf(
  { id, seen }: Node<Written>,
  sourceFolders: ReadonlyMap<string, SourceFolder>,
): string | undefined {
  if (!seen) return sourceFolders.get(id)?.path.split('/').at(-1);
  const file = seen.path?.split('/').at(-1);
  return seen.extension === '.md' && file && isMarkdown(file) ? file : undefined;
}
