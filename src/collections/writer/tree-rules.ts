import type { Portions } from '@teamspaces/json-text/json-grammar';
import { applyPatch } from '@teamspaces/json-text/json-patch';
import { given } from '../../database/fields.js';
import {
  type IdField,
  type Missing,
  notFound,
  pageAsParent,
  stale,
} from '../../errors/domain-error.js';
import { ofJson } from '../../errors/json-error.js';
import { etagOf, listEtagOf, matches, matchesOwn } from '../../http/etag.js';
import * as errors from '../errors.js';
import { ITEM } from '../errors.js';
import {
  type ApplyReport,
  type Command,
  type ContentPatch,
  type Item,
  type ItemChanges,
  type ListedChild,
  type Move,
  type NewNode,
  type PatchedContent,
  type VersionRestore,
} from '../items/collection.js';
import { retitled } from '../items/titles.js';
import { MAX_DEPTH } from '../limits.js';
import {
  arrange,
  END,
  IncompleteSlice,
  placeIn,
  positionsBetween,
  type Siblings,
} from './sibling-order.js';
import {
  type Change,
  childVersionsOf,
  depthOf,
  freeOf,
  heightOf,
  NO_CHANGE,
  newRow,
  nextVersion,
  parentOf,
  type Row,
  type Slice,
  type Update,
  versionKey,
} from './tree-slice.js';

// The rules of the tree: a slice of it and a command in, a change or a domain error out. Pure: no
// I/O, no clock, no chance. Every 409 and 422 of these commands is here, once; those of whole subtrees are in
// subtree-rules, those of manifests in apply-rules.

/** The page is not the version that its new content was made from. */
export class OtherVersion extends Error {}

/** The result of a command, for its caller. */
export interface CommandResult {
  /** Created, in the order given, each after its parent; or the item as the command left it. */
  items: Item[];
  /** Of an item that was not created. */
  etag: string | null;
  /**
   * Its direct children, in order; absent: it has none; `unread`: they are read after the commit; `omitted`: they are
   * more than the response to a write shows.
   */
  children?: readonly Pick<ListedChild, 'json'>[] | 'unread' | 'omitted';
  /** Of a copy: the id of each copied item, by that of its original. */
  copies?: ReadonlyMap<string, string>;
  /** Of a manifest: what was done. */
  applied?: ApplyReport;
}

/** What a command changes, and its result. */
interface Decision {
  change: Change;
  result: CommandResult;
}

/**
 * Decides a command on a slice that holds what readSetOf() says.
 * @throws DomainError not_found, conflict, unprocessable_entity
 * @throws IncompleteSlice where more must be read first
 */
export function decide(slice: Slice, command: Command): Decision {
  const nothing: CommandResult = { items: [], etag: null };
  switch (command.kind) {
    case 'create': {
      const change = create(slice, command);
      return { change, result: { items: change.inserts, etag: null } };
    }
    case 'move':
      return moved(slice, move(slice, command.move));
    case 'update':
      return update(slice, command.id, command.changes);
    case 'patch':
      return completed(patch(slice, command));
    case 'restore':
      return restore(slice, command);
    case 'order':
      return { change: order(slice, command), result: nothing };
  }
}

function completed<T>(portions: Portions<T>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}

function create(slice: Slice, command: Command & { kind: 'create' }): Change {
  const { parentId, nodes, index = END } = command;
  const parent = assertValidParent(slice, parentId, 'parent');
  const inserts: Row[] = [];
  const slugs = new Set<string>();
  const keys = new Set<string>();
  const add = (node: NewNode, below: string | null, position: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw errors.tooDeep(node.place.slice(0, -1) || 'parent');
    assertSensible(node);
    assertKeyFree(slice, node, keys);
    const slug = freeOf(slice, node.slugs, slugs);
    slugs.add(slug);
    inserts.push(newRow(slice, node, below, slug, position));
    const children = node.children ?? [];
    const positions = positionsBetween(null, null, children.length);
    for (const [n, child] of children.entries()) {
      add(child, node.id, positions[n] as string, depth + 1);
    }
  };
  const { positions, rebalanced } = placeIn(
    slice.lists.get(parentId) as Siblings,
    parentId,
    index,
    nodes.length,
    null,
  );
  const depth = parent ? depthOf(slice, parent) + 1 : 1;
  for (const [n, node] of nodes.entries()) add(node, parentId, positions[n] as string, depth);
  return { ...NO_CHANGE, inserts, rebalanced };
}

