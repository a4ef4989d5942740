import { Global, Module } from '@nestjs/common';
import { ExpiredKeys } from './expired-keys.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** Global: the interceptor belongs to the modules whose controllers it stands before. */
@Global()
@Module({
  providers: [IdempotencyKeysRepository, ExpiredKeys],
  exports: [IdempotencyKeysRepository],
})
export class IdempotencyModule {}
