import { randomUUID } from 'node:crypto';
import type { ItemBody } from '../support/builders.js';
import { everyItem } from '../support/tree.js';
import type { Shown } from './history.js';

/** An item of a response, single or in a list. */
export type Body = ItemBody & {
  content?: object;
  ancestors?: { id: string; name: string; slug: string }[];
};

/** The workspace that a history is about; nobody else takes its slug. */
export interface WorkspaceOfHistory {
  id: string;
  slug: string;
  /** Slug. */
  team: string;
}

/** What the clients of one workspace have learned from responses, some of it no longer true. */
export class Knowledge {
  private readonly keys = new Map<string, string>();
  private readonly ids = new Map<string, string>();
  readonly objects = new Map<string, 'collection' | 'item'>();
  /** The last ETag of an item that was seen. */
  readonly etags = new Map<string, string>();
  /** The ETag of the last whole tree that was seen. */
  listEtag: string | undefined;
  private readonly children = new Map<string | null, string[]>();

  constructor(readonly workspace: WorkspaceOfHistory) {}

  /** The children of a parent, as they were last seen. */
  childrenOf(parent: string | null): readonly string[] {
    return this.children.get(parent) ?? [];
  }

  learn(items: readonly Body[]): void {
    for (const { id, object, meta, children } of everyItem(items)) {
      if (!this.keys.has(id)) this.keys.set(id, meta.slug);
      if (!this.ids.has(meta.slug)) this.ids.set(meta.slug, id);
      this.objects.set(meta.slug, object);
      if (children) this.children.set(meta.slug, children.map(keyOf));
    }
  }

  learnTop(parent: string | null, items: readonly Body[]): void {
    this.children.set(parent, items.map(keyOf));
  }

  /** The id to send for a key; one that does not exist for a key that nobody has seen. */
  idOf(key: string): string {
    const id = this.ids.get(key) ?? randomUUID();
    this.ids.set(key, id);
    return id;
  }

  /** What a response shows, as the model says it. An id with two slugs, or two with one, has no key. */
  shown(
    item: Body,
    { single = false, below }: { single?: boolean; below?: string | undefined } = {},
  ): Shown {
    const { id, name, object, parent, content, children, ancestors, meta } = item;
    const isKnown = this.keys.get(id) === meta.slug && this.ids.get(meta.slug) === id;
    const isHere = single || parent === below;
    return {
      id: isKnown && isHere ? meta.slug : `${meta.slug} (${id} in ${parent})`,
      name,
      object,
      // Nobody may ever have seen that parent.
      ...(single && { parent: parent === undefined ? null : this.keys.get(parent) }),
      ...(content && { content: JSON.stringify(content) }),
      ...(ancestors && {
        ancestors: ancestors.map(({ id, name, slug }) => ({
          id: this.keys.get(id) === slug || !this.keys.has(id) ? slug : `${slug} (${id})`,
          name,
          object: 'collection',
        })),
      }),
      ...(children && { children: children.map((child) => this.shown(child, { below: id })) }),
    };
  }
}

const keyOf = ({ meta }: ItemBody): string => meta.slug;
