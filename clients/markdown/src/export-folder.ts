import type { TeamspacesClient } from 'teamspaces-client';
import { keysByPath } from './keys.js';
import { StagedTree } from './staged-tree.js';
import { TargetFolder } from './target-folder.js';
import { TreePlacement } from './tree-placement.js';
import { type Place, Workspace } from './workspace.js';

export interface ExportOptions extends Place {
  folder: string;
  /** What keys begin with, as for syncFolder(); the name of the folder if absent. */
  name?: string | undefined;
  /** The folder may hold something: files of the same name are replaced, the others stay. */
  force?: boolean;
  /** Called first with 0, then after each response: how many pages are read. */
  onProgress?: (pages: number) => void;
}

/** What an export wrote. */
export interface ExportReport {
  pages: number;
  collections: number;
}

/**
 * Writes a workspace, as it is at one moment, to a new or empty folder: a new one is written completely or not at all. A
 * page whose content is not that of a Markdown page becomes a `.json` file that holds the content. Front matter gets the
 * page's key where a sync of the folder would take the page for another one, and its title where an import would read
 * another one; a key that another item has is left out. Memory does not grow with the workspace, but for some dozens of
 * bytes for each page that has no key and names one in its front matter.
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
    const staged = await StagedTree.create(target.aside);
    let cursor: string | null = null;
    for (let more = true; more; ) {
      const page = await workspace.changes(cursor);
      // The workspace was found.
      if (cursor === null) onProgress?.(0);
      ({ cursor, more } = page);
      await staged.apply(page.changes, signal);
      onProgress?.(staged.pages);
    }
    const placement = new TreePlacement(staged, target, keysByPath(options), signal);
    const report = await placement.run();
    await target.finish();
    return report;
  } finally {
    await target.close();
  }
}
