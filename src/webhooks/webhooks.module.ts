import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { DeliveryScheduler } from './delivery/delivery-scheduler.js';
import { WebhookDisabler } from './delivery/webhook-disabler.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookDisabler, WebhookSender, DeliveryScheduler],
})
export class WebhooksModule {}
