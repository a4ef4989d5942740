import { createHash } from 'node:crypto';

/** An item as the model has it. Never changed in place. */
export interface Item {
  name: string;
  object: 'collection' | 'item';
  parent: string | null;
  content: string;
  children: readonly string[];
  /** Changes of this item so far. */
  changes: number;
  /** Orders of its siblings that may have written it: which ones they write is the service's affair. */
  maybes: number;
}

/** What an ETag stands for: items with their counts of changes, in order. */
export type Tag = readonly (readonly [id: string, changes: number, maybes: number])[];

/** The state of the model, immutable: a tree as one would first write it, without positions. */
export class Tree {
  private text: string | undefined;

  private constructor(
    readonly items: ReadonlyMap<string, Item>,
    readonly top: readonly string[],
    /** Changes of the tree so far. */
    readonly changes: number,
    /** Idempotency keys under which something was done. */
    readonly keys: ReadonlySet<string>,
    /** What the ETags stand for that were given out. */
    readonly tags: ReadonlyMap<string, Tag>,
    /** By the deleted item: it, and all that was below it. */
    readonly trash: ReadonlyMap<string, ReadonlyMap<string, Item>>,
    /** The workspace itself is in the trash of its team. */
    readonly isInTrash: boolean,
  ) {}

  static readonly EMPTY = new Tree(new Map(), [], 0, new Set(), new Map(), new Map(), false);

  children(parent: string | null): readonly string[] {
    return parent === null ? this.top : (this.items.get(parent)?.children ?? []);
  }

  /** True for an item, and for all that it lies in. */
  isAtOrAbove(id: string, of: string | null): boolean {
    for (let up = of; up !== null; up = this.items.get(up)?.parent ?? null) {
      if (up === id) return true;
    }
    return false;
  }

  /** A new item at an index; past the end means the end. */
  insert(id: string, item: Pick<Item, 'name' | 'object' | 'parent' | 'content'>, index: number) {
    const items = new Map(this.items);
    items.set(id, { ...item, children: [], changes: 0, maybes: 0 });
    return this.with({ items }).list(
      item.parent,
      this.children(item.parent).toSpliced(index, 0, id),
    );
  }

  /** Writes an item's row, once. */
  write(id: string, changes: Partial<Pick<Item, 'name' | 'content'>> = {}): Tree {
    const item = this.items.get(id) as Item;
    const written = { ...item, ...changes, changes: item.changes + 1 };
    return this.with({ items: new Map(this.items).set(id, written) });
  }

  /** Puts an item at an index of a parent, its own or another; whoever calls writes it. */
  place(id: string, parent: string | null, index: number): Tree {
    const item = this.items.get(id) as Item;
    const left = this.list(item.parent, without(this.children(item.parent), id));
    const listed = left.list(parent, left.children(parent).toSpliced(index, 0, id));
    const moved = { ...(listed.items.get(id) as Item), parent };
    return listed.with({ items: new Map(listed.items).set(id, moved) });
  }

  /** Gives a parent its complete list of children. */
  order(parent: string | null, children: readonly string[]): Tree {
    const before = this.children(parent);
    if (children.join() === before.join()) return this;
    let tree: Tree = this;
    for (const id of children) {
      if (!before.includes(id)) tree = tree.place(id, parent, Number.POSITIVE_INFINITY).write(id);
    }
    const items = new Map(tree.items);
    for (const id of before) {
      const item = items.get(id) as Item;
      items.set(id, { ...item, maybes: item.maybes + 1 });
    }
    return tree.with({ items }).list(parent, children);
  }

  /** Takes an item away with all below it. */
  remove(id: string): Tree {
    const { parent } = this.items.get(id) as Item;
    const items = new Map(this.items);
    const gone = new Map<string, Item>();
    const forget = (one: string) => {
      const item = items.get(one) as Item;
      gone.set(one, item);
      for (const child of item.children) forget(child);
      items.delete(one);
    };
    forget(id);
    const trash = new Map(this.trash).set(id, gone);
    return this.with({ items, trash }).list(parent, without(this.children(parent), id));
  }

  /** Brings a deletion back to an index of a parent: each of its items is written once. */
  restore(id: string, parent: string | null, index: number): Tree {
    const items = new Map(this.items);
    for (const [one, item] of this.trash.get(id) ?? []) {
      const own = one === id ? { parent } : {};
      items.set(one, { ...item, ...own, changes: item.changes + 1 });
    }
    const trash = new Map(this.trash);
    trash.delete(id);
    return this.with({ items, trash }).list(parent, this.children(parent).toSpliced(index, 0, id));
  }

  /** Moves the workspace to the trash of its team, or back: its tree stays as it is. */
  inTrash(isInTrash: boolean): Tree {
    return this.with({ isInTrash });
  }

  /** Says that a command changed the tree. */
  counted(): Tree {
    return this.with({ changes: this.changes + 1 });
  }

  withKey(key: string): Tree {
    return this.with({ keys: new Set(this.keys).add(key) });
  }

  withTag(etag: string, tag: Tag): Tree {
    return this.with({ tags: new Map(this.tags).set(etag, tag) });
  }

  /** The same for two states that nobody can tell apart, now or later. */
  get fingerprint(): string {
    if (this.text === undefined) {
      const parts: unknown[] = [
        this.isInTrash,
        this.changes,
        [...this.keys].sort(),
        [...this.tags].sort(byFirst),
      ];
      const add = (id: string) => {
        const { name, content, children, changes, maybes } = this.items.get(id) as Item;
        parts.push(id, name, content, changes, maybes, children.length);
        children.forEach(add);
      };
      this.top.forEach(add);
      for (const [id, gone] of [...this.trash].sort(byFirst)) parts.push(id, [...gone]);
      this.text = createHash('sha1').update(JSON.stringify(parts)).digest('base64');
    }
    return this.text;
  }

  private list(parent: string | null, children: readonly string[]): Tree {
    if (parent === null) return this.with({ top: children });
    const item = this.items.get(parent) as Item;
    return this.with({ items: new Map(this.items).set(parent, { ...item, children }) });
  }

  private with(
    parts: Partial<
      Pick<Tree, 'items' | 'top' | 'changes' | 'keys' | 'tags' | 'trash' | 'isInTrash'>
    >,
  ): Tree {
    const { items, top, changes, keys, tags, trash, isInTrash } = { ...this, ...parts };
    return new Tree(items, top, changes, keys, tags, trash, isInTrash);
  }
}

const without = (list: readonly string[], id: string): string[] => list.filter((one) => one !== id);

const byFirst = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
