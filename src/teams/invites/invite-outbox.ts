import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { JOBS } from '../../jobs/jobs.js';
import {
  CONNECTIONS,
  escapeHtml,
  type Mail,
  Mailer,
  oneLine,
  withoutLinks,
} from '../../mail/mailer.js';
import { Metrics } from '../../observability/metrics.js';
import { MAX_MAILS_OF_SENDER } from '../limits.js';
import {
  InviteOutboxRepository,
  type MailableInvite,
  type TakenMail,
} from './invite-outbox.repository.js';

/** Milliseconds between two counts of what waits. */
const INTERVAL = JOBS.inviteOutbox.interval;
/** Milliseconds for which a mail is its taker's: longer than the mailer's timeout. */
const LEASE = 5 * 60_000;
/** Milliseconds that a shutdown waits for mails that are being sent. */
const LAST_WAIT = 2_000;

/**
 * Sends the mails of invites. Every instance with a mail server does: the first one to take a mail.
 * A process that is killed loses none: what it had taken is another's when the lease is over. Only
 * then can a mail go out twice, if the mail server had it already; by the limits on mails, an hour
 * later at the earliest.
 */
@Injectable()
export class InviteOutbox extends BackgroundJob {
  private readonly outcomes;
  private count = { waiting: 0, held: 0 };
  private countedAt = Number.NEGATIVE_INFINITY;
  /** Mails that are being sent. */
  private readonly running = new Map<Promise<void>, TakenMail>();
  /** Ends the wait of the round in progress: something may be due. */
  private look: () => void = () => undefined;

  constructor(
    private readonly mails: InviteOutboxRepository,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    super('inviteOutbox');
    metrics.gauge(
      'teamspaces_mail_waiting',
      'Mails in the outbox, of all instances, when this one last looked: to be sent, or held by a limit.',
      'kind',
      () => [
        ['invite', this.count.waiting],
        ['held', this.count.held],
      ],
    );
    this.outcomes = metrics.counter(
      'teamspaces_mail_attempts_total',
      'Attempts to send a mail: sent, failed (tried again later) or dropped (given up).',
      ['outcome'],
    );
    // From the start: the first one is to be seen as a change.
    for (const outcome of ['sent', 'failed', 'dropped'] as const) this.outcomes.inc({ outcome }, 0);
  }

  /** Whether mails are to be queued. */
  get isOn(): boolean {
    return this.mailer.isOn;
  }

  override onApplicationBootstrap(): void {
    if (!this.isOn) return;
    super.onApplicationBootstrap();
    this.wake();
  }

  /** Looks for mails now; to be called after the commit that queued them. Never fails or waits. */
  override wake(): void {
    if (!this.isOn) return;
    super.wake();
    this.look();
  }

  /** Mails that are being sent may arrive; those that do not stay in the outbox. */
  override async beforeApplicationShutdown(): Promise<void> {
    const end = async () => {
      await super.beforeApplicationShutdown();
      // Of a round that has failed.
      await Promise.all(this.running.keys());
    };
    await Promise.race([end(), sleep(LAST_WAIT, undefined, { ref: false })]);
    this.mailer.close();
  }

  /**
   * Sends what is due, by turns of those who caused it, until nothing is left. As many at once as there are connections
   * to the mail server, so that no lease is waited away.
   */
  async runRound(): Promise<void> {
    for (;;) {
      // Before the look: what is queued meanwhile is heard of.
      const woken = new Promise<void>((resolve) => {
        this.look = resolve;
      });
      await this.startDue();
      if (this.running.size === 0) break;
      // There may always be a mail that is being sent.
      if (this.clock.now() - this.countedAt >= INTERVAL) await this.takeStock();
      await Promise.race([...this.running.keys(), woken]);
    }
    await this.takeStock();
  }

  /** Counts what waits. */
  private async takeStock(): Promise<void> {
    if (this.isOver) return;
    this.count = await this.mails.count();
    this.countedAt = this.clock.now();
  }

