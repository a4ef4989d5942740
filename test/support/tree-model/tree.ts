import { createHash } from 'node:crypto';
import type { Shown } from './command.js';

/** An item as the model has it, or a workspace: the parent of its top level. Never changed in place. */
export interface Item {
  name: string;
  object: 'workspace' | 'collection' | 'item';
  /** null: of a workspace. */
  parent: string | null;
  content: string;
  children: readonly string[];
  /** Changes of this item so far; of a workspace: of its tree. */
  changes: number;
  /** Orders of its siblings that may have written it: which ones they write is the service's affair. */
  maybes: number;
}

/** What an ETag stands for: items with their counts of changes, in order. */
export type Tag = readonly (readonly [id: string, changes: number, maybes: number])[];

/** What was done under an Idempotency-Key. */
export interface Done {
  /** Where: a replay asks for access to all of them. */
  workspaces: readonly string[];
  shown: Shown[] | undefined;
}

interface Deletion {
  workspace: string;
  /** The deleted item, and all that was below it. */
  items: ReadonlyMap<string, Item>;
}

/** The state of the model, immutable: trees as one would first write them, without positions. */
export class Tree {
  private text: string | undefined;

  private constructor(
    /** Workspaces and the items in them. */
    readonly items: ReadonlyMap<string, Item>,
    /** By Idempotency-Key. */
    readonly keys: ReadonlyMap<string, Done>,
    /** What the ETags stand for that were given out. */
    readonly tags: ReadonlyMap<string, Tag>,
    /** By the deleted item. */
    readonly trash: ReadonlyMap<string, Deletion>,
    /** The workspaces that are themselves in the trash of their team. */
    readonly gone: ReadonlySet<string>,
  ) {}

  /** Empty workspaces. */
  static of(workspaces: readonly string[]): Tree {
    const items = workspaces.map((name): [string, Item] => [name, { ...WORKSPACE, name }]);
    return new Tree(new Map(items), new Map(), new Map(), new Map(), new Set());
  }

  get workspaces(): string[] {
    return [...this.items].flatMap(([id, { parent }]) => (parent === null ? [id] : []));
  }

  children(parent: string): readonly string[] {
    return this.items.get(parent)?.children ?? [];
  }

  /** The workspace of an item that is there, or of itself. */
  workspaceOf(id: string): string {
    const { parent } = this.items.get(id) as Item;
    return parent === null ? id : this.workspaceOf(parent);
  }

  /** True for an item, and for all that it lies in. */
  isAtOrAbove(id: string, of: string): boolean {
    for (let up: string | null = of; up !== null; up = this.items.get(up)?.parent ?? null) {
      if (up === id) return true;
    }
    return false;
  }

  /** An item and all below it, each after its parent and its elder siblings. */
  withAllBelow(id: string): string[] {
    return [id, ...this.children(id).flatMap((child) => this.withAllBelow(child))];
  }

  /** A new item at an index; past the end means the end. */
  insert(
    id: string,
    item: Pick<Item, 'name' | 'object' | 'content'> & { parent: string },
    index: number,
  ): Tree {
    const items = new Map(this.items);
    const { name, object, content, parent } = item;
    items.set(id, { name, object, content, parent, children: [], changes: 0, maybes: 0 });
    return this.with({ items }).list(parent, this.children(parent).toSpliced(index, 0, id));
  }

  /** Writes an item's row, once; of a workspace: says that a command changed its tree. */
  write(id: string, changes: Partial<Pick<Item, 'name' | 'content'>> = {}): Tree {
    const item = this.items.get(id) as Item;
    const written = { ...item, ...changes, changes: item.changes + 1 };
    return this.with({ items: new Map(this.items).set(id, written) });
  }

  /** Puts an item at an index of a parent, its own or another; the caller writes it. */
  place(id: string, parent: string, index: number): Tree {
    const from = this.items.get(id)?.parent as string;
    const left = this.list(from, without(this.children(from), id));
    const listed = left.list(parent, left.children(parent).toSpliced(index, 0, id));
    const moved = { ...(listed.items.get(id) as Item), parent };
    return listed.with({ items: new Map(listed.items).set(id, moved) });
  }

