import type { Command, NewNode } from '../../src/collections/items/collection.js';

/** A command that tree-rules decide, or a delete, which needs a database for its subtree. */
export type AnyCommand = Command | { kind: 'delete'; id: string };

interface Node {
  id: string;
  isPage: boolean;
  parent: string | null;
}

/** A tree as one would first write it: a list of children for each parent, and no positions. */
export class NaiveTree {
  private readonly nodes = new Map<string, Node>();
  private readonly lists = new Map<string | null, string[]>();

  get ids(): string[] {
    return [...this.nodes.keys()];
  }

  childrenOf(parent: string | null): string[] {
    return this.lists.get(parent) ?? [];
  }

  /** By parent, the ids of its children in order; parents without children are left out. */
  order(): Record<string, string[]> {
    return Object.fromEntries([...this.lists].filter(([, list]) => list.length > 0));
  }

  /** Carries out a command. @returns the code of its refusal, or null */
  run(command: AnyCommand): string | null {
    switch (command.kind) {
      case 'create':
        return this.create(command.parentId, command.index, command.nodes);
      case 'move': {
        const { id, index, newParentId, expectedParentId } = command.move;
        const node = this.nodes.get(id);
        if (!node) return 'not_found';
        if (expectedParentId !== undefined && expectedParentId !== node.parent) return 'conflict';
        return this.move(node, newParentId === undefined ? node.parent : newParentId, index);
      }
      case 'update': {
        const node = this.nodes.get(command.id);
        if (!node) return 'not_found';
        const { parentId } = command.changes;
        return parentId === undefined ? null : this.move(node, parentId, Number.MAX_SAFE_INTEGER);
      }
      case 'patch':
        return this.nodes.has(command.id) ? null : 'not_found';
      case 'delete': {
        const node = this.nodes.get(command.id);
        if (!node) return 'not_found';
        this.take(node);
        this.forget(node.id);
        return null;
      }
      case 'order':
        return this.rearrange(command.parentId, command.children);
    }
  }

  private create(
    parent: string | null,
    index: number | undefined,
    given: NewNode[],
  ): string | null {
    const refusal = this.refuseParent(parent);
    if (refusal) return refusal;
    if (!given.every(isSensible)) return 'unprocessable_entity';
    const list = [...this.childrenOf(parent)];
    list.splice(index ?? list.length, 0, ...given.map(({ id }) => id));
    this.lists.set(parent, list);
    const add = (node: NewNode, above: string | null) => {
      this.nodes.set(node.id, { id: node.id, isPage: node.object === 'item', parent: above });
      if ((node.children ?? []).length > 0)
        this.lists.set(
          node.id,
          (node.children ?? []).map(({ id }) => id),
        );
      for (const child of node.children ?? []) add(child, node.id);
    };
    for (const node of given) add(node, parent);
    return null;
  }

  private move(node: Node, parent: string | null, index: number): string | null {
    if (parent !== node.parent) {
      const refusal = this.refuseParent(parent) ?? this.refuseCycle(node, parent);
      if (refusal) return refusal;
    }
    this.take(node);
    const list = [...this.childrenOf(parent)];
    list.splice(index, 0, node.id);
    this.lists.set(parent, list);
    node.parent = parent;
    return null;
  }

  private rearrange(parent: string | null, children: string[]): string | null {
    const refusal = this.refuseParent(parent);
    if (refusal) return refusal;
    if (this.childrenOf(parent).some((id) => !children.includes(id))) return 'conflict';
    const nodes = children.map((id) => this.nodes.get(id));
    if (nodes.includes(undefined)) return 'not_found';
    for (const node of nodes as Node[]) {
      if (node.parent === parent) continue;
      const cycle = this.refuseCycle(node, parent);
      if (cycle) return cycle;
    }
    for (const node of nodes as Node[]) {
      this.take(node);
      node.parent = parent;
    }
    this.lists.set(parent, [...children]);
    return null;
  }

  private refuseParent(parent: string | null): string | null {
    if (parent === null) return null;
    const node = this.nodes.get(parent);
    if (!node) return 'not_found';
    return node.isPage ? 'unprocessable_entity' : null;
  }

  private refuseCycle(node: Node, parent: string | null): string | null {
    for (let up = parent; up !== null; up = this.nodes.get(up)?.parent ?? null) {
      if (up === node.id) return 'unprocessable_entity';
    }
    return null;
  }

  private take(node: Node): void {
    this.lists.set(
      node.parent,
      this.childrenOf(node.parent).filter((id) => id !== node.id),
    );
  }

  private forget(id: string): void {
    for (const child of this.childrenOf(id)) this.forget(child);
    this.lists.delete(id);
    this.nodes.delete(id);
  }
}

const isSensible = ({ object, children }: NewNode): boolean =>
  (object === 'collection' || children === null) && (children ?? []).every(isSensible);
