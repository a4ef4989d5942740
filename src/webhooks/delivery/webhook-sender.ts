import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { decide, decideTeam } from '../../access/decide.js';
import {
  CHANGE_CURSOR,
  cursorOf,
  END_OF_VERSION,
} from '../../collections/changes/change-cursor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { JOBS } from '../../jobs/jobs.js';
import { Metrics } from '../../observability/metrics.js';
import { AttemptsThread } from '../attempts/attempts-thread.js';
import type { Outcome } from '../attempts/post.js';
import { MAX_AT_ONCE, MAX_FAILING, MIN_PAUSE } from '../limits.js';
import { MESSAGE_TYPES, type Message, type MessageType, newMessage } from '../webhook.js';
import { lookAtAudit } from '../webhooks.repository.js';
import {
  type Attempt,
  BY_WEBHOOKS,
  type DueDelivery,
  type DueWebhook,
  findDue,
  findDueAfter,
  findTeam,
  findTree,
  forgetScope,
  keepProgress,
  type Progress,
  recordAttempt,
  release,
  takeDueDelivery,
  withMakers,
} from './deliveries.repository.js';
import { pauseAfter, retryAfterOf } from './retry-schedule.js';
import { signedHeaders } from './signatures.js';
import { type Candidate, nextTurn } from './turns.js';
import { WebhookDisabler } from './webhook-disabler.js';

/** Milliseconds between two looks for what is due. */
const INTERVAL = JOBS.webhookSender.interval;
/** Looks of a round, where much is due: the webhooks of one maker fill two of them at most. */
const MAX_LOOKS = 3;
/** Milliseconds of a lease after which no attempt begins: it must end before the lease does. */
const MAX_PREPARATION = 10_000;
/** Milliseconds that a shutdown waits for deliveries in progress. */
const LAST_WAIT = 2_000;

/** Upper bounds of the buckets of the lag, in seconds. */
const LAGS = [0.1, 0.5, 1, 5, 30, 300, 3600, 6 * 3600, 24 * 3600, 5 * 24 * 3600];

/**
 * Sends what is due to webhooks, by turns of their makers and teams (turns.ts). Every instance does: a lease lets one
 * at a time send for a webhook. A message is kept before it is sent, and what changed meanwhile is the next one, so
 * that messages about a workspace are in order and there is never more than one. A process that is killed loses none:
 * its leases end, and another instance sends the same message.
 *
 * Here is all work with the database. Receivers are called in a thread of their own (attempts-thread.ts).
 */
@Injectable()
export class WebhookSender extends BackgroundJob {
  readonly thread: AttemptsThread;
  private readonly holder = randomUUID();
  private readonly running = new Map<Promise<void>, Candidate>();
  private candidates: Candidate[] = [];
  /** Webhooks that somebody waits for, until it is their turn. */
  private readonly awaited = new Map<string, DueWebhook>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** Where the last look has ended, if more is due than one look reads. */
  private lookedTo: DueWebhook | null = null;
  private readonly attempts;
  private readonly lag;

  constructor(
    private readonly database: Database,
    private readonly disabler: WebhookDisabler,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    super('webhookSender');
    this.thread = new AttemptsThread(config.webhookAllowedHosts, ({ message }) =>
      this.logger.warn(`the thread that calls webhooks was lost: ${message}`),
    );
    this.attempts = metrics.counter(
      'teamspaces_webhook_attempts_total',
      'Attempts to deliver a message to a webhook, by its type and what came of it.',
      ['event', 'outcome'],
    );
    for (const outcome of ['delivered', 'rejected', 'unreachable', 'timeout', 'tls'] as const) {
      for (const event of MESSAGE_TYPES) this.attempts.inc({ event, outcome }, 0);
    }
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
    await this.thread.stop();
    await over;
  }

