import type { Node } from './workspace-reader.js';

/** What a page's content says of where it came from. */
export interface Origin {
  /** Its file, from the imported folder, with slashes; null: it was not imported. */
  path: string | null;
}

/** The folder that a collection came from, and how many of the pages below it say so. */
export interface FolderOrigin {
  path: string;
  pages: number;
}

/** Where collections came from, by their ids: the folders that most of the pages below name. */
export function originsOf(items: readonly Node<Origin>[]): Map<string, FolderOrigin> {
  const origins = new Map<string, FolderOrigin>();
  for (const item of items) votesFor(item, origins);
  return origins;
}

/** Counts the folders that a collection may have been; the paths of the pages below it say which. */
function votesFor(item: Node<Origin>, origins: Map<string, FolderOrigin>): Map<string, number> {
  const votes = new Map<string, number>();
  const vote = (folder: string, count: number) =>
    votes.set(folder, (votes.get(folder) ?? 0) + count);
  for (const child of item.children) {
    const path = child.seen?.path;
    if (path) vote(parentOf(path), 1);
    for (const [folder, count] of votesFor(child, origins)) vote(parentOf(folder), count);
  }
  votes.delete('');
  const [most] = [...votes].sort(([, a], [, b]) => b - a);
  if (most) origins.set(item.id, { path: most[0], pages: most[1] });
  return votes;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