/** The result of a move. */
function moved(slice: Slice, change: Change): Decision {
  const [{ row }] = change.updates as [Change['updates'][number]];
  return { change, result: { items: [row], etag: etagOf(row, childVersionsOf(slice, row)) } };
}

function move(slice: Slice, given: Move): Change {
  const row = find(slice, given.id);
  assertOwnMatches(row, given.ifMatch);
  if (given.expectedParentId !== undefined && given.expectedParentId !== row.parentId) {
    throw errors.staleParent();
  }
  if (given.expectedObject !== undefined && given.expectedObject !== row.object) {
    throw errors.otherKind(row.object);
  }
  const parentId = given.newParentId === undefined ? row.parentId : given.newParentId;
  const { place, rebalanced } = relocate(slice, row, parentId, given.index, 'newParent');
  const updates = [{ row: nextVersion(slice, place), contentWrite: null }];
  return { ...NO_CHANGE, updates, rebalanced };
}

function update(
  slice: Slice,
  id: string,
  { parentId, ifMatch, name, title, ...changes }: ItemChanges,
): Decision {
  const row = find(slice, id);
  const isNamed = name !== undefined || title !== undefined;
  const written = { ...given(changes), ...(isNamed && retitled(row, { name, title })) };
  const { content, key } = written;
  assertOwnMatches(row, ifMatch);
  if (content !== undefined && row.object !== 'item') {
    throw errors.contentOfCollection('');
  }
  const holder = key ? slice.takenKeys.get(key) : undefined;
  if (holder !== undefined && holder !== id) throw errors.keyTaken('');
  const { place, rebalanced } =
    parentId === undefined
      ? { place: row, rebalanced: null }
      : relocate(slice, row, parentId, END, 'parent');
  const isChange = Object.keys(written).length > 0 || place !== row;
  const changed: Row = isChange ? { ...nextVersion(slice, place), ...written } : row;
  const contentWrite = content === undefined ? null : 'save';
  const updates: Update[] = isChange ? [{ row: changed, contentWrite }] : [];
  const childVersions = childVersionsOf(slice, changed);
  const ofCollection = childVersions === null ? 'omitted' : 'unread';
  return {
    change: { ...NO_CHANGE, updates, rebalanced },
    result: {
      items: [changed],
      etag: etagOf(changed, childVersions),
      children: changed.object === 'collection' ? ofCollection : [],
    },
  };
}

/**
 * As decide(), in portions. A patch that leaves the content as it is changes nothing: no version, no time.
 * @throws OtherVersion if it was applied to another version of the page
 */
export function* patch(
  slice: Slice,
  { id, operations, ifMatch, patched }: ContentPatch & { id: string },
): Portions<Decision> {
  const row = find(slice, id);
  if (row.object !== 'item') throw errors.patchOfCollection();
  assertOwnMatches(row, ifMatch);
  if (patched && patched.version !== row.version) throw new OtherVersion();
  const { content, isChange } = patched ?? (yield* patchedContent(row, operations));
  const changed: Row = { ...(isChange ? nextVersion(slice, row) : row), content };
  const updates: Update[] = isChange ? [{ row: changed, contentWrite: 'save' }] : [];
  return {
    change: { ...NO_CHANGE, updates },
    result: { items: [changed], etag: etagOf(changed, childVersionsOf(slice, changed)) },
  };
}

function* patchedContent(
  { content: before, version }: Row,
  operations: ContentPatch['operations'],
): Portions<PatchedContent> {
  if (before === null) throw new Error('the content of a page to be patched was not read');
  try {
    const content = yield* applyPatch(before, operations);
    return { version, content, isChange: content !== before };
  } catch (error) {
    throw ofJson(error);
  }
}

/** The page gets the content of a version, and what was there becomes one. */
function restore(slice: Slice, { ifMatch, ...wanted }: VersionRestore): Decision {
  const row = find(slice, wanted.id);
  if (row.object !== 'item') throw errors.versionsOfCollection();
  assertOwnMatches(row, ifMatch);
  const content = slice.versions.get(versionKey(wanted));
  if (content === undefined) throw notFound('version');
  const changed: Row = { ...nextVersion(slice, row), content };
  return {
    change: { ...NO_CHANGE, updates: [{ row: changed, contentWrite: 'restore' }] },
    result: { items: [changed], etag: etagOf(changed, ''), children: [] },
  };
}

