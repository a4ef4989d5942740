import { everyItem } from '../support/tree.js';
import type { Body, TeamOfTrees } from '../support/tree-model/requests.js';

/** An item that was seen. */
export interface Seen {
  object: 'collection' | 'item';
  /** The first one that was seen. */
  slug: string;
  /** Slug of the workspace where it was seen last. */
  workspace: string;
}

/** What the clients of a history have learned from responses, some of it no longer true. */
export class Knowledge {
  /** By ids, the first that was seen first. */
  readonly items = new Map<string, Seen>();
  /** What lies below the roots of copies, by ids: its original, and the name of that root. */
  readonly copied = new Map<string, { of: string; within: string }>();
  /** The last ETag of an item that was seen; of a workspace: of its whole tree. */
  readonly etags = new Map<string, string>();
  private readonly children = new Map<string, readonly string[]>();

  constructor(readonly team: TeamOfTrees) {}

  /** The children of a parent, or the top level of a workspace, as they were last seen. */
  childrenOf(parent: string): readonly string[] {
    return this.children.get(parent) ?? [];
  }

  learn(items: readonly Body[]): void {
    for (const { id, object, meta, workspace, children } of everyItem(items) as Body[]) {
      const slug = this.items.get(id)?.slug ?? meta.slug;
      this.items.set(id, { object, slug, workspace: this.slugOf(workspace) });
      if (children) this.learnChildren(id, children);
    }
  }

  learnChildren(parent: string, children: readonly Body[]): void {
    this.children.set(
      parent,
      children.map(({ id }) => id),
    );
  }

  learnCopy(within: string, { id, ids = {} }: Body): void {
    for (const [of, copy] of Object.entries(ids)) {
      if (copy !== id) this.copied.set(copy, { of, within });
    }
  }

  /** The slug of a workspace. */
  slugOf(workspace: string): string {
    const { workspaces } = this.team;
    return [...workspaces].find(([, id]) => id === workspace)?.[0] ?? workspace;
  }
}
