import { Global, Module } from '@nestjs/common';
import { ExpiredKeys } from './expired-keys.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Global: the guard belongs to the modules of the controllers that use it. */
@Global()
@Module({
  providers: [IdempotencyKeysRepository, ExpiredKeys],
  exports: [IdempotencyKeysRepository],
})
export class IdempotencyModule {}
