import { isoTime, TimestampsResponse } from '../http/record.wire.js';
import { Property, Schema, Time } from '../openapi/property.js';
import { Check, Field, Flag, Text } from '../validation/fields.js';
import { MAX_URL, MAX_WORKSPACES } from './limits.js';
import {
  type Delivery,
  DISABLE_REASONS,
  type DisableReason,
  MESSAGE_TYPES,
  type MessageType,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from './webhook.js';

const URL_FIELD =
  'Where messages are sent: https, without a user name, and not a private address. It is first called when there is a message.';

/**
 * A list of 1 to `max` elements, none of them twice. Not by class-validator's decorators, which also compare the
 * elements of a list that is too long, each with each: a body may have 25,000.
 */
const SetOf = (max: number, isElement: (element: unknown) => boolean, message: string) =>
  Check('set', (value) => {
    if (!Array.isArray(value) || value.length < 1 || value.length > max) return message;
    return value.every(isElement) && new Set(value).size === value.length ? null : message;
  });

const Events = (): PropertyDecorator =>
  Field(
    { type: String, isArray: true, enum: [...WEBHOOK_EVENTS], minItems: 1, uniqueItems: true },
    [
      'Events to send messages for: `workspace.changed`, changes of the content of workspaces; `team.changed`, changes of people, settings and workspaces. Both by default.',
      { optional: true },
    ],
    SetOf(
      WEBHOOK_EVENTS.length,
      (element) => WEBHOOK_EVENTS.some((event) => event === element),
      `must be a list of ${WEBHOOK_EVENTS.join(', ')}, each at most once`,
    ),
  );

const Workspaces = (): PropertyDecorator =>
  Field(
    { type: String, isArray: true, minItems: 1, maxItems: MAX_WORKSPACES, uniqueItems: true },
    [
      'Slugs of the workspaces whose content it is about. `null`, the default: all that its maker may read, also later ones.',
      { optional: true, nullable: true },
    ],
    SetOf(
      MAX_WORKSPACES,
      (element) => typeof element === 'string',
      `must be a list of 1 to ${MAX_WORKSPACES} slugs, each at most once`,
    ),
  );

@Schema('Where to send messages, and about what.')
export class CreateWebhookRequest {
  @Text({ min: 1, max: MAX_URL }, URL_FIELD) url!: string;
  @Events() events?: WebhookEvent[];
  @Workspaces() workspaces?: string[] | null;
}

@Schema('What to change; the rest stays.')
export class UpdateWebhookRequest {
  @Text({ min: 1, max: MAX_URL }, URL_FIELD, { optional: true }) url?: string;
  @Events() events?: WebhookEvent[];
  @Workspaces() workspaces?: string[] | null;

  @Flag('Whether messages are sent. When it is enabled again, it starts with the current state.', {
    optional: true,
  })
  enabled?: boolean;
}

@Schema('A URL that receives a message when something in a team has changed.')
export class WebhookResponse extends TimestampsResponse {
  @Property('Unique id.') _id!: string;
  @Property('Where messages are sent.', { format: 'uri' }) url!: string;

  @Property('Events that messages are sent for.', { enum: WEBHOOK_EVENTS, isArray: true })
  events!: WebhookEvent[];

  @Property(
    'Slugs of the workspaces whose content it is about, as far as the caller can see them; `null`: all.',
    { isArray: true, nullable: true },
  )
  workspaces!: string[] | null;

  @Property('Whether messages are sent.') enabled!: boolean;

  @Property(
    'Why the service has disabled it. `gone`: the receiver has returned 410; `failing`: five days without success; `maker_not_owner`: the person for whom it acts no longer owns the team.',
    { enum: DISABLE_REASONS, nullable: true },
  )
  disabledBecause!: DisableReason | null;

  @Property(
    'Verifies messages. Only in the first response of createWebhook and renewWebhookSecret; otherwise "".',
  )
  secret!: string;
}

/** @param secret of the first response that shows it */
export const serializeWebhook = (webhook: Webhook, secret = ''): WebhookResponse => ({
  _id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  workspaces: webhook.slugs,
  enabled: webhook.enabled,
  disabledBecause: webhook.disabledBecause,
  secret,
  createdAt: isoTime(webhook.createdAt),
  updatedAt: isoTime(webhook.updatedAt),
});

@Schema('An attempt to deliver a message.')
export class WebhookDeliveryResponse {
  @Property('`webhook-id` of the message, the same for each attempt.') id!: string;
  @Time('When') at!: string;
  @Property('`type` of the message.', { enum: MESSAGE_TYPES }) event!: MessageType;

  @Property('Slug of the workspace that it is about; absent: it is about the team.', {
    optional: true,
  })
  workspace?: string;

  @Property(
    'The status that the receiver has returned, such as `200`; or `unreachable`, `timeout`, `tls`.',
  )
  status!: string;
}

/** @param workspace slug of the delivery's workspace */
export const serializeDelivery = (
  { messageId, at, event, status }: Delivery,
  workspace: string | undefined,
): WebhookDeliveryResponse => ({
  id: messageId,
  at: isoTime(at),
  event,
  ...(workspace !== undefined && { workspace }),
  status,
});
