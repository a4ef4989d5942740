import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { type Mail, oneLine } from './mail.js';

/** Milliseconds before each further attempt. */
const PAUSES = [500, 2_000, 10_000, 60_000];
/** Mails that wait at once; beyond that they are dropped, so that memory stays bounded. */
const MOST_PENDING = 10_000;
/** Milliseconds that a shutdown waits for mails under way. */
const PATIENCE = 5_000;

/**
 * Sends mail in the background, through SMTP_URL. Whoever posts a mail waits for nothing and is told
 * of no failure. Mails live in memory: a process that ends takes those with it that it could not
 * deliver within five seconds.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('mail');
  private readonly transport: Transporter | null;
  private readonly pending = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.transport = config.smtpUrl === null ? null : connect(config.smtpUrl);
  }

  /** Takes a mail to send, after the commit of what it tells of. Without SMTP_URL nothing is sent. */
  post(mail: Mail): void {
    const { transport } = this;
    if (transport === null) return;
    if (this.pending.size >= MOST_PENDING) {
      this.logger.error(`a mail was dropped: ${MOST_PENDING} are waiting already`);
      return;
    }
    const sending = this.send(transport, mail).finally(() => this.pending.delete(sending));
    this.pending.add(sending);
  }

  /** Tries, and tries again where trying may help; never rejects. */
  private async send(transport: Transporter, mail: Mail): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await transport.sendMail({
          from: this.config.mailFrom,
          to: { name: '', address: mail.to },
          subject: oneLine(mail.subject),
          text: mail.text,
          html: mail.html,
        });
        return;
      } catch (error) {
        const pause = PAUSES[attempt];
        const isLast = pause === undefined || isPermanent(error) || this.closing.signal.aborted;
        this.logger.warn(`a mail was not sent${isLast ? '' : ' yet'}: ${reason(error)}`);
        if (isLast) return;
        const wait = { signal: this.closing.signal, ref: false };
        await sleep(pause * (0.75 + Math.random() / 2), undefined, wait).catch(() => undefined);
      }
    }
  }

  /** Mails that wait for another attempt get it now; then whatever is left is dropped. */
  async onApplicationShutdown(): Promise<void> {
    if (this.transport === null) return;
    this.closing.abort();
    const patience = new AbortController();
    await Promise.race([
      Promise.all(this.pending),
      sleep(PATIENCE, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    if (this.pending.size > 0) this.logger.error(`${this.pending.size} mails were dropped`);
    this.transport.close();
  }
}

function connect(url: string): Transporter {
  return createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** True where the server refused for good (SMTP 5xx). */
function isPermanent(error: unknown): boolean {
  const code = (error as { responseCode?: unknown }).responseCode;
  return typeof code === 'number' && code >= 500;
}

/** Code and first line of a failure: an address has no place in a log. */
function reason(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ') || 'unknown reason';
}
