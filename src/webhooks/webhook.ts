import type { NewEntry } from '../audit/audit-entries.repository.js';
import { newId } from '../database/identifiers.js';
import { badRequest, conflict, forbidden } from '../errors/domain-error.js';
import { isoTime } from '../http/record.wire.js';
import type { UrlProblem } from './attempts/addresses.js';
import type { SecretSource } from './delivery/signatures.js';
import { MAX_URL, MAX_WEBHOOKS } from './limits.js';

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = ['workspace.changed', 'team.changed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `webhook.test` is sent on request only. */
export const MESSAGE_TYPES = [...WEBHOOK_EVENTS, 'webhook.test'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/**
 * Why the service has disabled a webhook: the receiver has returned 410, there was no success for five days, or
 * its maker no longer owns the team.
 */
export const DISABLE_REASONS = ['gone', 'failing', 'maker_not_owner'] as const;
export type DisableReason = (typeof DISABLE_REASONS)[number];

/** A webhook as one of its team's owners sees it. */
export interface Webhook extends SecretSource {
  url: string;
  events: WebhookEvent[];
  /** Ids of the workspaces that it is about; null: all. */
  workspaceIds: string[] | null;
  /** Slugs of those that the owner may see; null: it is about all. */
  slugs: string[] | null;
  enabled: boolean;
  /** null: it is enabled, or a person has disabled it. */
  disabledBecause: DisableReason | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What a caller gives of a new webhook. */
export interface NewWebhook {
  url: string;
  events?: WebhookEvent[] | undefined;
  /** Slugs; null: all. */
  workspaces?: string[] | null | undefined;
}

/** What is absent stays. */
export type WebhookChanges = Partial<NewWebhook> & { enabled?: boolean | undefined };

/** An attempt to deliver a message. */
export interface Delivery {
  /** Of the message: its `webhook-id`. */
  messageId: string;
  at: Date;
  event: MessageType;
  workspaceId: string | null;
  /** The status that came, or `unreachable`, `timeout`, `tls`. */
  status: string;
}

/** A message before it is signed: the same for each attempt. */
export interface Message {
  id: string;
  body: string;
}

/** @param now milliseconds since 1970, by the database's clock: messages are in order, whoever makes them */
export const newMessage = (type: MessageType, data: object, now: number): Message => ({
  id: `msg_${newId(now)}`,
  body: JSON.stringify({ type, timestamp: isoTime(new Date(now)), data }),
});

/** What the audit log says a webhook is called: its URL without what may be secret in it. */
export function onWebhook({ id, url }: Pick<Webhook, 'id' | 'url'>): Pick<NewEntry, 'target'> {
  const { origin, pathname } = new URL(url);
  return { target: { type: 'webhook', id, name: `${origin}${pathname}` } };
}

// What webhooks refuse.

export const noWebhooks = () =>
  forbidden('this service has no webhooks: its operator sets WEBHOOK_KEY');

export const tooManyWebhooks = () =>
  forbidden(`a team can have at most ${MAX_WEBHOOKS} webhooks: delete one first`);

export const webhookDisabled = () =>
  conflict('the webhook is disabled: enable it first, by updateWebhook');

const URL_PROBLEMS: Record<UrlProblem | 'length', string> = {
  malformed: 'url must be a URL such as https://example.com/hooks',
  scheme:
    'url must begin with https://, or with http:// if the operator lists its host in WEBHOOK_ALLOWED_HOSTS',
  credentials: 'url must not contain a user name or a password',
  address:
    'url must not contain an address that is not public, unless the operator lists it in WEBHOOK_ALLOWED_HOSTS',
  length: `url must be 1 to ${MAX_URL} characters`,
};

export const badUrl = (problem: UrlProblem | 'length') => badRequest(URL_PROBLEMS[problem]);