function order(slice: Slice, { parentId, children, ifMatch }: Command & { kind: 'order' }): Change {
  const parent = assertValidParent(slice, parentId, 'parent');
  if (parent) assertMatches(slice, parent, ifMatch);
  else if (ifMatch !== undefined && !matches(ifMatch, listEtagOf(slice.treeStamp)))
    throw stale('list');
  const { ids, positions: present } = slice.lists.get(parentId) as Siblings;
  if (!ids || !present) throw new IncompleteSlice(parentId, 'ids');
  const listed = new Set(children);
  const missing = ids.find((id) => !listed.has(id));
  if (missing !== undefined) throw errors.lacksChild(missing);
  const rows = children.map((id, n) => {
    const row = slice.items.get(id);
    if (!row) throw notFound(`children[${n}]`);
    return row;
  });
  for (const [n, row] of rows.entries()) {
    if (row.parentId !== parentId) assertMayMove(slice, row, parent, `children[${n}]`);
  }
  const here = new Map(ids.map((id, n) => [id, present[n] as string]));
  const { positions, isSpread } = arrange(children.map((id) => here.get(id) ?? null));
  const updates: Change['updates'] = [];
  for (const [n, row] of rows.entries()) {
    const position = positions[n] as string;
    if (row.parentId === parentId && row.position === position) continue;
    updates.push({ row: nextVersion(slice, row, parentId, position), contentWrite: null });
  }
  return {
    ...NO_CHANGE,
    updates,
    rebalanced: isSpread
      ? { parentId, ids: [...children], positions, from: 0, to: children.length }
      : null,
  };
}

/** The item at `index` of a parent, its own or another. */
function relocate(
  slice: Slice,
  row: Row,
  parentId: string | null,
  index: number,
  field: IdField,
): { place: Row; rebalanced: Change['rebalanced'] } {
  const stays = parentId === row.parentId;
  if (!stays) assertMayMove(slice, row, assertValidParent(slice, parentId, field), field);
  const list = slice.lists.get(parentId) as Siblings;
  const own = stays ? row.position : null;
  const { positions, rebalanced } = placeIn(list, parentId, index, 1, own);
  return { place: { ...row, parentId, position: positions[0] as string }, rebalanced };
}

/** Only pages have content, only collections have children. */
export function assertSensible({
  object,
  content,
  children,
  place,
}: Pick<NewNode, 'object' | 'content' | 'place'> & { children: unknown[] | null }): void {
  if (object === 'item' && children !== null) throw errors.childrenOfPage(place);
  if (object === 'collection' && content !== null) throw errors.contentOfCollection(place);
}

/** @param given keys of the same command */
function assertKeyFree({ takenKeys }: Slice, { key, place }: NewNode, given: Set<string>): void {
  if (key === null) return;
  if (takenKeys.has(key) || given.has(key)) throw errors.keyTaken(place);
  given.add(key);
}

// What several rules ask of a slice.

export function find(slice: Slice, id: string, what: Missing = ITEM): Row {
  const row = slice.items.get(id);
  if (!row) throw notFound(what);
  return row;
}

/** A page cannot be a parent. @returns null for the top level */
export function assertValidParent(
  slice: Slice,
  parentId: string | null,
  field: IdField,
): Row | null {
  if (parentId === null) return null;
  const parent = find(slice, parentId, field);
  assertCollection(parent, field);
  return parent;
}

/** Also for reads: a page has nothing below it. */
export function assertCollection({ object }: Pick<Item, 'object'>, field: string): void {
  if (object !== 'collection') throw pageAsParent(field);
}

/** An item cannot go into its own subtree, nor so deep that its own subtree grows too deep. */
function assertMayMove(slice: Slice, row: Row, parent: Row | null, field: IdField): void {
  for (let up = parent; up; up = parentOf(slice, up)) {
    if (up.id === row.id) throw errors.ownSubtree(field);
  }
  const depth = parent ? depthOf(slice, parent) : 0;
  if (depth + heightOf(slice, row, parent) > MAX_DEPTH) throw errors.tooDeep(field);
}

/** If-Match of a write to the item alone: its direct children may have changed. */
function assertOwnMatches(row: Row, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !matchesOwn(ifMatch, etagOf(row, ''))) throw stale('item');
}

/**
 * If-Match: the item, and its direct children, must be as the caller has seen them. Of too many children, the item's
 * own part alone is compared: a write that would change them is refused for their number.
 */
export function assertMatches(slice: Slice, row: Row, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const childVersions = childVersionsOf(slice, row);
  if (childVersions === null) assertOwnMatches(row, ifMatch);
  else if (!matches(ifMatch, etagOf(row, childVersions))) throw stale('item');
}
