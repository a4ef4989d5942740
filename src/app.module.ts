import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ScopeGuard, TokenGuard } from './auth/token.guard.js';
import { CollectionsModule } from './collections/collections.module.js';
import type { Config } from './config/config.js';
import { type Clock, ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.js';
import { BodiesInReceipt } from './http/bodies-in-receipt.js';
import { BodyGuard } from './http/body.guard.js';
import { HealthModule } from './http/health.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailModule } from './mail/mailer.js';
import { McpModule } from './mcp/mcp.module.js';
import { MeController } from './me/me.controller.js';
import { ObservabilityModule } from './observability/metrics.js';
import { RateLimit, RateLimitCostGuard, RateLimitGuard } from './rate-limit/rate-limit.js';
import { TeamsModule } from './teams/teams.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The table of contents. */
@Module({})
export class AppModule {
  static with(config: Config, clock: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config, clock),
        ObservabilityModule,
        DatabaseModule,
        MailModule,
        AuthModule,
        JobsModule,
        TeamsModule,
        WorkspacesModule,
        CollectionsModule,
        AuditLogModule,
        WebhooksModule,
        McpModule,
        HealthModule,
      ],
      controllers: [MeController],
      // In this order: a caller without a token gets 401 before anything else is done, and nothing is
      // read before the request is counted.
      providers: [
        { provide: APP_GUARD, useClass: TokenGuard },
        RateLimit,
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        BodiesInReceipt,
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_GUARD, useClass: RateLimitCostGuard },
      ],
    };
  }
}
