var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var AppModule_1;
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from './audit/log/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ScopeGuard, TokenGuard } from './auth/token.guard.js';
import { CollectionsModule } from './collections/collections.module.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { BodyGuard } from './http/body.guard.js';
import { HealthModule } from './http/health.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { MailModule } from './mail/mail.module.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { RateLimitCostGuard, RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimit } from './rate-limit/rate-limit.js';
import { TeamsModule } from './teams/teams.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';
/** The table of contents. */
let AppModule = AppModule_1 = class AppModule {
    static with(config, clock) {
        return {
            module: AppModule_1,
            imports: [
                ConfigModule.with(config, clock),
                ObservabilityModule,
                DatabaseModule,
                MailModule,
                AuthModule,
                IdempotencyModule,
                TeamsModule,
                WorkspacesModule,
                CollectionsModule,
                AuditModule,
                HealthModule,
            ],
            // In this order: a caller without a token gets 401 before anything else is done, and nothing is
            // read before the request is counted.
            providers: [
                { provide: APP_GUARD, useClass: TokenGuard },
                RateLimit,
                { provide: APP_GUARD, useClass: RateLimitGuard },
                { provide: APP_GUARD, useClass: ScopeGuard },
                { provide: APP_GUARD, useClass: BodyGuard },
                { provide: APP_GUARD, useClass: RateLimitCostGuard },
            ],
        };
    }
};
AppModule = AppModule_1 = __decorate([
    Module({})
], AppModule);
export { AppModule };
//# sourceMappingURL=app.module.js.map