import type { Arrival, Command, Deletion, NewNode, Restoration } from '../items/collection.js';
import { END } from './positions.js';
import type { Row } from './tree-slice.js';

/** What must be read for commands to be decided. */
export interface ReadSet {
  /** Items, each to be read with all its ancestors. */
  items: Set<string>;
  /** Pages whose content the response shows. */
  contents: Set<string>;
  /** Collections of which the versions of the direct children are needed, for an ETag. */
  childVersions: Set<string>;
  /** Items whose subtrees move to another depth. */
  heights: Set<string>;
  slugs: Set<string>;
  /** Parents whose last position is needed; null: the top level. */
  ends: Set<string | null>;
  /** Parents whose order is needed. */
  orders: Set<string | null>;
  /** Items that move within their parent, which is not known yet: the order of their siblings is needed. */
  siblingOrdersOf: Set<string>;
  /** Instead of siblingOrdersOf, if the move is the only command: the siblings near its new index. */
  around: { id: string; index: number } | null;
  /** A deletion whose item goes back to the place that it had. */
  formerPlaceOf: Deletion | null;
}

const emptyReadSet = (): ReadSet => ({
  items: new Set(),
  contents: new Set(),
  childVersions: new Set(),
  heights: new Set(),
  slugs: new Set(),
  ends: new Set(),
  orders: new Set(),
  siblingOrdersOf: new Set(),
  around: null,
  formerPlaceOf: null,
});

/** What is read of the workspace that a copy or transfer comes from. */
export const sourceReadSet = ({ id, ifMatch }: Arrival): ReadSet => ({
  ...emptyReadSet(),
  items: new Set([id]),
  childVersions: new Set(ifMatch === undefined ? [] : [id]),
});

/** What decide() wants to know for these commands. */
export function readSetOf(commands: readonly Command[]): ReadSet {
  const readSet = emptyReadSet();
  for (const command of commands) addCommand(readSet, command);
  const [first] = commands;
  if (
    commands.length === 1 &&
    first?.kind === 'move' &&
    readSet.siblingOrdersOf.delete(first.move.id)
  ) {
    readSet.around = first.move;
  }
  for (const parent of readSet.orders) readSet.ends.delete(parent);
  for (const parent of [...readSet.ends, ...readSet.orders]) if (parent) readSet.items.add(parent);
  return readSet;
}

function addCommand(readSet: ReadSet, command: Command): void {
  switch (command.kind) {
    case 'create': {
      const { parentId, index = END, nodes } = command;
      (index === END ? readSet.ends : readSet.orders).add(parentId);
      for (const { slugs } of flatten(nodes)) for (const slug of slugs) readSet.slugs.add(slug);
      return;
    }
    case 'move': {
      const { id, newParentId, ifMatch } = command.move;
      readSet.items.add(id);
      if (newParentId === undefined) readSet.siblingOrdersOf.add(id);
      else {
        readSet.orders.add(newParentId);
        readSet.heights.add(id);
      }
      if (ifMatch !== undefined) readSet.childVersions.add(id);
      return;
    }
    case 'update': {
      const { id, changes } = command;
      readSet.items.add(id);
      readSet.childVersions.add(id);
      if (changes.content === undefined) readSet.contents.add(id);
      if (changes.parentId === undefined) return;
      readSet.orders.add(changes.parentId);
      readSet.heights.add(id);
      return;
    }
    case 'patch':
      readSet.items.add(command.id);
      if (!command.patched) readSet.contents.add(command.id);
      return;
    case 'order':
      for (const id of command.children) readSet.items.add(id);
      readSet.orders.add(command.parentId);
      if (command.parentId !== null && command.ifMatch !== undefined) {
        readSet.childVersions.add(command.parentId);
      }
      return;
    case 'delete':
      readSet.items.add(command.id);
      if (command.ifMatch !== undefined) readSet.childVersions.add(command.id);
      return;
    case 'restore': {
      const { deletion, parentId, index } = command;
      const target = targetOf(command);
      if (target !== null) readSet.items.add(target);
      if (index !== undefined) readSet.orders.add(target);
      else if (target === deletion.parentId) readSet.formerPlaceOf = deletion;
      else readSet.ends.add(target);
      // If the parent that it had is gone.
      if (parentId === undefined) readSet.ends.add(null);
      return;
    }
    case 'copy':
      for (const slug of command.named?.slugs ?? []) readSet.slugs.add(slug);
      addArrival(readSet, command);
      return;
    case 'transfer':
      addArrival(readSet, command);
  }
}

