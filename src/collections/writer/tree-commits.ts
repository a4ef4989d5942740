import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { wasRefused } from '@teamspaces/pg-lanes/driver-errors';
import type { Statement } from '@teamspaces/pg-lanes/pipelined-transaction';
import { TIMEOUTS } from '@teamspaces/pg-lanes/timeouts';
import { Subject } from 'rxjs';
import type { Author } from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import { Database, type Transaction } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { inPortions, yieldToEventLoop } from '../../event-loop.js';
import { idOf, storeResponses } from '../../idempotency/idempotency-keys.repository.js';
import { AlreadySucceeded, type IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { Command, WorkspaceIds } from '../items/collection.js';
import { ITEMS_PER_POINT } from '../limits.js';
import { indexesByParent, itemsOf, movedBy, type ReadSet, readSetOf } from './read-set.js';
import { SINGLE_COMMAND_SLACK } from './sibling-order.js';
import {
  decideReading,
  hasLongLists,
  loadSlice,
  loadWindows,
  lockToChange,
  type RunReads,
  type RunStatements,
} from './slice.repository.js';
import { log, TreeRowsRepository } from './tree-rows.repository.js';
import { type CommandResult, decide, OtherVersion, patch } from './tree-rules.js';
import {
  applyChange,
  type Change,
  type Changes,
  foldChanges,
  type ItemCounts,
  type Slice,
} from './tree-slice.js';

/** Who sent a command. */
export type CommandAuthor = Author & Pick<Actor, 'charge'>;

/** The workspace that a command runs in. */
export type CommandTarget = WorkspaceIds & { author: CommandAuthor };

/** A command, and where it runs. */
export interface Write<AnyCommand> {
  ids: CommandTarget;
  command: AnyCommand;
  keyed: IdempotentWrite<CommandResult> | null;
  /** What was read for it together with its place, if it is still likely to be as it was. */
  slice: Slice | null;
  isCharged?: boolean;
  /** When its caller began to wait (performance.now()). */
  since: number;
  /** True for a patch that is decided in its batch, however large its work is. */
  isUnbounded?: boolean;
}

export type AnyWrite = Write<Command> | Write<SubtreeCommand>;

/**
 * A command on a whole subtree: subtrees/ has them. It is alone in its batch, and reads and writes in its
 * transaction what a slice and its rows do not hold.
 */
export interface SubtreeCommand {
  kind: 'subtree';
  /** Of a copy or transfer: the workspace that the item comes from; null: the one that it goes to. */
  source?: { workspaceId: string | null; isChanged: boolean };
  /** Bytes, roughly, that it holds while it waits, and writes; absent: few. */
  bytes?: number;
  /**
   * Is run again, from the start, if the transaction is retried.
   * @throws DomainError
   */
  write(tree: LockedTree): Promise<SubtreeWrite>;
}

/** The tree of a workspace in the transaction of one subtree command. */
export interface LockedTree extends WorkspaceIds {
  author: Author;
  /** Sends statements in one message of the transaction. */
  run: RunStatements;
  /**
   * Locks the tree for a change and reads a slice of it, in one message.
   * @throws AlreadySucceeded: under the command's idempotency key; DomainError not_found: the workspace
   */
  load(readSet: ReadSet): Promise<Slice>;
  /** What writes rows that are decided outside of the database, and logs them. */
  rows(slice: Slice, changes: Changes): Statement[];
  /** Charges the caller for the items of a subtree; once, also if the transaction is retried. */
  charge(items: ItemCounts): void;
}

/** What a subtree command has done. */
export interface SubtreeWrite {
  result: CommandResult;
  /** What leaves with COMMIT. */
  statements: Statement[];
  /** What the team has more now, or less; absent: as many as before. */
  counts?: ItemCounts;
  /** Nothing is written, and the tree keeps its version. */
  isUnchanged?: true;
}

/** A patch whose work is too large for its batch, where others wait for it: TreeWriter prepares it. */
export class LargePatch extends Error {
  /** @param work operations times bytes of the page */
  constructor(readonly work: number) {
    super('a patch is too large to be decided in a batch');
  }
}

/** Work of a patch from which on it is not decided in a batch. */
const LARGE_WORK = 256 * 1024;

/** What became of a command: its result, or the error that its caller gets. */
export type Outcome = CommandResult | Error;

/** How commands are decided and committed: see TreeWriter. */
@Injectable()
export class TreeCommits {
  /** The id of each workspace whose tree this process has changed, right after the commit. */
  readonly changed = new Subject<string>();

  constructor(
    private readonly database: Database,
    private readonly rows: TreeRowsRepository,
  ) {}

  /**
   * Decides and commits commands in one transaction, which locks their tree from its first message on.
   * @throws IncompleteSlice: more must be read than commands can that are together
   */
  commitLocked(ids: CommandTarget, writes: Write<Command>[]): Promise<Outcome[]> {
    return this.inTransaction(ids, writes, async (tx) => {
      const run: RunStatements = (statements) => tx.run(statements);
      const commands = writes.map(({ command }) => command);
      const keys = writes.flatMap(({ keyed }) => keyed ?? []);
      const slice = await loadSlice(run, ids, readSetOf(commands), lockToChange(ids), keys);
      const { changes, outcomes } = await decideAll(run, slice, writes);
      const stored = storedResponses(writes, outcomes);
      if (changes.length + stored.length === 0) return outcomes;
      const statements =
        changes.length === 0
          ? [log(slice, [])]
          : this.rows.statements(slice, foldChanges(slice, changes));
      if (areMany(commands)) await yieldToEventLoop();
      await tx.commit([...stored, ...statements]);
      this.changed.next(ids.workspaceId);
      return outcomes;
    });
  }

  /** The same for a command on a subtree. */
  commitSubtree(ids: CommandTarget, write: Write<SubtreeCommand>): Promise<Outcome> {
    const { command, keyed } = write;
    return this.inTransaction(ids, [write], async (tx) => {
      const run: RunStatements = (statements) => tx.run(statements);
      const tree: LockedTree = {
        ...ids,
        run,
        load: async (readSet) => {
          const keys = keyed === null ? [] : [keyed];
          const slice = await loadSlice(run, ids, readSet, lockToChange(ids), keys);
          if (slice.usedKeys.size > 0) throw new AlreadySucceeded();
          return slice;
        },
        rows: (slice, changes) => this.rows.rows(slice, changes),
        charge: (items) => chargeForItems(write, items),
      };
      const { result, statements, counts, isUnchanged } = await command.write(tree);
      if (isUnchanged) return result;
      const counted = counts ? [this.rows.count(ids, counts)] : [];
      await tx.commit([...storedResponses([write], [result]), ...statements, ...counted]);
      this.changed.next(ids.workspaceId);
      const { source } = command;
      if (source?.isChanged && source.workspaceId) this.changed.next(source.workspaceId);
      return result;
    });
  }

  private inTransaction<T>(
    { teamId, author }: CommandTarget,
    writes: readonly AnyWrite[],
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    // A command on a subtree may hold its connection for long.
    const isLong = writes[0]?.command.kind === 'subtree';
    const by = { teamId, ...(isLong && author.id && { callerId: author.id }) };
    return this.database.pipelined(by, work, Math.min(...writes.map(({ since }) => since)));
  }

  /**
   * Reads and decides a single command without the lock, and writes it only if the tree is still as read.
   * @returns null: it must be decided while holding the lock
   */
  async commitOptimistically(ids: WorkspaceIds, write: Write<Command>): Promise<Outcome | null> {
    // What was not read yet costs as much behind the lock, where its key is looked up again.
    if (write.slice === null && (write.keyed !== null || !readsFew(write.command))) return null;
    // Its statement may wait for a lock, and cannot be given up meanwhile.
    if (performance.now() - write.since > TIMEOUTS.retryWithin) return null;
    try {
      const slice = write.slice ?? (await this.loadUnlocked(write.ids, write.command));
      const { changes, outcomes } = await decideAll(this.readUnlocked(write.ids), slice, [write]);
      const [outcome] = outcomes;
      if (outcome instanceof LargePatch || outcome instanceof OtherVersion) return outcome;
      // Its reads may be of different moments.
      if (!outcome || outcome instanceof Error) return null;
      if (changes.length === 0) return write.keyed === null ? outcome : null;
      const folded = foldChanges(slice, changes);
      const stored = storedResponses([write], outcomes);
      if (!(await this.rows.writeGuarded(slice, folded, randomUUID(), stored))) return null;
      this.changed.next(ids.workspaceId);
      return outcome;
    } catch (error) {
      if (wasRefused(error)) return null;
      throw await this.rows.explain(ids, error);
    }
  }

  /**
   * Applies a patch to its page as it is now, without the lock: others get their turns meanwhile.
   * @throws DomainError as decide()
   */
  async preparePatch({ ids, command }: Write<PatchCommand>): Promise<PatchCommand> {
    const slice = await this.loadUnlocked(ids, command);
    const { version } = slice.items.get(command.id) ?? { version: 0 };
    const { change, result } = await inPortions(patch(slice, command));
    const content = result.items[0]?.content ?? '';
    return { ...command, patched: { version, content, isChange: isChange(change) } };
  }

  private loadUnlocked(ids: CommandTarget, command: Command): Promise<Slice> {
    return loadSlice(this.readUnlocked(ids), ids, readSetOf([command]), null, []);
  }

  private readUnlocked({ teamId, author }: CommandTarget): RunReads {
    const by = { teamId, ...(author.id && { callerId: author.id }) };
    return (reads) => this.database.read(reads, by);
  }
}

async function decideAll(
  run: RunReads,
  slice: Slice,
  writes: readonly Write<Command>[],
): Promise<{ changes: Change[]; outcomes: Outcome[] }> {
  const changes: Change[] = [];
  const outcomes: Outcome[] = [];
  const commands = writes.map(({ command }) => command);
  const isSingle = commands.length === 1;
  const isLong = areMany(commands);
  if (isLong) await yieldToEventLoop();
  if (hasLongLists(slice)) {
    const slack = isSingle ? SINGLE_COMMAND_SLACK : movedBy(commands);
    await loadWindows(run, slice, indexesByParent(commands, slice.items), slack);
  }
  for (const [n, { ids, command, keyed, isUnbounded }] of writes.entries()) {
    slice.authorId = ids.author.id;
    try {
      if (keyed && slice.usedKeys.has(idOf(keyed))) throw new AlreadySucceeded();
      if (command.kind === 'patch' && !isUnbounded) assertSmall(slice, command);
      const decideOne = () =>
        command.kind === 'patch' ? inPortions(patch(slice, command)) : decide(slice, command);
      const children = command.kind === 'order' ? command.children : [];
      const decided = isSingle ? decideReading(run, slice, decideOne, children) : decideOne();
      const { change, result } = await decided;
      if (keyed) slice.usedKeys.add(idOf(keyed));
      applyChange(slice, change, n === writes.length - 1);
      if (isChange(change)) changes.push(change);
      outcomes.push(result);
    } catch (error) {
      outcomes.push(asOutcome(error));
    }
  }
  if (isLong) await yieldToEventLoop();
  return { changes, outcomes };
}

/**
 * False for moves to another parent and for complete orders: these are read once, under the lock, in case others
 * write meanwhile.
 */
function readsFew(command: Command): boolean {
  if (command.kind === 'move') return command.move.newParentId === undefined;
  if (command.kind === 'update') return command.changes.parentId === undefined;
  return command.kind !== 'order';
}

/** What may be read together with its place, and written by one statement; not an order of many items. */
export const canSkipLock = (command: AnyWrite['command']): command is Command =>
  command.kind !== 'subtree' && (command.kind !== 'order' || !areMany([command]));

export type PatchCommand = Command & { kind: 'patch' };

/** Once, also if it is decided again. */
function chargeForItems(write: AnyWrite, { pages, collections }: ItemCounts): void {
  if (write.isCharged) return;
  write.isCharged = true;
  write.ids.author.charge(Math.floor((pages + collections) / ITEMS_PER_POINT));
}

/** @throws LargePatch */
function assertSmall(slice: Slice, { id, operations, patched }: PatchCommand): void {
  if (patched) return;
  const work = operations.length * (slice.items.get(id)?.content?.length ?? 0);
  if (work > LARGE_WORK) throw new LargePatch(work);
}

/** Above this many items, a batch yields to the event loop between its steps. */
const MANY_ITEMS = 500;

const areMany = (commands: readonly Command[]): boolean =>
  commands.reduce((sum, command) => sum + itemsOf(command), 0) > MANY_ITEMS;

const isChange = ({ inserts, updates }: Change): boolean => inserts.length + updates.length > 0;

/** Stores the responses of the commands that succeeded and have a key; none: no statement. */
function storedResponses(writes: readonly AnyWrite[], outcomes: readonly Outcome[]): Statement[] {
  const responses = writes.flatMap(({ ids: { teamId, workspaceId }, command, keyed }, n) => {
    const outcome = outcomes[n];
    if (!keyed || !outcome || outcome instanceof Error) return [];
    const response = { ...keyed, response: keyed.serialize(outcome), teamId, workspaceId };
    if (command.kind !== 'subtree' || !command.source) return response;
    const { source } = command;
    return {
      ...response,
      workspaceId: source.workspaceId ?? workspaceId,
      targetWorkspaceId: workspaceId,
    };
  });
  return responses.length > 0 ? [storeResponses(responses)] : [];
}

/**
 * A rule that was broken, a write that has already succeeded, or a patch that must be prepared is an
 * outcome; anything else is thrown on.
 */
function asOutcome(error: unknown): Error {
  const isOutcome =
    error instanceof DomainError ||
    error instanceof AlreadySucceeded ||
    error instanceof LargePatch ||
    error instanceof OtherVersion;
  if (isOutcome) return error;
  throw error;
}
