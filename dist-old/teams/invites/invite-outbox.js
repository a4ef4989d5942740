var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../database/background-job.js';
import { CONNECTIONS, Mailer } from '../../mail/mailer.js';
import { Metrics } from '../../observability/metrics.js';
import { inviteMail } from './invite-mail.js';
import { InviteOutboxRepository } from './invite-outbox.repository.js';
import { pauseAfter } from './invite-outbox-pauses.js';
import { MailLimitsRepository } from './mail-limits.repository.js';
/** Milliseconds between two looks for mails that others queued, or that are due again. */
const INTERVAL = 2_000;
/** Milliseconds for which a mail is its taker's: longer than the mailer's timeout. */
const LEASE = 5 * 60_000;
/** Milliseconds after which what limits have counted is cleared away again. */
const CLEARING = 3_600_000;
/** Milliseconds that a shutdown waits for mails under way. */
const LAST_WAIT = 2_000;
/**
 * Sends the mails of invites. Every instance with a mail server does, whoever takes a mail first. A
 * process that is killed loses none: what it had taken is another's when the lease is over. Only
 * then can a mail go out twice, where the mail server had it already; by the limits on mails, an hour
 * later at the earliest.
 */
let InviteOutbox = class InviteOutbox extends BackgroundJob {
    mails;
    limits;
    mailer;
    config;
    outcomes;
    count = { waiting: 0, held: 0 };
    clearedAt = 0;
    constructor(mails, limits, mailer, config, metrics) {
        super('mail', 'the outbox cannot be read', INTERVAL);
        this.mails = mails;
        this.limits = limits;
        this.mailer = mailer;
        this.config = config;
        metrics.gauge('teamspaces_mail_waiting', 'Mails in the outbox, of all instances, when this one last looked: to be sent, or held by a limit.', 'kind', () => [
            ['invite', this.count.waiting],
            ['held', this.count.held],
        ]);
        this.outcomes = metrics.counter('teamspaces_mail_attempts_total', 'Attempts to send a mail: sent, failed (tried again later) or dropped (given up).', ['outcome']);
        // From the start: the first one is to be seen as a change.
        for (const outcome of ['sent', 'failed', 'dropped'])
            this.outcomes.inc({ outcome }, 0);
    }
    /** Whether mails are to be queued. */
    get isOn() {
        return this.mailer.isOn;
    }
    onApplicationBootstrap() {
        if (!this.isOn)
            return;
        super.onApplicationBootstrap();
        this.wake();
    }
    /** Looks for mails now; to be called after the commit that queued them. Never fails or waits. */
    wake() {
        if (this.isOn)
            super.wake();
    }
    /** Mails under way may arrive; those that do not stay in the outbox. */
    async beforeApplicationShutdown() {
        const timeout = new AbortController();
        const wait = sleep(LAST_WAIT, undefined, { signal: timeout.signal }).catch(() => undefined);
        await Promise.race([super.beforeApplicationShutdown(), wait]);
        timeout.abort();
        this.mailer.close();
    }
    /** As many at once as there are connections to the mail server, so that no lease is waited away. */
    async runRound() {
        let taken;
        do {
            taken = await this.mails.take(CONNECTIONS, LEASE);
            const sent = await Promise.allSettled(taken.map((mail) => this.send(mail)));
            for (const one of sent)
                if (one.status === 'rejected')
                    throw one.reason;
        } while (taken.length > 0 && !this.isOver);
        if (this.isOver)
            return;
        this.count = await this.mails.count();
        if (Date.now() - this.clearedAt < CLEARING)
            return;
        await this.limits.clear();
        this.clearedAt = Date.now();
    }
    async send(taken) {
        const invite = await this.mails.findMailable(taken.inviteId);
        if (invite === null)
            return this.mails.remove(taken);
        const permit = await this.limits.permit(invite);
        if (permit.until !== null)
            return this.mails.hold(taken, permit.until);
        const outcome = await this.mailer.send(inviteMail(invite, this.config.inviteUrl));
        // It has not arrived, and so does not count.
        if (outcome === 'later')
            await this.limits.release(permit.id);
        const isSettled = outcome === 'sent' || outcome === 'refused';
        const pause = isSettled ? null : pauseAfter(taken.attempts, taken.age);
        if (pause !== null) {
            this.outcomes.inc({ outcome: 'failed' });
            // What may have arrived is not tried again within the lease.
            return this.mails.postpone(taken, outcome === 'unknown' ? Math.max(pause, LEASE) : pause);
        }
        this.outcomes.inc({ outcome: outcome === 'sent' ? 'sent' : 'dropped' });
        if (outcome !== 'sent')
            this.logger.error(`the mail of invite ${taken.inviteId} was given up`);
        return this.mails.remove(taken);
    }
};
InviteOutbox = __decorate([
    Injectable(),
    __param(3, Inject(CONFIG)),
    __metadata("design:paramtypes", [InviteOutboxRepository,
        MailLimitsRepository,
        Mailer, Object, Metrics])
], InviteOutbox);
export { InviteOutbox };
//# sourceMappingURL=invite-outbox.js.map