import { Global, Module } from '@nestjs/common';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { KeysPurge } from './keys-purge.js';

/** Global: the guard belongs to the modules of the controllers that use it. */
@Global()
@Module({
  providers: [IdempotencyKeysRepository, KeysPurge],
  exports: [IdempotencyKeysRepository],
})
export class IdempotencyModule {}
