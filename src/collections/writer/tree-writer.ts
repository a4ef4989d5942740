import { Injectable } from '@nestjs/common';
import {
  isTransient,
  violatedConstraint,
  wasLost,
  wasRefused,
} from '@teamspaces/pg-lanes/driver-errors';
import { FairGate, GateTimeout } from '@teamspaces/pg-lanes/fair-gate';
import { sleepBeforeRetry } from '@teamspaces/pg-lanes/lanes';
import { TIMEOUTS } from '@teamspaces/pg-lanes/timeouts';
import { LRUCache } from 'lru-cache';
import { Database } from '../../database/database.js';
import { busy, DomainError } from '../../errors/domain-error.js';
import { isAboutKeys } from '../../idempotency/idempotency-keys.repository.js';
import { AlreadySucceeded } from '../../idempotency/idempotent-write.js';
import { tooManyChangesWaiting } from '../errors.js';
import type { AuthorizeWorkspace, Command } from '../items/collection.js';
import { BACKLOG, BACKLOG_OF_ALL, PATCH_WORK_PER_POINT } from '../limits.js';
import { Backlog, BatchQueue, type Waiting } from './batch-queue.js';
import { bytesOf, isExclusive, readSetOf } from './read-set.js';
import { IncompleteSlice } from './sibling-order.js';
import { findSlice } from './slice.repository.js';
import {
  type AnyWrite,
  type CommandAuthor,
  type CommandTarget,
  canSkipLock,
  LargePatch,
  type Outcome,
  type PatchCommand,
  type SubtreeCommand,
  TreeCommits,
  type Write,
} from './tree-commits.js';
import { TreeRowsRepository } from './tree-rows.repository.js';
import { type CommandResult, OtherVersion } from './tree-rules.js';

const MIB = 1024 * 1024;
const BATCH = { most: 100, mostBytes: 4 * MIB, shareBytes: MIB / 4 };

/** Large patches that are prepared at once, and how often a page that keeps changing is read for one. */
const PREPARED_AT_ONCE = 4;
const PREPARATIONS = 3;

/** Attempts at a single command if the database asks for a retry (a deadlock). */
const ATTEMPTS = 5;

/**
 * The one writer of trees. Commands queue by workspace; tree-rules decide them one after the other, on
 * the slice of the tree that they need. How they are committed:
 *
 * | way                    | when                                 | messages to the database         | lock                 |
 * | ---------------------- | ------------------------------------ | -------------------------------- | -------------------- |
 * | `commitOptimistically` | a single command that does not order | a read, which finds the place,   | none: fails if       |
 * |                        | many items (`canSkipLock`)           | too; one statement, which is a   | `tree_stamp` has     |
 * |                        |                                      | transaction of its own, or one   | changed              |
 * |                        |                                      | that stores the idempotency key  |                      |
 * | the same, in           | its statement waits for a connection | the statements of several teams, | the same, and        |
 * | `SharedCommits`        |                                      | and one COMMIT                   | `lock_timeout` 100ms |
 * | `commitLocked`         | any other single command; one that   | 1. BEGIN, lock, read             | the workspace's row, |
 * |                        | failed before; each command of a     | 2. write, COMMIT                 | from the first       |
 * |                        | batch that was refused               |                                  | message on           |
 * | `commitSubtree`        | a command on a subtree               | the same, with more between them | the same             |
 * | `commitBatch`          | commands that wait in one queue      | as `commitLocked`, once for all  | the same             |
 *
 * The first message locks the workspace's row and gives its tree a new version, reads the slice and
 * looks up the idempotency keys. The second one writes the keys with the responses of the commands that
 * succeeded, updates, inserts, the log of changes and the counters. A long list may need another round
 * trip between them.
 *
 * Callers take turns in a queue (BatchQueue), and have a bound on what waits there (Backlog): one that
 * sends too much gets 429 itself. A command that has not got its turn within TIMEOUTS.lock gets 409, and
 * nothing of it has happened.
 *
 * A patch with much work does not hold up a batch: it is applied to the page as it is, outside of the
 * queue, and written if the page is still of that version when its turn comes. Otherwise it is applied
 * again, at last in its batch. One of a page, and one of a caller, is prepared at a time.
 *
 * A command that breaks a rule fails alone. If the database refuses a statement, or more must be read
 * than a batch can, the commands run one by one. A commit whose response was lost is never run
 * again.
 */
