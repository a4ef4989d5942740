import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { combineReads, separateReads } from '../../database/combined-read.js';
import { isUuid } from '../../database/ids.js';
import type { Rows, Statement } from '../../database/pipelined-transaction.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { idOf, knownKeys } from '../../idempotency/idempotency-keys.repository.js';
import type { KeyId } from '../../idempotency/idempotent-write.js';
import type { WorkspaceIds } from '../items/collection.js';
import type { ItemRow } from '../items/item-row.js';
import { longListOf, runsFor, SINGLE_COMMAND_SLACK } from './long-list.js';
import { type ReadSet } from './read-set.js';
import type { Siblings } from './sibling-order.js';
import * as sql from './slice-statements.js';
import type { Row, Slice } from './tree-slice.js';

/** Sends statements in one message, and returns the rows of each. */
export type RunStatements = (statements: Statement[]) => Promise<Rows[]>;

/** Rows from which on each step of reading them takes a turn of the event loop of its own. */
const MANY_ROWS = 500;

/** The tree writer's reads: the slice of a tree that commands need. */
@Injectable()
export class SliceRepository {
  /**
   * Reads what commands need, in one message.
   * @param lock locks the tree, and returns what HEAD does; null: no lock is taken
   * @param keys those of the commands, to be looked up
   * @throws DomainError not_found: the workspace is gone
   */
  async load(
    run: RunStatements,
    { teamId, workspaceId }: WorkspaceIds,
    readSet: ReadSet,
    lock: Statement | null,
    keys: readonly KeyId[],
  ): Promise<Slice> {
    const slice: Slice = {
      teamId,
      workspaceId,
      treeStamp: '',
      now: new Date(0),
      items: new Map(),
      lists: new Map(),
      takenSlugs: new Set(),
      heights: new Map(),
      childVersions: new Map(),
      usedKeys: new Set(),
      formerPlace: null,
      subtree: null,
    };
    const statements: Statement[] = [];
    const readers: ((rows: Rows) => void)[] = [];
    const read = (
      statement: { name: string; text: string },
      values: unknown[],
      reader: (rows: Rows) => void,
    ) => {
      statements.push([statement, [teamId, workspaceId, ...values]]);
      readers.push(reader);
    };
    const readHead = ([head]: Rows) => {
      if (!head) throw notFound('workspace');
      slice.treeStamp = head.tree_stamp;
      slice.now = new Date(head.now);
    };
    if (lock === null) read(sql.HEAD, [], readHead);
    readItems(slice, readSet, read);
    readLists(slice, readSet, read);
    readFormerPlace(slice, readSet, read);
    if (readSet.slugs.size > 0) {
      read(sql.TAKEN_SLUGS, [[...readSet.slugs]], (rows) => {
        for (const { slug } of rows) slice.takenSlugs.add(slug);
      });
    }
    // The lock comes first: what is read in the same message is of a later snapshot.
    const locking = lock === null ? [] : [lock];
    const reading = statements.length > 0 ? [combineReads(statements, 2)] : [];
    const looking = keys.length > 0 ? [knownKeys(keys)] : [];
    const answers = await run([...locking, ...reading, ...looking]);
    if (lock !== null) readHead(answers[0] as Rows);
    const rows = answers[locking.length] ?? [];
    const isLong = rows.length > MANY_ROWS;
    if (isLong) await yieldToEventLoop();
    const found = separateReads(rows, statements.length);
    for (const [n, reader] of readers.entries()) {
      if (isLong) await yieldToEventLoop();
      reader(found[n] as Rows);
    }
    for (const { user_id, key } of looking.length > 0 ? (answers.at(-1) as Rows) : []) {
      slice.usedKeys.add(idOf({ userId: user_id, key }));
    }
    return slice;
  }
}

/** Locks a tree for a change, which gives it a new version. */
export const lockToChange = ({ teamId, workspaceId }: WorkspaceIds): Statement => [
  sql.LOCK,
  [teamId, workspaceId, randomUUID()],
];

/** Locks a tree against changes. */
export const lockToRead = ({ teamId, workspaceId }: WorkspaceIds): Statement => [
  sql.LOCK_TO_READ,
  [teamId, workspaceId],
];

type PlacedRow = ItemRow & { position: string };

