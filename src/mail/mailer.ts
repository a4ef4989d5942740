import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { type Mail, oneLine } from './mail.js';

/** Mails that are sent at once. */
export const CONNECTIONS = 5;
/** Milliseconds after which a mail counts as not sent, however slowly the server goes on. */
const TIMEOUT = 120_000;

/**
 * What became of a mail: the mail server took it, did not take it but may later, or refused it for
 * good; `unknown` where the connection broke, so that it may have taken it or may still do.
 */
export type Outcome = 'sent' | 'later' | 'refused' | 'unknown';

/** Patience that is at its end before a mail is under way. */
const BEFORE_A_MAIL = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

/** Hands mail to the mail server at SMTP_URL, one attempt a call. */
@Injectable()
export class Mailer {
  private readonly logger = new Logger('mail');
  private readonly transport: Transporter | null;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.transport = config.smtpUrl === null ? null : connect(config.smtpUrl);
  }

  /** Whether there is a mail server. */
  get isOn(): boolean {
    return this.transport !== null;
  }

  /** Tries once; never rejects, and is settled within TIMEOUT. */
  async send(mail: Mail): Promise<Outcome> {
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
    } catch (error) {
      const outcome = outcomeOf(error);
      this.logger.warn(`a mail was not sent (${outcome}): ${reason(error)}`);
      return outcome;
    } finally {
      timeout.abort();
    }
  }

  /** Lets go of the mail server, also in the middle of a mail. */
  close(): void {
    this.transport?.close({ force: true });
  }
}

function connect(url: string): Transporter {
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
 * A 5xx is for good where it is of this recipient or this mail. A login or a sender that the server
 * refuses is a matter of configuration, which can be put right.
 */
function outcomeOf(error: unknown): Outcome {
  const { command, responseCode, syscall, timeoutType } = error as Record<string, unknown>;
  if (typeof responseCode === 'number') {
    return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
      ? 'refused'
      : 'later';
  }
  const isUnheard =
    syscall === 'connect' || syscall === 'getaddrinfo' || BEFORE_A_MAIL.has(String(timeoutType));
  return isUnheard ? 'later' : 'unknown';
}

/** The codes of a failure: an address has no place in a log. */
function reason(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ') || 'unknown reason';
}
