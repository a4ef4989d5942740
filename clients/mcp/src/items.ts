import {
  type ChangedItem,
  type Collection,
  type Deletion,
  type FoundCollection,
  type ItemRef,
  type PageVersion,
  type SnippetPart,
  titleOf,
} from 'teamspaces-client';
import { z } from 'zod';

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

const KIND = z.enum(['page', 'collection']);

const TITLE = z.string().describe('What people see.');
const NAME = z.string().describe('Short label, by default the beginning of the title.');
const ANCESTORS = z.array(z.string()).describe('Titles from the top level down.');

/** An item without its content, which the model has just sent. */
export const HEAD = {
  id: z.string(),
  title: TITLE,
  name: NAME,
  kind: KIND,
  slug: z.string(),
  parent: z.string().nullable().describe('Id of the parent; null: the top level.'),
};

/** An item with its content. */
export const PAGE = {
  ...HEAD,
  ancestors: ANCESTORS.exactOptional(),
  updatedAt: z.string(),
  content: z.record(z.string(), z.unknown()).exactOptional().describe('Of a page only.'),
};

/** An item that was found by its title or its text. */
export const FOUND = z.object({
  ...{ id: HEAD.id, title: TITLE, name: NAME, kind: KIND, slug: HEAD.slug },
  workspace: z.string().describe('Slug of its workspace.'),
  ancestors: ANCESTORS,
  snippet: z
    .string()
    .exactOptional()
    .describe('Part of the text, with the matches between ** and **; absent if the title matched.'),
});

interface Node {
  id: string;
  title: string;
  name: string;
  kind: 'page' | 'collection';
  slug: string;
  children?: Node[];
}

/** An item of a tree, with its children. */
export const NODE: z.ZodType<Node> = z.object({
  ...{ id: HEAD.id, title: TITLE, name: NAME, kind: KIND, slug: HEAD.slug },
  get children() {
    return z.array(NODE).exactOptional();
  },
});

/** A version of a page without its content. */
export const VERSION_HEAD = {
  ...{ version: z.number(), since: z.string(), until: z.string() },
  by: z.string().nullable().describe('Name of who wrote it; null: unknown.'),
};

/** A deleted item, with all that was below it. */
export const DELETION = z.object({
  ...{ id: z.string(), title: TITLE, name: NAME, kind: KIND },
  parent: z.string().exactOptional().describe('Id of the parent that it had.'),
  ...{ pages: z.number(), collections: z.number() },
  ...{ deletedAt: z.string(), expiresAt: z.string() },
  deletedBy: z.object({ _id: z.string(), name: z.string() }).nullable(),
});

const kindOf = (object: Collection['object']): z.infer<typeof KIND> =>
  object === 'item' ? 'page' : 'collection';

/** An item with its content, for a model. */
export const pageOf = (item: Collection) => ({
  ...headOf(item),
  ...(item.ancestors && { ancestors: item.ancestors.map(titleOf) }),
  updatedAt: item.updatedAt,
  ...(item.object === 'item' && { content: item.content ?? {} }),
});

/** An item without its content. */
export const headOf = ({ id, name, object, parent, meta }: Collection | ChangedItem) => ({
  ...{ id, title: meta.title, name, kind: kindOf(object), slug: meta.slug, parent: parent ?? null },
});

/** An item that was found, for a model. */
export const foundOf = ({ id, name, object, meta, snippet, ...found }: FoundCollection) => ({
  ...{ id, title: meta.title, name, kind: kindOf(object), slug: meta.slug },
  workspace: found.workspaceMeta.slug,
  ancestors: found.ancestors.map(titleOf),
  ...(snippet && { snippet: emphasized(snippet) }),
});

/** One string, which models read as Markdown: the parts as JSON would take several times as many tokens. */
const emphasized = (snippet: readonly SnippetPart[]): string =>
  snippet.map(({ text, match }) => (match ? `**${text}**` : text)).join('');

/** A version of a page without its content, for a model. */
export const versionOf = ({ version, since, until, by }: PageVersion) => ({
  ...{ version, since, until, by: by?.name ?? null },
});

/** A deletion, for a model. */
export const deletionOf = (deletion: Deletion) => ({
  ...deletion,
  title: titleOf(deletion),
  kind: kindOf(deletion.object),
});

/** The first `limit` items of a tree, in order, without contents; and whether that is all of it. */
export function treeOf(items: readonly Collection[], limit: number) {
  let left = limit;
  const nodesOf = (siblings: readonly Collection[]): Node[] => {
    const nodes: Node[] = [];
    for (const { id, name, object, meta, children } of siblings) {
      if (left-- <= 0) break;
      const { title, slug } = meta;
      const node: Node = { id, title, name, kind: kindOf(object), slug };
      nodes.push(node);
      if (children) node.children = nodesOf(children);
    }
    return nodes;
  };
  const nodes = nodesOf(items);
  return { items: nodes, complete: left >= 0 };
}
