import type { Node } from './workspace-reader.js';

/** What a page's content says of where it came from. */
export interface Origin {
  /** Its file, from the imported folder, with slashes; null: it was not imported. */
  path: string | null;
}

/** The folder that a collection came from. */
export interface FolderOrigin {
  path: string;
  /** How many pages say so. */
  pages: number;
  /** They lie in the collection itself, not only in others below it. */
  isDirect: boolean;
}

/** Where collections came from, by their ids: what most of the pages in them, or below them, say. */
export function originsOf(items: readonly Node<Origin>[]): Map<string, FolderOrigin> {
  const origins = new Map<string, FolderOrigin>();
  for (const item of items) votesFor(item, origins);
  return origins;
}

/** Counts the folders that a collection may have been; the paths of the pages below it say which. */
function votesFor(item: Node<Origin>, origins: Map<string, FolderOrigin>): Map<string, number> {
  const direct = new Map<string, number>();
  const all = new Map<string, number>();
  for (const child of item.children) {
    const path = child.seen?.path;
    if (path) for (const votes of [direct, all]) vote(votes, parentOf(path), 1);
    for (const [folder, pages] of votesFor(child, origins)) vote(all, parentOf(folder), pages);
  }
  const isDirect = direct.size > 0;
  const [most] = [...(isDirect ? direct : all)].sort(([, a], [, b]) => b - a);
  if (most) origins.set(item.id, { path: most[0], pages: most[1], isDirect });
  return all;
}

/** No collection came from the folder that was imported itself: its items are at the top level. */
function vote(votes: Map<string, number>, folder: string, pages: number): void {
  if (folder !== '') votes.set(folder, (votes.get(folder) ?? 0) + pages);
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
