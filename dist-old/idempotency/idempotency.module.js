var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Global, Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DomainAccess } from './current-access.js';
import { ExpiredKeys } from './expired-keys.js';
import { CurrentAccess } from './idempotency.guard.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
/** Global: the guard belongs to the modules of the controllers that use it. */
let IdempotencyModule = class IdempotencyModule {
};
IdempotencyModule = __decorate([
    Global(),
    Module({
        imports: [TeamsModule, WorkspacesModule, CollectionsModule],
        providers: [
            IdempotencyKeysRepository,
            { provide: CurrentAccess, useClass: DomainAccess },
            ExpiredKeys,
        ],
        exports: [IdempotencyKeysRepository, CurrentAccess],
    })
], IdempotencyModule);
export { IdempotencyModule };
//# sourceMappingURL=idempotency.module.js.map