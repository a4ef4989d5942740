import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { Author } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { Database } from '../../database/database.js';
import { wasRefused } from '../../database/database-errors.js';
import { TIMEOUTS } from '../../database/timeouts.js';
import { DomainError } from '../../errors/domain-error.js';
import { Turn, yieldToEventLoop } from '../../event-loop.js';
import { idOf, storeResponses } from '../../idempotency/idempotency-keys.repository.js';
import { AlreadySucceeded, type IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { Portions } from '../../json/json-grammar.js';
import type { Command, WorkspaceIds } from '../items/collection.js';
import { ArrivalsRepository } from './arrivals.repository.js';
import { ChangesRepository, type Removed } from './changes.repository.js';
import { LongListsRepository } from './long-lists.repository.js';
import { itemsOf, readSetOf } from './read-set.js';
import { RestorationsRepository } from './restorations.repository.js';
import { IncompleteSlice } from './sibling-order.js';
import { lockToChange, type RunStatements, SliceRepository } from './slice.repository.js';
import { assertMayDelete, type ItemCounts } from './subtree-rules.js';
import { type CommandResult, decideInPortions, OtherVersion } from './tree-rules.js';
import { applyChange, type Change, foldChanges, type Slice } from './tree-slice.js';

/**
 * The workspace that a command runs in. `author`: who sent it. `callerId`: whose connection it is, if it
 * may hold one for long.
 */
export type Place = WorkspaceIds & {
  author: Author & Pick<Actor, 'charge'>;
  callerId?: string;
};

/** A command, and where it runs. */
export interface Write {
  ids: Place;
  command: Command;
  keyed: IdempotentWrite<CommandResult> | null;
  isCharged?: boolean;
  /** When its caller began to wait (performance.now()). */
  since: number;
  /** True for a patch that is decided in its batch, however large its work is. */
  mayTakeLong?: boolean;
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
    private readonly slices: SliceRepository,
    private readonly longLists: LongListsRepository,
    private readonly changes: ChangesRepository,
    private readonly restorations: RestorationsRepository,
    private readonly arrivals: ArrivalsRepository,
  ) {}

  /** Both messages in one transaction, behind the workspace's lock. */
  locked(ids: Place, writes: Write[]): Promise<Outcome[]> {
    const by = { teamId: ids.teamId, ...(ids.callerId && { callerId: ids.callerId }) };
    return this.database.pipelined(
      by,
      async (tx) => {
        const run: RunStatements = (statements) => tx.run(statements);
        const slice = await this.loadLocked(run, ids, writes);
        const { changes, outcomes } = await this.decideAll(run, slice, writes);
        const { removed, restored, arrived, ...folded } = foldChanges(slice, changes);
        // What removes or brings whole subtrees is alone in its batch.
        const [write] = writes as [Write];
        const { author } = write.ids;
        let gone: Removed | undefined;
        if (removed) {
          const subtree = await this.changes.readRemoved(run, slice, removed);
          chargeForItems(write, subtree);
          assertMayDelete(subtree);
          gone = this.changes.removal(slice, removed, subtree, author);
        }
        let statements = this.changes.statements(slice, folded, gone);
        if (restored) {
          // Its response is stored in the same transaction.
          chargeForItems(write, restored.deletion);
          const result = await this.restorations.restore(run, slice, statements, restored);
          outcomes[0] = result;
          statements = [
            this.restorations.record(restored, result, author),
            this.changes.count(ids, restored.deletion),
          ];
        }
        if (arrived) {
          const done = await this.arrivals.insert(run, slice, statements, arrived, author);
          outcomes[0] = done.result;
          statements = done.statements;
        }
        const stored = responsesToStore(writes, outcomes);
        if (changes.length + stored.length > 0) {
          await yieldIfLarge(writes.map(({ command }) => command));
          if (changes.length === 0) statements = [this.changes.log(slice, [])];
          await tx.commit([...(stored.length > 0 ? [storeResponses(stored)] : []), ...statements]);
          for (const id of workspacesOf(ids, writes)) this.changed.next(id);
        }
        return outcomes;
      },
      Math.min(...writes.map(({ since }) => since)),
    );
  }

  private loadLocked(run: RunStatements, ids: Place, writes: Write[]): Promise<Slice> {
    const commands = writes.map(({ command }) => command);
    const keys = writes.flatMap(({ keyed }) => keyed ?? []);
    const load = () => this.slices.load(run, ids, readSetOf(commands), lockToChange(ids), keys);
    const [command] = commands as [Command];
    // Those are alone in their batch.
    const isArrival = command.kind === 'copy' || command.kind === 'transfer';
    return isArrival ? this.arrivals.load(run, ids, command, load) : load();
  }

  /**
   * The first message without a transaction, and the second one only if the tree is still as read.
   * @returns null where the command must be decided behind the lock
   */
  async commitOptimistically(ids: WorkspaceIds, write: Write): Promise<Outcome | null> {
    if (!canSkipLock(write.command) || write.keyed !== null) return null;
    // Its statement may wait for a lock, and cannot be given up meanwhile.
    if (performance.now() - write.since > TIMEOUTS.retryWithin) return null;
    try {
      const readSet = readSetOf([write.command]);
      const slice = await this.slices.load(this.readUnlocked, ids, readSet, null, []);
      const { changes, outcomes } = await this.decideAll(this.readUnlocked, slice, [write]);
      const [outcome] = outcomes;
      if (outcome instanceof LargePatch || outcome instanceof OtherVersion) return outcome;
      // Its reads may be of different moments: it is decided again behind the lock.
      if (!outcome || outcome instanceof Error) return null;
      if (changes.length === 0) return outcome;
      const folded = foldChanges(slice, changes);
      if (!(await this.changes.writeGuarded(slice, folded, randomUUID()))) return null;
      this.changed.next(ids.workspaceId);
      return outcome;
    } catch (error) {
      if (wasRefused(error)) return null;
      throw error;
    }
  }

  /**
   * Applies a patch to its page as it is now, without the lock: others get their turns meanwhile.
   * @throws DomainError as decide()
   */
  async preparePatch({ ids, command }: Write & { command: PatchCommand }): Promise<PatchCommand> {
    const readSet = readSetOf([command]);
    const slice = await this.slices.load(this.readUnlocked, ids, readSet, null, []);
    const { version } = slice.items.get(command.id) ?? { version: 0 };
    const { change, result } = await inTurns(decideInPortions(slice, command));
    const content = result.items[0]?.content ?? '';
    return { ...command, patched: { version, content, isChange: isChange(change) } };
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
    for (const [n, write] of writes.entries()) {
      const { command, keyed, mayTakeLong } = write;
      try {
        if (keyed && slice.usedKeys.has(idOf(keyed))) throw new AlreadySucceeded();
        if (!mayTakeLong) assertSmall(slice, command);
        if (slice.subtree) chargeForItems(write, slice.subtree);
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
function canSkipLock(command: Command): boolean {
  if (command.kind === 'move') return command.move.newParentId === undefined;
  if (command.kind === 'update') return command.changes.parentId === undefined;
  return command.kind === 'create' || command.kind === 'patch';
}

export type PatchCommand = Command & { kind: 'patch' };

/** Items of a subtree that is deleted, restored, copied or transferred for which it costs one point more. */
const ITEMS_PER_POINT = 100;

/** Once, also if it is decided again. */
function chargeForItems(write: Write, { pages, collections }: ItemCounts): void {
  if (write.isCharged) return;
  write.isCharged = true;
  write.ids.author.charge(Math.floor((pages + collections) / ITEMS_PER_POINT));
}

/** @throws LargePatch */
function assertSmall(slice: Slice, command: Command): void {
  if (command.kind !== 'patch' || command.patched) return;
  const bytes = slice.items.get(command.id)?.content?.length ?? 0;
  const work = command.operations.length * bytes;
  if (work > LARGE_WORK) throw new LargePatch(work);
}

/** Above this many items, a batch yields to the event loop between its steps. */
const MANY_ITEMS = 500;

async function yieldIfLarge(commands: readonly Command[]): Promise<void> {
  const items = commands.reduce((sum, command) => sum + itemsOf(command), 0);
  if (items > MANY_ITEMS) await yieldToEventLoop();
}

/** Runs portions, with turns of the event loop in between if they take long. */
async function inTurns<T>(portions: Portions<T>): Promise<T> {
  const turn = new Turn();
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
    if (turn.isOver) await turn.next();
  }
}

const isChange = ({ inserts, updates, removed, restored, arrived }: Change): boolean =>
  inserts.length + updates.length > 0 || (removed ?? restored ?? arrived) !== null;

/** The responses of the commands that succeeded and have a key. */
const responsesToStore = (writes: readonly Write[], outcomes: readonly Outcome[]) =>
  writes.flatMap(({ ids, command, keyed }, n) => {
    const outcome = outcomes[n];
    if (!keyed || !outcome || outcome instanceof Error) return [];
    const response = keyed.serialize(outcome);
    if (command.kind !== 'copy' && command.kind !== 'transfer')
      return { ...keyed, ...ids, response };
    const { teamId, workspaceId } = ids;
    const from = command.from ?? workspaceId;
    return { ...keyed, teamId, workspaceId: from, targetWorkspaceId: workspaceId, response };
  });

/** The workspaces whose trees a batch changes. */
const workspacesOf = ({ workspaceId }: Place, [first]: readonly Write[]): string[] =>
  first?.command.kind === 'transfer' ? [workspaceId, first.command.from as string] : [workspaceId];

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
