import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { decide, decideTeam } from '../../access/decide.js';
import { record } from '../../audit/audit-entries.repository.js';
import {
  CHANGE_CURSOR,
  cursorOf,
  END_OF_VERSION,
} from '../../collections/changes/change-cursor.js';
import { ChangeLogRepository } from '../../collections/changes/change-log.repository.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../database/background-job.js';
import { Database } from '../../database/database.js';
import { Metrics } from '../../observability/metrics.js';
import { takeMembershipLock } from '../../teams/teams.repository.js';
import {
  DISABLE_REASONS,
  type DisableReason,
  MESSAGE_TYPES,
  type Message,
  type MessageType,
  newMessage,
  onWebhook,
} from '../webhook.js';
import { disableWebhook, forgetStates, lookAtAudit } from '../webhooks.repository.js';
import { AllowedHosts } from './addresses.js';
import { ChangeRound } from './change-round.js';
import {
  type Attempt,
  type Candidate,
  type DueDelivery,
  findDue,
  findEnabled,
  findTeam,
  findTree,
  forgetScope,
  keepProgress,
  type Progress,
  recordAttempt,
  release,
  takeDueDelivery,
} from './deliveries.repository.js';
import { type Outcome, post, resolveBySystem } from './post.js';
import { MAX_FAILING, MIN_PAUSE, pauseAfter, retryAfterOf } from './schedule.js';
import { signedHeaders } from './signatures.js';

/** Milliseconds between two looks for changes, and for what is due. */
const INTERVAL = 1_000;
/** Deliveries at once, of a process and of a team. */
const MAX_AT_ONCE = 10;
const MAX_OF_TEAM = 2;
/** Milliseconds of a lease after which no attempt begins: it must end before the lease does. */
const MAX_PREPARATION = 10_000;
/** Milliseconds that a shutdown waits for deliveries in progress. */
const LAST_WAIT = 2_000;

const BY_WEBHOOKS = { purpose: 'webhooks' };

/** Upper bounds of the buckets of the lag, in seconds. */
const LAGS = [0.1, 0.5, 1, 5, 30, 300, 3600, 6 * 3600, 24 * 3600, 5 * 24 * 3600];

/**
 * Finds what is to be sent to webhooks, and sends it. Every instance does: a lease lets one at a time send for a
 * webhook. A message is kept before it is sent, and what changed meanwhile is the next one, so that messages about
 * a workspace are in order and there is never more than one. A process that is killed loses none: its leases end,
 * and another instance sends the same message.
 */