  /** Gives a parent its complete list of children. */
  order(parent: string, children: readonly string[]): Tree {
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

  /** Moves an item with all below it to the trash. */
  remove(id: string): Tree {
    const parent = this.items.get(id)?.parent as string;
    const items = new Map(this.items);
    const gone = new Map<string, Item>();
    for (const one of this.withAllBelow(id)) {
      gone.set(one, items.get(one) as Item);
      items.delete(one);
    }
    const trash = new Map(this.trash);
    trash.set(id, { workspace: this.workspaceOf(id), items: gone });
    return this.with({ items, trash }).list(parent, without(this.children(parent), id));
  }

  /** Deletes for good what is in the trash. */
  purge(id: string): Tree {
    const trash = new Map(this.trash);
    trash.delete(id);
    return this.with({ trash });
  }

  /** Brings a deletion back to an index of a parent: each of its items is written once. */
  restore(id: string, parent: string, index: number): Tree {
    const items = new Map(this.items);
    for (const [one, item] of this.trash.get(id)?.items ?? []) {
      const own = one === id ? { parent } : {};
      items.set(one, { ...item, ...own, changes: item.changes + 1 });
    }
    const restored = this.purge(id).with({ items });
    return restored.list(parent, this.children(parent).toSpliced(index, 0, id));
  }

  /** Puts an item at an index of a parent in another workspace: all below it is written, too. */
  transfer(id: string, parent: string, index: number): Tree {
    const placed = this.place(id, parent, index);
    return this.withAllBelow(id).reduce((tree, one) => tree.write(one), placed);
  }

  /**
   * Puts a copy of an item and all below it at an index of a parent.
   * @param idOf what the copy of each of them is called
   */
  copy(
    id: string,
    { idOf, name, parent }: { idOf(one: string): string; name: string; parent: string },
    index: number,
  ): Tree {
    return this.withAllBelow(id).reduce<Tree>((tree, one) => {
      const item = this.items.get(one) as Item;
      return one === id
        ? tree.insert(idOf(one), { ...item, name, parent }, index)
        : tree.insert(idOf(one), { ...item, parent: idOf(item.parent as string) }, END);
    }, this);
  }

  /** Moves a workspace to the trash of its team, or back: its tree stays as it is. */
  inTrash(workspace: string, isInTrash: boolean): Tree {
    const gone = new Set(this.gone);
    if (isInTrash) gone.add(workspace);
    else gone.delete(workspace);
    return this.with({ gone });
  }

  withKey(key: string, done: Done): Tree {
    return this.with({ keys: new Map(this.keys).set(key, done) });
  }

  withTag(etag: string, tag: Tag): Tree {
    return this.with({ tags: new Map(this.tags).set(etag, tag) });
  }

  /** The same for two states that nobody can tell apart, now or later. */
  get fingerprint(): string {
    if (this.text === undefined) {
      const parts: unknown[] = [
        [...this.gone].sort(),
        [...this.keys].sort(byFirst),
        [...this.tags].sort(byFirst),
      ];
      const add = (id: string) => {
        const { name, content, children, changes, maybes } = this.items.get(id) as Item;
        parts.push(id, name, content, changes, maybes, children.length);
        children.forEach(add);
      };
      this.workspaces.forEach(add);
      for (const [id, { items }] of [...this.trash].sort(byFirst)) parts.push(id, [...items]);
      this.text = createHash('sha1').update(JSON.stringify(parts)).digest('base64');
    }
    return this.text;
  }

  private list(parent: string, children: readonly string[]): Tree {
    const item = this.items.get(parent) as Item;
    return this.with({ items: new Map(this.items).set(parent, { ...item, children }) });
  }

  private with(parts: Partial<Pick<Tree, 'items' | 'keys' | 'tags' | 'trash' | 'gone'>>): Tree {
    const { items, keys, tags, trash, gone } = { ...this, ...parts };
    return new Tree(items, keys, tags, trash, gone);
  }
}

const END = Number.POSITIVE_INFINITY;

const WORKSPACE: Omit<Item, 'name'> = {
  object: 'workspace',
  parent: null,
  content: '{}',
  children: [],
  changes: 0,
  maybes: 0,
};

const without = (list: readonly string[], id: string): string[] => list.filter((one) => one !== id);

const byFirst = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
