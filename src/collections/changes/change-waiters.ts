import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Metrics } from '../../observability/metrics.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { tooManyRequestsWaiting } from '../errors.js';
import { MAX_WAITING } from '../limits.js';
import { TreeCommits } from '../writer/tree-commits.js';
import { ChangeLogRepository } from './change-log.repository.js';

/** Milliseconds between two polls for what other processes have committed. */
const INTERVAL = 1_000;
/** Milliseconds that a wait takes at most while the service stops: its callers go elsewhere. */
const MAX_WAIT_AT_END = 1_000;

/** Records commits from the moment when it was made. */
export interface ChangeListener {
  /** Names the workspace, which may have been read after the listener was made: all else is forgotten. */
  listenTo(workspace: WorkspaceKey): void;
  /**
   * Waits for a commit in the workspace since the last wait, without a connection to the database.
   * @param treeStamp of the tree that the caller has seen
   * @param milliseconds at most
   * @param gone ends the wait
   * @returns false: there was none in time, or the service stops
   * @throws DomainError rate_limit_exceeded: too many requests of this caller wait already
   */
  wait(treeStamp: string, milliseconds: number, gone: AbortSignal): Promise<boolean>;
  close(): void;
}

interface Listening {
  teamId: string;
  /** Of a request that waits; null: it does not wait now. */
  treeStamp: string | null;
  isWoken: boolean;
  wake(): void;
}

/** Ids of the workspaces in which this process has committed, for a listener that has not named its own. */
type CommittedWorkspaces = Set<string>;

/**
 * Requests that wait for changes. A commit of this process wakes them at once; what other processes have
 * committed is seen by one statement a second for all workspaces that requests wait for. No LISTEN:
 * poolers in transaction mode have none. No NOTIFY: it serializes commits.
 */
@Injectable()
export class ChangeWaiters implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('changes');
  /** By the id of the workspace. */
  private readonly listening = new Map<string, Set<Listening>>();
  /** Of listeners that have not named a workspace yet. */
  private readonly unnamed = new Set<CommittedWorkspaces>();
  /** How many requests of each caller wait. */
  private readonly waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isOver = false;

  constructor(
    private readonly log: ChangeLogRepository,
    { changed }: TreeCommits,
    metrics: Metrics,
  ) {
    changed.subscribe((workspaceId) => this.wake(workspaceId));
    metrics.gauge(
      'teamspaces_changes_waiters',
      'Requests that wait for changes, and the workspaces and callers that they are of.',
      'of',
      () => [
        ['requests', this.waiters().length],
        ['workspaces', new Set(this.waiters().map(([id]) => id)).size],
        ['callers', this.waiting.size],
      ],
    );
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.poll(), INTERVAL).unref();
  }

  /** Before anything else is shut down: requests that wait get a response at once. */
  onModuleDestroy(): void {
    this.isOver = true;
    clearInterval(this.timer);
    for (const id of [...this.listening.keys()]) this.wake(id);
  }

  /** Records commits from now on: to be called before the tree is read. */
  listen(callerId: string): ChangeListener {
    const committed: CommittedWorkspaces = new Set();
    this.unnamed.add(committed);
    const own: Listening = { teamId: '', treeStamp: null, isWoken: false, wake: () => undefined };
    let forget = () => void this.unnamed.delete(committed);
    let leave: (() => void) | undefined;
    return {
      listenTo: ({ id, teamId }) => {
        forget();
        own.teamId = teamId;
        own.isWoken = committed.has(id);
        const all = this.listening.get(id) ?? new Set();
        this.listening.set(id, all.add(own));
        forget = () => {
          all.delete(own);
          if (all.size === 0 && this.listening.get(id) === all) this.listening.delete(id);
        };
      },
      wait: async (treeStamp, milliseconds, gone) => {
        if (!own.isWoken && !gone.aborted) {
          // Until the end: another request must not take its place between two waits.
          leave ??= this.enter(callerId);
          own.treeStamp = treeStamp;
          await this.sleep(own, milliseconds, gone);
          own.treeStamp = null;
        }
        const { isWoken } = own;
        own.isWoken = false;
        return isWoken && !this.isOver;
      },
      close: () => {
        forget();
        leave?.();
      },
    };
  }

  private async sleep(own: Listening, milliseconds: number, gone: AbortSignal): Promise<void> {
    const most = this.isOver ? Math.min(milliseconds, MAX_WAIT_AT_END) : milliseconds;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, most);
      own.wake = end;
      gone.addEventListener('abort', end);
    });
  }

  private wake(workspaceId: string): void {
    for (const committed of this.unnamed) committed.add(workspaceId);
    for (const one of this.listening.get(workspaceId) ?? []) wakeUp(one);
  }

  /** @returns what to call when the wait is over @throws DomainError rate_limit_exceeded */
  private enter(callerId: string): () => void {
    const count = this.waiting.get(callerId) ?? 0;
    if (count === MAX_WAITING) throw tooManyRequestsWaiting();
    this.waiting.set(callerId, count + 1);
    return () => {
      const left = (this.waiting.get(callerId) ?? 0) - 1;
      if (left > 0) this.waiting.set(callerId, left);
      else this.waiting.delete(callerId);
    };
  }

  private waiters(): [workspaceId: string, one: Listening][] {
    return [...this.listening].flatMap(([id, all]) =>
      [...all]
        .filter(({ treeStamp }) => treeStamp !== null)
        .map((one): [string, Listening] => [id, one]),
    );
  }

  /** Wakes requests whose tree has another stamp now, or is gone. */
  private async poll(): Promise<void> {
    const waiters = this.waiters();
    if (this.isPolling || waiters.length === 0) return;
    this.isPolling = true;
    try {
      const asked = new Map(waiters.map(([id, { teamId }]) => [id, { id, teamId }]));
      const stamps = await this.log.treeStamps([...asked.values()]);
      for (const [id, one] of waiters) {
        if (one.treeStamp !== null && one.treeStamp !== stamps.get(id)) wakeUp(one);
      }
    } catch (error) {
      // The next poll is a second away.
      this.logger.warn(`changes of other processes were not seen: ${(error as Error).message}`);
    } finally {
      this.isPolling = false;
    }
  }
}

function wakeUp(one: Listening): void {
  one.isWoken = true;
  one.wake();
}
