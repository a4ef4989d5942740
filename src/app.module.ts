import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from './auth/auth.module.js';
import { TokenGuard } from './auth/token.guard.js';
import { CollectionsModule } from './collections/collections.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthModule } from './http/health.module.js';
import { RateLimitGuard } from './http/rate-limit.guard.js';
import { RateLimit } from './http/rate-limit.js';
import { ReadableBodyGuard } from './http/readable-body.guard.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { MailModule } from './mail/mail.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { ErrorsPageController } from './openapi/errors-page.js';
import { TeamsModule } from './teams/teams.module.js';
import { ReplayAccessModule } from './workspaces/replay-access.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The table of contents. */
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        ObservabilityModule,
        DatabaseModule,
        MailModule,
        AuthModule,
        IdempotencyModule,
        TeamsModule,
        WorkspacesModule,
        ReplayAccessModule,
        CollectionsModule,
        HealthModule,
      ],
      controllers: [ErrorsPageController],
      // In this order: a caller without a token gets 401 before anything else.
      providers: [
        { provide: APP_GUARD, useClass: TokenGuard },
        RateLimit,
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ReadableBodyGuard },
      ],
    };
  }
}
