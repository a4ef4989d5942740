import type { Caller } from './app.js';
import type { ItemBody } from './builders.js';
import { ok } from './builders.js';

/** An item of the feed. */
export type ReplicaItem = ItemBody & { position: string; content?: object };

export type ChangeBody =
  | { id: string; deleted: false; item: ReplicaItem }
  | { id: string; deleted: true };

/** A page of the feed. */
export interface ChangesBody {
  changes: ChangeBody[];
  cursor: string;
  more: boolean;
}

/** One page of the feed of the workspace that `query` names. */
export const changesOf = (
  caller: Caller,
  query: string,
  cursor: string | null = null,
  more = '',
): Promise<ChangesBody> =>
  ok<ChangesBody>(
    caller.get(`/collections/changes${query}${cursor === null ? '' : `&cursor=${cursor}`}${more}`),
  );

/** A copy of a workspace that follows nothing but the feed. */
export class Replica {
  readonly items = new Map<string, ReplicaItem>();
  cursor: string | null = null;
  /** Pages read, and changes on them. */
  pages = 0;
  changes = 0;

  /** @param more of the query, such as `&limit=7` */
  constructor(
    readonly query: string,
    private readonly more = '',
  ) {}

  /** Reads one page. @returns whether there is more */
  async step(caller: Caller): Promise<boolean> {
    const { changes, cursor, more } = await changesOf(caller, this.query, this.cursor, this.more);
    for (const change of changes) {
      if (change.deleted) this.items.delete(change.id);
      else this.items.set(change.id, change.item);
    }
    this.cursor = cursor;
    this.pages++;
    this.changes += changes.length;
    return more;
  }

  /** Reads pages until there is no more. */
  async follow(caller: Caller): Promise<void> {
    while (await this.step(caller));
  }

  /** What getCollections would return. */
  tree(): ItemBody[] {
    const childrenOf = new Map<string | undefined, ReplicaItem[]>();
    for (const item of this.items.values()) {
      childrenOf.set(item.parent, [...(childrenOf.get(item.parent) ?? []), item]);
    }
    const below = (parent: string | undefined): ItemBody[] =>
      (childrenOf.get(parent) ?? [])
        .sort((a, b) => (a.position < b.position ? -1 : 1))
        .map(({ position: _position, ...item }) =>
          item.object === 'collection' ? { ...item, children: below(item.id) } : item,
        );
    return below(undefined);
  }
}
