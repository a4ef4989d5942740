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
import { Inject, Injectable, Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { CONFIG } from '../config/config.module.js';
import { oneLine } from './mail.js';
/** Mails that are sent concurrently. */
export const CONNECTIONS = 5;
/** Milliseconds after which a mail counts as not sent, even if the server is still responding. */
const TIMEOUT = 120_000;
/** Timeouts that end before a mail is being sent. */
const BEFORE_A_MAIL = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);
/** Sends mail through the server at SMTP_URL, one attempt a call. */
let Mailer = class Mailer {
    config;
    logger = new Logger('mail');
    transport;
    constructor(config) {
        this.config = config;
        this.transport = config.smtpUrl === null ? null : connect(config.smtpUrl);
    }
    /** Whether there is a mail server. */
    get isOn() {
        return this.transport !== null;
    }
    /** Tries once; never rejects, and is settled within TIMEOUT. */
    async send(mail) {
        const timeout = new AbortController();
        try {
            await Promise.race([
                this.transport?.sendMail({
                    from: this.config.mailFrom,
                    to: { name: '', address: mail.to },
                    subject: oneLine(mail.subject),
                    text: mail.text,
                    html: mail.html,
                }),
                sleep(TIMEOUT, undefined, { signal: timeout.signal, ref: false }).then(() => {
                    throw Object.assign(new Error('the mail server is too slow'), { code: 'ETIMEDOUT' });
                }),
            ]);
            return 'sent';
        }
        catch (error) {
            const outcome = outcomeOf(error);
            this.logger.warn(`a mail was not sent (${outcome}): ${reason(error)}`);
            return outcome;
        }
        finally {
            timeout.abort();
        }
    }
    /** Closes the connections to the mail server, even in the middle of a mail. */
    close() {
        this.transport?.close({ force: true });
    }
};
Mailer = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object])
], Mailer);
export { Mailer };
function connect(url) {
    return createTransport({
        url,
        pool: true,
        maxConnections: CONNECTIONS,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 30_000,
        disableFileAccess: true,
        disableUrlAccess: true,
    });
}
/**
 * A 5xx is permanent if it concerns this recipient or this mail. A rejected login or sender is an
 * error of the configuration, which can be fixed.
 */
function outcomeOf(error) {
    const { command, responseCode, syscall, timeoutType } = error;
    if (typeof responseCode === 'number') {
        return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
            ? 'refused'
            : 'later';
    }
    const isUnheard = syscall === 'connect' || syscall === 'getaddrinfo' || BEFORE_A_MAIL.has(String(timeoutType));
    return isUnheard ? 'later' : 'unknown';
}
/** The codes of a failure: the log must not hold addresses. */
function reason(error) {
    const { code, responseCode } = error;
    return [code, responseCode].filter(Boolean).join(' ') || 'unknown reason';
}
//# sourceMappingURL=mailer.js.map