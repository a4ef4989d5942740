import type { Node } from './workspace-reader.js';

/** What a page's content says of where it came from. */
export interface Source {
  /** Its file, from the imported folder, with slashes; null: it was not imported. */
  path: string | null;
}

/** The folder that a collection came from. */
export interface SourceFolder {
  path: string;
  /** How many pages say so. */
  pages: number;
  /** They lie in the collection itself, not only in others below it. */
  isDirect: boolean;
}

/** Where collections came from, by their ids: what most of the pages in them, or below them, say. */
export function sourceFoldersOf(items: readonly Node<Source>[]): Map<string, SourceFolder> {
  const sourceFolders = new Map<string, SourceFolder>();
  for (const item of items) votesFor(item, sourceFolders);
  return sourceFolders;
}

/** Counts the folders that a collection may have been; the paths of the pages below it say which. */
function votesFor(
  item: Node<Source>,
  sourceFolders: Map<string, SourceFolder>,
): Map<string, number> {
  const direct = new Map<string, number>();
  const all = new Map<string, number>();
  for (const child of item.children) {
    const path = child.seen?.path;
    if (path) for (const votes of [direct, all]) vote(votes, parentOf(path), 1);
    for (const [folder, pages] of votesFor(child, sourceFolders))
      vote(all, parentOf(folder), pages);
  }
  const isDirect = direct.size > 0;
  const [most] = [...(isDirect ? direct : all)].sort(([, a], [, b]) => b - a);
  if (most) sourceFolders.set(item.id, { path: most[0], pages: most[1], isDirect });
  return all;
}

/** No collection came from the folder that was imported itself: its items are at the top level. */
function vote(votes: Map<string, number>, folder: string, pages: number): void {
  if (folder !== '') votes.set(folder, (votes.get(folder) ?? 0) + pages);
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
