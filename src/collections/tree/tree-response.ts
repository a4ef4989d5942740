import { createHash } from 'node:crypto';
import { isUuid } from '../../database/ids.js';
import { notFound } from '../../errors/domain-error.js';
import type { JsonBody } from '../../http/json-stream.js';
import { cursorOfOtherList, expiredCursor } from '../errors.js';
import type { Cursor, ObjectKind, TreeQuery } from '../items/collection.js';
import { listEtagOf } from '../items/etag.js';
import { assertCollection } from '../writer/tree-rules.js';

/** A part of a tree as JSON. */
export interface TreeResponse {
  /** null: the caller has it. */
  body: JsonBody | null;
  etag: string;
  /** Where the top level goes on, or null at its end. */
  next: Cursor | null;
}

/** One that is held whole, and what it was read under. */
export type BufferedTree = TreeResponse & { body: Buffer; treeStamp: string };

/** What a tree was read under. */
export interface TreeHead {
  treeStamp: string;
  rebalances: number;
}

/** What is read of a workspace for its tree, with a part of it or without. */
export interface TreeColumns extends Partial<SmallPart> {
  treeStamp: string;
}

/** A small part of a tree: see SMALL_PART. */
export interface SmallPart {
  /** What parseHead() takes. */
  head: string;
  last: string | null;
  /** null: it is not small. */
  lines: string | null;
}

export type WorkspaceTree = TreeColumns & { id: string; teamId: string };

/** A list that a caller asks for. */
export interface ListRequest {
  callerId: string;
  workspace: WorkspaceTree;
  query: TreeQuery;
}

/** Stands for no bound where a statement takes a number. */
export const ALL = 2_000_000_000;

export const isWhole = ({ parentId, depth, limit, cursor }: TreeQuery): boolean =>
  parentId === null && [depth, limit, cursor].every((part) => part === undefined);

/** @throws DomainError bad_request: the cursor is of another list; not_found: no such parent */
export function assertPossible({ workspace, query: { cursor, parentId } }: ListRequest): void {
  if (cursor && cursor.list !== listOf(workspace.id, parentId)) {
    throw cursorOfOtherList();
  }
  if (parentId !== null && !isUuid(parentId)) throw notFound('parent');
}

/** Where a list begins, its length and its depth, as parameters of the statements. */
export const boundsOf = ({ depth = ALL, limit = ALL, cursor }: TreeQuery): unknown[] => [
  cursor?.position ?? null,
  limit,
  depth,
];

/** @throws DomainError not_found, unprocessable_entity: the parent; bad_request: the cursor */
export function parseHead(head: string, { cursor }: TreeQuery): TreeHead {
  const [treeStamp = '', rebalances = '', parentObject = ''] = head.split(' ');
  if (parentObject === '') throw notFound('parent');
  assertCollection({ object: parentObject as ObjectKind }, 'parent');
  if (cursor && cursor.rebalances !== Number(rebalances)) {
    throw expiredCursor();
  }
  return { treeStamp, rebalances: Number(rebalances) };
}

/** @param last the position of the last item shown, where the list goes on; null: it does not */
export const headersOf = (
  { workspace, query }: ListRequest,
  { treeStamp, rebalances }: TreeHead,
  last: string | null,
): Omit<BufferedTree, 'body'> => ({
  treeStamp,
  etag: listEtagOf(treeStamp, query),
  next:
    last === null
      ? null
      : { list: listOf(workspace.id, query.parentId), position: last, rebalances },
});

/** Eight characters that tell a list from others. */
export const listOf = (workspaceId: string, parentId: string | null): string =>
  createHash('sha256')
    .update(`${workspaceId}:${parentId ?? ''}`)
    .digest('base64url')
    .slice(0, 8);
