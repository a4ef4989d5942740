import { BadRequestError, type Collection, NotFoundError } from 'teamspaces-client';
import type { Workspace } from './workspace.js';

/** Most pages with content in one response: at most 1 MiB each. */
const AT_ONCE = 100;
/** Characters that a response should have: where one has more, the next is for fewer pages. */
const RESPONSE_SIZE = 8 * 1024 * 1024;
/** Siblings that the service lists at once. */
const MAX_LIMIT = 1000;

/** All items of a tree, each collection before what is in it. */
export const everyItem = (tree: readonly Collection[]): Collection[] =>
  tree.flatMap((item) => [item, ...everyItem(item.children ?? [])]);

export const pagesIn = (tree: readonly Collection[]): Collection[] =>
  everyItem(tree).filter(({ object }) => object === 'item');

/**
 * Reads the contents of all pages of a tree. What others do meanwhile may be seen or not; a page that
 * is deleted meanwhile is left out, and none comes twice.
 */
export async function* readPages(
  workspace: Workspace,
  tree: readonly Collection[],
): AsyncGenerator<{ id: string; content: object }> {
  const unread = new Set(pagesIn(tree).map(({ id }) => id));
  for await (const items of readLists(workspace, tree)) {
    for (const { id, content = {} } of everyItem(items)) {
      if (unread.delete(id)) yield { id, content };
    }
  }
  // Moved meanwhile.
  for (const id of unread) {
    const item = await workspace.item(id);
    if (item) yield { id, content: item.content ?? {} };
  }
}

/** Reads siblings with all below them, some dozens of pages in a response. */
async function* readLists(
  workspace: Workspace,
  siblings: readonly Collection[],
  parent?: string,
  pace = { pages: AT_ONCE / 5 },
): AsyncGenerator<Collection[]> {
  const sizes = siblings.map((item) => pagesIn([item]).length);
  /** What is in a collection that is too large for a response is read by itself. */
  const isLarge = (index: number) => (sizes[index] as number) > AT_ONCE;
  const end = sizes.findLastIndex((size) => size > 0 && size <= AT_ONCE) + 1;
  try {
    let cursor: string | null = '';
    for (let first = 0, next = 0; first < end && cursor !== null; first = next) {
      let pages = 0;
      do pages += isLarge(next) ? 0 : (sizes[next] as number);
      while (
        ++next < end &&
        next < first + MAX_LIMIT &&
        isLarge(next) === isLarge(first) &&
        (isLarge(next) || pages + (sizes[next] as number) <= pace.pages)
      );
      const list = await workspace.list({
        ...(parent && { parent }),
        ...(cursor && { cursor }),
        ...(isLarge(first) && { depth: 1 }),
        limit: next - first,
      });
      cursor = list.cursor;
      const fitting = Math.floor((RESPONSE_SIZE * pages) / list.size);
      if (pages > 0) pace.pages = Math.max(1, Math.min(AT_ONCE, fitting));
      yield list.items;
    }
  } catch (error) {
    // Deleted, or put in another order, meanwhile.
    if (!(error instanceof NotFoundError || error instanceof BadRequestError)) throw error;
  }
  for (const [index, { id, children = [] }] of siblings.entries()) {
    if (isLarge(index)) yield* readLists(workspace, children, id, pace);
  }
}
