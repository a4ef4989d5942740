import { setTimeout as sleep } from 'node:timers/promises';
import { Global, Inject, Injectable, Logger, Module } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';

/** Mails that are sent concurrently. */
export const CONNECTIONS = 5;
/** Milliseconds after which a mail counts as not sent, even if the server is still responding. */
const TIMEOUT = 120_000;

/**
 * The outcome of a mail: the mail server accepted it, rejected it temporarily, or rejected it
 * permanently; `unknown` if the connection broke, so that the server may have accepted it.
 */
export type Outcome = 'sent' | 'later' | 'refused' | 'unknown';

/** Timeouts that end before a mail is being sent. */
const BEFORE_A_MAIL = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);

/** Sends mail through the server at SMTP_URL, one attempt a call. */
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

  /** Closes the connections to the mail server, even in the middle of a mail. */
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
 * A 5xx is permanent if it concerns this recipient or this mail. A rejected login or sender is an
 * error of the configuration, which can be fixed.
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

/** The codes of a failure: the log must not hold addresses. */
function reason(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return [code, responseCode].filter(Boolean).join(' ') || 'unknown reason';
}

/** A mail to one person, as text and as HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** One line of at most `max` code points: for a header or a sentence. */
export function oneLine(text: string, max = 120): string {
  const line = Array.from(text.replace(/[\s\p{C}]+/gu, ' ').trim());
  return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}

/** Dots, as browsers read them, and at signs inside a word; and what follows the scheme of a URL. */
const ADDRESS_SIGNS = /(?<=\S)[.\u2024\u3002\uFE52\uFF0E\uFF61@\uFE6B\uFF20](?=\S)|:(?=\/\/)/gu;

/**
 * Text that mail programs do not turn into links: `evil.example` becomes `evil[.]example`. Brackets
 * are how reports of threats "defang" addresses. Unlike invisible characters, no program drops them
 * before it looks for links, and they survive copying.
 */
export const withoutLinks = (text: string): string => text.replace(ADDRESS_SIGNS, '[$&]');

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML that shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}

@Global()
@Module({ providers: [Mailer], exports: [Mailer] })
export class MailModule {}