  /**
   * Looks for what is due without waiting for the next look: something has just become due.
   * @param webhook that somebody waits for: it is found however much else is due
   */
  lookNow(webhook?: DueWebhook): void {
    if (webhook) this.awaited.set(webhook.webhookId, webhook);
    this.lookedAt = Number.NEGATIVE_INFINITY;
    this.wake();
  }

  /** While some wait for their turn, what is due is looked for once in an interval, however many deliveries end. */
  async runRound(): Promise<void> {
    if (this.clock.now() - this.lookedAt >= INTERVAL * 0.9) this.candidates = [];
    let looks = 0;
    while (this.running.size < MAX_AT_ONCE && this.thread.isReady && !this.isOver) {
      if (this.candidates.length === 0) {
        await this.look();
        looks++;
      }
      const candidate = this.takeTurn();
      if (candidate !== null) this.start(candidate);
      else if (this.lookedTo !== null && looks > 0 && looks < MAX_LOOKS) this.candidates = [];
      else return;
    }
  }

  private async look(): Promise<void> {
    this.lookedAt = this.clock.now();
    let due = this.lookedTo === null ? await findDue(this.database) : null;
    if (due === null) {
      const found = await findDueAfter(this.database, this.lookedTo);
      this.lookedTo = found.last;
      due = found.due;
    }
    const awaited = [...this.awaited.values()];
    const others = due.filter(({ webhookId }) => !this.awaited.has(webhookId));
    this.candidates = await withMakers(this.database, [...awaited, ...others]);
    const found = new Set(this.candidates.map(({ webhookId }) => webhookId));
    for (const { webhookId } of awaited) if (!found.has(webhookId)) this.awaited.delete(webhookId);
  }

  /** null: nothing that was found may be sent now. */
  private takeTurn(): Candidate | null {
    const next = nextTurn(this.candidates, [...this.running.values()]);
    if (next === null) return null;
    this.candidates.splice(this.candidates.indexOf(next), 1);
    this.awaited.delete(next.webhookId);
    return next;
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
    this.running.set(running, candidate);
  }

  /** One attempt, or the finding that there is nothing to send. */
  private async deliver(candidate: Candidate): Promise<void> {
    const leasedAt = performance.now();
    const due = await takeDueDelivery(this.database, this.holder, candidate);
    if (due === null) return this.disabler.forgetDisabled(candidate);
    const toSend = await this.messageOf(due);
    const left = MAX_PREPARATION - (performance.now() - leasedAt);
    if (toSend === null || left <= 0 || this.isOver) {
      return release(this.database, this.holder, due);
    }
    const outcome = await this.send(due, toSend, left);
    if (outcome !== null) return this.settle(due, toSend, outcome);
    // What a shutdown has cut off may have arrived: its lease ends by itself.
    if (!this.isOver) await release(this.database, this.holder, due);
  }

  /**
   * @param within milliseconds in which it must begin
   * @returns null: it did not, or nobody knows what came of it
   */
  private send(due: DueDelivery, { id, body }: Message, within: number): Promise<Outcome | null> {
    const { teamId, makerId, webhookId, url } = due;
    const { webhookKey } = this.config as { webhookKey: string };
    const source = { ...due, id: webhookId };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'teamspaces-webhooks',
      ...signedHeaders(webhookKey, source, id, body, due.now()),
    };
    return this.thread.send({ teamId, makerId, url, body, headers, within });
  }

  /**
   * The message to send: the one that is not delivered yet, or a new one; null: there is nothing to send, or
   * the maker may not see it.
   */
  private async messageOf(due: DueDelivery): Promise<Message | null> {
    const { teamId, scopeId, webhookId, messageId, body } = due;
    const team = await findTeam(this.database, due);
    if (!team || decideTeam('team.manageWebhooks', team.role) !== 'allow') {
      await this.disabler.disable(due, 'maker_not_owner');
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
    if (status === 410) return this.disabler.disable(due, 'gone');
    if (failingFor >= MAX_FAILING) await this.disabler.disable(due, 'failing');
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
