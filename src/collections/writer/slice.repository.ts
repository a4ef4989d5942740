import { randomUUID } from 'node:crypto';
import { type Rows, type Statement, toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import {
  combineReads,
  type Frame,
  type PointRead,
  type PreparedCall,
  type Scan,
  scan,
  separateReads,
} from '@teamspaces/pg-lanes/statements';
import { type AsJson, parseTimes, type RecordOf } from '../../database/fields.js';
import { isUuid } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { idOf, knownKeys } from '../../idempotency/idempotency-keys.repository.js';
import type { KeyId } from '../../idempotency/idempotent-write.js';
import type { AuthorizeWorkspace, VersionRestore, WorkspaceIds } from '../items/collection.js';
import { ROW_FIELDS } from '../items/item.fields.js';
import { type JsonRow, type ReadSet, type SliceRead, sliceRead } from './read-set.js';
import {
  IncompleteSlice,
  longListOf,
  SINGLE_COMMAND_SLACK,
  type Siblings,
  windowsFor,
} from './sibling-order.js';
import * as sql from './slice-statements.js';
import { type Row, type Slice, versionKey } from './tree-slice.js';

// The tree writer's reads: the slice of a tree that commands need, and what is missing in it.

/** Sends statements of a transaction in one message, and returns the rows of each. */
export type RunStatements = (statements: Statement[]) => Promise<Rows[]>;

/** The same within a transaction or outside of one, where the kind of each says on which connection it runs. */
export type RunReads = (statements: PreparedCall[]) => Promise<Rows[]>;

/** Rows from which on each step of reading them takes a turn of the event loop of its own. */
const MANY_ROWS = 500;

/**
 * Reads what commands need, in one message.
 * @param lock locks the tree, and returns what HEAD does; null: no lock is taken
 * @param keys those of the commands, to be looked up
 * @throws DomainError not_found: the workspace is gone
 */
export async function loadSlice(
  run: RunReads,
  ids: WorkspaceIds,
  readSet: ReadSet,
  lock: PreparedCall | null,
  keys: readonly KeyId[],
): Promise<Slice> {
  const slice = newSlice(ids);
  const reads = readsOf(slice, readSet);
  if (lock === null) reads.unshift(headOf(slice));
  // The lock comes first: what is read in the same message is of a later snapshot.
  const outgoing = lock === null ? [] : [lock];
  if (reads.length > 0) {
    const [statement, values] = combineReads(
      READS_ALONE,
      reads.map(({ read }) => read),
    );
    outgoing.push([statement, [ids.teamId, ids.workspaceId, ...values]]);
  }
  if (keys.length > 0) outgoing.push(knownKeys(keys));
  const answers = await run(outgoing);
  if (lock !== null) headOf(slice).take(answers.shift() as Rows);
  if (reads.length > 0) await takeAll(reads, answers.shift() as Rows);
  for (const { user_id, key } of answers.shift() ?? []) {
    slice.usedKeys.add(idOf({ userId: user_id, key }));
  }
  return slice;
}

/**
 * Finds the place of a command and reads what it needs there, without a lock, in one statement.
 * @returns without a slice if the place is all that could be read
 * @throws DomainError as `find`
 */
export async function findSlice(
  authorize: AuthorizeWorkspace,
  readSet: ReadSet,
): Promise<{ ids: WorkspaceIds; slice: Slice | null }> {
  const slice = newSlice({ teamId: '', workspaceId: '' });
  const reads = [headOf(slice), ...readsOf(slice, readSet)];
  const { teamId, workspaceId, rows } = await authorize(reads.map(({ read }) => read));
  const ids = { teamId, workspaceId };
  if (rows === null) return { ids, slice: null };
  Object.assign(slice, ids);
  await takeAll(reads, rows);
  return { ids, slice };
}

const newSlice = ({ teamId, workspaceId }: WorkspaceIds): Slice => ({
  teamId,
  workspaceId,
  treeStamp: '',
  now: new Date(0),
  authorId: null,
  items: new Map(),
  versions: new Map(),
  lists: new Map(),
  takenSlugs: new Set(),
  takenKeys: new Map(),
  heights: new Map(),
  childVersions: new Map(),
  usedKeys: new Set(),
});

const READS_ALONE: Frame = {
  name: 'reads',
  shared: ['$1', '$2'],
  parameters: 2,
  text: (reads) => reads,
};

/** @throws DomainError not_found: the workspace is gone */
const headOf = (slice: Slice): SliceRead => ({
  read: [sql.HEAD, []],
  take: ([head]) => {
    if (!head) throw notFound('workspace');
    slice.treeStamp = head.treeStamp;
    slice.now = new Date(head.now);
  },
});

async function takeAll(reads: readonly SliceRead[], rows: readonly Rows[number][]): Promise<void> {
  const isLong = rows.length > MANY_ROWS;
  if (isLong) await yieldToEventLoop();
  const found = separateReads(rows, reads.length);
  for (const [n, { take }] of reads.entries()) {
    if (isLong) await yieldToEventLoop();
    take(found[n] as Rows);
  }
}

/** The reads of a slice, each of which fills its part. Ids that cannot exist do not reach the database. */
function readsOf(slice: Slice, readSet: ReadSet): SliceRead[] {
  const { items, lists, heights, childVersions, takenSlugs, takenKeys } = slice;
  const reads: SliceRead[] = [];
  const readEach = <Row>(
    statement: PointRead<Row> | Scan<Row>,
    given: readonly (string | null)[],
    take: (row: JsonRow<Row>) => void,
  ) => {
    if (given.length > 0) reads.push(sliceRead(statement, [given], (rows) => rows.forEach(take)));
  };
  const setList = (parentId: string | null, siblings: Partial<Siblings>) =>
    lists.set(parentId, { ...NOT_LOADED, ...siblings });
  const wantedLists = [...readSet.lists].filter(
    ([parentId]) => parentId === null || isUuid(parentId),
  );
  const parentsOf = (part: 'end' | 'order') =>
    wantedLists.filter(([, wanted]) => wanted === part).map(([parentId]) => parentId);
  readEach(sql.ITEMS, possible(readSet.items), (row) => items.set(row.id, toRow(slice, row)));
  const withEtag = [...readSet.withEtag].filter(([id]) => isUuid(id));
  if (withEtag.length > 0) {
    const values = [
      withEtag.map(([id]) => id),
      withEtag.map(([, withContent]) => withContent),
      readSet.mostChildren,
    ];
    const read = sliceRead(sql.WITH_ETAG, values, (rows) => {
      for (const { childVersions: versions, content, ...row } of rows) {
        items.set(row.id, toRow(slice, row, content));
        childVersions.set(row.id, versions);
      }
    });
    reads.push(read);
  }
  const wanted = readSet.versions.filter(({ id }) => isUuid(id));
  if (wanted.length > 0) {
    const [{ ttlSeconds }] = wanted as [VersionRestore];
    const values = [...toArrays(wanted, ['id', 'version']), ttlSeconds];
    const take = (rows: Rows) => {
      for (const row of rows) slice.versions.set(versionKey(row as VersionRestore), row.content);
    };
    reads.push({ read: [sql.VERSIONS, values], take });
  }
  readEach(sql.HEIGHTS, possible(readSet.heights), ({ root, height }) => heights.set(root, height));
  readEach(sql.ENDS, parentsOf('end'), ({ parentId, last }) => setList(parentId, { last }));
  const moved = [...readSet.siblingsOf].filter(([id]) => isUuid(id));
  const amongAll = moved.filter(([, index]) => index === null).map(([id]) => id);
  const orders = [amongAll, parentsOf('order')];
  if (orders.some(({ length }) => length > 0)) {
    const take = (rows: Rows) => {
      for (const { parentId, positions } of rows) {
        const all = positions?.split(' ') ?? [];
        setList(parentId, all.length > MAX_SIBLINGS ? {} : wholeList(all));
      }
    };
    reads.push({ read: [sql.ORDERS, [...orders, MAX_SIBLINGS + 1]], take });
  }
  for (const [id, index] of moved) {
    if (index === null) continue;
    const wanted = windowsFor([index], SINGLE_COMMAND_SLACK);
    const values = [id, wanted.starts[0], wanted.length, wanted.tail];
    const take = ([row]: Rows) => {
      if (!row) return;
      const { parentId, positions, tail } = row;
      const isWhole = wanted.starts[0] === 0 && positions.length < wanted.length;
      const long = () => ({ long: longListOf(wanted, [positions], tail) });
      setList(parentId, isWhole ? wholeList(positions) : long());
    };
    const start = wanted.starts[0] ?? 0;
    const statement = start > MAX_SIBLINGS ? scan(sql.WINDOW_OF_ITEM) : sql.WINDOW_OF_ITEM;
    reads.push({ read: [statement, values], take });
  }
  for (const [parentId, part] of wantedLists) {
    if (typeof part === 'string') continue;
    const take = (rows: Rows) => setList(parentId, withIds(rows));
    reads.push({ read: [sql.IDS, [parentId, part.ids]], take });
  }
  reads.push(...readSet.more);
  readEach(sql.TAKEN_SLUGS, [...readSet.slugs], ({ slug }) => takenSlugs.add(slug));
  readEach(sql.TAKEN_KEYS, [...readSet.keys], ({ key, id }) => takenKeys.set(key, id));
  return reads;
}

/** A row of ITEMS, completed. A copy with more members takes six times as long: lists are long. */
export const toRow = <Read extends AsJson<RecordOf<typeof ROW_FIELDS>>>(
  { teamId }: Slice,
  row: Read,
  content: string | null = null,
): Omit<Read, keyof typeof ROW_FIELDS> & Row => {
  parseTimes(ROW_FIELDS, row);
  return Object.assign(row, { teamId, content }) as never;
};

const possible = (ids: Set<string>): string[] => [...ids].filter(isUuid);

/** Lists of more siblings are not read whole for one move. */
const MAX_SIBLINGS = 2000;

/** A list of which nothing is known yet: it is too long. */
const NOT_LOADED: Siblings = { positions: null, ids: null, last: undefined, long: null };

const wholeList = (positions: string[]): Partial<Siblings> => ({
  positions,
  last: positions.at(-1) ?? null,
});

/** From rows of IDS. */
const withIds = (rows: Rows): Partial<Siblings> => ({
  ids: rows.map(({ id }) => id),
  ...wholeList(rows.map(({ position }) => position)),
});

/** Locks a tree for a change, which gives it a new version. */
export const lockToChange = ({ teamId, workspaceId }: WorkspaceIds): PreparedCall => [
  sql.LOCK,
  [teamId, workspaceId, randomUUID()],
];

/** Locks a tree against changes. */
export const lockToRead = ({ teamId, workspaceId }: WorkspaceIds): PreparedCall => [
  sql.LOCK_TO_READ,
  [teamId, workspaceId],
];

/** True if lists that commands are about were too long to be read whole. */
export const hasLongLists = ({ lists }: Slice): boolean => [...lists.values()].some(isNotLoaded);

const isNotLoaded = (list: Siblings | undefined): boolean =>
  list !== undefined && list.positions === null && list.last === undefined && list.long === null;

/** Items that the commands of a batch move, at most, where they concern a long list. */
const MAX_MOVED_IN_LIST = 200;

/**
 * Reads of lists that are too long to be read whole what lies around the places that commands want; nothing
 * where they move so many items that each of them is better carried out alone.
 * @param places the wanted indexes, by parent
 * @param slack how many items come and go before a place is looked for
 */
export async function loadWindows(
  run: RunReads,
  { teamId, workspaceId, lists }: Slice,
  places: ReadonlyMap<string | null, readonly number[]>,
  slack: number,
): Promise<void> {
  if (slack > MAX_MOVED_IN_LIST) return;
  const asked = [...places]
    .filter(([parentId]) => isNotLoaded(lists.get(parentId)))
    .map(([parentId, indexes]) => ({ parentId, wanted: windowsFor(indexes, slack) }));
  if (asked.length === 0) return;
  const answers = await run(
    asked.map(({ parentId, wanted: { starts, length, tail } }) => [
      sql.WINDOWS,
      [teamId, parentId ?? workspaceId, starts, length, tail],
    ]),
  );
  for (const [n, { parentId, wanted }] of asked.entries()) {
    const rows = (answers[n] ?? []) as { n: number; positions: string[] }[];
    const [backwards = [], ...windows] = rows
      .toSorted((a, b) => a.n - b.n)
      .map(({ positions }) => positions);
    lists.set(parentId, { ...NOT_LOADED, long: longListOf(wanted, windows, backwards) });
  }
}

/**
 * Decides a command that has a transaction of its own: what its rules miss of a long list is read in further
 * round trips.
 * @param children those that a complete order names
 */
export async function decideReading<T>(
  run: RunReads,
  slice: Slice,
  decide: () => T | Promise<T>,
  children: readonly string[] = [],
): Promise<T> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof IncompleteSlice)) throw error;
      await loadMissing(run, slice, error, children);
      if (children.length > MANY_ROWS) await yieldToEventLoop();
    }
  }
}

async function loadMissing(
  run: RunReads,
  { teamId, workspaceId, items, lists, heights }: Slice,
  incomplete: IncompleteSlice,
  children: readonly string[],
): Promise<void> {
  const { parentId, lacks } = incomplete;
  if (lacks === 'heights') {
    const moved = children.filter((id) => {
      const item = items.get(id);
      return item?.object === 'collection' && item.parentId !== parentId;
    });
    const [rows = []] = await run([[sql.HEIGHTS, [teamId, workspaceId, moved]]]);
    for (const { root, height } of rows) heights.set(root, height);
    return;
  }
  if (lacks !== 'ids') throw incomplete;
  const [rows = []] = await run([[sql.IDS, [teamId, workspaceId, parentId, null]]]);
  lists.set(parentId, { ...NOT_LOADED, ...withIds(rows) });
}