@Injectable()
export class TreeWriter {
  private readonly queue = new BatchQueue<AnyWrite, CommandResult>(
    {
      ...BATCH,
      // The response is written a second time, under the key.
      bytesOf: ({ command, keyed }) => bytesOf(command) * (keyed === null ? 1 : 2),
      isExclusive: ({ command }) => isExclusive(command),
      callerOf: ({ ids }) => ids.author.id ?? '',
      timeout: TIMEOUTS.lock,
      timeoutError: () => busy(new Error('its batch had not begun in time')),
    },
    (batch) => this.runBatch(batch),
  );
  private readonly backlog = new Backlog();
  /** By caller. */
  private readonly lastWorkspaces = new LRUCache<string, string>({ max: 10_000 });
  /** Callers for whom a slice is read together with its place. */
  private readonly reading = new Set<string>();
  private readonly largePatches = new FairGate(PREPARED_AT_ONCE, 'the large patches');

  constructor(
    private readonly database: Database,
    private readonly commits: TreeCommits,
    private readonly rows: TreeRowsRepository,
  ) {}

  /**
   * Carries out a command.
   * @param find its place, if the caller may write there
   * @param keyed stores its response, if it has an idempotency key
   * @throws AlreadySucceeded under that key
   * @throws DomainError not_found, conflict, unprocessable_entity by tree-rules; forbidden: the
   *   plan's limit; conflict: others kept the workspace for too long; rate_limit_exceeded: too much of
   *   this caller waits; internal_server_error: nobody knows whether it was committed
   */
  async run(
    author: CommandAuthor,
    authorize: AuthorizeWorkspace,
    command: Command | SubtreeCommand,
    keyed: AnyWrite['keyed'] = null,
  ): Promise<CommandResult> {
    const { id } = author;
    const [found] = await Promise.all([
      this.findTarget(`${id}`, authorize, canSkipLock(command) && command),
      keyed?.lookedUp,
    ]);
    const { workspaceId } = found.ids;
    this.lastWorkspaces.set(`${id}`, workspaceId);
    const bounds = [
      { key: `${id} ${workspaceId}`, ...BACKLOG },
      { key: `${id}`, ...BACKLOG_OF_ALL },
    ];
    const ids = { ...found.ids, author };
    const slice = this.queue.isBusy(workspaceId) ? null : found.slice;
    const write = { ids, command, keyed, slice, since: performance.now() } as AnyWrite;
    return this.backlog.during(bounds, bytesOf(command), () => this.enqueue(write));
  }

  /**
   * Finds the place of a command, and reads its slice if that may be written without the lock. Not if the caller
   * has another one read just now, or a batch runs where the caller wrote last: most of what was read would not
   * be used, and pages of 1 MiB would hold up the reads of others. Nor in a distributed database, which takes no
   * such statement.
   */
  private async findTarget(
    callerId: string,
    authorize: AuthorizeWorkspace,
    command: Command | false,
  ) {
    const isDistributed = await this.database.isDistributed();
    const last = this.lastWorkspaces.get(callerId);
    const isWaiting = this.reading.has(callerId) || (last !== undefined && this.queue.isBusy(last));
    if (!command || isWaiting || isDistributed) {
      const { teamId, workspaceId } = await authorize([]);
      return { ids: { teamId, workspaceId }, slice: null };
    }
    this.reading.add(callerId);
    try {
      return await findSlice(authorize, readSetOf([command]));
    } finally {
      this.reading.delete(callerId);
    }
  }

  private async enqueue(write: AnyWrite): Promise<CommandResult> {
    try {
      return await this.queue.add(write.ids.workspaceId, write);
    } catch (error) {
      if (!(error instanceof LargePatch)) throw error;
      write.ids.author.charge(Math.floor(error.work / PATCH_WORK_PER_POINT));
      return this.runLargePatch(write as Write<PatchCommand>);
    }
  }

  private async runLargePatch(write: Write<PatchCommand>): Promise<CommandResult> {
    const { ids, command, since } = write;
    for (let attempt = 1; attempt <= PREPARATIONS; attempt++) {
      const left = Math.max(0, since + TIMEOUTS.lock - performance.now());
      const leave = await this.enterLargePatches(`${ids.author.id}`, command.id, left);
      try {
        const prepared = await this.commits.preparePatch(write);
        return await this.queue.add(ids.workspaceId, { ...write, slice: null, command: prepared });
      } catch (error) {
        if (!(error instanceof OtherVersion)) throw error;
      } finally {
        leave();
      }
    }
    return this.queue.add(ids.workspaceId, { ...write, slice: null, isUnbounded: true });
  }