/** Field by field: orders are long. Times come as text. */
const toRow = (row: PlacedRow, teamId: string): Row => ({
  id: row.id,
  teamId,
  workspaceId: row.workspace_id,
  parentId: row.parent_id,
  object: row.object,
  name: row.name,
  slug: row.slug,
  version: row.version,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
  content: null,
  position: row.position,
});

type Read = (
  statement: { name: string; text: string },
  values: unknown[],
  reader: (rows: Rows) => void,
) => void;

function readItems(slice: Slice, readSet: ReadSet, read: Read): void {
  const items = possible(readSet.items);
  if (items.length > 0) {
    read(sql.ITEMS, [items], (rows) => {
      for (const row of rows as PlacedRow[]) slice.items.set(row.id, toRow(row, slice.teamId));
    });
  }
  const contents = possible(readSet.contents);
  if (contents.length > 0) {
    read(sql.CONTENTS, [contents], (rows) => {
      for (const { id, content } of rows) {
        const row = slice.items.get(id);
        if (row) slice.items.set(id, { ...row, content });
      }
    });
  }
  const heights = possible(readSet.heights);
  if (heights.length > 0) {
    read(sql.HEIGHTS, [heights], (rows) => {
      for (const { root, height } of rows) slice.heights.set(root, height);
    });
  }
  const childVersions = possible(readSet.childVersions);
  if (childVersions.length > 0) {
    read(sql.CHILD_VERSIONS, [childVersions], (rows) => {
      for (const { parent_id, versions } of rows)
        slice.childVersions.set(parent_id, versions ?? '');
    });
  }
}

function readLists(slice: Slice, readSet: ReadSet, read: Read): void {
  const { lists, workspaceId } = slice;
  const listIds = (parents: Set<string | null>) => [
    ...(parents.has(null) ? [workspaceId] : []),
    ...possible(parents),
  ];
  const set = (listId: string, siblings: Partial<Siblings>) =>
    lists.set(listId === workspaceId ? null : listId, { ...NOT_LOADED, ...siblings });
  const ends = listIds(readSet.ends);
  if (ends.length > 0) {
    read(sql.ENDS, [ends], (rows) => {
      for (const { list_id, last } of rows) set(list_id, { last });
    });
  }
  const orders = listIds(readSet.orders);
  const siblingOrders = possible(readSet.siblingOrdersOf);
  if (orders.length + siblingOrders.length > 0) {
    read(sql.ORDERS, [siblingOrders, orders, MAX_SIBLINGS + 1], (rows) => {
      for (const { list_id, positions } of rows) {
        const all = positions?.split(' ') ?? [];
        set(list_id, all.length > MAX_SIBLINGS ? {} : wholeList(all));
      }
    });
  }
  if (readSet.around && isUuid(readSet.around.id)) {
    const { id, index } = readSet.around;
    const wanted = runsFor([index], SINGLE_COMMAND_SLACK);
    read(sql.AROUND, [id, wanted.starts[0], wanted.length, wanted.tail], ([row]) => {
      if (!row) return;
      const { list_id, positions, tail } = row;
      const isWhole = wanted.starts[0] === 0 && positions.length < wanted.length;
      const long = () => ({ long: longListOf(wanted, [positions], tail) });
      set(list_id, isWhole ? wholeList(positions) : long());
    });
  }
}

function readFormerPlace(slice: Slice, { formerPlaceOf }: ReadSet, read: Read): void {
  if (formerPlaceOf === null) return;
  const { parentId, position, rebalances, beforeId, afterId } = formerPlaceOf;
  const list = parentId ?? slice.workspaceId;
  read(sql.FORMER_PLACE, [list, position, rebalances, beforeId, afterId], ([row]) => {
    if (!row) return;
    const { before, after, is_valid: isPositionValid } = row;
    slice.formerPlace = { before, after, isPositionValid };
  });
}

/** Lists of more siblings are not read whole for one move. */
const MAX_SIBLINGS = 2000;

/** A list of which nothing is known yet: it is too long. */
export const NOT_LOADED: Siblings = { positions: null, ids: null, last: undefined, long: null };

const wholeList = (positions: string[]): Partial<Siblings> => ({
  positions,
  last: positions.at(-1) ?? null,
});

/** The ids that could exist: no other reaches the database. */
const possible = (ids: Set<string> | Set<string | null>): string[] =>
  [...ids].filter((id): id is string => id !== null && isUuid(id));
