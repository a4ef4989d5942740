import pLimit from 'p-limit';
import { ApiError, type Item, type Page, type WorkspaceClient } from './workspace-client.js';

/** A collection or page, and what was made of the page's content. */
export interface Node<Seen> extends Omit<Item, 'children'> {
  /** Undefined for a collection. */
  seen: Seen | undefined;
  children: Node<Seen>[];
}

/** Lists read at once. */
const PARALLEL = 4;
const NOT_FOUND = 404;

/**
 * Reads a workspace: first its tree, then the contents, a few dozen at a time, so that no answer
 * grows with the workspace. What others do meanwhile may be seen or not; a page that is deleted
 * meanwhile is left out.
 *
 * @param look what is to be remembered of a page
 * @param counted is told how many pages there are
 */
export async function readWorkspace<Seen>(
  client: WorkspaceClient,
  look: (page: Page) => Seen | Promise<Seen>,
  counted: (pages: number) => void = () => undefined,
): Promise<Node<Seen>[]> {
  const tree = await client.tree();
  const { pages, parents } = pagesOf(tree);
  counted(pages.size);
  const seen = new Map<string, Seen>();
  const remember = async (page: Page | null) => {
    if (page && pages.has(page.id)) seen.set(page.id, await look(page));
  };
  await inParallel([...parents], async (parent) => {
    try {
      for await (const page of client.pagesIn(parent)) await remember(page);
    } catch (error) {
      // The collection was deleted meanwhile.
      if (!(error instanceof ApiError && error.status === NOT_FOUND)) throw error;
    }
  });
  const moved = [...pages].filter((id) => !seen.has(id));
  await inParallel(moved, async (id) => remember(await client.page(id)));
  return nodesOf(tree, seen);
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const limit = pLimit(PARALLEL);
  try {
    await Promise.all(all.map((one) => limit(work, one)));
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
}

/** The ids of all pages, and of the collections that hold them (null: the top level). */
function pagesOf(
  items: readonly Item[],
  parent: string | null = null,
  found = { pages: new Set<string>(), parents: new Set<string | null>() },
) {
  for (const { id, object, children = [] } of items) {
    if (object === 'item') {
      found.pages.add(id);
      found.parents.add(parent);
    }
    pagesOf(children, id, found);
  }
  return found;
}

const nodesOf = <Seen>(items: readonly Item[], seen: ReadonlyMap<string, Seen>): Node<Seen>[] =>
  items
    .filter(({ id, object }) => object === 'collection' || seen.has(id))
    .map((item) => ({
      ...item,
      seen: seen.get(item.id),
      children: nodesOf(item.children ?? [], seen),
    }));
