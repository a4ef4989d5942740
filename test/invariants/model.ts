import type fc from 'fast-check';
import type { Caller } from '../support/app.js';
import type { ItemBody } from '../support/builders.js';

/** The service, and the workspace of one run. */
export interface Real {
  caller: Caller;
  query: string;
  slug: string;
  /** Another workspace of the team. */
  other: { query: string; slug: string };
}

export type Command = fc.AsyncCommand<Model, Real>;

/** Where something goes: the top level (of several spellings) or an item, maybe none that fits. */
export type Target = { top: null | '' } | { pick: number };

/** An item as the model has it. */
export interface Node {
  id: string;
  name: string;
  slug: string;
  object: ItemBody['object'];
  parent: Node | null;
  children: Node[];
}

/** An item in the trash with all below it, and what tells its place. */
export interface Deleted {
  node: Node;
  /** Siblings on both sides of it that have not been moved since. */
  before: Set<Node>;
  after: Set<Node>;
}

/** What the tree must be, held in the plainest way there is. */
export class Model {
  readonly top: Node[] = [];
  /** The top level of the other workspace. */
  readonly other: Node[] = [];
  /** Newest first. */
  readonly trash: Deleted[] = [];

  all(nodes: readonly Node[] = this.top): Node[] {
    return nodes.flatMap((node) => [node, ...this.all(node.children)]);
  }

  /** Any item; the same number picks the same one in the same tree. */
  pick(number: number): Node {
    const nodes = this.all();
    return nodes[number % nodes.length] as Node;
  }

  siblings(parent: Node | null): Node[] {
    return parent ? parent.children : this.top;
  }

  /** The status of a move there; 200: it was made. */
  move(node: Node, parent: Node | null, index: number): number {
    for (let above = parent; above; above = above.parent) if (above === node) return 422;
    if (parent?.object === 'item') return 422;
    this.remove(node);
    this.forgetPlaceOf(node);
    node.parent = parent;
    this.siblings(parent).splice(index, 0, node);
    return 200;
  }

  /** Puts new items at an index, each with what it holds. */
  insert(parent: Node | null, index: number, items: readonly ItemBody[]): void {
    this.siblings(parent).splice(index, 0, ...items.map((item) => toNode(item, parent)));
  }

  /**
   * The status of an order for the children of a parent. There are no two of a child in it.
   * @returns 200: they are in it now
   */
  order(parent: Node | null, children: readonly Node[]): number {
    if (parent?.object === 'item') return 422;
    if (this.siblings(parent).some((child) => !children.includes(child))) return 409;
    const isAbove = (node: Node | null): boolean =>
      node !== null && (children.includes(node) || isAbove(node.parent));
    if (isAbove(parent)) return 422;
    for (const child of [...this.siblings(parent), ...children]) this.forgetPlaceOf(child);
    for (const child of children) this.remove(child);
    this.siblings(parent).push(...children);
    for (const child of children) child.parent = parent;
    return 200;
  }

  remove(node: Node): void {
    const siblings = this.siblings(node.parent);
    siblings.splice(siblings.indexOf(node), 1);
  }

  /** Moves an item with all below it to the trash. */
  moveToTrash(node: Node): void {
    const siblings = this.siblings(node.parent);
    const index = siblings.indexOf(node);
    const before = new Set(siblings.slice(0, index));
    this.trash.unshift({ node, before, after: new Set(siblings.slice(index + 1)) });
    this.remove(node);
  }

  /** It says no more where a deleted sibling was. */
  forgetPlaceOf(node: Node): void {
    for (const { before, after } of this.trash) {
      before.delete(node);
      after.delete(node);
    }
  }
}

function toNode({ id, name, object, meta, children }: ItemBody, parent: Node | null): Node {
  const node: Node = { id, name, slug: meta.slug, object, parent, children: [] };
  node.children = (children ?? []).map((child) => toNode(child, node));
  return node;
}

/** An item as a test compares it: of the model, or of an answer. */
export interface Seen {
  id: string;
  name: string;
  slug: string;
  object: string;
  parent: string | undefined;
  children: Seen[] | undefined;
}

export const expected = (nodes: readonly Node[], depth = Number.POSITIVE_INFINITY): Seen[] =>
  nodes.map(({ id, name, slug, object, parent, children }) => ({
    id,
    name,
    slug,
    object,
    parent: parent?.id,
    children: object === 'collection' && depth > 1 ? expected(children, depth - 1) : undefined,
  }));

export const seen = (items: readonly ItemBody[]): Seen[] =>
  items.map(({ id, name, object, parent, children, meta }) => ({
    id,
    name,
    slug: meta.slug,
    object,
    parent,
    children: children && seen(children),
  }));

/** A single read: the item with its direct children, which show none of their own. */
export const withChildren = (node: Node): Seen[] => expected([node], 2);
