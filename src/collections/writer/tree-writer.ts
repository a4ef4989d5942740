import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Author } from '../../audit/audit-entry.js';
import { Database } from '../../database/database.js';
import { isTransient, wasLost, wasRefused } from '../../database/database-errors.js';
import { pauseAfter } from '../../database/retry.js';
import { TIMEOUTS } from '../../database/timeouts.js';
import { DomainError } from '../../errors/domain-error.js';
import {
  idOf,
  isAboutKeys,
  storeResponses,
} from '../../idempotency/idempotency-keys.repository.js';
import { AlreadySucceeded, type IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { Portions } from '../../json/json-grammar.js';
import { ChangeWaiters } from '../changes/change-waiters.js';
import type { Command, Item, WorkspaceIds } from '../collection.js';
import { BatchQueue, type Waiting } from './batch-queue.js';
import { ChangesRepository } from './changes.repository.js';
import { LongListsRepository } from './long-lists.repository.js';
import { isExclusive, itemsOf, readSetOf, sizeOf } from './read-set.js';
import { RestorationsRepository } from './restorations.repository.js';
import { IncompleteSlice } from './sibling-order.js';
import { type RunStatements, SliceRepository } from './slice.repository.js';
import { type CommandResult, decideInPortions } from './tree-rules.js';
import { applyChange, type Change, foldChanges, type Slice } from './tree-slice.js';

/**
 * The workspace that a command runs in. `author`: for the audit log, if it deletes or restores. `callerId`:
 * whose connection it is, if it may hold one for long.
 */
type Place = WorkspaceIds & { author: Author; callerId?: string };

interface Write {
  ids: Place;
  command: Command;
  keyed: IdempotentWrite<Item[]> | null;
}

/** What became of a command: its result, or the error that its caller gets. */
type Outcome = CommandResult | Error;

const BATCH = { most: 100, mostBytes: 4 * 1024 * 1024 };

/** Tries of a single command where the database asks for another one (a deadlock). */
const ATTEMPTS = 5;

/**
 * The one writer of trees. Commands queue by workspace; tree-rules decide them one after the other, on
 * the slice of the tree that they need. How they are committed:
 *
 * | path     | when                                   | messages to the database     | lock               |
 * | -------- | -------------------------------------- | ---------------------------- | ------------------ |
 * | unlocked | a single command that reads few rows   | a read; one statement, which | optimistic: fails  |
 * |          | (isQuick) and has no idempotency key   | is a transaction of its own  | if `tree_stamp` has|
 * |          |                                        |                              | changed            |
 * | shared   | unlocked commands of several teams     | their statements and one     | as unlocked, and   |
 * |          | that wait for a connection             | COMMIT (SharedCommits)       | lock_timeout 100ms |
 * | locked   | any other single command; an unlocked  | 1. BEGIN, lock, read         | the workspace's    |
 * |          | one that failed; each command of a     | 2. write, COMMIT             | row, from the      |
 * |          | batch that was refused                 |                              | first message on   |
 * | together | commands that wait in one queue        | as locked, once for all      | as locked          |
 *
 * The first message locks the workspace's row and gives its tree a new version, reads the slice and
 * looks up the idempotency keys. The second one writes the keys with the responses of the commands that
 * succeeded, updates, inserts, the log of changes and the counters. A long list may need another round
 * trip between them.
 *
 * A command that breaks a rule fails alone. If the database refuses a statement, or more must be read
 * than a batch can, the commands run one by one, locked. A commit whose response was lost is never run
 * again.
 */
@Injectable()
export class TreeWriter {
  private readonly queue = new BatchQueue<Write, CommandResult>(
    {
      ...BATCH,
      // The response is written a second time, under the key.
      sizeOf: ({ command, keyed }) => sizeOf(command) * (keyed === null ? 1 : 2),
      isExclusive: ({ command }) => isExclusive(command),
    },
    (batch) => this.runBatch(batch),
  );

  constructor(
    private readonly database: Database,
    private readonly slices: SliceRepository,
    private readonly longLists: LongListsRepository,
    private readonly changes: ChangesRepository,
    private readonly waiters: ChangeWaiters,
    private readonly restorations: RestorationsRepository,
  ) {}

  /**
   * Carries out a command; the caller may write in this workspace.
   * @param keyed stores its response, if it has an idempotency key
   * @throws AlreadySucceeded under that key
   * @throws DomainError not_found, conflict, unprocessable_entity by tree-rules; forbidden: the
   *   plan's limit; internal_server_error: nobody knows whether it was committed
   */
  run(ids: Place, command: Command, keyed: Write['keyed'] = null): Promise<CommandResult> {
    return this.queue.add(ids.workspaceId, { ids, command, keyed });
  }

  private async runBatch(batch: Waiting<Write, CommandResult>[]): Promise<void> {
    const [first] = batch as [Waiting<Write, CommandResult>];
    const { ids } = first.work;
    const writes = batch.map(({ work }) => work);
    try {
      const outcomes =
        batch.length > 1
          ? await this.commitTogether(ids, writes)
          : [
              (await this.commitUnlocked(ids, first.work)) ??
                (await this.commitOne(ids, first.work)),
            ];
      for (const [n, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[n] as Outcome;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async commitTogether(ids: Place, writes: Write[]): Promise<Outcome[]> {
    const start = performance.now();
    try {
      return await this.commitLocked(ids, writes).catch((error: unknown) => {
        if (!wasLostEarly(error, start)) throw error;
        this.database.retries.note(error);
        return this.commitLocked(ids, writes);
      });
    } catch (error) {
      const mayPassAlone =
        error instanceof IncompleteSlice || wasRefused(error) || isAboutKeys(error);
      if (!mayPassAlone) throw error;
    }
    const outcomes: Outcome[] = [];
    for (const write of writes) {
      outcomes.push(await this.commitOne(ids, write).catch((error: Error) => error));
    }
    return outcomes;
  }

  private async commitOne(ids: Place, write: Write): Promise<Outcome> {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const [outcome] = await this.commitLocked(ids, [write]);
        return outcome as Outcome;
      } catch (error) {
        const isKeyTaken = isAboutKeys(error) && wasRefused(error);
        const mayPass = isTransient(error) || isKeyTaken || wasLostEarly(error, start);
        if (attempt === ATTEMPTS || !mayPass) throw await this.changes.explain(ids, error);
        this.database.retries.note(error);
        await pauseAfter(attempt);
      }
    }
  }

  /** Both messages in one transaction, behind the workspace's lock. */
  private commitLocked(ids: Place, writes: Write[]): Promise<Outcome[]> {
    const by = { teamId: ids.teamId, ...(ids.callerId && { callerId: ids.callerId }) };
    return this.database.pipelined(by, async (tx) => {
      const run: RunStatements = (statements) => tx.run(statements);
      const readSet = readSetOf(writes.map(({ command }) => command));
      const keys = writes.flatMap(({ keyed }) => keyed ?? []);
      const slice = await this.slices.load(run, ids, readSet, randomUUID(), keys);
      const { changes, outcomes } = await this.decideAll(run, slice, writes);
      const { removed, restored, ...folded } = foldChanges(slice, changes);
      // What deletes or restores is alone in its batch.
      const { author } = (writes[0] as Write).ids;
      const gone = removed ? await this.changes.remove(run, slice, removed, author) : undefined;
      let statements = this.changes.statements(slice, folded, gone);
      if (restored) {
        // A restore is alone in its batch. Its response is stored in the same transaction.
        const result = await this.restorations.restore(run, slice, statements, restored);
        outcomes[0] = result;
        statements = [
          this.restorations.record(restored, result, author),
          this.changes.count(ids, restored.deletion),
        ];
      }
      const stored = responsesToStore(writes, outcomes);
      if (changes.length + stored.length > 0) {
        await yieldIfLarge(writes.map(({ command }) => command));
        if (changes.length === 0) statements = [this.changes.log(slice, [])];
        await tx.commit([...(stored.length > 0 ? [storeResponses(stored)] : []), ...statements]);
        this.waiters.wake(ids.workspaceId);
      }
      return outcomes;
    });
  }

  /**
   * The first message without a transaction, and the second one only if the tree is still as read.
   * @returns null where the command must be decided behind the lock
   */
  private async commitUnlocked(ids: WorkspaceIds, write: Write): Promise<Outcome | null> {
    if (!isQuick(write.command) || write.keyed !== null) return null;
    try {
      const readSet = readSetOf([write.command]);
      const slice = await this.slices.load(this.readUnlocked, ids, readSet, null, []);
      const { changes, outcomes } = await this.decideAll(this.readUnlocked, slice, [write]);
      const [outcome] = outcomes;
      // Its reads may be of different moments: it is decided again behind the lock.
      if (!outcome || outcome instanceof Error) return null;
      if (changes.length === 0) return outcome;
      const folded = foldChanges(slice, changes);
      if (!(await this.changes.writeGuarded(slice, folded, randomUUID()))) return null;
      this.waiters.wake(ids.workspaceId);
      return outcome;
    } catch (error) {
      if (wasRefused(error)) return null;
      throw error;
    }
  }

  private readonly readUnlocked: RunStatements = (statements) => this.database.read(statements);

  private async decideAll(
    run: RunStatements,
    slice: Slice,
    writes: Write[],
  ): Promise<{ changes: Change[]; outcomes: Outcome[] }> {
    const changes: Change[] = [];
    const outcomes: Outcome[] = [];
    const commands = writes.map(({ command }) => command);
    await yieldIfLarge(commands);
    await this.longLists.loadRuns(run, slice, commands);
    for (const [n, { command, keyed }] of writes.entries()) {
      try {
        if (keyed && slice.usedKeys.has(idOf(keyed))) throw new AlreadySucceeded();
        const { change, result } = await this.decideOne(run, slice, command, writes.length === 1);
        if (keyed) slice.usedKeys.add(idOf(keyed));
        applyChange(slice, change, n === writes.length - 1);
        if (isChange(change)) changes.push(change);
        outcomes.push(result);
      } catch (error) {
        outcomes.push(asOutcome(error));
      }
    }
    await yieldIfLarge(commands);
    return { changes, outcomes };
  }

  /** Decides a command. If it is the only one of its batch, missing parts of a long list are read in further round trips. */
  private async decideOne(run: RunStatements, slice: Slice, command: Command, mayRead: boolean) {
    for (;;) {
      try {
        return await inTurns(decideInPortions(slice, command));
      } catch (error) {
        if (!(error instanceof IncompleteSlice) || !mayRead) throw error;
        await this.longLists.loadMissing(run, slice, error, command);
        await yieldIfLarge([command]);
      }
    }
  }
}

/**
 * What reads a few rows only: subtrees and whole orders would hold up the reads of others, and
 * deletes and restores take their time in any case.
 */
function isQuick(command: Command): boolean {
  if (command.kind === 'move') return command.move.newParentId === undefined;
  if (command.kind === 'update') return command.changes.parentId === undefined;
  return command.kind === 'create' || command.kind === 'patch';
}

/**
 * A connection that was found dead before a commit was sent on it, and soon after the start: nothing
 * has happened, and the callers have not waited for long.
 */
const wasLostEarly = (error: unknown, start: number): boolean =>
  !(error instanceof DomainError || error instanceof IncompleteSlice) &&
  wasLost(error) &&
  performance.now() - start < TIMEOUTS.again;

/** Above this many items, a batch yields to the event loop between its steps. */
const MANY_ITEMS = 500;

async function yieldIfLarge(commands: readonly Command[]): Promise<void> {
  const items = commands.reduce((sum, command) => sum + itemsOf(command), 0);
  if (items > MANY_ITEMS) await nextTurn();
}

/** Milliseconds after which a long decision yields to the event loop. */
const TURN = 10;

/** Runs portions, with turns of the event loop in between if they take long. */
async function inTurns<T>(portions: Portions<T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
    if (performance.now() - since < TURN) continue;
    await nextTurn();
    since = performance.now();
  }
}

const isChange = ({ inserts, updates, removed, restored }: Change): boolean =>
  inserts.length > 0 || updates.length > 0 || removed !== null || restored !== null;

/** The responses of the commands that succeeded and have a key. */
const responsesToStore = (writes: readonly Write[], outcomes: readonly Outcome[]) =>
  writes.flatMap(({ ids, keyed }, n) => {
    const outcome = outcomes[n];
    if (!keyed || !outcome || outcome instanceof Error) return [];
    return { ...keyed, ...ids, response: keyed.serialize(outcome.items) };
  });

/** A rule that was broken, or a write that has already succeeded, is an outcome; anything else is thrown on. */
function asOutcome(error: unknown): Error {
  if (error instanceof DomainError || error instanceof AlreadySucceeded) return error;
  throw error;
}