  /** @throws DomainError rate_limit_exceeded: it takes too long */
  private async enterLargePatches(
    callerId: string,
    pageId: string,
    timeout: number,
  ): Promise<() => void> {
    const bounds = [callerId, pageId].map((key) => ({ key, most: 1 }));
    try {
      return await this.largePatches.enter(callerId, bounds, timeout);
    } catch (error) {
      throw error instanceof GateTimeout ? tooManyChangesWaiting() : error;
    }
  }

  private async runBatch(batch: Waiting<AnyWrite, CommandResult>[]): Promise<void> {
    const [first] = batch as [Waiting<AnyWrite, CommandResult>];
    const { ids } = first.work;
    const writes = batch.map(({ work }) => work);
    try {
      const outcomes =
        batch.length > 1
          ? await this.commitBatch(ids, writes as Write<Command>[])
          : [await this.commitSingle(ids, first.work)];
      for (const [n, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[n] as Outcome;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async commitSingle(ids: CommandTarget, write: AnyWrite): Promise<Outcome> {
    const outcome = isOnSubtree(write) ? null : await this.commits.commitOptimistically(ids, write);
    return outcome ?? this.commitWithRetries(ids, write);
  }

  private async commitBatch(ids: CommandTarget, writes: Write<Command>[]): Promise<Outcome[]> {
    const start = performance.now();
    try {
      return await this.commits.commitLocked(ids, writes).catch((error: unknown) => {
        if (!wasLostEarly(error, start)) throw error;
        this.database.retries.note(error);
        return this.commits.commitLocked(ids, writes);
      });
    } catch (error) {
      const mayPassAlone =
        error instanceof IncompleteSlice || wasRefused(error) || isAboutKeys(error);
      if (!mayPassAlone) throw error;
    }
    const outcomes: Outcome[] = [];
    let refused: { write: Write<Command>; outcome: DomainError } | null = null;
    for (const write of writes) {
      if (refused && isSameGrowth(refused.write, write)) {
        outcomes.push(refused.outcome);
        continue;
      }
      const outcome = await this.commitWithRetries(ids, write).catch((error: Error) => error);
      outcomes.push(outcome);
      // Nothing but the plan's limit is forbidden here.
      const isFull = outcome instanceof DomainError && outcome.code === 'forbidden';
      if (isFull) refused = { write, outcome };
      else if (!(outcome instanceof Error)) refused = null;
    }
    return outcomes;
  }

  private async commitWithRetries(ids: CommandTarget, write: AnyWrite): Promise<Outcome> {
    const start = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        if (isOnSubtree(write)) return await this.commits.commitSubtree(ids, write);
        const [outcome] = await this.commits.commitLocked(ids, [write]);
        return outcome as Outcome;
      } catch (error) {
        const isKeyTaken = isAboutKeys(error) && wasRefused(error);
        // The random suffix of a slug.
        const isSlugTaken = violatedConstraint(error) === 'collections_workspace_slug_key';
        const isTaken = isKeyTaken || isSlugTaken;
        const mayPass = isTransient(error) || isTaken || wasLostEarly(error, start);
        if (attempt === ATTEMPTS || !mayPass) {
          const source = isOnSubtree(write) ? write.command.source?.workspaceId : null;
          throw await this.rows.explain(ids, error, source);
        }
        this.database.retries.note(error);
        await sleepBeforeRetry(attempt);
      }
    }
  }
}

const isOnSubtree = (write: AnyWrite): write is Write<SubtreeCommand> =>
  write.command.kind === 'subtree';

/**
 * Whether a command would create an item of the same kind in the same place as one that the plan's limit
 * has just refused. All commands of a batch wait at the same time, so that its outcome is the same: at a
 * limit, a hundred creates at once are not a hundred transactions.
 */
function isSameGrowth(
  { command: refused }: Write<Command>,
  { command, keyed }: Write<Command>,
): boolean {
  if (keyed !== null || refused.kind !== 'create' || command.kind !== 'create') return false;
  const [one, other] = [refused.nodes, command.nodes].map(([node, ...more]) =>
    node && more.length === 0 && !node.children?.length ? node : null,
  );
  if (!one || !other || one.object !== other.object) return false;
  const hasContent = other.object === 'collection' && other.content !== null;
  return !hasContent && refused.parentId === command.parentId;
}

/**
 * A connection that was found dead before a commit was sent on it, and soon after the start: nothing
 * has happened, and the callers have not waited for long.
 */
const wasLostEarly = (error: unknown, start: number): boolean =>
  ![DomainError, AlreadySucceeded, IncompleteSlice].some((decided) => error instanceof decided) &&
  wasLost(error) &&
  performance.now() - start < TIMEOUTS.retryWithin;
