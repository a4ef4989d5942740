import {
  type ChangedItem,
  type Collection,
  type Deletion,
  etagOf,
  type FoundCollection,
  type PageVersion,
  type SnippetPart,
  titleOf,
} from 'teamspaces-client';
import { z } from 'zod';
import { ANY_OBJECT } from './arguments.js';

/** As many items as the server remembers; the oldest ones are forgotten first. */
const REMEMBERED = 1000;

/**
 * The items as the model has last seen them, where one server serves one model. A change of one that it has seen is sent
 * with its ETag, and is refused if somebody else has changed the item since. Over HTTP nothing is remembered between
 * calls: there the model passes the ETag itself.
 */
export class Items {
  readonly #etags = new Map<string, string>();

  /** Call it with every record that the model is shown with its content. */
  see(item: Collection): Collection {
    this.seeEtag(item.id, etagOf(item));
    return item;
  }

  /** The item has this ETag now; undefined: it is not known. */
  seeEtag(id: string, etag: string | undefined): void {
    this.#etags.delete(id);
    if (etag === undefined) return;
    this.#etags.set(id, etag);
    const [oldest] = this.#etags.keys();
    if (oldest !== undefined && this.#etags.size > REMEMBERED) this.#etags.delete(oldest);
  }

  /** The condition of a change: the ETag that the model passes, or the one of what it has seen. */
  ifMatch(id: string, given: string | undefined): { ifMatch?: string } {
    const etag = given === undefined ? this.#etags.get(id) : quoted(given);
    return etag === undefined ? {} : { ifMatch: etag };
  }
}

/** ETags are shown to models without their quotes, which they would have to escape. */
export const unquoted = (etag: string): string => etag.replaceAll('"', '');
const quoted = (etag: string): string => `"${unquoted(etag)}"`;

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
  etag: z
    .string()
    .exactOptional()
    .describe(
      'State of the item: pass it with a change, which then fails if somebody else was faster.',
    ),
};

/** An item with its content. */
export const PAGE = {
  ...HEAD,
  ancestors: ANCESTORS.exactOptional(),
  updatedAt: z.string(),
  content: ANY_OBJECT.exactOptional().describe('Of a page only.'),
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

type Node = {
  id: string;
  title: string;
  name: string;
  kind: 'page' | 'collection';
  slug: string;
  children?: Node[];
};

/** An item of a tree, with its children. Their schema does not refer to this one: some clients drop tools that do. */
export const NODE = z.object({
  ...{ id: HEAD.id, title: TITLE, name: NAME, kind: KIND, slug: HEAD.slug },
  children: z
    .array(ANY_OBJECT)
    .exactOptional()
    .describe(
      'Items of the same form, in order; absent on a collection whose children are not shown.',
    ),
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
export const headOf = (item: Collection | ChangedItem) => {
  const { id, name, object, parent, meta } = item;
  const etag = etagOf(item);
  return {
    ...{ id, title: meta.title, name, kind: kindOf(object), slug: meta.slug },
    parent: parent ?? null,
    ...(etag !== undefined && { etag: unquoted(etag) }),
  };
};

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

/**
 * A tree, in order, without contents: as many of its levels as have at most `limit` items together, the first level in
 * any case; and whether that is all of it. A collection whose children are not known has no `children`.
 */
export function treeOf(items: readonly Collection[], limit: number) {
  let levels = 1;
  let shown = items.length;
  let last = items;
  let next = childrenOf(last);
  while (next.length > 0 && shown + next.length <= limit) {
    levels++;
    shown += next.length;
    last = next;
    next = childrenOf(last);
  }
  const nodesOf = (siblings: readonly Collection[], level: number): Node[] =>
    siblings.map(({ id, name, object, meta, children }) => ({
      ...{ id, title: meta.title, name, kind: kindOf(object), slug: meta.slug },
      ...(children &&
        (level < levels || children.length === 0) && { children: nodesOf(children, level + 1) }),
    }));
  const isKnown = ({ object, children }: Collection) => object === 'item' || children !== undefined;
  return { items: nodesOf(items, 1), complete: next.length === 0 && last.every(isKnown) };
}

const childrenOf = (items: readonly Collection[]): Collection[] =>
  items.flatMap(({ children = [] }) => children);
