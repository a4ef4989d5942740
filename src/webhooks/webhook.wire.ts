import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsString } from 'class-validator';
import { isoTime, Time, TimestampsResponse } from '../http/record.wire.js';
import { Field, Flag, Text } from '../validation/fields.js';
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

const URL_FIELD = {
  description:
    'Where messages are sent: https, without a user name, and not a private address. It is first called when there is a message.',
};

const eventsMessage = `must be a list of ${WEBHOOK_EVENTS.join(', ')}, each at most once`;
const Events = (): PropertyDecorator =>
  Field(
    { type: String, isArray: true, enum: [...WEBHOOK_EVENTS], minItems: 1, uniqueItems: true },
    {
      optional: true,
      description:
        'Events to send messages for: `workspace.changed`, changes of the content of workspaces; `team.changed`, changes of people, settings and workspaces. Both by default.',
    },
    IsArray({ message: eventsMessage }),
    ArrayMinSize(1, { message: eventsMessage }),
    ArrayMaxSize(WEBHOOK_EVENTS.length, { message: eventsMessage }),
    IsIn(WEBHOOK_EVENTS, { each: true, message: eventsMessage }),
    ArrayUnique({ message: eventsMessage }),
  );

const workspacesMessage = `must be a list of 1 to ${MAX_WORKSPACES} slugs, each at most once`;
const Workspaces = (): PropertyDecorator =>
  Field(
    { type: String, isArray: true, minItems: 1, maxItems: MAX_WORKSPACES, uniqueItems: true },
    {
      optional: true,
      nullable: true,
      description:
        'Slugs of the workspaces whose content it is about. `null`, the default: all that its maker may read, also later ones.',
    },
    IsArray({ message: workspacesMessage }),
    ArrayMinSize(1, { message: workspacesMessage }),
    ArrayMaxSize(MAX_WORKSPACES, { message: workspacesMessage }),
    IsString({ each: true, message: workspacesMessage }),
    ArrayUnique({ message: workspacesMessage }),
  );

@ApiSchema({ name: 'CreateWebhookRequest', description: 'Where to send messages, and about what.' })
export class CreateWebhookRequest {
  @Text({ min: 1, max: MAX_URL }, URL_FIELD)
  url!: string;

  @Events()
  events?: WebhookEvent[];

  @Workspaces()
  workspaces?: string[] | null;
}

@ApiSchema({ name: 'UpdateWebhookRequest', description: 'What to change; the rest stays.' })
export class UpdateWebhookRequest {
  @Text({ min: 1, max: MAX_URL }, { ...URL_FIELD, optional: true })
  url?: string;

  @Events()
  events?: WebhookEvent[];

  @Workspaces()
  workspaces?: string[] | null;

  @Flag({
    optional: true,
    description:
      'Whether messages are sent. When it is enabled again, it starts with the current state.',
  })
  enabled?: boolean;
}

@ApiSchema({
  name: 'Webhook',
  description: 'A URL that receives a message when something in a team has changed.',
})
export class WebhookResponse extends TimestampsResponse {
  @ApiProperty({ description: 'Unique id.' })
  _id!: string;

  @ApiProperty({ format: 'uri', description: 'Where messages are sent.' })
  url!: string;

  @ApiProperty({
    enum: WEBHOOK_EVENTS,
    isArray: true,
    description: 'Events that messages are sent for.',
  })
  events!: WebhookEvent[];

  @ApiProperty({
    type: String,
    isArray: true,
    nullable: true,
    description:
      'Slugs of the workspaces whose content it is about, as far as the caller can see them; `null`: all.',
  })
  workspaces!: string[] | null;

  @ApiProperty({ description: 'Whether messages are sent.' })
  enabled!: boolean;

  @ApiProperty({
    type: String,
    enum: DISABLE_REASONS,
    nullable: true,
    description:
      'Why the service has disabled it. `gone`: the receiver has returned 410; `failing`: five days without success; `maker_not_owner`: the person for whom it acts no longer owns the team.',
  })
  disabledBecause!: DisableReason | null;

  @ApiProperty({
    description:
      'Verifies messages. Only in the first response of createWebhook and renewWebhookSecret; otherwise "".',
  })
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

@ApiSchema({ name: 'WebhookDelivery', description: 'An attempt to deliver a message.' })
export class DeliveryResponse {
  @ApiProperty({ description: '`webhook-id` of the message, the same for each attempt.' })
  id!: string;

  @Time('When')
  at!: string;

  @ApiProperty({ enum: MESSAGE_TYPES, description: '`type` of the message.' })
  event!: MessageType;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Slug of the workspace that it is about; absent: it is about the team.',
  })
  workspace?: string;

  @ApiProperty({
    description:
      'The status that the receiver has returned, such as `200`; or `unreachable`, `timeout`, `tls`.',
  })
  status!: string;
}

/** @param workspace slug of the delivery's workspace */
export const serializeDelivery = (
  { messageId, at, event, status }: Delivery,
  workspace: string | undefined,
): DeliveryResponse => ({
  id: messageId,
  at: isoTime(at),
  event,
  ...(workspace !== undefined && { workspace }),
  status,
});