@Injectable()
export class WebhookSender extends BackgroundJob {
  private readonly holder = randomUUID();
  private readonly hosts: AllowedHosts;
  private readonly round: ChangeRound;
  private readonly end = new AbortController();
  private readonly running = new Map<Promise<void>, string>();
  private candidates: Candidate[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly attempts;
  private readonly disabled;
  private readonly lag;

  constructor(
    private readonly database: Database,
    log: ChangeLogRepository,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    super('webhooks', 'changes were not looked for', INTERVAL);
    this.hosts = new AllowedHosts(config.webhookAllowedHosts);
    this.round = new ChangeRound(database, log, this.holder);
    this.attempts = metrics.counter(
      'teamspaces_webhook_attempts_total',
      'Attempts to deliver a message to a webhook, by its type and what came of it.',
      ['event', 'outcome'],
    );
    for (const outcome of ['delivered', 'rejected', 'unreachable', 'timeout', 'tls'] as const) {
      for (const event of MESSAGE_TYPES) this.attempts.inc({ event, outcome }, 0);
    }
    this.disabled = metrics.counter(
      'teamspaces_webhooks_disabled_total',
      'Webhooks that the service has disabled, by reason.',
      ['reason'],
    );
    for (const reason of DISABLE_REASONS) this.disabled.inc({ reason }, 0);
    this.lag = metrics.histogram(
      'teamspaces_webhook_lag_seconds',
      'Time from when a message was made to its delivery, by its type.',
      LAGS,
      ['event'],
    );
  }

  override onApplicationBootstrap(): void {
    if (this.config.webhookKey !== null) super.onApplicationBootstrap();
  }

  /** Deliveries in progress may end; those that do not are another instance's when their leases end. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    const over = Promise.all(this.running.keys());
    await Promise.race([over, sleep(LAST_WAIT, undefined, { ref: false })]);
    this.end.abort();
    await over;
  }

  async runRound(): Promise<void> {
    const now = this.clock.now();
    if (now - this.lookedAt >= INTERVAL * 0.9) {
      this.lookedAt = now;
      this.candidates = [];
      for (const { teamId, id } of await this.round.run()) {
        await this.disable({ teamId, webhookId: id }, 'maker_not_owner');
      }
    }
    while (this.running.size < MAX_AT_ONCE && !this.isOver) {
      const candidate = await this.nextCandidate();
      if (candidate === null) return;
      this.start(candidate);
    }
  }

  /** null: nothing is due that may be sent now. */
  private async nextCandidate(): Promise<Candidate | null> {
    const isFree = ({ teamId }: Candidate) => this.countOf(teamId) < MAX_OF_TEAM;
    let index = this.candidates.findIndex(isFree);
    if (index < 0) {
      const busy = [...new Set(this.running.values())].filter(
        (id) => !isFree({ teamId: id } as Candidate),
      );
      this.candidates = [...(await findDue(this.database, busy))];
      index = this.candidates.findIndex(isFree);
    }
    return this.candidates.splice(index, index < 0 ? 0 : 1)[0] ?? null;
  }

  private countOf(teamId: string): number {
    return [...this.running.values()].filter((id) => id === teamId).length;
  }

  private start(candidate: Candidate): void {
    const running = this.deliver(candidate)
      .catch((error: Error) => {
        if (!this.isOver) this.logger.warn(`a message was not delivered: ${error.message}`);
      })
      .finally(() => {
        this.running.delete(running);
        this.wake();
      });
    this.running.set(running, candidate.teamId);
  }

  /** One attempt, or the finding that there is nothing to send. */
  private async deliver(candidate: Candidate): Promise<void> {
    const leasedAt = performance.now();
    const due = await takeDueDelivery(this.database, this.holder, candidate);
    if (due === null) return this.forgetDisabled(candidate);
    const toSend = await this.messageOf(due);
    const isLate = performance.now() - leasedAt > MAX_PREPARATION;
    if (toSend === null || isLate || this.isOver) {
      return release(this.database, this.holder, due);
    }
    const { webhookKey } = this.config as { webhookKey: string };
    const source = { ...due, id: due.webhookId };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'teamspaces-webhooks',
      ...signedHeaders(webhookKey, source, toSend.id, toSend.body, due.now()),
    };
    const outcome = await post(due.url, toSend.body, headers, {
      allowed: this.hosts,
      resolve: resolveBySystem,
      signal: this.end.signal,
    });
    // What came of it then is not known.
    if (!this.end.signal.aborted) await this.settle(due, toSend, outcome);
  }

  /**
   * The message to send: the one that is not delivered yet, or a new one; null: there is nothing to send, or
   * the maker may not see it.
   */
  private async messageOf(due: DueDelivery): Promise<Message | null> {
    const { teamId, scopeId, webhookId, messageId, body } = due;
    const team = await findTeam(this.database, due);
    if (!team || decideTeam('team.manageWebhooks', team.role) !== 'allow') {
      await this.disable(due, 'maker_not_owner');
      return null;
    }
    const waiting = messageId !== null && body !== null ? { id: messageId, body } : null;
    if (scopeId === webhookId) return waiting;
    const progress = await (scopeId === teamId
      ? this.nextOfTeam(due, team.slug, waiting)
      : this.nextOfWorkspace(due, waiting));
    if (progress !== null) await keepProgress(this.database, due, progress);
    return progress === null ? waiting : progress.message;
  }

  /** null: nothing is to be kept. */
  private async nextOfWorkspace(
    due: DueDelivery,
    waiting: Message | null,
  ): Promise<Progress | null> {
    const found = await findTree(this.database, due);
    if (found === null) {
      await forgetScope(this.database, due);
      return { message: null };
    }
    const { slug, teamSlug, version, stamp } = found;
    const tree = { version, stamp };
    const cursor = cursorOfNext(due, waiting);
    // What the maker may not see is not sent; if they see it again, the next message begins before it.
    if (decide('content.read', found) !== 'allow') return { tree, message: null, cursor };
    if (waiting !== null) return null;
    if (cursor === null || due.stamp === stamp) return { tree, message: null, cursor };
    const data = {
      team: { _id: due.teamId, slug: teamSlug },
      workspace: { _id: due.scopeId, slug },
      version: stamp,
      cursor,
    };
    return { tree, message: newMessage('workspace.changed', data, due.now()) };
  }