  private async startDue(): Promise<void> {
    while (this.running.size < CONNECTIONS && !this.isOver) {
      const free = CONNECTIONS - this.running.size;
      const taken = await this.mails.take(
        free,
        LEASE,
        [...this.running.values()],
        MAX_MAILS_OF_SENDER,
      );
      if (taken.length === 0) return;
      for (const mail of taken) this.start(mail);
    }
  }

  private start(mail: TakenMail): void {
    const sending = this.send(mail)
      // Its lease ends, and it is tried again.
      .catch((error: Error) => this.logger.warn(`a mail was not sent: ${error.message}`))
      .finally(() => this.running.delete(sending));
    this.running.set(sending, mail);
  }

  private async send(taken: TakenMail): Promise<void> {
    const invite = await this.mails.findMailable(taken.inviteId);
    if (invite === null) return this.mails.remove(taken);
    const permit = await this.mails.permit(invite);
    if (permit.until !== null) return this.mails.hold(taken, permit.until);
    const outcome = await this.mailer.send(inviteMail(invite, this.config.inviteUrl));
    // It has not arrived, and so does not count.
    if (outcome === 'later') await this.mails.release(permit.id);
    const isSettled = outcome === 'sent' || outcome === 'refused';
    const pause = isSettled ? null : pauseAfter(taken.attempts, taken.age);
    if (pause !== null) {
      this.outcomes.inc({ outcome: 'failed' });
      // What may have arrived is not tried again within the lease.
      return this.mails.postpone(taken, outcome === 'unknown' ? Math.max(pause, LEASE) : pause);
    }
    this.outcomes.inc({ outcome: outcome === 'sent' ? 'sent' : 'dropped' });
    if (outcome !== 'sent') this.logger.error(`the mail of invite ${taken.inviteId} was given up`);
    return this.mails.remove(taken);
  }
}

/** Milliseconds for which a mail is tried again. */
const DAY = 24 * 3_600_000;
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 3_600_000;

/**
 * Milliseconds until the next attempt at a mail: a second, doubled each time up to an hour, and up to
 * a quarter more or less, so that many mails do not come at once. null: given up after a day.
 * @param attempts how often it was tried, at least once
 * @param age milliseconds since it was queued
 */
export function pauseAfter(attempts: number, age: number): number | null {
  if (age >= DAY) return null;
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), MAX_PAUSE);
  return pause * (0.75 + Math.random() / 2);
}

/** An email that a mail program shows as an email, and as nothing else. */
const PLAIN_EMAIL = /^[\p{L}\p{M}\p{N}_.+-]+@[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * The mail that tells of an invite. Names come from strangers: they cannot break out of a line, and
 * nothing in them becomes a link.
 * @param inviteUrl INVITE_URL; null: the mail says which call accepts the invite
 */
function inviteMail(invite: MailableInvite, inviteUrl: string | null): Mail {
  const { id, role, expiresAt, inviterName, inviterEmail } = invite;
  const name = withoutLinks(oneLine(invite.team));
  const email = PLAIN_EMAIL.test(inviterEmail) ? inviterEmail : withoutLinks(inviterEmail);
  const by = `${withoutLinks(oneLine(inviterName, 64))} (${oneLine(email, 320)})`;
  const sentence = `${by} invites you to the team “${name}” as ${role === 'owner' ? 'an' : 'a'} ${role}.`;
  const until = `The invite is valid until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const ignore = 'If you did not expect this, ignore it: nothing happens.';
  const next = inviteUrl === null ? callFor(id) : linkTo(inviteUrl.replaceAll('{invite_id}', id));
  return {
    to: invite.email,
    subject: `Invite to the team “${name}”`,
    text: [sentence, next.text, until, ignore].join('\n\n').concat('\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escapeHtml(sentence)}</p>`,
      `<p>${next.html}</p>`,
      `<p>${escapeHtml(until)}</p>`,
      `<p>${escapeHtml(ignore)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const linkTo = (address: string) => ({
  text: `See it here: ${address}`,
  html: `<a href="${escapeHtml(address)}">See the invite</a>`,
});

const callFor = (id: string) => ({
  text: `To accept it, call: POST /invites/${id}/accept`,
  html: `To accept it, call: <code>POST /invites/${id}/accept</code>`,
});
