import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Actor } from '../auth/actor.js';
import { CurrentActor, RequiresManage } from '../auth/token.guard.js';
import type { MessageResponse } from '../http/record.wire.js';
import { IdempotencyKey, Idempotent } from '../idempotency/idempotency.guard.js';
import {
  type IdempotentWrite,
  idempotentResponse,
  type RequestKey,
} from '../idempotency/idempotent-write.js';
import { DELIVERIES, NEW_WEBHOOK } from '../openapi/examples.js';
import { messageResponse, Operation } from '../openapi/operation.js';
import type { TeamRef } from '../teams/team.js';
import { Team } from '../teams/team-ref.js';
import { MAX_DELIVERIES } from './limits.js';
import type { Webhook } from './webhook.js';
import {
  CreateWebhookRequest,
  serializeDelivery,
  serializeWebhook,
  UpdateWebhookRequest,
  WebhookDeliveryResponse,
  WebhookResponse,
} from './webhook.wire.js';
import { WebhooksService } from './webhooks.service.js';

const WEBHOOK_ID = {
  name: 'webhook_id',
  type: String,
  description: 'Id of the webhook.',
  example: '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c60',
};

const access = { action: 'team.manageWebhooks', on: 'team' } as const;

const DELETED: MessageResponse = { message: 'The webhook was deleted.' };
const TESTED: MessageResponse = {
  message: 'A test message will be sent: its deliveries show the result.',
};

@ApiTags('webhooks')
@Controller('teams/:team_slug/webhooks')
@RequiresManage()
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Operation({
    summary: 'List the webhooks of a team',
    access,
    response: 'The webhooks, oldest first; without their secrets.',
    type: [WebhookResponse],
  })
  async getWebhooks(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
  ): Promise<WebhookResponse[]> {
    const webhooks = await this.webhooks.list(actor, team);
    return webhooks.map((webhook) => serializeWebhook(webhook));
  }

  @Post()
  @Idempotent(access.action)
  @Operation({
    summary: 'Create a webhook',
    description:
      'Messages are sent to `url` when something has changed, signed by the `secret` of the response, which is shown only once. It acts for the caller: messages are about what the caller may see, as long as the caller owns the team. Returns 404 for a workspace that the caller may not see, 403 at 20 webhooks.',
    access,
    response: 'The webhook, with its secret.',
    type: WebhookResponse,
    example: NEW_WEBHOOK,
  })
  async createWebhook(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Body() given: CreateWebhookRequest,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return this.withSecret(key, (write) => this.webhooks.create(actor, team, given, write));
  }

  @Get(':webhook_id')
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: 'Read a webhook',
    access,
    response: 'The webhook, without its secret.',
    type: WebhookResponse,
  })
  async getWebhook(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
  ): Promise<WebhookResponse> {
    return serializeWebhook(await this.webhooks.get(actor, team, id));
  }

  @Put(':webhook_id')
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: 'Change, enable or disable a webhook',
    description:
      'The caller becomes the person for whom it acts. When it is enabled again, messages are sent for changes from then on.',
    access,
    response: 'The webhook, without its secret.',
    type: WebhookResponse,
  })
  async updateWebhook(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
    @Body() changes: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return serializeWebhook(await this.webhooks.update(actor, team, id, changes));
  }

  @Delete(':webhook_id')
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: 'Delete a webhook',
    access,
    ...messageResponse(DELETED),
    bare: true,
  })
  async deleteWebhook(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
  ): Promise<MessageResponse> {
    await this.webhooks.delete(actor, team, id);
    return DELETED;
  }

  @Post(':webhook_id/secret')
  @Idempotent(access.action)
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: "Renew a webhook's secret",
    description:
      'For 24 hours, messages carry a signature of the old secret, too. The caller becomes the person for whom the webhook acts.',
    access,
    response: 'The webhook, with its new secret.',
    type: WebhookResponse,
    example: NEW_WEBHOOK,
  })
  async renewWebhookSecret(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return this.withSecret(key, (write) => this.webhooks.renewSecret(actor, team, id, write));
  }

  @Post(':webhook_id/test')
  @Idempotent(access.action)
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: 'Send a test message',
    description:
      'Sends one message of the type `webhook.test`, without retries; `getDeliveries` shows the result. Returns 409 for a disabled webhook.',
    access,
    ...messageResponse(TESTED),
  })
  async testWebhook(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
    @IdempotencyKey() key: RequestKey | null,
  ): Promise<string> {
    return idempotentResponse(
      key,
      () => TESTED,
      (write) => this.webhooks.test(actor, team, id, write),
    );
  }

  @Get(':webhook_id/deliveries')
  @ApiParam(WEBHOOK_ID)
  @Operation({
    summary: 'List the last deliveries of a webhook',
    description: `The last ${MAX_DELIVERIES} attempts, newest first; of the responses, only the status is kept.`,
    access,
    response: 'The attempts, newest first.',
    type: [WebhookDeliveryResponse],
    example: DELIVERIES,
  })
  async getDeliveries(
    @CurrentActor() actor: Actor,
    @Team() team: TeamRef,
    @Param('webhook_id') id: string,
  ): Promise<WebhookDeliveryResponse[]> {
    const deliveries = await this.webhooks.deliveries(actor, team, id);
    return deliveries.map((one) => serializeDelivery(one, one.slug ?? undefined));
  }

  /** The response of a write that shows the secret once: what is stored under the key has none. */
  private async withSecret(
    key: RequestKey | null,
    run: (write: IdempotentWrite<Webhook> | null) => Promise<Webhook>,
  ): Promise<string> {
    let webhook: Webhook | undefined;
    const replayed = await idempotentResponse(
      key,
      (written: Webhook) => serializeWebhook(written),
      async (write) => {
        webhook = await run(write);
        return webhook;
      },
    );
    if (!webhook) return replayed;
    return JSON.stringify(serializeWebhook(webhook, this.webhooks.secretOf(webhook)));
  }
}