  private async nextOfTeam(
    due: DueDelivery,
    slug: string,
    waiting: Message | null,
  ): Promise<Progress | null> {
    if (waiting !== null) return null;
    const { teamId, makerId, seenAt, seenVisible, entryId } = due;
    const audit = await lookAtAudit(this.database, teamId, makerId, seenAt, entryId);
    const isNews = audit.isNewer || audit.visible > (seenVisible ?? 0);
    if (!isNews) return { audit, message: null };
    const data = { team: { _id: teamId, slug }, entry: audit.entryId };
    return { audit, message: newMessage('team.changed', data, due.now()) };
  }

  private async settle(due: DueDelivery, message: Message, outcome: Outcome): Promise<void> {
    const { type, timestamp } = JSON.parse(message.body) as {
      type: MessageType;
      timestamp: string;
    };
    const { status } = outcome;
    const isSuccess = typeof status === 'number' && status >= 200 && status < 300;
    const isTest = due.scopeId === due.webhookId;
    const retryAfter = 'retryAfter' in outcome ? outcome.retryAfter : undefined;
    const attempt: Attempt = {
      messageId: message.id,
      event: type,
      status: String(status),
      isSuccess,
      isOver: isSuccess || isTest,
      nextIn: isTest
        ? null
        : isSuccess
          ? MIN_PAUSE
          : pauseAfter(due.attempts + 1, retryAfterOf(retryAfter, due.now())),
    };
    const failingFor = await this.database.transaction(
      (tx) => recordAttempt(tx, this.holder, due, attempt),
      BY_WEBHOOKS,
    );
    const refused = typeof status === 'number' ? 'rejected' : status;
    this.attempts.inc({ event: type, outcome: isSuccess ? 'delivered' : refused });
    const lag = Math.max(0, (due.now() - Date.parse(timestamp)) / 1000);
    if (isSuccess) this.lag.observe({ event: type }, lag);
    if (status === 410) return this.disable(due, 'gone');
    if (failingFor >= MAX_FAILING) await this.disable(due, 'failing');
  }

  /**
   * Forgets what a round has written about a webhook that was disabled or deleted meanwhile: it would be found as
   * due again and again.
   */
  private async forgetDisabled(candidate: Candidate): Promise<void> {
    if (await findEnabled(this.database, candidate)) return;
    const { teamId, webhookId } = candidate;
    await this.database.transaction(async (tx) => {
      takeMembershipLock(tx, teamId);
      if (!(await findEnabled(tx, candidate))) forgetStates(tx, teamId, webhookId);
    }, BY_WEBHOOKS);
  }

  /** Disables a webhook, unless that was changed meanwhile. */
  private async disable(candidate: Candidate, reason: DisableReason): Promise<void> {
    const { teamId, webhookId: id } = candidate;
    const isDone = await this.database.transaction(async (tx) => {
      takeMembershipLock(tx, teamId);
      const found = await findEnabled(tx, candidate);
      const isOwned = decideTeam('team.manageWebhooks', found?.makerRole ?? null) === 'allow';
      if (!found || (reason === 'maker_not_owner' && isOwned)) return false;
      disableWebhook(tx, teamId, id, reason);
      forgetStates(tx, teamId, id);
      const author = { id: null, requestId: null };
      const target = onWebhook({ id, url: found.url });
      record(tx, teamId, author, { action: 'webhook.disabled', ...target, details: { reason } });
      return true;
    }, BY_WEBHOOKS);
    if (isDone) this.disabled.inc({ reason });
  }
}

/** Where the message that was delivered last has ended; null: there is no place yet. */
function cursorOfNext(due: DueDelivery, waiting: Message | null): string | null {
  if (waiting !== null) return (JSON.parse(waiting.body) as WorkspaceMessage).data.cursor;
  const { scopeId, version, stamp, body } = due;
  if (body !== null || version === null || stamp === null) return body;
  const place = { version, id: END_OF_VERSION, newest: { version, stamp }, loadedTo: null };
  return CHANGE_CURSOR.encode(cursorOf(scopeId, place));
}

interface WorkspaceMessage {
  data: { cursor: string };
}