function addArrival(readSet: ReadSet, command: Arrival): void {
  const { id, from, parentId, index } = command;
  if (from === null) {
    const { items, childVersions } = sourceReadSet(command);
    for (const item of items) readSet.items.add(item);
    for (const item of childVersions) readSet.childVersions.add(item);
  }
  if (from === null && parentId === undefined) {
    if (index !== undefined) readSet.siblingOrdersOf.add(id);
    return;
  }
  (index === undefined ? readSet.ends : readSet.orders).add(parentId ?? null);
}

/** Where a deletion goes if the parent that it had is still there. */
export const targetOf = ({ deletion, parentId }: Restoration): string | null =>
  parentId === undefined ? deletion.parentId : parentId;

/** The target indexes of commands, by parent. */
export function indexesByParent(
  commands: readonly Command[],
  items: ReadonlyMap<string, Row>,
): Map<string | null, number[]> {
  const places = new Map<string | null, number[]>();
  const add = (parentId: string | null | undefined, index: number) => {
    if (parentId !== undefined) places.set(parentId, [...(places.get(parentId) ?? []), index]);
  };
  for (const command of commands) {
    if (command.kind === 'create') add(command.parentId, command.index ?? END);
    if (command.kind === 'update') add(command.changes.parentId, END);
    if (command.kind === 'restore') add(targetOf(command), command.index ?? END);
    if (command.kind === 'copy' || command.kind === 'transfer') {
      const original = items.get(command.id);
      const { parentId = original ? original.parentId : null, index = END } = command;
      add(parentId, index);
    }
    if (command.kind !== 'move') continue;
    const { id, newParentId, index } = command.move;
    add(newParentId === undefined ? items.get(id)?.parentId : newParentId, index);
  }
  return places;
}

/** At most how many items these commands place in a list. */
export const movedBy = (commands: readonly Command[]): number =>
  commands.reduce(
    (sum, command) => sum + (command.kind === 'create' ? command.nodes.length : 1),
    0,
  );

/** True for a command that must be alone in its batch: it changes more than a slice can track for those after it. */
export const isExclusive = ({ kind }: Command): boolean =>
  kind === 'order' ||
  kind === 'delete' ||
  kind === 'restore' ||
  kind === 'copy' ||
  kind === 'transfer';

/** Bytes, roughly, that a new item takes beside its content. */
const BYTES_OF_ITEM = 1000;

/**
 * Bytes that a patch counts for, beside its values: it reads the page and writes it again, which may
 * have 1 MiB.
 */
const BYTES_OF_PATCH = 128 * 1024;

/** Bytes, roughly, that a command writes. */
export function sizeOf(command: Command): number {
  if (command.kind === 'patch') {
    const { operations, patched } = command;
    const values = operations.map((each) => ('value' in each ? each.value.text.length : 0));
    return values.reduce((sum, value) => sum + value, patched?.content.length ?? BYTES_OF_PATCH);
  }
  if (command.kind === 'update') return command.changes.content?.length ?? 0;
  if (command.kind !== 'create') return 0;
  return flatten(command.nodes).reduce(
    (sum, { content }) => sum + BYTES_OF_ITEM + (content?.length ?? 0),
    0,
  );
}

/** Items that a command is about: those that it creates, orders or changes. */
export function itemsOf(command: Command): number {
  if (command.kind === 'order') return command.children.length;
  return command.kind === 'create' ? flatten(command.nodes).length : 1;
}

/** New items in the order in which they are made: each behind its parent. */
const flatten = (nodes: readonly NewNode[]): NewNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children ?? [])]);
