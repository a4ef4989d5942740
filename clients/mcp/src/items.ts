import type { Collection, FoundCollection, ItemRef } from 'teamspaces-client';

/** As many items as the server remembers; the oldest ones are forgotten first. */
const REMEMBERED = 1000;

/**
 * The items as the model has last seen them. A change of one that it has seen is sent with the ETag that
 * the record remembers, and is refused if somebody else has changed the item since.
 */
export class Items {
  readonly #seen = new Map<string, Collection>();

  /** Call it with every record that the model is shown with its content. */
  see(item: Collection): Collection {
    this.#seen.delete(item.id);
    this.#seen.set(item.id, item);
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined && this.#seen.size > REMEMBERED) this.#seen.delete(oldest);
    return item;
  }

  /** The record, if the model has seen it; otherwise its id. */
  ref(id: string): ItemRef {
    return this.#seen.get(id) ?? id;
  }

  forget(id: string): void {
    this.#seen.delete(id);
  }
}

/** An item with its content, for a model. */
export const pageOf = (item: Collection) => ({
  ...headOf(item),
  ...(item.ancestors && { ancestors: item.ancestors.map((ancestor) => ancestor.name) }),
  updatedAt: item.updatedAt,
  ...(item.object === 'item' && { content: item.content }),
});

/** An item without its content, which the model has just sent. */
export const headOf = ({ id, name, object, parent, meta }: Collection) => ({
  ...{ id, name, kind: kindOf(object), slug: meta.slug, parent: parent ?? null },
});

/** An item that was found by its name, for a model. */
export const foundOf = ({ id, name, object, meta, ancestors, workspaceMeta }: FoundCollection) => ({
  ...{ id, name, kind: kindOf(object), slug: meta.slug },
  workspace: workspaceMeta.slug,
  ancestors: ancestors.map((ancestor) => ancestor.name),
});

export const kindOf = (object: Collection['object']) => (object === 'item' ? 'page' : 'collection');

export interface Node {
  id: string;
  name: string;
  kind: 'page' | 'collection';
  slug: string;
  children?: Node[];
}

/** The first `limit` items of a tree, in order, without contents; and whether that is all of it. */
export function treeOf(items: readonly Collection[], limit: number) {
  let left = limit;
  const nodesOf = (siblings: readonly Collection[]): Node[] => {
    const nodes: Node[] = [];
    for (const { id, name, object, meta, children } of siblings) {
      if (left-- <= 0) break;
      const node: Node = { id, name, kind: kindOf(object), slug: meta.slug };
      nodes.push(node);
      if (children) node.children = nodesOf(children);
    }
    return nodes;
  };
  const nodes = nodesOf(items);
  return { items: nodes, complete: left >= 0 };
}
