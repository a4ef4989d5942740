import { Global, Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DomainAccess } from './current-access.js';
import { ExpiredKeys } from './expired-keys.js';
import { CurrentAccess } from './idempotency.guard.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Global: the guard belongs to the modules of the controllers that use it. */
@Global()
@Module({
  imports: [TeamsModule, WorkspacesModule, CollectionsModule],
  providers: [
    IdempotencyKeysRepository,
    { provide: CurrentAccess, useClass: DomainAccess },
    ExpiredKeys,
  ],
  exports: [IdempotencyKeysRepository, CurrentAccess],
})
export class IdempotencyModule {}
