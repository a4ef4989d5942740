import type { Rows } from '@teamspaces/pg-lanes/pipelined-transaction';
import type { PartialRead, PointRead, Scan } from '@teamspaces/pg-lanes/statements';
import type { AsJson } from '../../database/fields.js';
import { type Command, type NewNode, type VersionRestore } from '../items/collection.js';
import { MAX_CHILDREN_WRITTEN } from '../limits.js';
import { END } from './sibling-order.js';
import type { Row } from './tree-slice.js';

/** A read of a slice. $1 and $2 are the team and the workspace; the values are those from $3 on. */
export interface SliceRead {
  read: PartialRead;
  take(rows: Rows): void;
}

/** A row of a read of a slice, which comes as JSON. */
export type JsonRow<Row> = [Row] extends [never] ? Rows[number] : AsJson<Row>;

export const sliceRead = <Row>(
  statement: PointRead<Row> | Scan<Row>,
  values: unknown[],
  take: (rows: JsonRow<Row>[]) => void,
): SliceRead => ({ read: [statement, values], take: (rows) => take(rows as JsonRow<Row>[]) });

/** What must be read for commands to be decided. */
export interface ReadSet {
  /** Items that move, or that others come into: each is read with all its ancestors. */
  items: Set<string>;
  /**
   * Items whose ETag is compared or shown: each is read without its ancestors, with the versions of its direct
   * children, and where true with its content.
   */
  withEtag: Map<string, boolean>;
  /** Direct children of one of these, at most: the versions of more are not read. */
  mostChildren: number;
  /** Versions that pages are to get the content of. */
  versions: VersionRestore[];
  /** Items whose subtrees move to another depth. */
  heights: Set<string>;
  slugs: Set<string>;
  keys: Set<string>;
  /** Lists of siblings, by parent; null: the top level. */
  lists: Map<string | null, ListPart>;
  /**
   * Items that move within their parent, which is not known yet: the order of their siblings is needed; of those with
   * an index, the siblings near it.
   */
  siblingsOf: Map<string, number | null>;
  /** What a command reads for itself. */
  more: SliceRead[];
}

/** What is needed of a list: its last position, its order, or its order with ids, at most so many. */
type ListPart = 'end' | 'order' | { ids: number };

/** A read set of these parts; a parent whose list is needed is needed, too. */
export function readSetWith(parts: Partial<ReadSet>): ReadSet {
  const readSet: ReadSet = {
    items: new Set(),
    withEtag: new Map(),
    mostChildren: MAX_CHILDREN_WRITTEN,
    versions: [],
    heights: new Set(),
    slugs: new Set(),
    keys: new Set(),
    lists: new Map(),
    siblingsOf: new Map(),
    more: [],
    ...parts,
  };
  return withParents(readSet);
}

function withParents(readSet: ReadSet): ReadSet {
  for (const parent of readSet.lists.keys()) if (parent !== null) readSet.items.add(parent);
  return readSet;
}

/** What decide() wants to know for these commands. */
export function readSetOf(commands: readonly Command[]): ReadSet {
  const readSet = readSetWith({});
  for (const command of commands) addCommand(readSet, command, commands.length === 1);
  return withParents(readSet);
}

function addCommand(readSet: ReadSet, command: Command, isSingle: boolean): void {
  switch (command.kind) {
    case 'create': {
      const { parentId, index = END, nodes } = command;
      if (index !== END) readSet.lists.set(parentId, 'order');
      else if (!readSet.lists.has(parentId)) readSet.lists.set(parentId, 'end');
      for (const { slugs, key } of flatten(nodes)) {
        for (const slug of slugs) readSet.slugs.add(slug);
        if (key !== null) readSet.keys.add(key);
      }
      return;
    }
    case 'move': {
      const { id, newParentId, index } = command.move;
      addWithEtag(readSet, id, false);
      if (newParentId === undefined) readSet.siblingsOf.set(id, isSingle ? index : null);
      else addMoved(readSet, id, newParentId);
      return;
    }
    case 'update': {
      const { id, changes } = command;
      addWithEtag(readSet, id, changes.content === undefined);
      if (changes.key) readSet.keys.add(changes.key);
      if (changes.parentId !== undefined) addMoved(readSet, id, changes.parentId);
      return;
    }
    case 'patch':
      addWithEtag(readSet, command.id, !command.patched);
      return;
    case 'restore':
      addWithEtag(readSet, command.id, false);
      readSet.versions.push(command);
      return;
    case 'order':
      for (const id of command.children) readSet.items.add(id);
      // One more than are listed shows that one is missing.
      readSet.lists.set(command.parentId, { ids: command.children.length + 1 });
      if (command.parentId === null || command.ifMatch === undefined) return;
      addWithEtag(readSet, command.parentId, false);
      // A list with more is not complete, whatever its ETag.
      readSet.mostChildren = command.children.length;
      return;
  }
}

function addWithEtag({ withEtag }: ReadSet, id: string, withContent: boolean): void {
  withEtag.set(id, withContent || withEtag.get(id) === true);
}

/** An item that goes to a parent, which may be its own. */
function addMoved({ items, lists, heights }: ReadSet, id: string, parentId: string | null): void {
  items.add(id);
  lists.set(parentId, 'order');
  heights.add(id);
}

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

/** A command, or one on a subtree: see SubtreeCommand. */
type AnyCommand = Command | { kind: 'subtree'; bytes?: number };

/** True for a command that must be alone in its batch: it changes more than a slice can track for those after it. */
export const isExclusive = ({ kind }: AnyCommand): boolean =>
  kind === 'order' || kind === 'subtree';

/** Bytes, roughly, that an item takes beside its content. */
const BYTES_OF_ITEM = 1000;

/**
 * Bytes that a patch counts for, beside its values: it reads its page and writes it. Of a large page, it is decided
 * outside of its batch.
 */
const BYTES_OF_PATCH = 128 * 1024;

/** Bytes that a restore counts for: it reads a version and writes it, and what it overwrites is written by itself. */
const BYTES_OF_RESTORE = 1024 * 1024;

/** Bytes, roughly, that a command writes. */
export function bytesOf(command: AnyCommand): number {
  if (command.kind === 'patch') {
    const { operations, patched } = command;
    const values = operations.map((each) => ('value' in each ? each.value.text.length : 0));
    return values.reduce((sum, value) => sum + value, patched?.content.length ?? BYTES_OF_PATCH);
  }
  if (command.kind === 'restore') return BYTES_OF_RESTORE;
  if (command.kind === 'update') return command.changes.content?.length ?? 0;
  if (command.kind === 'subtree') return command.bytes ?? 0;
  return command.kind === 'create' ? bytesOfItems(flatten(command.nodes)) : 0;
}

/** Bytes, roughly, that items take. */
export const bytesOfItems = (items: readonly { content: string | null }[]): number =>
  items.reduce((sum, { content }) => sum + BYTES_OF_ITEM + (content?.length ?? 0), 0);

/** Items that a command is about: those that it creates, orders or changes. */
export function itemsOf(command: Command): number {
  if (command.kind === 'order') return command.children.length;
  return command.kind === 'create' ? flatten(command.nodes).length : 1;
}

/** New items in the order in which they are made: each after its parent. */
const flatten = (nodes: readonly NewNode[]): NewNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children ?? [])]);
